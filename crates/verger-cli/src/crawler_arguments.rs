//! `-a`, `--token` and `--user-agent`: the crawlers, in the order given.

use std::fmt;

use clap::{ArgMatches, Args, Command, FromArgMatches};
use verger::Reading;
use verger_answer::{CrawlerQuery, CrawlerQueryError, ResolvedCrawler};

use crate::octet_text::start_of;

/// The crawlers, in the order of the arguments.
#[derive(Clone, Debug)]
pub(crate) struct CrawlerArguments(Vec<CrawlerQuery>);

/// The arguments as clap knows them: each by itself.
#[derive(Args, Clone, Debug)]
struct Lists {
    /// A name from `verger crawlers`, or else a product token; may be given several times
    ///
    /// Default, also without `--token` and `--user-agent`: a crawler to which only `*` groups apply.
    #[arg(short, long = "agent", value_name = "NAME")]
    agents: Vec<String>,

    /// Use this product token literally, even if it is a name from `verger crawlers`
    #[arg(long = "token", value_name = "TOKEN")]
    tokens: Vec<String>,

    /// A User-Agent header as it is sent, for the known crawler that it names
    #[arg(long = "user-agent", value_name = "HEADER")]
    user_agents: Vec<String>,
}

impl CrawlerArguments {
    /// The crawlers; one to which only `*` groups apply where none is named.
    ///
    /// # Errors
    ///
    /// Where one of them is neither known nor a product token.
    pub(crate) fn crawlers(&self, reading: Reading) -> Result<Vec<ResolvedCrawler>, NoCrawler> {
        if self.0.is_empty() {
            return Ok(vec![ResolvedCrawler::unnamed()]);
        }
        let resolved = self.0.iter().map(|query| query.resolve(reading));
        let resolved: Result<Vec<_>, _> = resolved.collect();
        Ok(resolved?.concat())
    }
}

/// An argument names no crawler. Displays with what to write in its place.
#[derive(Clone, Debug)]
pub(crate) struct NoCrawler(CrawlerQueryError);

impl From<CrawlerQueryError> for NoCrawler {
    fn from(error: CrawlerQueryError) -> Self {
        Self(error)
    }
}

impl fmt::Display for NoCrawler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        match &self.0 {
            CrawlerQueryError::NotAToken(_) => {
                f.write_str("; a full header goes to `--user-agent`")
            }
            CrawlerQueryError::UnknownHeader { likely, .. } => match likely.as_deref() {
                Some(likely) => write!(f, ": `-a {}`", start_of(likely)),
                None => f.write_str("; give its product token with `-a`"),
            },
            _ => Ok(()),
        }
    }
}

impl std::error::Error for NoCrawler {}

impl Args for CrawlerArguments {
    fn augment_args(command: Command) -> Command {
        Lists::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Lists::augment_args_for_update(command)
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
        let agents = places("agents").zip(agents.into_iter().map(CrawlerQuery::Name));
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
