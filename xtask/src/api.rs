//! `cargo xtask api`: what each published crate makes public, as `api/*.txt` keep it. Read from the
//! source, so that it needs no nightly toolchain and no build.

mod signature;
mod surface;

use std::fs;

use crate::workspace::{self, Tree};

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

/// Writes the files.
pub(crate) fn write() -> Result<(), String> {
    fs::create_dir_all(workspace::root().join("api")).map_err(|error| format!("api: {error}"))?;
    for (path, listing) in listings()? {
        fs::write(workspace::root().join(&path), listing)
            .map_err(|error| format!("{path}: cannot be written: {error}"))?;
    }
    Ok(())
}

/// Fails where a file is not what would be written, and says what has changed.
pub(crate) fn check() -> Result<(), String> {
    let mut stale = Vec::new();
    for (path, listing) in listings()? {
        let kept = fs::read_to_string(workspace::root().join(&path)).unwrap_or_default();
        if kept == listing {
            continue;
        }
        for line in kept
            .lines()
            .filter(|line| !listing.lines().any(|it| it == *line))
        {
            println!("- {line}");
        }
        for line in listing
            .lines()
            .filter(|line| !kept.lines().any(|it| it == *line))
        {
            println!("+ {line}");
        }
        stale.push(path);
    }
    if stale.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{}: the public interface has changed: run `cargo xtask api`, and say so in CHANGELOG.md",
        stale.join(", ")
    ))
}

/// The path and the content of each file.
fn listings() -> Result<Vec<(String, String)>, String> {
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
            Ok((format!("api/{name}.txt"), lines.join("\n") + "\n"))
        })
        .collect()
}
