//! The arguments of named calls.

use serde::Deserialize;

use crate::failure::Failure;

pub(crate) type Bytes<'a> = &'a [&'a [u8]];

/// The arguments, written by the package. One type serves all calls, so the module contains one
/// JSON decoder.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Argument {
    /// An [`Asked`](crate::asked::Asked).
    pub(crate) asked: u32,
    /// Names of crawlers as the command takes them. For access calls, the product tokens of one
    /// crawler in order.
    pub(crate) agents: Vec<String>,
    /// For access calls, the product tokens of the crawler that fetches.
    #[cfg(feature = "whole")]
    pub(crate) known_for: Vec<String>,
    pub(crate) site: Option<String>,
    #[serde(rename = "maxStates")]
    pub(crate) max_states: Option<u64>,
    /// Patterns, or networks.
    pub(crate) allow: Vec<String>,
    pub(crate) disallow: Vec<String>,
    /// The text of a `verger.toml`.
    #[cfg(feature = "whole")]
    pub(crate) settings: String,
    #[cfg(feature = "whole")]
    pub(crate) url: String,
    #[cfg(feature = "whole")]
    pub(crate) profile: String,
    /// The elements of a page, if its HTML is known.
    pub(crate) elements: Option<Vec<Element>>,
    /// Whether the HTML was read in part only.
    #[serde(rename = "isCut")]
    pub(crate) is_cut: bool,
    /// Seconds since 1970. For sessions, milliseconds of a clock that never goes back.
    pub(crate) now: u64,
    #[cfg(feature = "whole")]
    pub(crate) rest_is_up: bool,
    /// The events of a fetch so far.
    #[cfg(feature = "whole")]
    pub(crate) events: Vec<Event>,
    /// In thousandths.
    #[cfg(feature = "whole")]
    pub(crate) jitter: i16,
    /// Cache key for a pair of answer and crawler, or the key of a session. The caller assigns them
    /// in ascending order.
    #[cfg(feature = "whole")]
    pub(crate) key: u64,
    /// An event of a session.
    #[cfg(feature = "whole")]
    pub(crate) event: String,
    /// The flight or ticket of the event.
    #[cfg(feature = "whole")]
    pub(crate) id: u64,
    /// The outcome of an attempt that has ended.
    #[cfg(feature = "whole")]
    pub(crate) outcome: String,
    /// The limits of a session. The timeout is in milliseconds.
    #[cfg(feature = "whole")]
    pub(crate) timeout: u64,
    #[cfg(feature = "whole")]
    pub(crate) concurrency: usize,
    #[cfg(feature = "whole")]
    pub(crate) address: String,
    /// Networks.
    #[cfg(feature = "whole")]
    pub(crate) refuse: Vec<String>,
}

/// An element of a page: whether it is a `link`, its name or relation, its content or address, its
/// line or 0, and whether it is in the head.
pub(crate) type Element = (bool, String, String, u32, bool);

/// The outcome of an action. Only the body of the last event is passed and needed.
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
    /// Details of the failure, which are returned unchanged.
    pub(crate) detail: Option<String>,
    pub(crate) verdict: String,
}

pub(crate) fn unknown(name: &[u8]) -> Failure {
    Failure::internal(format_args!("unknown call: {}", name.escape_ascii()))
}

pub(crate) fn read(argument: &[u8]) -> Result<Argument, Failure> {
    serde_json::from_slice(argument).map_err(Failure::argument)
}
