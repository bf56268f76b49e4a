//! `cargo xtask deny`: licences, sources and versions of all dependencies, as `deny.toml` allows them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde::Deserialize;

use crate::workspace;

/// What `deny.toml` says, as far as it is checked here.
#[derive(Deserialize)]
struct Rules {
    licenses: Licenses,
    bans: Bans,
    sources: Sources,
}

#[derive(Deserialize)]
struct Licenses {
    allow: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Bans {
    deny: Vec<Entry>,
    skip: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    #[serde(rename = "crate")]
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Sources {
    allow_registry: Vec<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Clone, Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    source: Option<String>,
}

/// Fails where a dependency is not as `deny.toml` allows it.
pub(crate) fn run() -> Result<(), String> {
    let path = workspace::root().join("deny.toml");
    let text = fs::read_to_string(path).map_err(|error| format!("deny.toml: {error}"))?;
    let rules: Rules = toml::from_str(&text).map_err(|error| format!("deny.toml: {error}"))?;
    let json = workspace::metadata(&[])?;
    let metadata: Metadata =
        serde_json::from_slice(&json).map_err(|error| format!("cargo metadata: {error}"))?;
    let findings = findings(&rules, &metadata.packages);
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => {
            println!(
                "{} packages are as deny.toml allows",
                metadata.packages.len()
            );
            Ok(())
        }
        count => Err(format!("{count} findings against deny.toml")),
    }
}

fn findings(rules: &Rules, packages: &[Package]) -> Vec<String> {
    let mut findings = Vec::new();
    for package in packages {
        let Package { name, version, .. } = package;
        let license = package.license.as_deref().unwrap_or_default();
        if !is_allowed(license, &rules.licenses.allow) {
            findings.push(format!(
                "{name} {version}: the licence `{license}` is not allowed"
            ));
        }
        if rules.bans.deny.iter().any(|entry| entry.name == *name) {
            findings.push(format!("{name} {version}: is banned"));
        }
        if let Some(source) = &package.source {
            let registry = source.strip_prefix("registry+");
            let is_known = registry.is_some_and(|it| {
                rules
                    .sources
                    .allow_registry
                    .iter()
                    .any(|allowed| allowed == it)
            });
            if !is_known {
                findings.push(format!("{name} {version}: comes from {source}"));
            }
        }
    }
    findings.extend(repeated(rules, packages));
    findings
}

/// Packages in several versions that are not excepted, and exceptions that are not needed.
fn repeated(rules: &Rules, packages: &[Package]) -> Vec<String> {
    let mut versions = BTreeMap::<&str, BTreeSet<&str>>::new();
    for package in packages {
        versions
            .entry(&package.name)
            .or_default()
            .insert(&package.version);
    }
    let mut findings = Vec::new();
    for entry in &rules.bans.skip {
        let (name, version) = entry.name.split_once('@').unwrap_or((&entry.name, ""));
        let is_needed = versions
            .get_mut(name)
            .is_some_and(|versions| versions.len() > 1 && versions.remove(version));
        if !is_needed {
            findings.push(format!(
                "deny.toml: the exception for {} is not needed",
                entry.name
            ));
        }
    }
    for (name, versions) in versions.iter().filter(|(_, versions)| versions.len() > 1) {
        let versions: Vec<&str> = versions.iter().copied().collect();
        findings.push(format!("{name}: is there as {}", versions.join(" and ")));
    }
    findings
}

/// Whether a licence expression can be met with the licences of the list: `A OR B`, `A AND B`,
/// `A WITH E`, brackets, and the old `A/B`.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    any_of(&mut rest, allowed) == Some(true) && rest.is_empty()
}

fn any_of(words: &mut &[&str], allowed: &BTreeSet<String>) -> Option<bool> {
    let mut is_met = all_of(words, allowed)?;
    while let Some(("OR", rest)) = words.split_first().map(|(word, rest)| (*word, rest)) {
        *words = rest;
        is_met |= all_of(words, allowed)?;
    }
    Some(is_met)
}

fn all_of(words: &mut &[&str], allowed: &BTreeSet<String>) -> Option<bool> {
    let mut is_met = one(words, allowed)?;
    while let Some(("AND", rest)) = words.split_first().map(|(word, rest)| (*word, rest)) {
        *words = rest;
        is_met &= one(words, allowed)?;
    }
    Some(is_met)
}

fn one(words: &mut &[&str], allowed: &BTreeSet<String>) -> Option<bool> {
    let (first, rest) = words.split_first()?;
    *words = rest;
    if *first == "(" {
        let is_met = any_of(words, allowed)?;
        let (close, rest) = words.split_first()?;
        *words = rest;
        return (*close == ")").then_some(is_met);
    }
    if let [with, exception, rest @ ..] = *words
        && *with == "WITH"
    {
        *words = rest;
        return Some(allowed.contains(&format!("{first} WITH {exception}")));
    }
    Some(allowed.contains(*first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_is_met_by_the_licences_of_the_list() {
        let allowed: BTreeSet<String> = ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"]
            .map(str::to_owned)
            .into();
        for met in [
            "MIT",
            "GPL-3.0 OR MIT",
            "MIT/Apache-2.0",
            "MIT AND ISC",
            "(MIT OR GPL-3.0) AND ISC",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert!(is_allowed(met, &allowed), "{met}");
        }
        for unmet in [
            "",
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "Apache-2.0",
            "(MIT",
            "MIT ISC",
            "MIT OR",
            "Apache-2.0 WITH Other",
        ] {
            assert!(!is_allowed(unmet, &allowed), "{unmet}");
        }
    }

    #[test]
    fn versions_sources_and_bans_are_found() {
        let rules: Rules = toml::from_str(
            "[licenses]\nallow = [\"MIT\"]\n[bans]\ndeny = [{ crate = \"d\" }]\n\
             skip = [{ crate = \"a@1\" }, { crate = \"b@1\" }]\n\
             [sources]\nallow-registry = [\"https://r.example/index\"]\n",
        )
        .unwrap_or_else(|error| panic!("{error}"));
        let package = |name: &str, version: &str, source: Option<&str>| Package {
            name: name.to_owned(),
            version: version.to_owned(),
            license: Some("MIT".to_owned()),
            source: source.map(str::to_owned),
        };
        let registry = Some("registry+https://r.example/index");
        let packages = [
            package("a", "1", registry),
            package("a", "2", registry),
            package("b", "1", None),
            package("c", "1", Some("git+https://h.example/c")),
            package("d", "1", registry),
            package("e", "1", registry),
            package("e", "2", registry),
        ];
        assert_eq!(
            findings(&rules, &packages),
            [
                "c 1: comes from git+https://h.example/c",
                "d 1: is banned",
                "deny.toml: the exception for b@1 is not needed",
                "e: is there as 1 and 2",
            ]
        );
    }
}
