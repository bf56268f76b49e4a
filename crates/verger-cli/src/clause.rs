//! `verger clause`: the clauses that answers cite.

use std::io::{self, Write};

use clap::Args;
use verger_answer::{KnownClause, UnknownClause, json};

use crate::outcome::{CommandResult, Outcome};
use crate::screen::message::Message;
use crate::screen::output_format::{Format, FormatArguments, Formats};
use crate::screen::palette::{self, FAINT, HEADING};
use crate::screen::rendering::{Each, Rendering, json_output};

/// Print the text of a clause, such as R9309-2.2.2-1
///
/// Answers cite the requirement of a document, or Verger's own choice, that they are based on. Without an id,
/// lists all clauses.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ClauseArguments {
    /// Id of a clause, or the start of several ids, such as R9309-2.3
    id: Option<String>,

    #[command(flatten)]
    format: FormatArguments<Self>,
}

impl Formats for ClauseArguments {
    const HUMAN: &'static str = "A few lines for each clause";
    const JSON: &'static str = "JSON Lines (schema verger.clause/1, in docs/json.md)";
}

const EXAMPLES: &str = "\
Examples:
  verger clause R9309-2.2.2-1
  verger clause R9309-2.3
  verger clause --json V-12";

pub(crate) fn run(arguments: &ClauseArguments) -> CommandResult {
    let known = match &arguments.id {
        Some(text) => KnownClause::named(text).map_err(|error| no_clause(&error))?,
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

fn no_clause(error: &UnknownClause) -> Message {
    Message::new(error).help("`verger clause` lists them all")
}
