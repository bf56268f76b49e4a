//! The modules of a crate and the references between them: no cycles, and no paths through the root.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::finding::Finding;
use super::imports::{NamedPath, named_paths};
use super::source::Source;
use crate::process::words;

/// Names that do not describe the content of a module.
const SAYING_NOTHING: &str = "common error errors helper helpers manager managers misc \
    shared stuff types util utilities utils";

/// A module by its path from the crate root. The root is empty.
type ModulePath = Vec<String>;

/// The modules of one crate that have files, and the references between them.
pub(super) struct ModuleGraph<'s> {
    sources: BTreeMap<ModulePath, &'s Source>,
    /// References between modules, with the referring line.
    edges: BTreeMap<ModulePath, BTreeMap<ModulePath, usize>>,
    through_root: Vec<Finding>,
}

impl<'s> ModuleGraph<'s> {
    /// Builds the graph of the crate with sources in `src_dir` (`crates/verger/src/`).
    pub(super) fn of_crate(src_dir: &str, sources: impl Iterator<Item = &'s Source>) -> Self {
        let sources: BTreeMap<ModulePath, &Source> = sources
            .filter_map(|source| Some((module_path(source.path.strip_prefix(src_dir)?)?, source)))
            .collect();
        let mut graph = Self {
            sources,
            edges: BTreeMap::new(),
            through_root: Vec::new(),
        };
        for (module, source) in graph.sources.clone() {
            for path in named_paths(&source.product) {
                graph.add(&module, source, &path);
            }
        }
        graph
    }

    fn add(&mut self, module: &ModulePath, source: &Source, path: &NamedPath) {
        let mut place = module.clone();
        place.extend(path.inner_modules.iter().cloned());
        let Some(absolute) = self.absolute(module, place, &path.segments) else {
            return;
        };
        let target = self.home_of(&absolute);
        let line = path.line;
        if target.is_empty() && !module.is_empty() {
            if let Some(name) = absolute.first() {
                self.through_root.push(Finding::new(
                    &source.path,
                    line,
                    format!(
                        "`{}` goes through the crate root: name the module that defines `{name}`",
                        path.segments.join("::")
                    ),
                ));
            }
        } else if target != *module {
            let edges = self.edges.entry(module.clone()).or_default();
            edges.entry(target).or_insert(line);
        }
    }

    /// Returns the absolute path of `segments` as written by `module` in `place`, or `None` outside of the crate.
    fn absolute(
        &self,
        module: &ModulePath,
        mut place: ModulePath,
        segments: &[String],
    ) -> Option<ModulePath> {
        let mut rest = segments;
        match rest.first()?.as_str() {
            "crate" => {
                place.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|segment| segment == "super") {
                    place.pop();
                    rest = &rest[1..];
                }
            }
            child => {
                let mut path = module.clone();
                path.push(child.to_owned());
                if !self.sources.contains_key(&path) {
                    return None;
                }
                place.clone_from(module);
            }
        }
        place.extend(rest.iter().cloned());
        Some(place)
    }

    /// Returns the innermost module with a file on `path`.
    fn home_of(&self, path: &[String]) -> ModulePath {
        let mut path = path.to_vec();
        while !path.is_empty() && !self.sources.contains_key(&path) {
            path.pop();
        }
        path
    }

    pub(super) fn findings(&self) -> Vec<Finding> {
        let mut findings = self.through_root.clone();
        findings.extend(self.circles());
        for (module, source) in &self.sources {
            let says_nothing = |name: &&String| words(SAYING_NOTHING).contains(&name.as_str());
            if let Some(name) = module.last().filter(says_nothing) {
                let sentence = format!("`{name}` does not describe its content: name the noun");
                findings.push(Finding::new(&source.path, 1, sentence));
            }
        }
        findings
    }

    /// Reports the shortest cycle through each module that is not in a cycle reported earlier.
    fn circles(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut named = BTreeSet::new();
        for start in self.sources.keys() {
            if named.contains(start) {
                continue;
            }
            let Some(circle) = self.shortest_circle(start) else {
                continue;
            };
            let line = self.edges[start][&circle[1]];
            let files: Vec<&str> = circle
                .iter()
                .map(|module| self.sources[module].path.as_str())
                .collect();
            findings.push(Finding::new(
                files[0],
                line,
                format!("is part of a cycle: {}", files.join(" → ")),
            ));
            named.extend(circle);
        }
        findings
    }

    fn shortest_circle(&self, start: &ModulePath) -> Option<Vec<ModulePath>> {
        let mut came_from = BTreeMap::<&ModulePath, &ModulePath>::new();
        let mut queue = VecDeque::from([start]);
        while let Some(module) = queue.pop_front() {
            for next in self.edges.get(module).into_iter().flat_map(BTreeMap::keys) {
                if next == start {
                    let mut circle = vec![start.clone(), module.clone()];
                    let mut at = module;
                    while let Some(&before) = came_from.get(at) {
                        circle.push(before.clone());
                        at = before;
                    }
                    circle.reverse();
                    return Some(circle);
                }
                if !came_from.contains_key(next) {
                    came_from.insert(next, module);
                    queue.push_back(next);
                }
            }
        }
        None
    }
}

