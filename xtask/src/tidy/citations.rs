//! Clause ids must exist, wherever they appear.

use std::collections::BTreeSet;

use super::finding::Finding;
use crate::clause_ids::clause_ids;
use crate::workspace::lies_in;

/// Files that may contain unknown ids because they check or test ids.
const OTHERS: &str = "xtask/src/ bindings/ruby/ crates/verger/src/clause.rs \
    crates/verger-testkit/src/case/load.rs crates/verger-answer/src/known_clause.rs \
    crates/verger-cli/tests/command/clause.rs";

/// Names of documents that are not public.
const PRIVATE: [&str; 5] = [
    "contract-",
    "protocol.md",
    "house.md",
    "google-library.md",
    "dialect table B",
];

/// All ids, and the prefixes of ids that name a section.
pub(super) struct KnownIds(BTreeSet<String>);

impl KnownIds {
    pub(super) fn of<'i>(ids: impl Iterator<Item = &'i str>) -> Self {
        let mut known = BTreeSet::new();
        for id in ids {
            known.insert(id.to_owned());
            if let Some((section, _)) = id.rsplit_once('-') {
                known.insert(section.to_owned());
                let mut section = section;
                while let Some((above, _)) = section.rsplit_once('.') {
                    known.insert(above.to_owned());
                    section = above;
                }
            }
        }
        Self(known)
    }

    /// Returns unknown ids and names of private documents in a file.
    pub(super) fn findings(&self, path: &str, text: &str) -> Vec<Finding> {
        if lies_in(path, OTHERS) || path.ends_with("Cargo.lock") {
            return Vec::new();
        }
        let mut findings = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            for id in clause_ids(line).filter(|id| !self.0.contains(*id)) {
                let sentence = format!("cites unknown clause `{id}`");
                findings.push(Finding::new(path, number, sentence));
            }
            for name in PRIVATE.iter().filter(|name| line.contains(*name)) {
                // That page mentions replaced values.
                if path != "docs/json.md" {
                    let sentence = format!("cites the private document `{name}`");
                    findings.push(Finding::new(path, number, sentence));
                }
            }
        }
        findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_that_is_none_is_found_and_sections_may_be_named() {
        let known = KnownIds::of(["R9309-2.3.1.3-1", "V-12", "G-5xx-1"].into_iter());
        let count = |line: &str| known.findings("a.rs", line).len();
        for good in [
            "R9309-2.3.1.3-1, V-12.",
            "R9309-2.3.1, G-5xx",
            "UTF-8 and X-V-1",
            "OWN-7",
        ] {
            assert_eq!(count(good), 0, "{good}");
        }
        for bad in ["R9309-2.3.1.3-2", "(V-13)", "G-6xx-1", "`K96-1`"] {
            assert_eq!(count(bad), 1, "{bad}");
        }
        assert_eq!(count("by contract-4"), 1);
        assert!(known.findings("xtask/src/a.rs", "V-99").is_empty());
    }
}
