//! `cargo xtask api`: what each published crate makes public, as `api/*.txt` keep it. Read from the
//! source, so that it needs no nightly toolchain and no build.

mod signature;
mod surface;

use crate::generated::Generated;
use crate::workspace::Tree;

/// The published libraries.
const CRATES: &[&str] = &[
    "verger",
    "verger-access",
    "verger-answer",
    "verger-audit",
    "verger-bulk",
    "verger-cli",
    "verger-client",
    "verger-compare",
    "verger-crawlers",
    "verger-files",
    "verger-filter",
    "verger-gate",
    "verger-lint",
    "verger-lsp",
    "verger-owner",
    "verger-page",
    "verger-responder",
    "verger-simd",
    "verger-store",
];

/// A file for each library.
pub(crate) fn files() -> Result<Vec<Generated>, String> {
    let tree = Tree::of_workspace()?;
    CRATES
        .iter()
        .map(|name| {
            let src_dir = format!("crates/{name}/src/");
            let mut files = Vec::new();
            for file in tree
                .ending_in(".rs")
                .filter(|file| file.starts_with(&src_dir))
            {
                let text = tree.text(file)?.unwrap_or_default();
                files.push((file[src_dir.len()..].to_owned(), text));
            }
            let lines = surface::lines(&files).map_err(|error| format!("{name}: {error}"))?;
            Ok(Generated::whole(
                format!("api/{name}.txt"),
                lines.join("\n") + "\n",
            ))
        })
        .collect()
}
