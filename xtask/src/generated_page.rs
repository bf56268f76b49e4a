//! A page of `docs/` with a part that a command of ours writes.

use std::fs;

use crate::workspace;

const END: &str = "<!-- end -->";

/// A page with a part between markers that is made from data.
pub(crate) struct GeneratedPage {
    /// Its path in the workspace.
    pub(crate) path: &'static str,
    /// The command of xtask that writes it.
    pub(crate) command: &'static str,
}

impl GeneratedPage {
    /// Writes the part into the page.
    pub(crate) fn write(&self, part: &str) -> Result<(), String> {
        let rewritten = self.with_part(&self.text()?, part)?;
        let path = workspace::root().join(self.path);
        fs::write(path, rewritten)
            .map_err(|error| format!("{}: cannot be written: {error}", self.path))
    }

    /// Fails where the part in the page is not the one that would be written.
    pub(crate) fn check(&self, part: &str) -> Result<(), String> {
        let page = self.text()?;
        if self.with_part(&page, part)? == page {
            return Ok(());
        }
        Err(format!(
            "{} is stale: run `cargo xtask {}`",
            self.path, self.command
        ))
    }

    fn text(&self) -> Result<String, String> {
        let path = workspace::root().join(self.path);
        fs::read_to_string(path).map_err(|error| format!("{}: cannot be read: {error}", self.path))
    }

    fn begin(&self) -> String {
        format!("<!-- generated: cargo xtask {} -->", self.command)
    }

    /// The page with a fresh part between its markers.
    fn with_part(&self, page: &str, part: &str) -> Result<String, String> {
        let begin = self.begin();
        let around = page
            .split_once(&begin)
            .and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
        let Some((before, after)) = around else {
            return Err(format!("{} lacks `{begin}` or `{END}` after it", self.path));
        };
        Ok(format!("{before}{begin}\n\n{part}\n{END}{after}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_between_the_markers_is_replaced() {
        let page = GeneratedPage {
            path: "docs/some.md",
            command: "some",
        };
        let begin = "<!-- generated: cargo xtask some -->";
        let text = format!("before\n{begin}\nold\n{END}\nafter\n");
        let fresh = page.with_part(&text, "new\n").unwrap();
        assert_eq!(fresh, format!("before\n{begin}\n\nnew\n\n{END}\nafter\n"));
        assert_eq!(page.with_part(&fresh, "new\n").unwrap(), fresh);
        assert_eq!(
            page.with_part("before\n", "new\n").unwrap_err(),
            format!("docs/some.md lacks `{begin}` or `{END}` after it")
        );
    }
}
