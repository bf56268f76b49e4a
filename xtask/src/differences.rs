//! `cargo xtask differences`: the table of `docs/dialects.md`, made from the cases on which the
//! dialects differ.

mod table;

use std::fs;

use verger_testkit::case::{load_all, testdata_dir};

use crate::workspace;

/// The page that holds the table.
pub(crate) const PAGE: &str = "docs/dialects.md";

const BEGIN: &str = "<!-- generated: cargo xtask differences -->";
const END: &str = "<!-- end -->";

const NEW_PAGE: &str = "\
# The dialects

One body, one question, four documents: where they answer differently, and why. A number is the
line of the rule that decides.

<!-- generated: cargo xtask differences -->
<!-- end -->
";

/// Writes the table into the page.
pub(crate) fn write() -> Result<(), String> {
    let page = page()?;
    let rewritten = with_table(&page)?;
    let path = workspace::root().join(PAGE);
    fs::write(path, rewritten).map_err(|error| format!("{PAGE}: cannot be written: {error}"))
}

/// Fails where the table in the page is not the one that would be written.
pub(crate) fn check() -> Result<(), String> {
    let page = page()?;
    if with_table(&page)? == page {
        return Ok(());
    }
    Err(format!("{PAGE} is stale: run `cargo xtask differences`"))
}

fn page() -> Result<String, String> {
    let path = workspace::root().join(PAGE);
    if !path.exists() {
        return Ok(NEW_PAGE.to_owned());
    }
    fs::read_to_string(path).map_err(|error| format!("{PAGE}: cannot be read: {error}"))
}

/// The page with a fresh table between its markers.
fn with_table(page: &str) -> Result<String, String> {
    let corpus = load_all(&testdata_dir()).map_err(|error| error.to_string())?;
    replaced(page, &table::render(&corpus))
        .ok_or_else(|| format!("{PAGE} lacks `{BEGIN}` or `{END}` after it"))
}

fn replaced(page: &str, table: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n\n{table}\n{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_between_the_markers_is_replaced() {
        let page = format!("before\n{BEGIN}\nold\n{END}\nafter\n");
        let fresh = replaced(&page, "new\n").unwrap();
        assert_eq!(fresh, format!("before\n{BEGIN}\n\nnew\n\n{END}\nafter\n"));
        assert_eq!(replaced(&fresh, "new\n").unwrap(), fresh);
        assert_eq!(replaced("before\n", "new\n"), None);
        assert!(replaced(NEW_PAGE, "new\n").is_some());
    }
}
