//! `AuthorityState`: the knowledge about an authority at a time, and the answer that a profile derives from it.

use crate::read_error::ReadError;
use std::sync::Arc;

use verger_access::{
    AccessResult, Answer, BodyEnd, GoodCopy, Knowledge, Missing, Stance, Timestamp,
};

use crate::access::lazy_hash::LazyHash;

/// The knowledge about one authority at a time, and the answer of a profile.
#[derive(Clone, Debug)]
pub struct AuthorityState {
    /// The profile's answer.
    pub answer: Answer,
    /// When the last attempt to fetch ended.
    pub seen_at: Timestamp,
    /// The last good copy, whether or not its rules decide.
    pub copy: Option<GoodCopy>,
    /// The number of the snapshot in the store; `None` where it is in none.
    pub snapshot: Option<u64>,
    /// Why it is in no store.
    pub not_kept: Option<String>,
    /// Whether the copy is the whole body that the server has.
    pub body_end: BodyEnd,
    /// How the SHA-256 of the body is computed whose rules decide.
    pub hash: LazyHash,
}

impl AuthorityState {
    /// The knowledge and the answer that a profile derives from it; `None` where nothing is known. The last four fields
    /// are the caller's.
    #[must_use]
    pub fn new(knowledge: Knowledge, answer: Answer) -> Option<Self> {
        Some(Self {
            answer,
            seen_at: knowledge.last?.at,
            copy: knowledge.copy,
            snapshot: None,
            not_kept: None,
            body_end: BodyEnd::Whole,
            hash: LazyHash::default(),
        })
    }

    /// The bytes whose rules decide, or would if they had not expired.
    #[must_use]
    pub fn body(&self) -> Option<&Arc<[u8]>> {
        let last_known = || self.copy.as_ref().map(|copy| &copy.body);
        match self.answer.stance() {
            Stance::Defer => last_known(),
            Stance::Rules | Stance::Copy | Stance::Open | Stance::Closed => self.answer.body(),
        }
    }

    /// The bytes whose rules decide, none where everything is allowed, and a note where they are not those of the last
    /// answer.
    ///
    /// # Errors
    ///
    /// Where no rules decide, since everything is disallowed or nothing is known any more, or where they are not with the
    /// answer: why, and what to do.
    pub fn deciding_body(&self) -> Result<(&[u8], Option<String>), ReadError> {
        let result = self.answer.access_result();
        let what = result.map_or_else(|| "deferred".to_owned(), |result| result.to_string());
        let note = match self.answer.stance() {
            Stance::Rules => None,
            Stance::Copy => Some(format!("{what}; its last good copy decides")),
            Stance::Open => Some(format!("{what}; everything is allowed")),
            Stance::Closed => return Err(format!("{what}; everything is disallowed").into()),
            Stance::Defer => {
                let to_do = match self.answer.missing() {
                    Some(_) => "; name a time before that, or none, and it is fetched",
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

    /// The SHA-256 of the body whose rules decide, as 64 hexadecimal digits; `None` where no rules do,
    /// or where `hash` computes none.
    #[must_use]
    pub fn body_sha256(&self) -> Option<&str> {
        self.hash.of(self.answer.body()?)
    }

    /// Whether the authority is to be asked again because a server failed, not because of age.
    #[must_use]
    pub fn is_unreachable(&self) -> bool {
        let result = self.answer.access_result();
        matches!(result, Some(AccessResult::Unreachable(_)))
    }
}
