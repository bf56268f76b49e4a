use serde::{Serialize, Serializer};
use thiserror::Error;
use verger::{Clause, Document};

use crate::text::start_of;

const SCHEMA: &str = "verger.clause/1";

/// One clause per line: id, level, sentence and, for a choice, the reason, separated by tabs.
const SENTENCES: &str = include_str!("../data/clauses.tsv");

/// A requirement of a document or a choice by Verger, with its text.
///
/// Serializes as `verger.clause/1` of `docs/json.md`.
///
/// ```
/// use verger_answer::KnownClause;
///
/// let known = KnownClause::named("R9309-2.3.1.3-1")?;
/// assert_eq!(known[0].clause().to_string(), "RFC 9309, 2.3.1.3");
/// assert!(known[0].sentence().starts_with("The file is unavailable"));
/// # Ok::<(), verger_answer::UnknownClause>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownClause {
    clause: Clause,
    level: Option<&'static str>,
    sentence: &'static str,
    reason: Option<&'static str>,
}

impl KnownClause {
    /// Iterates over all clauses in document order, the choices last.
    pub fn all() -> impl Iterator<Item = Self> {
        SENTENCES.lines().filter_map(|line| {
            let mut cells = line.split('\t');
            Some(Self {
                clause: Clause::from_id(cells.next()?)?,
                level: Some(cells.next()?).filter(|level| !level.is_empty()),
                sentence: cells.next()?,
                reason: cells.next(),
            })
        })
    }

    /// Returns the text of `clause`, or `None` if it is not one of these.
    #[must_use]
    pub fn from_clause(clause: Clause) -> Option<Self> {
        Self::all().find(|known| known.clause.id() == clause.id())
    }

    /// Returns the clause with this id, ignoring case, or all clauses whose ids begin with the
    /// section or document `text`: `R9309-2.3`, `K96`.
    ///
    /// # Errors
    ///
    /// Returns an error if no id equals or begins with `text`.
    pub fn named(text: &str) -> Result<Vec<Self>, UnknownClause> {
        let is_it = |known: &Self| known.clause.id().eq_ignore_ascii_case(text);
        if let Some(one) = Self::all().find(is_it) {
            return Ok(vec![one]);
        }
        let begins = |known: &Self| {
            let id = known.clause.id();
            let rest = id
                .get(..text.len())
                .filter(|start| start.eq_ignore_ascii_case(text))
                .map(|start| &id[start.len()..]);
            rest.is_some_and(|rest| rest.starts_with(['-', '.']))
        };
        let several: Vec<_> = Self::all().filter(begins).collect();
        if several.is_empty() {
            return Err(UnknownClause {
                text: start_of(text).into_owned(),
            });
        }
        Ok(several)
    }

    /// Returns the clause. `Display` writes its place: `RFC 9309, 2.3.1.3`.
    #[must_use]
    pub fn clause(&self) -> Clause {
        self.clause
    }

    /// Returns the document's requirement word in its own case (`MUST`, `SHOULD`, `MAY`, `should`),
    /// or `None` for a statement or a choice.
    #[must_use]
    pub fn level(&self) -> Option<&'static str> {
        self.level
    }

    /// Returns the meaning of the clause in Verger's words.
    #[must_use]
    pub fn sentence(&self) -> &'static str {
        self.sentence
    }

    /// Returns the reason for a choice, or `None` for a requirement.
    #[must_use]
    pub fn reason(&self) -> Option<&'static str> {
        self.reason
    }
}

impl Serialize for KnownClause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Keys {
            schema: &'static str,
            id: &'static str,
            document: &'static str,
            section: Option<&'static str>,
            place: String,
            level: Option<&'static str>,
            sentence: &'static str,
            reason: Option<&'static str>,
        }
        Keys {
            schema: SCHEMA,
            id: self.clause.id(),
            document: self.clause.document().name(),
            section: Some(self.clause.section()).filter(|section| !section.is_empty()),
            place: self.clause.to_string(),
            level: self.level,
            sentence: self.sentence,
            reason: self.reason,
        }
        .serialize(serializer)
    }
}

/// No clause id equals or begins with the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "there is no clause `{text}`: ids such as R9309-2.3.1.3-1 and V-12 begin with one of {}",
    prefixes()
)]
pub struct UnknownClause {
    text: String,
}

fn prefixes() -> String {
    let documents = Document::ALL.iter().copied();
    let documents = documents.filter(|&document| document != Document::Own);
    documents
        .map(Document::prefix)
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_clause_with_a_sentence() {
        assert_eq!(KnownClause::all().count(), SENTENCES.lines().count());
        for known in KnownClause::all() {
            assert!(known.sentence.ends_with('.'), "{known:?}");
            let is_choice = known.clause.document() == Document::Choices;
            assert_eq!(known.reason.is_some(), is_choice, "{known:?}");
            assert_eq!(KnownClause::from_clause(known.clause), Some(known));
        }
    }

    #[test]
    fn an_id_names_one_and_its_beginning_several() {
        let ids = |text| -> Vec<&str> {
            let named = KnownClause::named(text).unwrap_or_default();
            named.iter().map(|it| it.clause.id()).collect()
        };
        assert_eq!(ids("v-1"), ["V-1"]);
        assert_eq!(ids("r9309-2.3.1.3"), ["R9309-2.3.1.3-1", "R9309-2.3.1.3-2"]);
        assert!(ids("R9309").len() > ids("R9309-2").len());
        assert!(ids("K96").iter().all(|id| id.starts_with("K96-")));
        for none in ["", "R", "R9309-2.3.1.3-9", "R9309-", "é"] {
            assert!(ids(none).is_empty(), "{none}");
        }
    }

    #[test]
    fn an_unknown_id_is_refused_with_the_form_of_ids() {
        let error = KnownClause::named("R9309-9.9-9").unwrap_err().to_string();
        assert!(error.starts_with("there is no clause `R9309-9.9-9`: ids such as"));
        assert!(error.contains("R9309, D00, "), "{error}");
    }

    #[test]
    fn a_clause_is_a_line_of_json() {
        let choice = KnownClause::named("V-9").unwrap()[0];
        let line = serde_json::to_value(choice).unwrap();
        assert_eq!(line["schema"], "verger.clause/1");
        assert_eq!(line["section"], serde_json::Value::Null);
        assert_eq!(line["place"], "Verger's choice 9");
        assert_eq!(line["sentence"], choice.sentence());
        assert_eq!(line["level"], serde_json::Value::Null);
        assert_eq!(line["reason"], choice.reason().unwrap());
    }
}