/// Maps `a/b.rs` and `a/b/mod.rs` to `a::b`, and `lib.rs` and `main.rs` to the root. Other binaries have no path.
fn module_path(file: &str) -> Option<ModulePath> {
    let stem = file.strip_suffix(".rs")?;
    if stem.starts_with("bin/") {
        return None;
    }
    let stem = stem.strip_suffix("/mod").unwrap_or(stem);
    Some(match stem {
        "lib" | "main" => Vec::new(),
        _ => stem.split('/').map(str::to_owned).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(files: &[(&str, &str)]) -> Vec<String> {
        let sources: Vec<Source> = files
            .iter()
            .map(|(path, text)| {
                Source::new(&format!("src/{path}"), text).unwrap_or_else(|it| panic!("{it}"))
            })
            .collect();
        let graph = ModuleGraph::of_crate("src/", sources.iter());
        graph.findings().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_circle_is_named_by_its_files() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "use std::fmt;\nuse crate::b::B;"),
            ("b.rs", "fn f() { crate::c::g() }"),
            ("c.rs", "use super::a;"),
        ];
        assert_eq!(
            findings(&files),
            ["src/a.rs:2: is part of a cycle: src/a.rs → src/b.rs → src/c.rs → src/a.rs"]
        );
    }

    #[test]
    fn a_parent_may_use_its_children_and_they_each_other() {
        let files = [
            ("lib.rs", "mod a;"),
            ("a.rs", "mod b;\nmod c;\npub use b::B;\nfn f() { c::g() }"),
            ("a/b.rs", "use super::c::C;"),
            ("a/c.rs", "mod inner { use super::D; }"),
        ];
        assert!(findings(&files).is_empty());
    }

    #[test]
    fn a_child_that_uses_its_parent_makes_a_circle() {
        let files = [
            ("a.rs", "mod b;\npub use self::b::B;"),
            ("a/b.rs", "use super::A;"),
        ];
        assert_eq!(
            findings(&files),
            ["src/a.rs:2: is part of a cycle: src/a.rs → src/a/b.rs → src/a.rs"]
        );
    }

    #[test]
    fn nothing_goes_through_the_root() {
        let files = [
            ("lib.rs", "mod a; mod b; pub use a::A;"),
            ("a.rs", ""),
            ("b.rs", "use crate::{\n    A,\n    a::B,\n};"),
        ];
        assert_eq!(
            findings(&files),
            [
                "src/b.rs:2: `crate::A` goes through the crate root: name the module that defines `A`"
            ]
        );
    }

    #[test]
    fn tests_make_no_circle() {
        let files = [
            ("a.rs", "#[cfg(test)]\nmod tests { use crate::b::B; }"),
            ("b.rs", "use crate::a::A;"),
        ];
        assert!(findings(&files).is_empty());
    }

    #[test]
    fn a_name_that_says_nothing_is_found() {
        assert_eq!(findings(&[("a/utils.rs", "")]).len(), 1);
        assert_eq!(findings(&[("error.rs", "")]).len(), 1);
    }
}
