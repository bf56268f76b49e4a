//! The answer that follows from knowledge and from the overrides in force. V-89.

use verger_access::{Answer, Knowledge, RestOfSite, Stance};

use crate::fetch::chain::FetchContext;
use crate::fetch::known::{Known, Wanted};

impl FetchContext {
    /// Returns the answer now: that of the first override among the URLs that led to the knowledge,
    /// or else of the knowledge.
    pub(crate) fn answer(&self, known: &Known, rest: RestOfSite) -> Answer {
        let (profile, now, last) = (&self.profile, self.clock.now(), known.knowledge.last);
        let answer = known.knowledge.answer(profile, now, rest);
        let copy = known.knowledge.copy.as_ref();
        let copy = copy.filter(|_| answer.stance() == Stance::Copy);
        let mut urls = known.urls.iter().chain(copy.map(|copy| &copy.url));
        if let Some(given) = urls.find_map(|url| self.override_at(url)) {
            given.answer(profile, last.map_or(now, |last| last.at))
        } else if known.is_overridden() {
            // That override is gone.
            Knowledge::default().answer(profile, now, rest)
        } else {
            answer
        }
    }

    pub(crate) fn is_met(&self, wanted: Wanted, known: &Known) -> bool {
        let answer = self.answer(known, RestOfSite::default());
        wanted.is_met(known, answer.is_due(self.clock.now()))
    }

    /// Returns `false` if an override ended the attempt and was replaced since.
    pub(crate) fn applies(&self, known: &Known) -> bool {
        let is_overridden = || self.answer(known, RestOfSite::default()).is_overridden();
        !known.is_overridden() || is_overridden()
    }
}
