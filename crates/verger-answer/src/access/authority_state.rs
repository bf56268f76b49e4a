use crate::read_error::ReadError;
use std::sync::Arc;

use verger_access::{
    AccessResult, Answer, BodyEnd, GoodCopy, Knowledge, Missing, Stance, Timestamp,
};

use crate::access::lazy_hash::LazyHash;
use crate::text::legible;

/// The stored facts about an authority at a time, and the answer that a profile derives from them.
#[derive(Clone, Debug)]
pub struct AuthorityState {
    /// The answer of the profile.
    pub answer: Answer,
    /// When the last fetch attempt ended, or `None` if an override answers without one.
    pub seen_at: Option<Timestamp>,
    /// When the first of the failures in a row ended, if the site is unreachable.
    pub unreachable_since: Option<Timestamp>,
    /// The last good copy, even if its rules do not apply.
    pub copy: Option<GoodCopy>,
    /// Number of the snapshot in the store, if stored.
    pub snapshot: Option<u64>,
    /// The reason why the attempt was not stored.
    pub not_kept: Option<String>,
    /// The cause of a failed attempt, if it was made just now.
    pub cause: Option<String>,
    /// Whether the copy is the whole body.
    pub body_end: BodyEnd,
    /// The hash of the deciding body.
    pub hash: LazyHash,
}

impl AuthorityState {
    /// Returns the state, or `None` if nothing is known. The caller sets the last five fields.
    #[must_use]
    pub fn new(knowledge: Knowledge, answer: Answer) -> Option<Self> {
        let seen_at = knowledge.last.map(|last| last.at);
        let is_known = seen_at.is_some() || answer.is_overridden();
        is_known.then(|| Self {
            answer,
            seen_at,
            unreachable_since: knowledge.streak.map(|it| it.first_at),
            copy: knowledge.copy,
            snapshot: None,
            not_kept: None,
            cause: None,
            body_end: BodyEnd::Whole,
            hash: LazyHash::default(),
        })
    }

    /// Returns what happened in the last attempt, with its cause if known: `TLS failed: its issuer is not trusted`.
    #[must_use]
    pub fn what(&self) -> Option<String> {
        let what = self.answer.access_result()?.outcome().to_string();
        let cause = self.cause.as_ref().map(|cause| legible(cause.as_bytes()));
        Some(cause.map_or(what.clone(), |cause| format!("{what}: {cause}")))
    }

    /// Returns the access result with what happened: `unreachable (status 503)`.
    #[must_use]
    pub fn result_in_words(&self) -> Option<String> {
        let result = self.answer.access_result()?;
        Some(format!("{} ({})", result.as_str(), self.what()?))
    }

    /// Returns the body whose rules decide, or would decide if they had not expired.
    #[must_use]
    pub fn body(&self) -> Option<&Arc<[u8]>> {
        let last_known = || self.copy.as_ref().map(|copy| &copy.body);
        match self.answer.stance() {
            Stance::Defer => last_known(),
            Stance::Rules | Stance::Copy | Stance::Open | Stance::Closed => self.answer.body(),
        }
    }

    /// Returns the body whose rules decide, empty if everything is allowed, and a note if it is not
    /// the body of the last response.
    ///
    /// # Errors
    ///
    /// Returns an error if everything is disallowed, nothing is known any more, or the answer lacks
    /// the body.
    pub fn deciding_body(&self) -> Result<(&[u8], Option<String>), ReadError> {
        let is_overridden = self.answer.is_overridden();
        let what = self.result_in_words().unwrap_or_else(|| {
            let what = if is_overridden {
                "an override applies"
            } else {
                "deferred"
            };
            what.to_owned()
        });
        let note = match self.answer.stance() {
            Stance::Rules => is_overridden.then(|| what.clone()),
            Stance::Copy => Some(format!("{what}, so its last good copy applies")),
            Stance::Open => Some(format!("{what}, so everything is allowed")),
            Stance::Closed => return Err(format!("{what}, so everything is disallowed").into()),
            Stance::Defer => {
                let to_do = match self.answer.missing() {
                    Some(_) => ": name a time before that, or no time, to fetch it",
                    None => "",
                };
                return Err((self.because() + to_do).into());
            }
        };
        match (self.answer.body(), self.answer.stance()) {
            (Some(body), _) => Ok((body, note)),
            (None, Stance::Open) => Ok((&[], note)),
            (None, _) => Err(Missing::Body.to_string().into()),
        }
    }

    /// Returns the SHA-256 of the deciding body as 64 hexadecimal digits, or `None` if no rules
    /// decide or no hash function was given.
    #[must_use]
    pub fn body_sha256(&self) -> Option<&str> {
        self.hash.of(self.answer.body()?)
    }

    /// Returns whether the last fetch failed because of the server.
    #[must_use]
    pub fn is_unreachable(&self) -> bool {
        let result = self.answer.access_result();
        matches!(result, Some(AccessResult::Unreachable(_)))
    }
}
