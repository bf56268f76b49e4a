//! Cases, scenarios, behaviours of the hostile origin and test functions that cite a clause.

use std::collections::BTreeMap;

use verger_testkit::case::{Corpus, testdata_dir, unknown_citation};
use verger_testkit::origin_file::bundled_behaviours;
use verger_testkit::scenario::load_scenarios;

use crate::test_citations::test_citations;

/// Citing ids by clause and file, relative to the workspace root.
#[derive(Default)]
pub(crate) struct Citations {
    by_clause: BTreeMap<String, BTreeMap<String, Vec<String>>>,
}

impl Citations {
    /// Reads all citations of the workspace. Returns an error if a table cites a clause that `corpus` does not
    /// contain.
    pub(crate) fn read(corpus: &Corpus) -> Result<Self, String> {
        let scenarios = load_scenarios(&testdata_dir()).map_err(|error| error.to_string())?;
        let behaviours = bundled_behaviours().map_err(|error| error.to_string())?;
        let mut citations = Self::default();
        // Cases with an unknown clause fail to load.
        for (id, file, cited) in corpus.citations() {
            citations.add(id, &format!("testdata/{file}"), cited);
        }
        for (id, file, cited) in scenarios.citations() {
            citations.add_known(corpus, id, &format!("testdata/access/{file}"), cited)?;
        }
        for it in &behaviours {
            citations.add_known(corpus, &it.name, "testdata/origin.toml", &it.clauses)?;
        }
        for test in test_citations()? {
            citations.add(&test.function, &test.file, &test.clauses);
        }
        Ok(citations)
    }

    /// Adds citations of a table, all of which must be in `corpus`.
    pub(crate) fn add_known(
        &mut self,
        corpus: &Corpus,
        id: &str,
        path: &str,
        cited: &[String],
    ) -> Result<(), String> {
        if let Some(citation) = unknown_citation(&corpus.clauses, cited) {
            return Err(format!("{path}: {id}: cites unknown clause `{citation}`"));
        }
        self.add(id, path, cited);
        Ok(())
    }

    /// Adds citations of `id` in a file.
    pub(crate) fn add(&mut self, id: &str, path: &str, cited: &[String]) {
        for clause in cited {
            let files = self.by_clause.entry(clause.clone()).or_default();
            files
                .entry(path.to_owned())
                .or_default()
                .push(id.to_owned());
        }
    }

    pub(crate) fn has(&self, clause: &str) -> bool {
        self.by_clause.contains_key(clause)
    }

    /// Returns links from `docs/reference/` to the citing files, each with its number of cases.
    pub(crate) fn links(&self, clause: &str) -> String {
        let files = self.by_clause.get(clause).into_iter().flatten();
        let links: Vec<String> = files
            .map(|(path, ids)| {
                let name = path.strip_prefix("testdata/").unwrap_or(path);
                let count = ids.len();
                format!("[{name}](../../{path}) ({count})")
            })
            .collect();
        links.join("<br>")
    }
}

#[cfg(test)]
mod tests {
    use verger_testkit::case::load_text;

    use super::*;

    #[test]
    fn clauses_that_there_are_not_are_refused() {
        let known = "[[clause]]\nid = \"X-1\"\nstatus = \"access\"\nsentence = \"Scope.\"\n";
        let corpus = load_text("a.toml", known).unwrap();
        let mut citations = Citations::default();
        let cited = ["X-1", "X-9"].map(str::to_owned);
        assert_eq!(
            citations.add_known(&corpus, "one", "testdata/origin.toml", &cited),
            Err("testdata/origin.toml: one: cites unknown clause `X-9`".to_owned())
        );
        assert!(!citations.has("X-1"));
        assert_eq!(
            citations.add_known(&corpus, "one", "testdata/origin.toml", &cited[..1]),
            Ok(())
        );
        assert!(citations.has("X-1"));
        assert_eq!(
            citations.links("X-1"),
            "[origin.toml](../../testdata/origin.toml) (1)"
        );
    }
}
