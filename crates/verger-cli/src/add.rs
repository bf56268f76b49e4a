//! `verger add`: adds rules for some crawlers to a file, without a change for any other.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use verger::{Effect, RobotsTxt};
use verger_files::{Links, Source, put_file};
use verger_owner::{Addition, FileComparison, NewRule, crawlers_of};

use crate::arguments::budget::BudgetArguments;
use crate::arguments::crawler::CrawlerArguments;
use crate::arguments::reading::ReadingArguments;
use crate::diff::write_comparison;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::write_out;
use crate::screen::notice;
use crate::screen::palette;

/// Add rules for some crawlers to a robots.txt, with the proof that nothing changes for others
///
/// A crawler that a group names gets the rules beside those that it has; in `koster1996`, where its first
/// record alone counts, a record before it with a copy of them. One that falls back to other rules, as
/// those for `*`, gets a group with a copy of them, unless everything is disallowed. For one to which the
/// rules apply already nothing is added. The new file goes to standard output; with `--write` into FILE,
/// and then what changed is printed. Exit code 2 where a rule would have no effect.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AddArguments {
    /// The robots.txt; `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    crawlers: CrawlerArguments,

    /// A path-pattern to disallow; may be given several times
    #[arg(long, value_name = "PATTERN", required_unless_present = "allow")]
    disallow: Vec<String>,

    /// A path-pattern to allow; may be given several times
    #[arg(long, value_name = "PATTERN")]
    allow: Vec<String>,

    /// Write the new file in place of the old one, and print what changed
    #[arg(long)]
    write: bool,

    #[command(flatten)]
    budget: BudgetArguments,

    #[command(flatten)]
    reading: ReadingArguments,
}

const EXAMPLES: &str = "\
Examples:
  verger add -a @ai-train --disallow / robots.txt > new.txt
  verger add -a gptbot -a ccbot --disallow /blog/ --allow /blog/free/ --write robots.txt";

/// Runs the command.
pub(crate) fn run(arguments: &AddArguments) -> CommandResult {
    let reading = arguments.reading.reading();
    let crawlers = arguments.crawlers.named(reading)?;
    if crawlers.is_empty() {
        return Err(Mistake::NothingToAdd.into());
    }
    let rule = |effect| move |pattern: &String| NewRule::new(effect, pattern, reading);
    let allow = arguments.allow.iter().map(rule(Effect::Allow));
    let disallow = arguments.disallow.iter().map(rule(Effect::Disallow));
    let rules: Result<Vec<NewRule>, _> = allow.chain(disallow).collect();
    let source = Source::from(arguments.file.clone().into_os_string());
    if arguments.write && source == Source::Stdin {
        return Err(Mistake::NothingToWrite.into());
    }
    if arguments.write {
        source.check_regular()?;
    }
    let old = source.read()?;
    let before = RobotsTxt::parse(old.as_slice(), reading);
    let files = [&before];
    arguments
        .crawlers
        .note_resolutions(&crawlers, reading, &files);
    let budget = arguments.budget.budget();
    let addition = Addition::new(&old, reading, &crawlers, &rules?, budget)?;
    addition.notes(&old).iter().for_each(notice::note);
    addition.warnings().iter().for_each(notice::warning);
    match (arguments.write, source) {
        (true, _) if addition.body == old => {}
        (true, Source::File(path)) => {
            put_file(&path, &addition.body, Links::Follow)?;
            let after = RobotsTxt::parse(addition.body.as_slice(), reading);
            let all = crawlers_of([&before, &after]);
            let mut output = palette::stdout();
            write_comparison(
                &mut output,
                &FileComparison::new(before, after, &all, budget)?,
            )?;
            output.flush()?;
        }
        _ => write_out(&addition.body)?,
    }
    Ok(Outcome::Unanswered.unless(addition.without_effect.is_empty()))
}

/// Arguments that do not go together.
#[derive(Clone, Copy, Debug, thiserror::Error)]
enum Mistake {
    #[error(
        "`--write` needs a file: what is read from standard input has no place to be written to"
    )]
    NothingToWrite,
    #[error("name the crawlers with `-a`, as in `-a gptbot` or `-a @ai-train`")]
    NothingToAdd,
}
