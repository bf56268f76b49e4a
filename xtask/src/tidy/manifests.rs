//! The manifests: who may use whom, why each dependency is there, and the lints of all.

use std::collections::BTreeMap;

use toml::{Table, Value};

use super::dependency_table::{DependencyRow, PAGE};
use super::finding::Finding;

/// Where a crate stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Under the floors: it uses no crate, and is the one that may hold unsafe code.
    Ground,
    /// It may use what stands on lower floors.
    Floor(u8),
    /// Cases, oracle and generators: they use no crate of the product, and only tests use them.
    Testkit,
    /// Chores: they use what they like, and nobody uses them.
    Chores,
}

/// Every crate of the workspace and its place; a new crate takes its place here.
const PLACES: [(&str, Place); 11] = [
    ("verger-simd", Place::Ground),
    ("verger", Place::Floor(0)),
    ("verger-crawlers", Place::Floor(1)),
    ("verger-responder", Place::Floor(1)),
    ("verger-access", Place::Floor(2)),
    ("verger-store", Place::Floor(3)),
    ("verger-answer", Place::Floor(3)),
    ("verger-client", Place::Floor(4)),
    ("verger-cli", Place::Floor(6)),
    ("verger-testkit", Place::Testkit),
    ("xtask", Place::Chores),
];

fn place_of(name: &str) -> Option<Place> {
    PLACES
        .iter()
        .find(|(crate_name, _)| *crate_name == name)
        .map(|&(_, place)| place)
}

/// A manifest of a crate, read.
pub(super) struct Manifest {
    path: String,
    text: String,
    name: String,
    table: Table,
}

/// For what a dependency is needed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    Product,
    Tests,
}

impl Manifest {
    pub(super) fn read(path: &str, text: &str) -> Result<Self, Finding> {
        let table: Table = toml::from_str(text)
            .map_err(|error| Finding::new(path, 1, format!("is no manifest: {error}")))?;
        let name = table
            .get("package")
            .and_then(|package| package.get("name"))
            .and_then(Value::as_str);
        let Some(name) = name else {
            return Err(Finding::new(path, 1, "names no package"));
        };
        Ok(Self {
            path: path.to_owned(),
            text: text.to_owned(),
            name: name.to_owned(),
            table,
        })
    }

    fn line_of(&self, dependency: &str) -> usize {
        let starts = |line: &str| {
            line.strip_prefix(dependency)
                .is_some_and(|rest| rest.starts_with(['.', ' ', '=']))
        };
        self.text.lines().position(starts).map_or(1, |at| at + 1)
    }

    /// All dependencies by name, those for one platform included.
    fn dependencies(&self) -> BTreeMap<&str, Need> {
        let platforms = self.table.get("target").and_then(Value::as_table);
        let tables = std::iter::once(&self.table).chain(
            platforms
                .into_iter()
                .flat_map(|targets| targets.values())
                .filter_map(Value::as_table),
        );
        let mut dependencies = BTreeMap::new();
        for table in tables {
            for (key, need) in [
                ("dev-dependencies", Need::Tests),
                ("build-dependencies", Need::Product),
                ("dependencies", Need::Product),
            ] {
                let names = table.get(key).and_then(Value::as_table);
                for name in names.into_iter().flat_map(Table::keys) {
                    dependencies.insert(name.as_str(), need);
                }
            }
        }
        dependencies
    }

    /// Its dependencies from outside the workspace.
    fn external_dependencies(&self) -> impl Iterator<Item = &str> {
        self.dependencies()
            .into_keys()
            .filter(|dependency| place_of(dependency).is_none())
    }
}

/// What is wrong with the manifests of the crates.
pub(super) fn findings(manifests: &[Manifest], rows: &[DependencyRow]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for manifest in manifests {
        findings.extend(arrows(manifest));
        findings.extend(unexplained(manifest, rows));
        let inherits_lints = manifest
            .table
            .get("lints")
            .and_then(|lints| lints.get("workspace"))
            .and_then(Value::as_bool);
        let may_be_unsafe = place_of(&manifest.name) == Some(Place::Ground);
        if inherits_lints != Some(true) && !may_be_unsafe {
            let sentence = "does not inherit the lints of the workspace";
            findings.push(Finding::new(&manifest.path, 1, sentence));
        }
    }
    findings.extend(stale(manifests, rows));
    findings
}

/// Arrows that do not go down.
fn arrows(manifest: &Manifest) -> Vec<Finding> {
    let Some(place) = place_of(&manifest.name) else {
        let sentence = format!(
            "`{}` has no place in xtask's table of floors",
            manifest.name
        );
        return vec![Finding::new(&manifest.path, 1, sentence)];
    };
    let mut findings = Vec::new();
    for (dependency, need) in manifest.dependencies() {
        let Some(used) = place_of(dependency) else {
            continue;
        };
        let goes_down = match (place, used) {
            (Place::Chores, _) | (Place::Floor(_), Place::Ground) => true,
            (_, Place::Testkit) => need == Need::Tests,
            (Place::Floor(floor), Place::Floor(below)) => below < floor,
            (Place::Ground | Place::Testkit, _) | (_, Place::Chores) => false,
        };
        if !goes_down {
            findings.push(Finding::new(
                &manifest.path,
                manifest.line_of(dependency),
                format!(
                    "`{}` may not use `{dependency}`: arrows go down only",
                    manifest.name
                ),
            ));
        }
    }
    findings
}

