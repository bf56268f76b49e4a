//! `Sighting`: what is known about one authority at a time, and what a profile makes of it.

use std::cell::OnceCell;
use std::sync::Arc;

use verger_access::{
    AccessResult, Answer, GoodCopy, Knowledge, Profile, RestOfSite, Stance, Timestamp,
};
use verger_client::{FetchReport, NotKept};
use verger_store::{BodyHash, SnapshotId, Standing};

/// What is known about one authority at a time, and what a profile makes of it.
pub(crate) struct Sighting {
    /// What follows from it.
    pub(crate) answer: Answer,
    /// When the last attempt ended.
    pub(crate) seen_at: Timestamp,
    /// The last good copy, whether or not its rules decide.
    pub(crate) copy: Option<GoodCopy>,
    /// Its number in the store; `None` where it is in none.
    pub(crate) snapshot: Option<SnapshotId>,
    /// Why it is in no store.
    pub(crate) not_kept: Option<NotKept>,
    body_hash: OnceCell<Option<BodyHash>>,
}

impl Sighting {
    /// What was reported; `None` where nothing is known.
    pub(crate) fn of_report(report: FetchReport) -> Option<Self> {
        let sighting = Self::new(report.knowledge, report.answer, report.snapshot)?;
        Some(Self {
            not_kept: report.not_kept,
            ..sighting
        })
    }

    /// What `profile` makes at `now` of how things stood; `None` where nothing was known.
    pub(crate) fn of_standing(
        standing: Standing,
        profile: &Profile,
        now: Timestamp,
    ) -> Option<Self> {
        let knowledge = standing.knowledge;
        let answer = knowledge.answer(profile, now, RestOfSite::default());
        Self::new(knowledge, answer, Some(standing.snapshot.id))
    }

    fn new(knowledge: Knowledge, answer: Answer, snapshot: Option<SnapshotId>) -> Option<Self> {
        Some(Self {
            answer,
            seen_at: knowledge.last?.at,
            copy: knowledge.copy,
            snapshot,
            not_kept: None,
            body_hash: OnceCell::new(),
        })
    }

    /// The octets whose rules decide, or would if their time were not over.
    pub(crate) fn body(&self) -> Option<&Arc<[u8]>> {
        let last_known = || self.copy.as_ref().map(|copy| &copy.body);
        match self.answer.stance() {
            Stance::Defer => last_known(),
            Stance::Rules | Stance::Copy | Stance::Open | Stance::Closed => self.answer.body(),
        }
    }

    /// The name of the octets whose rules decide.
    pub(crate) fn body_hash(&self) -> Option<BodyHash> {
        let hash = || self.answer.body().map(|body| BodyHash::of(body));
        *self.body_hash.get_or_init(hash)
    }

    /// Whether the authority is to be asked again because a server failed, not because of age.
    pub(crate) fn is_unreachable(&self) -> bool {
        let result = self.answer.access_result();
        matches!(result, Some(AccessResult::Unreachable(_)))
    }
}
