//! `-a`, `--token` and `--user-agent`: who is asked about, in the order given.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use verger::Reading;

use crate::asked_crawler::{AskedCrawler, AskedCrawlerError};

/// Who is asked about, in the order in which the arguments stand.
#[derive(Clone, Debug)]
pub(crate) struct CrawlerArguments(Vec<Named>);

/// One of them.
#[derive(Clone, Debug)]
enum Named {
    Agent(String),
    Token(String),
    Header(String),
}

/// The arguments as clap knows them: each by itself.
#[derive(Args, Clone, Debug)]
struct Lists {
    /// A name from `verger crawlers`, or else a product token; may be given several times
    ///
    /// Without it, and without `--token` and `--user-agent`, a crawler is meant that no group
    /// names.
    #[arg(short, long = "agent", value_name = "NAME")]
    agents: Vec<String>,

    /// A product token taken as it is, though it be a name from `verger crawlers`
    #[arg(long = "token", value_name = "TOKEN")]
    tokens: Vec<String>,

    /// A User-Agent header as it is sent; the known crawler that it names is asked for
    #[arg(long = "user-agent", value_name = "HEADER")]
    user_agents: Vec<String>,
}

impl CrawlerArguments {
    /// The crawlers; one that no group names where there are none.
    ///
    /// # Errors
    ///
    /// Where one of them is none that can be asked about.
    pub(crate) fn crawlers(
        &self,
        reading: Reading,
    ) -> Result<Vec<AskedCrawler>, AskedCrawlerError> {
        if self.0.is_empty() {
            return Ok(vec![AskedCrawler::unnamed()]);
        }
        let named = self.0.iter().map(|named| match named {
            Named::Agent(name) => AskedCrawler::named(name, reading),
            Named::Token(token) => AskedCrawler::of_token(token, reading),
            Named::Header(header) => AskedCrawler::of_header(header),
        });
        named.collect()
    }
}

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
        let agents = places("agents").zip(agents.into_iter().map(Named::Agent));
        let tokens = places("tokens").zip(tokens.into_iter().map(Named::Token));
        let headers = places("user_agents").zip(user_agents.into_iter().map(Named::Header));
        let mut named: Vec<_> = agents.chain(tokens).chain(headers).collect();
        named.sort_by_key(|(place, _)| *place);
        Ok(Self(named.into_iter().map(|(_, named)| named).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
