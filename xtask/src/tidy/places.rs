//! Paths of one machine have no place in the repository.

use super::finding::Finding;

/// The directories with which paths of a machine begin.
const MACHINE_FOLDERS: [&str; 3] = ["work", "tmp", "home"];

/// Files that hold robots.txt lines and URLs by trade, in which such paths are data.
const DATA: [&str; 4] = [
    "testdata/",
    "docs/dialects.md",
    "crates/verger-crawlers/data/",
    "crates/verger-testkit/src/oracle/",
];

/// The absolute paths in one file.
pub(super) fn findings(file: &str, text: &str) -> Vec<Finding> {
    if DATA.iter().any(|data| file.starts_with(data)) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        // Lines of a robots.txt hold paths of a site.
        if line.to_ascii_lowercase().contains("llow:") {
            continue;
        }
        for folder in MACHINE_FOLDERS {
            if names_a_path_in(line, folder) {
                let sentence = format!("names a path of one machine, under /{folder}");
                findings.push(Finding::new(file, number, sentence));
            }
        }
    }
    findings
}

/// Whether `line` holds `/directory/…`, not as the end of a longer path.
fn names_a_path_in(line: &str, folder: &str) -> bool {
    let path = format!("/{folder}/");
    line.match_indices(&path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || "._-~/*".contains(c))
    })
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
