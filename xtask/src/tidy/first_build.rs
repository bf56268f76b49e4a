//! Number of packages compiled by a newcomer's first command, `cargo verger check --robots FILE URL`.

use std::collections::BTreeSet;

use super::finding::Finding;
use crate::process::words;
use crate::workspace;

/// Limit for the command without network features. It builds in 90 s from scratch on two idle cores.
const PACKAGES_MAX: usize = 106;
const MANIFEST: &str = "crates/verger-cli/Cargo.toml";

/// Checks the output of `cargo tree --prefix none`.
pub(super) fn findings(tree: &str) -> Option<Finding> {
    let packages: BTreeSet<&str> = tree.lines().filter_map(package).collect();
    let count = packages.len();
    let sentence =
        format!("too many packages without features: {count}, the limit is {PACKAGES_MAX}");
    (count > PACKAGES_MAX).then(|| Finding::new(MANIFEST, 1, sentence))
}

/// Returns the name and version in `serde v1.0.0 (proc-macro) (*)`.
fn package(line: &str) -> Option<&str> {
    let name_end = line.find(' ')?;
    let version = &line[name_end + 1..];
    let end = version.find(' ').unwrap_or(version.len());
    Some(&line[..name_end + 1 + end])
}

/// Returns the packages of the command without its features, as printed by `cargo tree`.
pub(super) fn tree() -> Result<String, String> {
    let of_product = "--no-default-features --edges normal,build --prefix none";
    let of_command = words("tree --locked --package verger-cli");
    workspace::cargo_output(&[of_command, words(of_product)].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_package_is_counted_once() {
        let tree = "a v1.0.0 (/x)\nb v2.0.0 (proc-macro)\nb v2.0.0 (proc-macro) (*)\nb v3.0.0\n";
        let packages: BTreeSet<&str> = tree.lines().filter_map(package).collect();
        assert_eq!(
            packages,
            BTreeSet::from(["a v1.0.0", "b v2.0.0", "b v3.0.0"])
        );
        assert!(findings(tree).is_none());
    }

    #[test]
    fn too_many_are_found() {
        let line = |n: usize| format!("a v{n}.0.0\n");
        let most: String = (0..PACKAGES_MAX).map(line).collect();
        assert!(findings(&most).is_none());
        let more: String = (0..=PACKAGES_MAX).map(line).collect();
        let sentence = format!("without features: {}, the limit", PACKAGES_MAX + 1);
        assert!(findings(&more).unwrap().to_string().contains(&sentence));
    }
}
