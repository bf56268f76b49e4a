use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use verger::{Crawler, Dialect, ProductTokenError, Reading, TargetPath};
use verger_access::{RequestedUrlError, asked_target};

use crate::batch::wrong_key::{WrongKey, wrong_key};
use crate::given_body::{GivenBody, GivenBodyError};
use crate::read_error::ReadError;
use crate::text::{NotBase64, of_base64, start_of};

/// An input line. Unknown keys are ignored, and null means absent.
#[derive(Debug, Deserialize)]
pub(crate) struct Request<'l> {
    #[serde(borrow)]
    pub(crate) id: Option<&'l RawValue>,
    robots: Option<String>,
    robots_base64: Option<String>,
    robots_path: Option<String>,
    #[serde(borrow)]
    queries: Option<Vec<&'l RawValue>>,
    agent: Option<String>,
    agents: Option<Vec<String>>,
    url: Option<String>,
    url_base64: Option<String>,
    dialect: Option<String>,
}

/// An item of `queries`.
#[derive(Debug, Deserialize)]
struct Query {
    agent: Option<String>,
    agents: Option<Vec<String>>,
    url: Option<String>,
    url_base64: Option<String>,
    dialect: Option<String>,
}

/// The id alone.
#[derive(Debug, Deserialize)]
struct Id<'l> {
    #[serde(borrow)]
    id: Option<&'l RawValue>,
}

/// A crawler and a URL, as given.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) agent: Agent,
    pub(crate) url: Url,
    pub(crate) dialect: Dialect,
}

/// One token, or several in order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub(crate) enum Agent {
    One(String),
    InOrder(Vec<String>),
}

/// A URL as text or as bytes.
#[derive(Debug, Serialize)]
pub(crate) enum Url {
    #[serde(rename = "url")]
    Text(String),
    #[serde(rename = "url_base64")]
    Base64(String),
}

impl<'l> Request<'l> {
    /// Parses a line.
    ///
    /// # Errors
    ///
    /// Returns an error if the line is not a JSON object or a value has the wrong type.
    pub(crate) fn read(line: &'l str) -> Result<Self, RequestError> {
        read_object(line)
    }

    /// Takes the body.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no body or more than one.
    pub(crate) fn take_body(&mut self) -> Result<GivenBody, RequestError> {
        let given = GivenBody::one_of(
            self.robots.take(),
            self.robots_base64.take(),
            self.robots_path.take(),
        );
        given.map_err(RequestError::Body)
    }

    /// Returns the default dialect of the questions.
    ///
    /// # Errors
    ///
    /// Returns an error if it is unknown.
    pub(crate) fn dialect(&self, default: Dialect) -> Result<Dialect, RequestError> {
        dialect_of(self.dialect.as_deref(), default)
    }

    /// Returns the questions in order.
    ///
    /// # Errors
    ///
    /// Returns an error if the line has both a question of its own and `queries`.
    pub(crate) fn questions(
        self,
        dialect: Dialect,
    ) -> Result<impl Iterator<Item = Result<Question, RequestError>>, RequestError> {
        let single = Query {
            agent: self.agent,
            agents: self.agents,
            url: self.url,
            url_base64: self.url_base64,
            dialect: None,
        };
        let (single, queries) = match self.queries {
            None => (Some(single), Vec::new()),
            Some(_) if single.asks() => return Err(RequestError::QuestionAndQueries),
            Some(queries) => (None, queries),
        };
        let single = single.map(|query| query.question(dialect));
        let queries = queries
            .into_iter()
            .map(move |query| read_object::<Query>(query.get())?.question(dialect));
        Ok(single.into_iter().chain(queries))
    }
}

impl Query {
    fn asks(&self) -> bool {
        self.agent.is_some()
            || self.agents.is_some()
            || self.url.is_some()
            || self.url_base64.is_some()
    }

    fn question(self, dialect: Dialect) -> Result<Question, RequestError> {
        let dialect = dialect_of(self.dialect.as_deref(), dialect)?;
        let agent = match (self.agent, self.agents) {
            (Some(token), None) => Agent::One(token),
            (None, Some(tokens)) if tokens.is_empty() => return Err(RequestError::EmptyAgents),
            (None, Some(tokens)) => Agent::InOrder(tokens),
            (None, None) => return Err(RequestError::NoAgent),
            (Some(_), Some(_)) => return Err(RequestError::SeveralAgents),
        };
        let url = match (self.url, self.url_base64) {
            (Some(url), None) => Url::Text(url),
            (None, Some(url)) => Url::Base64(url),
            (None, None) => return Err(RequestError::NoUrl),
            (Some(_), Some(_)) => return Err(RequestError::SeveralUrls),
        };
        Ok(Question {
            agent,
            url,
            dialect,
        })
    }
}

