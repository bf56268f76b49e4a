//! Manifests: which crates may depend on each other, the reason for each dependency, and lints.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::finding::Finding;
use crate::process::words;

/// The layer of a crate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Below all floors. Depends on no crate and may contain unsafe code.
    Ground,
    /// May depend on crates of lower floors.
    Floor(u8),
    /// Cases, oracles, generators and servers. They depend on no product crate, and only tests depend on them.
    Testkit,
    /// Tools that may depend on any crate. No crate depends on them.
    Chores,
}

/// Every crate and its layer. Add new crates here.
const PLACES: &[(Place, &str)] = &[
    (Place::Ground, "verger-simd"),
    (Place::Floor(0), "verger"),
    (Place::Floor(1), "verger-crawlers verger-extensions"),
    (Place::Floor(2), "verger-access verger-compare"),
    (Place::Floor(3), "verger-answer verger-store"),
    (
        Place::Floor(4),
        "verger-client verger-html verger-lint verger-owner",
    ),
    (Place::Floor(5), "verger-tower verger-lsp verger-watch"),
    (Place::Floor(6), "verger-inputs"),
    (Place::Floor(7), "verger-audit verger-bulk"),
    (Place::Floor(8), "verger-page"),
    (Place::Floor(9), "verger-cli vergerd"),
    (Place::Testkit, "verger-testkit verger-origin"),
    (Place::Chores, "xtask xtask-start"),
];

fn place_of(name: &str) -> Option<Place> {
    let mut places = PLACES.iter();
    let found = places.find(|(_, names)| words(names).contains(&name));
    found.map(|(place, _)| *place)
}

/// The relevant parts of `cargo metadata`.
#[derive(Deserialize)]
pub(super) struct Metadata {
    packages: Vec<Package>,
    workspace_root: String,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// `dev`, `build`, or `None` for dependencies of the product.
    kind: Option<String>,
}

impl Metadata {
    /// Parses the JSON of cargo.
    pub(super) fn read(json: &str) -> Result<Self, String> {
        serde_json::from_str(json).map_err(|error| format!("cargo metadata: {error}"))
    }

    /// Returns each package of the workspace with its manifest, read by `text`.
    pub(super) fn manifests(
        self,
        text: impl Fn(&str) -> Result<String, String>,
    ) -> Result<Vec<Manifest>, String> {
        let root = format!("{}/", self.workspace_root);
        let manifest = |package: Package| {
            let path = package.manifest_path.strip_prefix(&root);
            let path = path.unwrap_or(&package.manifest_path).to_owned();
            Ok(Manifest {
                text: text(&path)?,
                path,
                package,
            })
        };
        self.packages.into_iter().map(manifest).collect()
    }
}

/// A package of the workspace, and the text of its manifest.
pub(super) struct Manifest {
    path: String,
    text: String,
    package: Package,
}

impl Manifest {
    fn name(&self) -> &str {
        &self.package.name
    }

    fn line_of(&self, dependency: &str) -> usize {
        let starts = |line: &str| {
            line.strip_prefix(dependency)
                .is_some_and(|rest| rest.starts_with(['.', ' ', '=']))
        };
        self.text.lines().position(starts).map_or(1, |at| at + 1)
    }

    /// Returns dependencies by name, platform-specific ones included, and whether non-test code needs them.
    fn dependencies(&self) -> BTreeMap<&str, bool> {
        let mut dependencies = BTreeMap::new();
        for dependency in &self.package.dependencies {
            let is_needed = dependencies.entry(dependency.name.as_str()).or_default();
            *is_needed |= dependency.kind.as_deref() != Some("dev");
        }
        dependencies
    }

    /// Whether the package inherits the lints of the workspace.
    fn inherits_lints(&self) -> bool {
        self.text.contains("\n[lints]\nworkspace = true\n")
    }
}

pub(super) fn findings(manifests: &[Manifest]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for manifest in manifests {
        findings.extend(arrows(manifest));
        let may_be_unsafe = place_of(manifest.name()) == Some(Place::Ground);
        if !manifest.inherits_lints() && !may_be_unsafe {
            let sentence = "does not inherit the lints of the workspace";
            findings.push(Finding::new(&manifest.path, 1, sentence));
        }
    }
    findings
}

