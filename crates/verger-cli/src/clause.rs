//! `verger clause`: the sentences that answers rest on.

use std::error::Error;
use std::fmt;
use std::io::{self, BufWriter, Write};

use clap::Args;
use serde::Serialize;
use verger::{Clause, Document};

use crate::octet_text::start_of;
use crate::outcome::{CommandResult, Outcome};
use crate::palette::{self, FAINT, HEADING};

const SCHEMA: &str = "verger.clause/1";

/// A line a clause: its id, its sentence and, for a choice, the reason, with TABs between them.
const SENTENCES: &str = include_str!("../data/clauses.tsv");

/// Print what a clause says, such as R9309-2.3.1.3-1 or V-12
///
/// Answers name the sentence of a document, or the choice of Verger's, that they rest on. Without an
/// id, all are listed.
#[derive(Args, Clone, Debug)]
pub(crate) struct ClauseArguments {
    /// The id of a clause, or the beginning of several: R9309-2.3.1.3-1, R9309-2.3, V-12
    id: Option<String>,

    /// Answer in JSON Lines (schema verger.clause/1, in docs/json.md)
    #[arg(long)]
    json: bool,
}

/// A clause with what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct KnownClause {
    clause: Clause,
    sentence: &'static str,
    /// Why it was chosen; `None` where a document says so.
    reason: Option<&'static str>,
}

impl KnownClause {
    /// All of them, in the order of the documents.
    fn all() -> impl Iterator<Item = Self> {
        SENTENCES.lines().filter_map(|line| {
            let mut cells = line.split('\t');
            Some(Self {
                clause: Clause::from_id(cells.next()?)?,
                sentence: cells.next()?,
                reason: cells.next(),
            })
        })
    }

    /// The one with this id, else those in the section or the document that `text` names.
    fn named(text: &str) -> Vec<Self> {
        let is_it = |known: &Self| known.clause.id().eq_ignore_ascii_case(text);
        if let Some(one) = Self::all().find(is_it) {
            return vec![one];
        }
        let begins = |known: &Self| {
            let id = known.clause.id();
            let rest = id
                .get(..text.len())
                .filter(|start| start.eq_ignore_ascii_case(text))
                .map(|start| &id[start.len()..]);
            rest.is_some_and(|rest| rest.starts_with(['-', '.']))
        };
        Self::all().filter(begins).collect()
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &ClauseArguments) -> CommandResult {
    let known = match &arguments.id {
        Some(text) => KnownClause::named(text),
        None => KnownClause::all().collect(),
    };
    if known.is_empty() {
        let text = arguments.id.as_deref().unwrap_or_default();
        return Err(UnknownClause::new(text).into());
    }
    if arguments.json {
        write_json(&known)?;
    } else {
        let mut output = palette::stdout();
        for clause in &known {
            write_one(&mut output, clause)?;
        }
        output.flush()?;
    }
    Ok(Outcome::Success)
}

fn write_one(output: &mut impl Write, known: &KnownClause) -> io::Result<()> {
    let (id, place) = (known.clause.id(), known.clause);
    writeln!(output, "{HEADING}{id}{HEADING:#}  {FAINT}{place}{FAINT:#}")?;
    writeln!(output, "  {}", known.sentence)?;
    match known.reason {
        Some(reason) => writeln!(output, "  Why: {reason}"),
        None => Ok(()),
    }
}

fn write_json(known: &[KnownClause]) -> io::Result<()> {
    #[derive(Serialize)]
    struct Line {
        schema: &'static str,
        id: &'static str,
        document: &'static str,
        section: Option<&'static str>,
        place: String,
        sentence: &'static str,
        reason: Option<&'static str>,
    }
    let mut output = BufWriter::new(io::stdout().lock());
    for it in known {
        let line = Line {
            schema: SCHEMA,
            id: it.clause.id(),
            document: it.clause.document().name(),
            section: Some(it.clause.section()).filter(|section| !section.is_empty()),
            place: it.clause.to_string(),
            sentence: it.sentence,
            reason: it.reason,
        };
        serde_json::to_writer(&mut output, &line)?;
        output.write_all(b"\n")?;
    }
    output.flush()
}

/// The id is that of no clause.
#[derive(Clone, Debug)]
struct UnknownClause {
    text: String,
}

impl UnknownClause {
    fn new(text: &str) -> Self {
        Self {
            text: start_of(text).into_owned(),
        }
    }
}

impl fmt::Display for UnknownClause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefixes: Vec<&str> = Document::ALL
            .into_iter()
            .filter(|&document| document != Document::Own)
            .map(Document::prefix)
            .collect();
        write!(
            f,
            "`{}` is the id of no clause; ids are like R9309-2.3.1.3-1 and V-12 and begin with one \
             of {}; `verger clause` lists them all",
            self.text,
            prefixes.join(", ")
        )
    }
}

impl Error for UnknownClause {}

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
        }
    }

    #[test]
    fn an_id_names_one_and_its_beginning_several() {
        let ids = |text| -> Vec<&str> {
            let named = KnownClause::named(text);
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
}
