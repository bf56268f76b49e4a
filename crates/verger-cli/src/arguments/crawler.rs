//! `-a`, `--token` and `--user-agent`: the crawlers, in the order given.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use verger::{Reading, RobotsTxt};
use verger_answer::{CrawlerQuery, CrawlerQueryError, ReadAs, ResolvedCrawler};
use verger_crawlers::Registry;
use verger_owner::crawlers_of;

use crate::arguments::crawler_names::crawler_queries;
use crate::screen::byte_text::start_of;
use crate::screen::message::Message;
use crate::screen::notice;
use crate::screen::unusable_query::unusable_query;

/// Crawlers, in the order of the arguments.
#[derive(Clone, Debug)]
pub(crate) struct CrawlerArguments(Vec<CrawlerQuery>);

/// The arguments as clap reads them, each kind in a list of its own.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Which crawlers")]
struct Lists {
    /// `GPTBot`, `@openai` (operator) or `@ai-train` (purpose)
    ///
    /// May be repeated. A name from `verger crawlers`, a product token, or `@` and an operator or a purpose,
    /// which stands for all its crawlers in use. `verger crawlers --operator` and `--purpose` list them. Without
    /// `-a`, `--token` and `--user-agent`, the crawler is one without a group of its own, except for `who`, `diff` and
    /// `bulk classes`, which cover all crawlers.
    #[arg(short, long = "agent", value_name = "NAME", value_parser = crawler_queries())]
    #[arg(hide_possible_values = true)]
    agents: Vec<CrawlerQuery>,

    /// Use this product token literally, even if it is a known name
    #[arg(long = "token", value_name = "TOKEN", hide_short_help = true)]
    tokens: Vec<String>,

    /// Use the known crawler that this User-Agent header names
    #[arg(long = "user-agent", value_name = "HEADER", hide_short_help = true)]
    user_agents: Vec<String>,
}

impl CrawlerArguments {
    /// Returns the crawlers, each once, or one to which only `*` groups apply if none is named.
    pub(crate) fn crawlers(&self, read_as: ReadAs) -> Result<Vec<ResolvedCrawler>, Message> {
        let mut named = self.named(read_as)?;
        if self.0.is_empty() {
            named.push(ResolvedCrawler::unnamed());
        }
        Ok(named)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn named(&self, read_as: ReadAs) -> Result<Vec<ResolvedCrawler>, Message> {
        let all = CrawlerQuery::resolve_all(&self.0, read_as);
        all.map_err(|(query, error)| no_crawler(&error, query))
    }

    /// Returns the crawlers that are named, after the notes about them. If none is named, returns
    /// all crawlers that the files can treat differently.
    ///
    /// As [`CrawlerArguments::crawlers`].
    pub(crate) fn named_or_all(
        &self,
        read_as: ReadAs,
        files: &[&RobotsTxt],
    ) -> Result<Vec<ResolvedCrawler>, Message> {
        let named = self.named(read_as)?;
        self.note_resolutions(&named, read_as.reading(), files);
        Ok(if named.is_empty() {
            crawlers_of(files.iter().copied(), read_as)
        } else {
            named
        })
    }

    /// Prints notes about crawlers with other tokens than the arguments name, and warnings about
    /// names that are neither in the registry nor in `files`.
    pub(crate) fn note_resolutions(
        &self,
        crawlers: &[ResolvedCrawler],
        reading: Reading,
        files: &[&RobotsTxt],
    ) {
        for query in &self.0 {
            let command = match query {
                CrawlerQuery::Purpose(purpose) => format!("--purpose {purpose}"),
                CrawlerQuery::Operator(name) => format!("--operator '{}'", start_of(name)),
                _ => continue,
            };
            notice::note(format_args!(
                "{query} stands for the crawlers in use that `verger crawlers {command}` lists"
            ));
        }
        warn_of_misspellings(crawlers, files);
        note_resolutions(crawlers, reading);
    }
}

/// Warns of unknown names that are similar to a known one.
pub(crate) fn warn_of_misspellings(crawlers: &[ResolvedCrawler], files: &[&RobotsTxt]) {
    for crawler in crawlers {
        if let Some(meant) = crawler.likely_meant(files) {
            let name = start_of(crawler.name());
            let warning = Message::new(format_args!("unknown crawler `{name}`"));
            notice::warning(warning.help(format_args!(
                "did you mean {meant}? `--token {name}` matches it literally"
            )));
        }
    }
}

pub(crate) fn one_crawler(
    query: &CrawlerQuery,
    read_as: ReadAs,
) -> Result<ResolvedCrawler, Message> {
    let resolved = query.resolve_one(read_as);
    resolved.map_err(|error| no_crawler(&error, query))
}

/// Prints notes about names that resolve to other tokens, names that no line can match, and
/// crawlers that do not obey robots.txt, whose answers do not predict what they fetch.
pub(crate) fn note_resolutions(crawlers: &[ResolvedCrawler], reading: Reading) {
    let resolutions = crawlers.iter().filter_map(ResolvedCrawler::resolution);
    let not_bound = crawlers.iter().filter_map(ResolvedCrawler::not_bound);
    let unmatchable = crawlers.iter();
    let unmatchable = unmatchable.filter_map(|it| it.unmatchable(it.reading(reading)));
    let notes = resolutions.chain(unmatchable);
    for note in notes.chain(not_bound) {
        notice::note(note);
    }
}

fn no_crawler(error: &CrawlerQueryError, query: &CrawlerQuery) -> Message {
    let operators = match query {
        // With a slash it is a header.
        CrawlerQuery::Name(name) if !name.contains('/') => {
            Registry::bundled().suggest_operators(name)
        }
        _ => Vec::new(),
    };
    let message = unusable_query(error);
    match error {
        CrawlerQueryError::NotAToken(_) if !operators.is_empty() => message.help(format_args!(
            "operators with a similar name: {}",
            operators.join(", ")
        )),
        _ => message,
    }
}

impl Args for CrawlerArguments {
    fn augment_args(command: Command) -> Command {
        Lists::augment_args(command).next_help_heading(None)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Lists::augment_args_for_update(command).next_help_heading(None)
    }
}

impl FromArgMatches for CrawlerArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let Lists {
            agents,
            tokens,
            user_agents,
        } = Lists::from_arg_matches(matches)?;
        let places = |id| matches.indices_of(id).into_iter().flatten();
        let agents = places("agents").zip(agents);
        let tokens = places("tokens").zip(tokens.into_iter().map(CrawlerQuery::Token));
        let headers = places("user_agents").zip(user_agents.into_iter().map(CrawlerQuery::Header));
        let mut named: Vec<_> = agents.chain(tokens).chain(headers).collect();
        named.sort_by_key(|(place, _)| *place);
        Ok(Self(named.into_iter().map(|(_, named)| named).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
