//! `verger clause`: what the clauses say that answers rest on.

use std::io::{self, Write};

use clap::Args;
use verger_answer::{KnownClause, UnknownClause, json};

use crate::outcome::{CommandResult, Outcome};
use crate::screen::output_format::{Format, FormatArguments, Formats};
use crate::screen::palette::{self, FAINT, HEADING};
use crate::screen::rendering::{Each, Rendering, json_output};

/// Print what a clause says, such as R9309-2.3.1.3-1 or V-12
///
/// Answers name the requirement of a document, or Verger's own choice, that they rest on. Without an
/// id, all clauses are listed.
#[derive(Args, Clone, Debug)]
pub(crate) struct ClauseArguments {
    /// The id of a clause, or the beginning of several: R9309-2.3.1.3-1, R9309-2.3, V-12
    id: Option<String>,

    #[command(flatten)]
    format: FormatArguments<Self>,
}

impl Formats for ClauseArguments {
    const HUMAN: &'static str = "A few lines for each clause";
    const JSON: &'static str = "JSON Lines (schema verger.clause/1, in docs/json.md)";
}

/// Runs the command.
pub(crate) fn run(arguments: &ClauseArguments) -> CommandResult {
    let known = match &arguments.id {
        Some(text) => KnownClause::named(text).map_err(NoClause)?,
        None => KnownClause::all().collect(),
    };
    let mut rendering: Box<dyn Rendering<KnownClause>> = match arguments.format.format() {
        Format::Json => {
            let line = |output: &mut _, known: &KnownClause| json::write_line(output, known);
            Box::new(Each::new(json_output(), line))
        }
        _ => Box::new(Each::new(palette::stdout(), write_one)),
    };
    known.iter().try_for_each(|it| rendering.answer(it))?;
    rendering.finish()?;
    Ok(Outcome::Success)
}

fn write_one(output: &mut impl Write, known: &KnownClause) -> io::Result<()> {
    let (id, place) = (known.clause().id(), known.clause());
    write!(output, "{HEADING}{id}{HEADING:#}  {FAINT}{place}{FAINT:#}")?;
    match known.level() {
        Some(level) => writeln!(output, "  {level}")?,
        None => writeln!(output)?,
    }
    writeln!(output, "  {}", known.sentence())?;
    match known.reason() {
        Some(reason) => writeln!(output, "  Why: {reason}"),
        None => Ok(()),
    }
}

/// The id is that of no clause. Displays with the command that lists them.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}; `verger clause` lists them all")]
struct NoClause(UnknownClause);
