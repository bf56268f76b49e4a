//! `verger hook`: refuses tool calls of AI agents that robots.txt disallows.

use std::error::Error;
use std::io::{self, Read as _, Write as _};

use clap::{Args, ValueEnum};
use verger_access::{Authority, requested_target};
use verger_answer::agent_hook::{AgentHost, EVENT_BYTES_MAX, HookDecision, urls_of_call};
use verger_answer::{CheckedFile, CrawlerQuery, Explaining, Readings};

use crate::arguments::crawler::one_crawler;
use crate::arguments::crawler_names::crawler_queries;
use crate::arguments::fetch::FetchArguments;
use crate::arguments::reading::ReadingArguments;
use crate::arguments::time::now;
use crate::check::web::{past, web};
use crate::outcome::{CommandResult, Outcome};

/// Refuse tool calls of AI agents that robots.txt disallows
///
/// The program that runs the agent starts this before each tool call. Reads the call from standard input, and checks the
/// URLs of tools that fetch. Prints a refusal if robots.txt disallows one, asks the user if that is not known, and prints
/// nothing otherwise, so the user's own permissions apply. Shell commands such as `curl` are not read.
/// docs/guide/agents.md has the settings of each host. Exit code 0: the call was judged. 2: wrong arguments, which hosts
/// take as a refusal.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct HookArguments {
    /// The program that runs the agent: claude-code, codex or gemini
    #[arg(value_name = "HOST")]
    host: AgentHost,

    /// The agent, as its fetch tool names itself to sites
    ///
    /// A name from `verger crawlers`, or a product token.
    #[arg(short, long, value_name = "NAME", value_parser = crawler_queries())]
    #[arg(hide_possible_values = true, required = true)]
    agent: CrawlerQuery,

    /// What to say if robots.txt cannot be read now
    #[arg(long, value_enum, value_name = "WORD", default_value_t = Deferred::Ask)]
    deferred: Deferred,

    /// Answer from the store, and fetch nothing
    #[arg(long, hide_short_help = true)]
    offline: bool,

    #[command(flatten)]
    fetching: FetchArguments,

    #[command(flatten)]
    reading: ReadingArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Deferred {
    /// Ask the user
    Ask,
    /// Refuse, for machines without a user
    Deny,
}

const EXAMPLES: &str = "\
Examples:
  verger hook claude-code --agent Claude-User
  verger hook gemini --agent google-gemini-cli --deferred deny
  verger hook codex --agent ModelContextProtocol --store /var/lib/verger.db";

pub(crate) fn run(arguments: &HookArguments) -> CommandResult {
    let decision = decide(arguments).unwrap_or_else(|error| HookDecision::unknown(&*error));
    let decision = match arguments.deferred {
        Deferred::Ask => decision,
        Deferred::Deny => decision.without_user(),
    };
    let answer = decision.for_host(arguments.host);
    if !answer.is_empty() {
        writeln!(io::stdout(), "{answer}")?;
    }
    Ok(Outcome::Success)
}

/// Judges the call on standard input by the strictest answer about its URLs.
fn decide(arguments: &HookArguments) -> Result<HookDecision, Box<dyn Error>> {
    let HookArguments {
        fetching, reading, ..
    } = arguments;
    let mut event = Vec::new();
    // One byte more shows that the event is too long.
    let input = io::stdin().take(EVENT_BYTES_MAX as u64 + 1);
    { input }.read_to_end(&mut event)?;
    let urls = urls_of_call(&event)?;
    let mut decision = HookDecision::Pass;
    if urls.is_empty() {
        return Ok(decision);
    }
    let crawlers = [one_crawler(&arguments.agent, fetching.read_as_of(reading))?];
    let profile = fetching.profile_of(reading);
    let readings = Readings::new(crawlers[0].reading(profile.reading), Explaining::No);
    let sites: Result<Vec<Authority>, _> =
        urls.iter().map(|url| Authority::from_url(url)).collect();
    let sites = sites?;
    let (mut source, _fetching) = if arguments.offline {
        past(fetching, profile, now())?
    } else {
        web(fetching, profile, &crawlers, None, false)?
    };
    let found = source.find(&sites, |_| None);
    for (url, site) in urls.iter().zip(&sites) {
        let judged = || -> Result<HookDecision, Box<dyn Error>> {
            let lookup = found.get(site).ok_or("its site was not looked up")?;
            let lookup = lookup.as_ref().map_err(ToString::to_string)?;
            let file = CheckedFile::from_authority(lookup, &readings, &crawlers);
            let target = requested_target(url.as_bytes(), readings.own())?;
            let answer = file.answer_of_authority(0, url.as_bytes(), &target, lookup);
            Ok(HookDecision::new(&answer))
        };
        decision = decision.and(judged().unwrap_or_else(|error| HookDecision::unknown(&*error)));
    }
    Ok(decision)
}
