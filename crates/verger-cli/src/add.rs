//! `verger add`: adds rules for some crawlers to a file without changing any other.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use verger::{Effect, RobotsTxt};
use verger_answer::{CrawlerQuery, ResolvedCrawler};
use verger_inputs::{Links, Source, put_file};
use verger_owner::{Addition, FileComparison, NewRule, crawlers_of};

use crate::arguments::budget::BudgetArguments;
use crate::arguments::crawler::{CrawlerArguments, warn_of_misspellings};
use crate::arguments::crawler_names::crawler_queries;
use crate::arguments::reading::ReadingArguments;
use crate::diff::write_comparison;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::write_out;
use crate::screen::message::Message;
use crate::screen::notice;
use crate::screen::palette;
use crate::screen::unusable_query::unusable_query;

/// Add rules for some crawlers without changing the others
///
/// Adds the rules to the group of each crawler, and proves that nothing changes for any other crawler. A
/// crawler without a group of its own gets a copy of the group it uses now, such as `*`, unless everything is
/// disallowed. In `koster1996`, where only the first matching record applies, the new record precedes the old
/// one. Rules that apply already are not added again. The new file goes to standard output. With `--write` it
/// replaces FILE, and the change is printed. Exit code 2: a rule would have no effect.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AddArguments {
    /// The robots.txt, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    crawlers: CrawlerArguments,

    /// Leave out this crawler, purpose or operator of the others, such as @search (repeatable)
    #[arg(long, value_name = "NAME", value_parser = crawler_queries())]
    #[arg(hide_possible_values = true)]
    except: Vec<CrawlerQuery>,

    /// Path-pattern to disallow (repeatable)
    #[arg(long, value_name = "PATTERN", required_unless_present = "allow")]
    disallow: Vec<String>,

    /// Path-pattern to allow (repeatable)
    #[arg(long, value_name = "PATTERN")]
    allow: Vec<String>,

    /// Replace the file, and print what changed
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
  verger add -a @ai-train --except @search --disallow / --write robots.txt
  verger add -a Googlebot --disallow /blog/ --allow /blog/free/ robots.txt";

pub(crate) fn run(arguments: &AddArguments) -> CommandResult {
    let reading = arguments.reading.reading();
    let mut crawlers = arguments.crawlers.named(arguments.reading.read_as())?;
    let excepted = CrawlerQuery::resolve_all(&arguments.except, arguments.reading.read_as());
    let excepted = excepted.map_err(|(_, error)| unusable_query(&error))?;
    let is_same = |a: &ResolvedCrawler, b: &ResolvedCrawler| a.own_tokens() == b.own_tokens();
    crawlers.retain(|it| !excepted.iter().any(|other| is_same(it, other)));
    if crawlers.is_empty() && !excepted.is_empty() {
        let message = Message::new("no crawler is left: `--except` leaves out all of them");
        return Err(message
            .help("leave out `--except`, or name more with `-a`")
            .into());
    }
    if crawlers.is_empty() {
        let message = Message::new("no crawler is named to add rules for");
        return Err(message
            .help("add `-a GPTBot`, or `-a @ai-train` for a purpose")
            .into());
    }
    let rule = |effect| move |pattern: &String| NewRule::new(effect, pattern, reading);
    let allow = arguments.allow.iter().map(rule(Effect::Allow));
    let disallow = arguments.disallow.iter().map(rule(Effect::Disallow));
    let rules: Result<Vec<NewRule>, _> = allow.chain(disallow).collect();
    let source = Source::from(arguments.file.clone().into_os_string());
    if arguments.write && source == Source::Stdin {
        let message = Message::new("`--write` needs a file: standard input cannot be replaced");
        return Err(message.help("leave out `--write`, or name the file").into());
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
    warn_of_misspellings(&excepted, &files);
    let budget = arguments.budget.budget();
    let addition = Addition::new(
        &old,
        arguments.reading.read_as(),
        &crawlers,
        &rules?,
        budget,
    )?;
    for note in addition.notes(&old) {
        notice::note(note);
    }
    for warning in addition.warnings() {
        notice::warning(warning);
    }
    match (arguments.write, source) {
        (true, _) if addition.body == old => {}
        (true, Source::File(path)) => {
            put_file(&path, &addition.body, Links::Follow)?;
            let after = RobotsTxt::parse(addition.body.as_slice(), reading);
            let all = crawlers_of([&before, &after], arguments.reading.read_as());
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