impl Agent {
    /// Returns the crawler.
    ///
    /// # Errors
    ///
    /// Returns an error if a name is not a product token in this reading.
    pub(crate) fn crawler(&self, reading: Reading) -> Result<Crawler, RequestError> {
        let crawler = match self {
            Self::One(token) => Crawler::named(token, reading),
            Self::InOrder(tokens) => {
                Crawler::named_in_order(tokens.iter().map(String::as_str), reading)
            }
        };
        crawler.map_err(RequestError::NotAToken)
    }
}

impl Url {
    /// Returns the target.
    ///
    /// # Errors
    ///
    /// Returns an error if the URL is invalid in this reading or not base64.
    pub(crate) fn target(&self, reading: Reading) -> Result<TargetPath<'_>, RequestError> {
        match self {
            Self::Text(url) => asked_target(url.as_bytes(), reading).map_err(RequestError::NotAUrl),
            Self::Base64(text) => {
                let url = of_base64("url_base64", text).map_err(RequestError::UrlNotBase64)?;
                let target = asked_target(&url, reading).map_err(RequestError::NotAUrl)?;
                Ok(target.into_owned())
            }
        }
    }
}

fn dialect_of(name: Option<&str>, default: Dialect) -> Result<Dialect, RequestError> {
    name.map_or(Ok(default), |name| {
        let unknown = |_| RequestError::UnknownDialect(name.to_owned());
        name.parse().map_err(unknown)
    })
}

/// Returns the id of an invalid line, if it can be read, to echo it.
pub(crate) fn id_of(line: &[u8]) -> Option<&RawValue> {
    let is_object = line.trim_ascii_start().starts_with(b"{");
    let read = is_object.then(|| serde_json::from_slice::<Id<'_>>(line));
    read?.ok()?.id
}

/// Parses a JSON object. Rejects arrays, which serde would accept as a list of fields.
fn read_object<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, RequestError> {
    let read = serde_json::from_str::<T>(text);
    if text.trim_ascii_start().starts_with('{') {
        read.map_err(|error| match wrong_key(text) {
            Some(wrong) => RequestError::WrongKey(wrong),
            None => RequestError::NotJson(error),
        })
    } else {
        match serde_json::from_str::<&RawValue>(text) {
            Ok(_) => Err(RequestError::NotAnObject),
            Err(error) => Err(RequestError::NotJson(error)),
        }
    }
}

/// A line or one of its questions cannot be answered.
#[derive(Debug)]
pub(crate) enum RequestError {
    NotUtf8(std::str::Utf8Error),
    TooLong(usize),
    NotJson(serde_json::Error),
    NotAnObject,
    WrongKey(WrongKey),
    Body(GivenBodyError),
    UrlNotBase64(NotBase64),
    Unreadable(ReadError),
    UnknownDialect(String),
    QuestionAndQueries,
    NoAgent,
    EmptyAgents,
    SeveralAgents,
    NotAToken(ProductTokenError),
    NoUrl,
    SeveralUrls,
    NotAUrl(RequestedUrlError),
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUtf8(error) => {
                let byte = error.valid_up_to() + 1;
                write!(f, "not UTF-8: invalid byte {byte} of the line")
            }
            Self::TooLong(bytes_max) => write!(f, "the line is longer than {bytes_max} bytes"),
            Self::NotJson(error) => {
                // `input_line` already has the line, so only the column is added.
                let message = error.to_string();
                let what = message.split(" at line ").next().unwrap_or(&message);
                write!(f, "not JSON: {what}, at column {}", error.column())
            }
            Self::NotAnObject => f.write_str("not a JSON object"),
            Self::WrongKey(wrong) => wrong.fmt(f),
            Self::Body(error) => error.fmt(f),
            Self::UrlNotBase64(error) => error.fmt(f),
            Self::Unreadable(error) => error.fmt(f),
            Self::UnknownDialect(name) => {
                let name = start_of(name);
                write!(f, "`{name}` is not a dialect: {}", verger::UnknownDialect)
            }
            Self::QuestionAndQueries => {
                f.write_str("both a question and queries: move the question into queries")
            }
            Self::NoAgent => f.write_str("no crawler: give agent or agents"),
            Self::EmptyAgents => {
                f.write_str("agents is empty: use `*` for a crawler that no group names")
            }
            Self::SeveralAgents => {
                f.write_str("several crawlers: give only one of agent and agents")
            }
            Self::NotAToken(error) => error.fmt(f),
            Self::NoUrl => f.write_str("no URL: give url or url_base64"),
            Self::SeveralUrls => f.write_str("several URLs: give only one of url and url_base64"),
            Self::NotAUrl(error) => error.fmt(f),
        }
    }
}
