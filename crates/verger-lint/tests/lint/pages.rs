//! `docs/lints.md` contains the page of each lint as printed.

use std::fs;
use std::path::Path;

use verger_lint::all;

#[test]
fn the_page_of_each_lint_is_in_the_documentation() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lints.md");
    let page = fs::read_to_string(path).unwrap();
    let stale = all()
        .iter()
        .filter(|lint| !page.contains(&lint.to_string()));
    let stale: Vec<_> = stale.map(verger_lint::Lint::code).collect();
    assert!(stale.is_empty(), "run `cargo xtask lints`: {stale:?}");
    let headings = page.lines().filter(|line| line.starts_with("## `")).count();
    assert_eq!(headings, all().len(), "run `cargo xtask lints`");
}
