//! The table of dependencies in docs/dependencies.md: `| dependency | used by | why |`. A row may tell of
//! several that are there for one reason.

use super::finding::Finding;

/// The page that holds the table.
pub(super) const PAGE: &str = "docs/dependencies.md";

const HEADING: &str = "## The table";

/// One row.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct DependencyRow {
    pub(super) line: usize,
    pub(super) dependencies: Vec<String>,
    pub(super) used_by: Vec<String>,
    why: String,
}

impl DependencyRow {
    /// Whether it says why `user` has `dependency`.
    pub(super) fn explains(&self, dependency: &str, user: &str) -> bool {
        let names = |names: &[String], name: &str| names.iter().any(|it| it == name);
        names(&self.dependencies, dependency) && names(&self.used_by, user)
    }
}

/// The rows under the heading, up to the next one.
pub(super) fn rows(page: &str) -> Vec<DependencyRow> {
    page.lines()
        .zip(1..)
        .skip_while(|(line, _)| line.trim_end() != HEADING)
        .skip(1)
        .take_while(|(line, _)| !line.starts_with("## "))
        .filter_map(|(line, number)| row(line, number))
        .collect()
}

/// A row whose first cell is a name in backticks; head and rule of the table are none.
fn row(line: &str, number: usize) -> Option<DependencyRow> {
    let cells: Vec<&str> = line.trim().trim_matches('|').split('|').collect();
    let [dependencies, used_by, why] = cells.as_slice() else {
        return None;
    };
    let dependencies: Vec<String> = names(dependencies).map(str::to_owned).collect();
    if dependencies.is_empty() {
        return None;
    }
    Some(DependencyRow {
        line: number,
        dependencies,
        used_by: names(used_by).map(str::to_owned).collect(),
        why: why.trim().to_owned(),
    })
}

/// The texts in backticks.
fn names(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// Rows that do not say why.
pub(super) fn findings(rows: &[DependencyRow]) -> Vec<Finding> {
    rows.iter()
        .filter(|row| row.why.is_empty())
        .map(|row| {
            let sentence = format!(
                "does not say why `{}` is there",
                row.dependencies.join("`, `")
            );
            Finding::new(PAGE, row.line, sentence)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# A\n| `x` | `y` | no |\n## The table\n\nWords.\n\n\
                        | dependency | used by | why |\n|---|---|---|\n\
                        | `serde`, `serde_json` | `a`, `b` (tests) | reads |\n| `toml` | `a` | |\n## Next\n| `z` | `a` | no |\n";

    #[test]
    fn rows_stand_under_the_heading() {
        let rows = rows(TEXT);
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].line, 9);
        assert!(rows[0].explains("serde", "b"));
        assert!(rows[0].explains("serde_json", "a"));
        assert!(!rows[0].explains("serde", "c"));
    }

    #[test]
    fn a_row_says_why() {
        let findings = findings(&rows(TEXT));
        assert_eq!(
            findings[0].to_string(),
            "docs/dependencies.md:10: does not say why `toml` is there"
        );
        assert_eq!(findings.len(), 1);
    }
}
