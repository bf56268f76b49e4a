//! `Given`: settings from flags, environment and file. `Settings`: all settings, with their defaults.

use std::fs;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The usual User-Agent header, which names no contact.
pub(crate) const USER_AGENT: &str = concat!("vergerd/", env!("CARGO_PKG_VERSION"));

/// How a server is called.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The Model Context Protocol, over standard input and output
    Mcp,
}

/// Answer questions about robots.txt over HTTP
///
/// A flag takes precedence over its environment variable, and a variable over the file.
#[derive(Parser, Clone, Debug, Default, Deserialize)]
#[command(name = "vergerd", version)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Given {
    /// Serve one MCP client over standard input and output instead of HTTP
    #[serde(skip)]
    pub mode: Option<Mode>,
    /// A TOML file with settings named like the flags: `user-agent = "ExampleBot/1.0 (+https://example.com/bot)"`
    #[arg(long, env = "VERGERD_CONFIG", value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// Print the settings as TOML, without tokens, and exit
    #[arg(long)]
    #[serde(skip)]
    pub print_config: bool,
    /// Print the `OpenAPI` 3.1 description of the interface and exit
    #[arg(long)]
    #[serde(skip)]
    pub print_openapi: bool,
    /// Addresses to listen on, separated by commas [default: 127.0.0.1:7309]; sockets from systemd take precedence
    #[arg(long, env = "VERGERD_LISTEN", value_name = "ADDRESS:PORT")]
    #[arg(value_delimiter = ',')]
    pub listen: Option<Vec<SocketAddr>>,
    /// The store: `memory:`, a file, or `postgres://USER@HOST/DATABASE` after `verger store init` [default: memory:]
    #[arg(long, env = "VERGER_STORE", value_name = "URL|FILE")]
    pub store: Option<String>,
    /// User-Agent header of robots.txt requests: product token and contact [default: vergerd/VERSION]
    #[arg(long, env = "VERGERD_USER_AGENT", value_name = "TEXT")]
    pub user_agent: Option<String>,
    /// Crawler of questions that name none [default: *]
    #[arg(long, env = "VERGERD_AGENT", value_name = "NAME")]
    pub agent: Option<String>,
    /// Access profile of questions that name none [default: rfc9309]
    #[arg(long, env = "VERGERD_PROFILE", value_name = "NAME")]
    pub profile: Option<String>,
    /// Private networks to allow, separated by commas
    #[arg(long, env = "VERGERD_ALLOW_ADDRESS", value_name = "NETWORK")]
    #[arg(value_delimiter = ',', value_parser = verger_inputs::network_of)]
    pub allow_address: Option<Vec<IpNet>>,
    /// Public networks to refuse, separated by commas
    #[arg(long, env = "VERGERD_REFUSE_ADDRESS", value_name = "NETWORK")]
    #[arg(value_delimiter = ',', value_parser = verger_inputs::network_of)]
    pub refuse_address: Option<Vec<IpNet>>,
    /// Sites whose crawlers `/v1/authz` checks against their robots.txt, separated by commas
    #[arg(long, env = "VERGERD_SITE", value_name = "HOST", value_delimiter = ',')]
    pub site: Option<Vec<String>>,
    /// Answers for sites of yours instead of their robots.txt, as HOST=open, HOST=closed or HOST=FILE
    #[arg(
        long = "override",
        env = "VERGERD_OVERRIDE",
        value_name = "HOST=…",
        value_delimiter = ','
    )]
    #[serde(rename = "override")]
    pub overrides: Option<Vec<String>>,
    /// A TOML list of sites to watch: changes go to its receivers, to `/v1/events` and to the metrics
    #[arg(long, env = "VERGERD_SITES", value_name = "FILE")]
    pub sites: Option<PathBuf>,
    /// A file of bearer tokens, one `NAME TOKEN` on each line; without it, no token is required
    #[arg(long, env = "VERGERD_TOKENS", value_name = "FILE")]
    pub tokens: Option<PathBuf>,
    /// Requests per second and token, and the size of a burst; 0 for no limit [default: 0]
    #[arg(long, env = "VERGERD_RATE", value_name = "NUMBER")]
    pub rate: Option<u32>,
    /// Maximum number of requests in progress [default: 1024]
    #[arg(long, env = "VERGERD_REQUESTS_MAX", value_name = "NUMBER")]
    pub requests_max: Option<NonZeroU32>,
    /// Maximum number of requests that wait for a fetch or the store [default: three quarters of --requests-max]
    #[arg(long, env = "VERGERD_WAITING_MAX", value_name = "NUMBER")]
    pub waiting_max: Option<NonZeroU32>,
    /// Maximum number of open connections; more wait to be accepted [default: 4096]
    #[arg(long, env = "VERGERD_CONNECTIONS_MAX", value_name = "NUMBER")]
    pub connections_max: Option<NonZeroU32>,
    /// Maximum size of a request body in bytes, except for bodies read line by line [default: 1048576]
    #[arg(long, env = "VERGERD_BODY_MAX", value_name = "BYTES")]
    pub body_max: Option<NonZeroU32>,
    /// Memory for answers, and for a store in memory, in bytes [default: 536870912]
    #[arg(long, env = "VERGERD_MEMORY_MAX", value_name = "BYTES")]
    pub memory_max: Option<u64>,
    /// Seconds for a request, or for each step of one that is read line by line [default: 35]
    #[arg(long, env = "VERGERD_TIMEOUT", value_name = "SECONDS")]
    pub timeout: Option<u64>,
    /// Seconds to fetch one robots.txt, redirects included [default: 30]
    #[arg(long, env = "VERGERD_FETCH_TIMEOUT", value_name = "SECONDS")]
    pub fetch_timeout: Option<u64>,
    /// Maximum number of sites that are fetched at the same time [default: 256]
    #[arg(long, env = "VERGERD_FETCHES_MAX", value_name = "NUMBER")]
    pub fetches_max: Option<NonZeroU32>,
    /// Seconds that accepted requests get to finish at shutdown [default: 40]
    #[arg(long, env = "VERGERD_STOP_TIMEOUT", value_name = "SECONDS")]
    pub stop_timeout: Option<u64>,
    /// A directory of static files to serve at `/`
    #[arg(long, env = "VERGERD_PAGE", value_name = "DIRECTORY")]
    pub page: Option<PathBuf>,
    /// Log filter: `info`, `vergerd=debug` for each request, or `off` [default: info]
    #[arg(long, env = "VERGERD_LOG", value_name = "FILTER")]
    pub log: Option<String>,
}