/// Reports dependencies that do not point to a lower layer.
fn arrows(manifest: &Manifest) -> Vec<Finding> {
    let name = manifest.name();
    let Some(place) = place_of(name) else {
        let sentence = format!("`{name}` is missing from PLACES in xtask/src/tidy/manifests.rs");
        return vec![Finding::new(&manifest.path, 1, sentence)];
    };
    let mut findings = Vec::new();
    for (dependency, of_product) in manifest.dependencies() {
        let Some(used) = place_of(dependency) else {
            continue;
        };
        let goes_down = match (place, used) {
            (Place::Chores, _)
            | (Place::Floor(_), Place::Ground)
            | (Place::Testkit, Place::Testkit) => true,
            (_, Place::Testkit) => !of_product,
            (Place::Floor(floor), Place::Floor(below)) => below < floor,
            (Place::Ground | Place::Testkit, _) | (_, Place::Chores) => false,
        };
        if !goes_down {
            let sentence = format!(
                "`{name}` must not depend on `{dependency}`: crates depend only on lower floors"
            );
            let line = manifest.line_of(dependency);
            findings.push(Finding::new(&manifest.path, line, sentence));
        }
    }
    findings
}

/// Checks the workspace manifest.
pub(super) fn workspace_findings(path: &str, text: &str) -> Vec<Finding> {
    let forbids = text.lines().any(|line| line == "unsafe_code = \"forbid\"");
    let finding = || Finding::new(path, 1, "does not forbid unsafe code");
    (!forbids).then(finding).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Returns a package with these dependencies and their kinds. Its manifest inherits the lints and contains a line
    /// for each dependency.
    fn manifest(name: &str, dependencies: &[(&str, &str)]) -> Manifest {
        let mut text = format!("[package]\nname = \"{name}\"\n[lints]\nworkspace = true\n[d]\n");
        let names: BTreeSet<&str> = dependencies.iter().map(|(name, _)| *name).collect();
        for dependency in names {
            text.push_str(dependency);
            text.push_str(".workspace = true\n");
        }
        one(name, dependencies, &text)
    }

    fn one(name: &str, dependencies: &[(&str, &str)], text: &str) -> Manifest {
        let dependencies: Vec<String> = dependencies
            .iter()
            .map(|(name, kind)| format!("{{\"name\":\"{name}\",\"kind\":{kind}}}"))
            .collect();
        let json = format!(
            "{{\"workspace_root\":\"/w\",\"packages\":[{{\"name\":\"{name}\",\"version\":\"1\",\
             \"manifest_path\":\"/w/{name}/Cargo.toml\",\"dependencies\":[{}]}}]}}",
            dependencies.join(",")
        );
        let metadata = Metadata::read(&json).unwrap();
        let mut manifests = metadata.manifests(|_| Ok(text.to_owned())).unwrap();
        manifests.remove(0)
    }

    const PRODUCT: &str = "null";
    const TESTS: &str = "\"dev\"";

    fn all(manifests: &[Manifest]) -> Vec<String> {
        let findings = findings(manifests);
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn arrows_go_down_and_tests_may_use_the_testkit() {
        let good = [
            manifest("verger-cli", &[("verger", PRODUCT)]),
            manifest("verger", &[("verger-testkit", TESTS)]),
        ];
        assert!(all(&good).is_empty());
        let bad = [
            manifest("verger", &[("verger-cli", PRODUCT)]),
            manifest("verger-cli", &[("verger-testkit", PRODUCT)]),
            manifest("verger-testkit", &[("verger", PRODUCT)]),
        ];
        assert_eq!(
            all(&bad),
            [
                "verger/Cargo.toml:6: `verger` must not depend on `verger-cli`: crates depend only on lower floors",
                "verger-cli/Cargo.toml:6: `verger-cli` must not depend on `verger-testkit`: crates depend only on lower floors",
                "verger-testkit/Cargo.toml:6: `verger-testkit` must not depend on `verger`: crates depend only on lower floors",
            ]
        );
    }

    #[test]
    fn a_crate_without_a_place_or_without_lints_is_found() {
        let manifest = one(
            "verger-new",
            &[],
            "[package]
name = \"verger-new\"
",
        );
        assert_eq!(all(&[manifest]).len(), 2);
    }

    #[test]
    fn the_workspace_forbids_unsafe_code() {
        let text = "[workspace.lints.rust]\nunsafe_code = \"forbid\"\n";
        assert!(workspace_findings("Cargo.toml", text).is_empty());
        assert_eq!(workspace_findings("Cargo.toml", "[workspace]\n").len(), 1);
    }
}
