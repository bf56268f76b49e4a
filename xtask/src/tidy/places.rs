//! Paths of one machine must not appear in the repository.

use super::finding::Finding;
use crate::workspace::lies_in;

/// First directories of machine-specific paths.
const MACHINE_FOLDERS: [&str; 3] = ["work", "tmp", "home"];

/// Files in which such paths are data, because they contain robots.txt lines and URLs.
const DATA: &str = "testdata/ docs/reference/dialects.md crates/verger-crawlers/data/ \
    crates/verger-testkit/src/oracle/";

/// Reports absolute paths in one file.
pub(super) fn findings(file: &str, text: &str) -> Vec<Finding> {
    if lies_in(file, DATA) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for folder in MACHINE_FOLDERS {
        for (at, _) in text.match_indices(&format!("/{folder}/")) {
            let number = text[..at].split('\n').count();
            let before = text[..at].rsplit('\n').next().unwrap_or_default();
            let is_end = before.ends_with(|c: char| c.is_alphanumeric() || "._-~/*".contains(c));
            // Rules in robots.txt contain paths of a site.
            if !is_end && !before.to_ascii_lowercase().contains("llow:") {
                let sentence = format!("contains a path of one machine, under /{folder}");
                findings.push(Finding::new(file, number, sentence));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(file: &str, line: &str) -> usize {
        findings(file, line).len()
    }

    #[test]
    fn a_path_of_one_machine_is_found() {
        let path = format!("see \"/{}/x\"", "tmp");
        assert_eq!(count("README.md", &path), 1);
        assert_eq!(count("testdata/a.toml", &path), 0);
        assert_eq!(count("README.md", &format!("Disallow: /{}/x", "tmp")), 0);
        assert_eq!(count("README.md", "https://h.example/home/x"), 0);
        assert_eq!(count("README.md", "crates/home/x and /homes/x"), 0);
    }
}