/// The settings of a server. `--print-config` prints them as TOML, and `--config` reads them.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)] // Each is that of `Given`.
pub struct Settings {
    pub listen: Vec<SocketAddr>,
    pub store: String,
    pub user_agent: String,
    pub agent: String,
    pub profile: String,
    pub allow_address: Vec<IpNet>,
    pub refuse_address: Vec<IpNet>,
    pub site: Vec<String>,
    #[serde(rename = "override")]
    pub overrides: Vec<String>,
    pub sites: Option<PathBuf>,
    pub tokens: Option<PathBuf>,
    pub rate: u32,
    pub requests_max: usize,
    pub waiting_max: usize,
    pub connections_max: usize,
    pub body_max: usize,
    pub memory_max: u64,
    pub timeout: u64,
    pub fetch_timeout: u64,
    pub fetches_max: usize,
    pub stop_timeout: u64,
    pub page: Option<PathBuf>,
    pub log: String,
}

/// Returns the given setting, or the one from the file.
macro_rules! given_or_file {
    ($given:ident, $file:ident: $($name:ident)*) => {
        Self { $($name: $given.$name.or($file.$name),)* ..$given }
    };
}

/// The settings file cannot be used.
#[derive(Debug, Error)]
#[error("cannot read settings from `{0}`: {1}")]
pub struct UnusableFile(PathBuf, String);

impl Given {
    /// Adds the settings of the file, for which these take precedence.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read.
    pub fn with_file(self) -> Result<Self, UnusableFile> {
        let Some(path) = self.config.clone() else {
            return Ok(self);
        };
        let text = fs::read_to_string(&path).map_err(|error| error.to_string());
        let file = text.and_then(|text| toml::from_str(&text).map_err(|error| error.to_string()));
        let file: Self = file.map_err(|error| UnusableFile(path, error))?;
        Ok(given_or_file! {
            self, file: listen store user_agent agent profile allow_address refuse_address site overrides sites tokens
            rate requests_max waiting_max connections_max body_max memory_max timeout fetch_timeout
            fetches_max stop_timeout page log
        })
    }

    /// Returns all settings, with defaults for missing ones.
    #[must_use]
    pub fn settings(self) -> Settings {
        let limit = |given: Option<NonZeroU32>, usual| given.map_or(usual, |it| it.get() as usize);
        let requests_max = limit(self.requests_max, 1024);
        Settings {
            listen: self
                .listen
                .unwrap_or_else(|| vec![SocketAddr::from(([127, 0, 0, 1], 7309))]),
            store: self.store.unwrap_or_else(|| "memory:".to_owned()),
            user_agent: self.user_agent.unwrap_or_else(|| USER_AGENT.to_owned()),
            agent: self.agent.unwrap_or_else(|| "*".to_owned()),
            profile: self.profile.unwrap_or_else(|| "rfc9309".to_owned()),
            allow_address: self.allow_address.unwrap_or_default(),
            refuse_address: self.refuse_address.unwrap_or_default(),
            site: self.site.unwrap_or_default(),
            overrides: self.overrides.unwrap_or_default(),
            sites: self.sites,
            tokens: self.tokens,
            rate: self.rate.unwrap_or(0),
            requests_max,
            waiting_max: limit(self.waiting_max, (requests_max * 3).div_ceil(4)),
            connections_max: limit(self.connections_max, 4096),
            body_max: limit(self.body_max, 1 << 20),
            memory_max: self.memory_max.unwrap_or(512 << 20),
            timeout: self.timeout.unwrap_or(35),
            fetch_timeout: self.fetch_timeout.unwrap_or(30),
            fetches_max: limit(self.fetches_max, 256),
            stop_timeout: self.stop_timeout.unwrap_or(40),
            page: self.page,
            log: self.log.unwrap_or_else(|| "info".to_owned()),
        }
    }
}
