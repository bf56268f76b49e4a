use std::fmt;
use std::ops::AddAssign;

use verger_answer::CountOf;

use super::answer_reason::AnswerReason;

/// Number of answers by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnswerTally {
    /// URLs checked.
    pub urls: u64,
    /// Answers that allow.
    pub allowed: u64,
    /// Answers that disallow.
    pub disallowed: u64,
    /// Neither.
    pub unknown: u64,
    /// Answers that disallow for now, because the knowledge had expired or a server failed.
    pub deferred: u64,
    by_reason: [u64; AnswerReason::ALL.len()],
}

impl AnswerTally {
    pub(super) fn count(&mut self, allowed: Option<bool>, reason: AnswerReason) {
        *match allowed {
            Some(true) => &mut self.allowed,
            Some(false) => &mut self.disallowed,
            None => &mut self.unknown,
        } += 1;
        self.by_reason[reason as usize] += 1;
    }

    /// Returns the number of answers with this reason.
    #[must_use]
    pub fn with_reason(&self, reason: AnswerReason) -> u64 {
        self.by_reason[reason as usize]
    }

    /// Returns the number of answers, one for each URL and crawler.
    #[must_use]
    pub fn answers(&self) -> u64 {
        self.allowed + self.disallowed + self.unknown
    }
}

impl fmt::Display for AnswerTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, {}: {} allowed, {} disallowed, ",
            CountOf(self.urls, "URL", "URLs"),
            CountOf(self.answers(), "answer", "answers"),
            self.allowed,
            self.disallowed - self.deferred
        )?;
        if self.deferred > 0 {
            let deferred = self.deferred;
            write!(
                f,
                "{deferred} not answered (site unreachable or result expired), "
            )?;
        }
        write!(f, "{} unknown", self.unknown)?;
        let reasons = AnswerReason::ALL.iter();
        let reasons = reasons.map(|reason| (self.with_reason(*reason), reason.as_str()));
        let reasons = reasons.filter(|(count, _)| *count > 0);
        let reasons: Vec<String> = reasons.map(|(count, it)| format!("{count} {it}")).collect();
        if reasons.is_empty() {
            return Ok(());
        }
        write!(f, " ({})", reasons.join(", "))
    }
}

impl AddAssign for AnswerTally {
    fn add_assign(&mut self, other: Self) {
        self.urls += other.urls;
        self.allowed += other.allowed;
        self.disallowed += other.disallowed;
        self.unknown += other.unknown;
        self.deferred += other.deferred;
        for (count, more) in self.by_reason.iter_mut().zip(other.by_reason) {
            *count += more;
        }
    }
}
