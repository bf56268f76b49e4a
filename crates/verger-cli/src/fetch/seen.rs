//! `Seen`: all that is shown about a fetch.

use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

use verger_access::{Attempt, Outcome, Reply, Warning};
use verger_answer::AuthorityState;
use verger_client::{Exchange, FetchReport, Fetched};

use crate::authority_state;
use crate::octet_text::legible;

/// All that is shown about a fetch.
pub(super) struct Seen<'a> {
    pub(super) report: &'a FetchReport,
    pub(super) state: Option<AuthorityState>,
    /// The file of the store; `None` where it is in memory.
    pub(super) store: Option<&'a Path>,
}

/// One request and what came of it.
pub(super) struct SeenHop<'a> {
    pub(super) url: &'a str,
    /// The reply, or what happened in its place.
    pub(super) outcome: String,
    /// The status or the reply code.
    pub(super) code: Option<String>,
    /// What happened in place of a reply, in words for an operator.
    pub(super) detail: Option<&'a str>,
    pub(super) peer: Option<IpAddr>,
    pub(super) duration: Duration,
}

impl<'a> Seen<'a> {
    pub(super) fn new(report: &'a FetchReport, store: Option<&'a Path>) -> Self {
        Self {
            report,
            state: authority_state::of_report(report.clone()),
            store,
        }
    }

    /// What was fetched.
    fn fetched(&self) -> Option<&'a Fetched> {
        self.report.fetched.as_deref()
    }

    fn attempt(&self) -> Option<&'a Attempt> {
        self.fetched().map(|fetched| &fetched.attempt)
    }

    /// The requests, in order.
    pub(super) fn hops(&self) -> Vec<SeenHop<'a>> {
        let Some(Fetched {
            attempt, exchanges, ..
        }) = self.fetched()
        else {
            return Vec::new();
        };
        let hops = attempt.hops.iter().zip(exchanges);
        let seen = hops.map(|(hop, exchange)| {
            let Exchange {
                peer,
                detail,
                duration,
                ..
            } = exchange;
            SeenHop {
                url: hop.url.as_str(),
                outcome: match (hop.reply, attempt.last.outcome) {
                    (Some(reply), _) => reply.to_string(),
                    (None, Outcome::Failed(failure)) => failure.to_string(),
                    (None, outcome) => outcome.to_string(),
                },
                code: hop.reply.map(Reply::code),
                detail: detail.as_deref(),
                peer: *peer,
                duration: *duration,
            }
        });
        seen.collect()
    }

    /// A header of the last response.
    pub(super) fn header(&self, name: &str) -> Option<String> {
        let value = self.fetched()?.headers.get(name)?;
        Some(legible(value.as_bytes()))
    }

    /// The octets of the body, where the attempt was successful.
    pub(super) fn body(&self) -> Option<&'a [u8]> {
        let attempted = self.attempt().and_then(|attempt| attempt.copy.as_ref());
        attempted.map(|copy| &*copy.body)
    }

    /// What an operator should know.
    pub(super) fn warnings(&self) -> &'a [Warning] {
        self.attempt().map_or(&[], |attempt| &attempt.warnings)
    }
}
