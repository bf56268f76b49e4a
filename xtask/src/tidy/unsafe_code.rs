//! SECURITY.md must name every crate with unsafe code.

use std::collections::BTreeSet;

use super::finding::Finding;
use super::source::Source;

/// Reports crates with unsafe code that are not named in backticks.
pub(super) fn findings(sources: &[Source], security: &str) -> Vec<Finding> {
    let is_unsafe = |it: &&Source| it.tokens().iter().any(|token| token.text == "unsafe");
    let crates = sources.iter().filter(is_unsafe).filter_map(|source| {
        let (directory, _) = source.path.split_once("/src/")?;
        Some(directory)
    });
    let crates: BTreeSet<&str> = crates.collect();
    let is_named = |directory: &&str| {
        // A binding is named by its directory, at whatever depth its crate is.
        let mut parts = directory.split('/');
        let named = [parts.next(), parts.next()].map(Option::unwrap_or_default);
        security.contains(&format!("`{}`", named.join("/")))
    };
    let missing = crates.into_iter().filter(|directory| !is_named(directory));
    missing
        .map(|directory| {
            let sentence = format!("`{directory}` has unsafe code but is not listed here");
            Finding::new("SECURITY.md", 1, sentence)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_with_unsafe_code_is_named() {
        let source = |path: &str, text: &str| Source::new(path, text).ok().unwrap();
        let sources = [
            source("crates/a/src/lib.rs", "#![forbid(unsafe_code)]\nfn b() {}"),
            source("bindings/r/ext/b/src/c.rs", "fn d() { unsafe { e() } }"),
            source("crates/s/src/f.rs", "#[unsafe(no_mangle)]\nfn g() {}"),
        ];
        let found = |security: &str| {
            let found = findings(&sources, security);
            found.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(
            found("`crates/s`"),
            ["SECURITY.md:1: `bindings/r/ext/b` has unsafe code but is not listed here"]
        );
        assert!(found("`crates/s` and `bindings/r`").is_empty());
    }
}
