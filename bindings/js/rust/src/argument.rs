//! What a question by name takes.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::failure::Failure;

/// The bytes that belong to a question, in order.
pub(crate) type Bytes<'a> = &'a [&'a [u8]];

/// What is asked, which the package writes. One type for all questions, of which each reads what it takes: the code
/// that reads JSON is in the module once.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Argument {
    /// An [`Asked`](crate::asked::Asked).
    pub(crate) asked: u32,
    /// Names of crawlers as the command takes them; of questions about access, the product tokens of one, in order.
    pub(crate) agents: Vec<String>,
    /// Of questions about access, the product tokens of the crawler that fetches.
    #[cfg(feature = "whole")]
    pub(crate) known_for: Vec<String>,
    pub(crate) site: Option<String>,
    #[serde(rename = "maxStates")]
    pub(crate) max_states: Option<u64>,
    /// Patterns, or networks.
    pub(crate) allow: Vec<String>,
    pub(crate) disallow: Vec<String>,
    /// Hosts that are not plain ASCII, as the platform of the caller writes them in ASCII.
    pub(crate) hosts: BTreeMap<String, Option<String>>,
    /// The text of a `verger.toml`.
    #[cfg(feature = "whole")]
    pub(crate) settings: String,
    #[cfg(feature = "whole")]
    pub(crate) url: String,
    #[cfg(feature = "whole")]
    pub(crate) profile: String,
    /// Seconds since 1970.
    #[cfg(feature = "whole")]
    pub(crate) now: u64,
    #[cfg(feature = "whole")]
    pub(crate) rest_is_up: bool,
    /// Of a fetch, what came of its actions.
    #[cfg(feature = "whole")]
    pub(crate) events: Vec<Event>,
    /// In thousandths.
    #[cfg(feature = "whole")]
    pub(crate) jitter: i16,
    /// The caller gives a number to each pair of an answer and a crawler, in rising order.
    #[cfg(feature = "whole")]
    pub(crate) key: u64,
    #[cfg(feature = "whole")]
    pub(crate) address: String,
    /// Networks.
    #[cfg(feature = "whole")]
    pub(crate) refuse: Vec<String>,
}

/// What came of an action. The body of a response is that of the call where it is the last event; a fetch that goes on
/// has used none.
#[cfg(feature = "whole")]
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Event {
    /// `response`, `ftp-file`, `ftp-reply`, `failure` or `hop`.
    pub(crate) kind: String,
    /// Seconds since 1970.
    pub(crate) at: u64,
    pub(crate) status: u16,
    /// Each character of a value stands for a byte.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) is_cut: bool,
    pub(crate) code: u16,
    pub(crate) failure: String,
    pub(crate) verdict: String,
}

/// A question that the module does not have.
pub(crate) fn unknown(name: &[u8]) -> Failure {
    Failure::internal(format_args!("no such call: {}", name.escape_ascii()))
}

/// Reads what is asked.
pub(crate) fn read(argument: &[u8]) -> Result<Argument, Failure> {
    serde_json::from_slice(argument).map_err(Failure::argument)
}
