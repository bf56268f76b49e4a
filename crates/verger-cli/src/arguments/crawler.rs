//! `-a`, `--token` and `--user-agent`: the crawlers, in the order given.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use verger::{Reading, RobotsTxt};
use verger_answer::{CrawlerQuery, CrawlerQueryError, ResolvedCrawler};
use verger_crawlers::Registry;
use verger_owner::crawlers_of;

use crate::arguments::crawler_names::crawler_queries;
use crate::screen::byte_text::start_of;
use crate::screen::notice;

/// The crawlers, in the order of the arguments.
#[derive(Clone, Debug)]
pub(crate) struct CrawlerArguments(Vec<CrawlerQuery>);

/// The arguments as clap knows them: each by itself.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Which crawlers")]
struct Lists {
    /// A name from `verger crawlers`, or a product token, or with an `@` all crawlers of a purpose
    /// (`@ai-train`) or an operator (`@openai`); may be given several times
    ///
    /// `verger crawlers --operator` and `--purpose` list the crawlers of an operator and of a purpose;
    /// retired ones are left out here. A name without `@` is that of one crawler. Default, also without
    /// `--token` and `--user-agent`: a crawler to which only `*` groups apply.
    #[arg(short, long = "agent", value_name = "NAME", value_parser = crawler_queries())]
    #[arg(hide_possible_values = true)]
    agents: Vec<CrawlerQuery>,

    /// Use this product token literally, even if it is a name
    #[arg(long = "token", value_name = "TOKEN", hide_short_help = true)]
    tokens: Vec<String>,

    /// A User-Agent header as it is sent, for the known crawler that it names
    #[arg(long = "user-agent", value_name = "HEADER", hide_short_help = true)]
    user_agents: Vec<String>,
}

impl CrawlerArguments {
    /// The crawlers; one to which only `*` groups apply where none is named. A crawler that several
    /// purposes and operators name, or that is named by itself before them, is there once.
    ///
    /// # Errors
    ///
    /// Where one of them is neither known nor a product token.
    pub(crate) fn crawlers(&self, reading: Reading) -> Result<Vec<ResolvedCrawler>, NoCrawler> {
        if self.0.is_empty() {
            return Ok(vec![ResolvedCrawler::unnamed()]);
        }
        let all = CrawlerQuery::resolve_all(&self.0, reading);
        all.map_err(|(query, error)| NoCrawler::new(error, query))
    }

    /// The crawlers that are named; none where none is.
    ///
    /// # Errors
    ///
    /// As [`CrawlerArguments::crawlers`].
    pub(crate) fn named(&self, reading: Reading) -> Result<Vec<ResolvedCrawler>, NoCrawler> {
        if self.0.is_empty() {
            return Ok(Vec::new());
        }
        self.crawlers(reading)
    }

    /// The crawlers that are named, with notes as [`CrawlerArguments::note_resolutions`] has them; where none is, all
    /// that the files can say something about.
    ///
    /// # Errors
    ///
    /// As [`CrawlerArguments::crawlers`].
    pub(crate) fn named_or_all(
        &self,
        reading: Reading,
        files: &[&RobotsTxt],
    ) -> Result<Vec<ResolvedCrawler>, NoCrawler> {
        let named = self.named(reading)?;
        self.note_resolutions(&named, reading, files);
        Ok(if named.is_empty() {
            crawlers_of(files.iter().copied())
        } else {
            named
        })
    }

    /// Notes on standard error which crawlers the arguments name, where that is not what they
    /// say, and warns of names that neither the registry nor `files` know.
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
                "{query} means the crawlers of `verger crawlers {command}` that are in use"
            ));
        }
        warn_of_misspellings(crawlers, files);
        note_resolutions(crawlers, reading);
    }
}

/// Warns of names that neither the registry nor `files` know, where they are similar to a known one.
pub(crate) fn warn_of_misspellings(crawlers: &[ResolvedCrawler], files: &[&RobotsTxt]) {
    for crawler in crawlers {
        if let Some(said) = crawler.likely_misspelling(files) {
            notice::warning(format_args!("{said} `--token` takes it as it is"));
        }
    }
}

/// The one crawler of a command that takes no more.
///
/// # Errors
///
/// Where the query names none or several.
pub(crate) fn one_crawler(
    query: &CrawlerQuery,
    reading: Reading,
) -> Result<ResolvedCrawler, NoCrawler> {
    let resolved = query.resolve_one(reading);
    resolved.map_err(|error| NoCrawler::new(error, query))
}

/// Notes which tokens names were resolved to, which names cannot be met in this reading, and which
/// crawlers do not obey robots.txt, so that no answer is taken for what they do.
pub(crate) fn note_resolutions(crawlers: &[ResolvedCrawler], reading: Reading) {
    let resolutions = crawlers.iter().filter_map(ResolvedCrawler::resolution);
    let not_bound = crawlers.iter().filter_map(ResolvedCrawler::not_bound);
    let unmatchable = crawlers.iter().filter_map(|it| it.unmatchable(reading));
    let notes = resolutions.chain(unmatchable);
    for note in notes.chain(not_bound) {
        notice::note(note);
    }
}

/// An argument names no crawler, or too many. Displays with what to write in its place.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}{1}")]
pub(crate) struct NoCrawler(CrawlerQueryError, String);

impl NoCrawler {
    fn new(error: CrawlerQueryError, query: &CrawlerQuery) -> Self {
        let near = match query {
            // With a slash it is a header.
            CrawlerQuery::Name(name) if !name.contains('/') => {
                Registry::bundled().suggest_operators(name)
            }
            _ => Vec::new(),
        };
        let advice = match &error {
            CrawlerQueryError::NotAToken(_) if !near.is_empty() => {
                format!("; operators of a similar name: {}", near.join(", "))
            }
            CrawlerQueryError::NotAToken(_) => "; a full header goes to `--user-agent`".to_owned(),
            CrawlerQueryError::Several { .. } => {
                "; choose one of them, as `verger crawlers` lists them".to_owned()
            }
            CrawlerQueryError::UnknownHeader { likely, .. } => match likely.as_deref() {
                Some(likely) => format!(": `-a {}`", start_of(likely)),
                None => "; give its product token with `-a`".to_owned(),
            },
            _ => String::new(),
        };
        Self(error, advice)
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