/// Dependencies without a reason.
fn unexplained(manifest: &Manifest, rows: &[DependencyRow]) -> Vec<Finding> {
    manifest
        .external_dependencies()
        .filter(|dependency| {
            !rows
                .iter()
                .any(|row| row.explains(dependency, &manifest.name))
        })
        .map(|dependency| {
            Finding::new(
                &manifest.path,
                manifest.line_of(dependency),
                format!(
                    "`{dependency}` of `{}` stands in no row of {PAGE}",
                    manifest.name
                ),
            )
        })
        .collect()
}

/// Reasons without a dependency.
fn stale(manifests: &[Manifest], rows: &[DependencyRow]) -> Vec<Finding> {
    let uses = |user: &str, dependency: &str| {
        let mut manifests = manifests.iter().filter(|manifest| manifest.name == user);
        manifests.any(|manifest| manifest.external_dependencies().any(|it| it == dependency))
    };
    let mut findings = Vec::new();
    for row in rows {
        let DependencyRow {
            dependencies,
            used_by,
            ..
        } = row;
        let mut sentences: Vec<String> = used_by
            .iter()
            .filter(|user| !dependencies.iter().any(|it| uses(user, it)))
            .map(|user| format!("`{user}` does not use `{}`", dependencies.join("`, `")))
            .collect();
        if sentences.is_empty() {
            let unused = dependencies.iter();
            let unused = unused.filter(|it| !used_by.iter().any(|user| uses(user, it)));
            sentences.extend(unused.map(|it| format!("nobody in its row uses `{it}`")));
        }
        let sentences = sentences.into_iter();
        findings.extend(sentences.map(|sentence| Finding::new(PAGE, row.line, sentence)));
    }
    findings
}

/// What is wrong with the manifest of the workspace.
pub(super) fn workspace_findings(path: &str, text: &str) -> Vec<Finding> {
    let unsafe_code = toml::from_str::<Table>(text).ok().and_then(|table| {
        let lints = table.get("workspace")?.get("lints")?;
        lints
            .get("rust")?
            .get("unsafe_code")?
            .as_str()
            .map(str::to_owned)
    });
    match unsafe_code.as_deref() {
        Some("forbid") => Vec::new(),
        _ => vec![Finding::new(path, 1, "does not forbid unsafe code")],
    }
}

#[cfg(test)]
mod tests {
    use super::super::dependency_table;
    use super::*;

    fn manifest(name: &str, rest: &str) -> Manifest {
        let text = format!("[package]\nname = \"{name}\"\n[lints]\nworkspace = true\n{rest}");
        Manifest::read(&format!("{name}/Cargo.toml"), &text)
            .unwrap_or_else(|finding| panic!("{finding}"))
    }

    fn all(manifests: &[Manifest], page: &str) -> Vec<String> {
        let rows = dependency_table::rows(page);
        let findings = findings(manifests, &rows);
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn arrows_go_down_and_tests_may_use_the_testkit() {
        let good = [
            manifest("verger-cli", "[dependencies]\nverger.workspace = true\n"),
            manifest(
                "verger",
                "[dev-dependencies]\nverger-testkit.workspace = true\n",
            ),
        ];
        assert!(all(&good, "").is_empty());
        let bad = [
            manifest("verger", "[dependencies]\nverger-cli = { path = \"x\" }\n"),
            manifest(
                "verger-cli",
                "[dependencies]\nverger-testkit.workspace = true\n",
            ),
            manifest(
                "verger-testkit",
                "[dependencies]\nverger.workspace = true\n",
            ),
        ];
        assert_eq!(
            all(&bad, ""),
            [
                "verger/Cargo.toml:6: `verger` may not use `verger-cli`: arrows go down only",
                "verger-cli/Cargo.toml:6: `verger-cli` may not use `verger-testkit`: arrows go down only",
                "verger-testkit/Cargo.toml:6: `verger-testkit` may not use `verger`: arrows go down only",
            ]
        );
    }

    #[test]
    fn each_dependency_has_a_row_and_each_row_a_dependency() {
        let page = "## Dependencies\n\n| dependency | used by | why |\n|---|---|---|\n\
                    | `memchr` | `verger` | finds octets fast |\n| `toml` | `verger` | reads |\n";
        let manifests = [manifest(
            "verger",
            "[target.'cfg(unix)'.dependencies]\nmemchr.workspace = true\n[dependencies]\nlibc = \"0\"\n",
        )];
        assert_eq!(
            all(&manifests, page),
            [
                "verger/Cargo.toml:8: `libc` of `verger` stands in no row of ARCHITECTURE.md",
                "ARCHITECTURE.md:6: `verger` does not use `toml`",
            ]
        );
    }

    #[test]
    fn of_several_dependencies_in_a_row_each_is_used() {
        let row = |names: &str| {
            format!(
                "## Dependencies\n\n| dependency | used by | why |\n|---|---|---|\n| {names} | `verger` | x |\n"
            )
        };
        let manifests = [manifest("verger", "[dependencies]\na = \"1\"\nb = \"1\"\n")];
        assert!(all(&manifests, &row("`a`, `b`")).is_empty());
        assert_eq!(
            all(&manifests, &row("`a`, `b`, `c`")),
            ["ARCHITECTURE.md:5: nobody in its row uses `c`"]
        );
    }

    #[test]
    fn a_crate_without_a_place_or_without_lints_is_found() {
        let text = "[package]\nname = \"verger-new\"\n";
        let manifest = Manifest::read("n/Cargo.toml", text).unwrap_or_else(|it| panic!("{it}"));
        assert_eq!(all(&[manifest], "").len(), 2);
    }

    #[test]
    fn the_workspace_forbids_unsafe_code() {
        let text = "[workspace.lints.rust]\nunsafe_code = \"forbid\"\n";
        assert!(workspace_findings("Cargo.toml", text).is_empty());
        assert_eq!(workspace_findings("Cargo.toml", "[workspace]\n").len(), 1);
    }
}
