//! `Attempt`: one fetch of a robots.txt, from its first request to its end.

use core::time::Duration;

use url::Url;

use crate::good_copy::GoodCopy;
use crate::outcome::{Outcome, Reply};
use crate::timestamp::Timestamp;
use crate::warning::Warning;

/// One request of a fetch and the reply to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The requested URL.
    pub url: Url,
    /// The reply, or `None` if no complete one came.
    pub reply: Option<Reply>,
}

impl Hop {
    /// Parses the URL of a hop, or returns `None`.
    #[must_use]
    pub fn from_reply(url: &str, reply: Option<Reply>) -> Option<Self> {
        let url = Url::parse(url).ok()?;
        Some(Self { url, reply })
    }
}

/// Writes the keys of a request in every answer: `url`, `reply` (`http 301`, `ftp 226`, or null without a reply), and
/// `status` as a number.
#[cfg(feature = "serde")]
impl serde::Serialize for Hop {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        let mut keys = serializer.serialize_struct("Hop", 3)?;
        keys.serialize_field("url", self.url.as_str())?;
        keys.serialize_field("reply", &self.reply.map(Reply::code))?;
        keys.serialize_field("status", &self.reply.map(Reply::status))?;
        keys.end()
    }
}

/// The parts of the last attempt on which answers depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastAttempt {
    /// When it ended.
    pub at: Timestamp,
    /// How it ended.
    pub outcome: Outcome,
    /// The lifetime that the last response stated, less its age.
    pub stated_lifetime: Option<Duration>,
    /// The wait that the last response stated in `Retry-After`.
    pub retry_after: Option<Duration>,
}

/// One fetch that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// How it ended, and when.
    pub last: LastAttempt,
    /// Every request and its reply, in order. There is at least one.
    pub hops: Vec<Hop>,
    /// The body, if the attempt was successful.
    pub copy: Option<GoodCopy>,
    /// Warnings for an operator.
    pub warnings: Vec<Warning>,
}
