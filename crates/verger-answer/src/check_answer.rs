pub(crate) mod because;
pub(crate) mod preference_answer;

use verger::{LineNumber, Reading, Reason, TargetPath, Verdict};
use verger_access::{AccessResult, Stance};

use crate::access::authority_lookup::AuthorityLookup;
use crate::check_answer::preference_answer::PreferenceAnswer;
use crate::check_result::CheckResult;
use crate::checked_file::{CheckedCrawler, CheckedFile};
use crate::explanation::Explanation;
use crate::other_limit::OtherLimitAnswer;
use crate::page::page_answer::PageAnswer;

/// The answer to whether a crawler may fetch a URL. It serializes as a
/// [`CheckLine`](crate::CheckLine).
#[derive(Debug)]
#[non_exhaustive]
pub struct CheckAnswer<'s> {
    /// The parsed body.
    pub file: &'s CheckedFile,
    /// The crawler.
    pub crawler: &'s CheckedCrawler,
    /// The URL as given.
    pub url: &'s [u8],
    /// The target that was compared, if a client sends it differently from the URL. In `google`,
    /// targets are compared as sent. V-40.
    pub sent_as: Option<String>,
    /// Line of the `*` group, if no group applies only because the crawler ignores `*`.
    pub ignored_star: Option<LineNumber>,
    /// The answer under the other size limit (512,000 bytes or none), if it differs. R9309-2.5-1,
    /// G-fmt-5.
    pub at_other_limit: Option<OtherLimitAnswer<'s>>,
    /// The source of the decision.
    pub result: CheckResult,
    /// The preferences that the file states about the uses of the content, if it states any or one
    /// use is asked about ([`CheckedFile::with_use`]). They have no effect on the result.
    pub preferences: Option<PreferenceAnswer>,
    /// Whether the crawler may index the page, if that was asked ([`CheckAnswer::with_page`]).
    pub page: Option<PageAnswer>,
    /// The explanation, if requested and rules decide.
    pub explanation: Option<Explanation<'s>>,
    /// The state of the authority, or `None` if the body was given.
    pub lookup: Option<&'s AuthorityLookup>,
}

impl CheckAnswer<'_> {
    /// Returns whether the URL is disallowed only for now, because the robots.txt is unreachable or its fetch is
    /// deferred.
    #[must_use]
    pub fn is_for_now(&self) -> bool {
        let CheckResult::Stance { stance, .. } = self.result else {
            return false;
        };
        let state = self.lookup.and_then(|lookup| lookup.state.as_ref());
        let result = state.and_then(|state| state.answer.access_result());
        let is_unreachable = matches!(result, Some(AccessResult::Unreachable(_)));
        // A site that answers 403 disallows everything by the draft of 1996. K96-3.1-6.
        stance == Stance::Defer || (stance == Stance::Closed && is_unreachable)
    }
}

impl CheckedFile {
    /// Decides whether the `nth` crawler, counted from 0, may fetch `target` by this body alone.
    /// Other dialects derive their own target from `url`.
    ///
    /// # Panics
    ///
    /// Panics if there is no such crawler.
    #[must_use]
    pub fn answer<'s>(
        &'s self,
        nth: usize,
        url: &'s [u8],
        target: &'s TargetPath<'s>,
    ) -> CheckAnswer<'s> {
        self.answer_with(nth, url, target, CheckResult::Rules)
    }

    /// Like [`CheckedFile::answer`], but the rules decide only if they are in force for the
    /// authority.
    ///
    /// # Panics
    ///
    /// Panics if there is no such crawler.
    #[must_use]
    pub fn answer_of_authority<'s>(
        &'s self,
        nth: usize,
        url: &'s [u8],
        target: &'s TargetPath<'s>,
        lookup: &'s AuthorityLookup,
    ) -> CheckAnswer<'s> {
        let result = |verdict| CheckResult::from_authority(lookup, verdict);
        CheckAnswer {
            lookup: Some(lookup),
            ..self.answer_with(nth, url, target, result)
        }
    }

    fn answer_with<'s>(
        &'s self,
        nth: usize,
        url: &'s [u8],
        target: &'s TargetPath<'s>,
        result: impl FnOnce(Verdict) -> CheckResult,
    ) -> CheckAnswer<'s> {
        let view = self.view(nth, target);
        let result = result(view.verdict);
        let by_rules = Some(&view).filter(|_| matches!(result, CheckResult::Rules(_)));
        CheckAnswer {
            file: self,
            crawler: &self.crawlers()[nth],
            url,
            sent_as: sent_as(url, target, *self.robots().reading()),
            ignored_star: self.ignored_star(nth, &result),
            at_other_limit: by_rules.and_then(|view| self.at_other_limit(nth, view)),
            preferences: self.preferences(nth, target, by_rules.map(|view| view.verdict)),
            result,
            page: None,
            explanation: by_rules.and_then(|view| self.explanation(nth, url, view)),
            lookup: None,
        }
    }

    fn ignored_star(&self, nth: usize, result: &CheckResult) -> Option<LineNumber> {
        match result {
            CheckResult::Rules(verdict) if verdict.reason() == Reason::NoGroup => {
                self.crawlers()[nth].ignored_star()
            }
            _ => None,
        }
    }
}

/// Returns the path and query as a client sends them, if bytes had to be percent-encoded
/// ([`TargetPath::as_sent`]).
pub(crate) fn sent_as(url: &[u8], target: &TargetPath<'_>, reading: Reading) -> Option<String> {
    // A fold without branches is faster.
    if (url.iter()).fold(true, |all, byte| all & byte.is_ascii_graphic()) {
        return None;
    }
    let written = TargetPath::new(url, reading).ok()?;
    let sent = target.as_bytes();
    (written.as_bytes() != sent).then(|| String::from_utf8_lossy(sent).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    use verger::Dialect;

    use crate::checked_file::{Explaining, Readings};
    use crate::explanation::CandidateStatus;
    use verger_crawlers::ResolvedCrawler;

    const BODY: &str = "User-agent: *\n\nDisallow: /a\nUser-agent: b\nDisallow: /\n";

    fn file(explaining: Explaining) -> CheckedFile {
        let own = Dialect::Rfc9309.into();
        let readings = Readings::new(own, explaining);
        let names = ["x", "b"];
        let crawlers = names.map(|name| ResolvedCrawler::from_token(name, own).unwrap());
        CheckedFile::new(BODY.into(), &readings, &crawlers)
    }

    #[test]
    fn each_crawler_has_its_own_rules() {
        let file = file(Explaining::No);
        let target = TargetPath::new("/a", Dialect::Rfc9309).unwrap();
        let lines = [0, 1].map(|nth| {
            let answer = file.answer(nth, b"/a", &target);
            assert!(answer.explanation.is_none());
            let decided = answer.crawler.policy().decide(&target);
            assert_eq!(answer.result.effect(), Some(decided.effect()));
            (decided.line().unwrap().get(), answer.crawler.group_name())
        });
        assert_eq!(lines, [(3, "*"), (5, "b")]);
    }

    #[test]
    fn a_target_that_is_sent_otherwise_than_written_is_told() {
        let url = "https://h.example/\u{e9}".as_bytes();
        let sent = |dialect: Dialect| {
            let readings = Readings::new(dialect.into(), Explaining::No);
            let file = CheckedFile::new(BODY.into(), &readings, &[ResolvedCrawler::unnamed()]);
            let target = TargetPath::as_sent(url, dialect).unwrap();
            file.answer(0, url, &target).sent_as
        };
        assert_eq!(sent(Dialect::Google).as_deref(), Some("/%C3%A9"));
        assert_eq!(sent(Dialect::Rfc9309), None);
    }

    #[test]
    fn an_explanation_has_the_dialects_that_answer_otherwise() {
        let file = file(Explaining::Yes);
        let target = TargetPath::new("/a", Dialect::Rfc9309).unwrap();
        let explanation = file.answer(0, b"/a", &target).explanation.unwrap();
        let candidates = explanation.candidates.iter();
        let lines: Vec<_> = candidates.map(|it| (it.line.get(), it.status)).collect();
        assert_eq!(lines, [(3, CandidateStatus::Decides)]);
        let others = explanation.others.iter();
        let others: Vec<_> = others
            .map(|it| (it.dialect, it.difference.to_string()))
            .collect();
        let blank = "line 2 is blank and ends the record".to_owned();
        assert_eq!(others, [(Dialect::Koster1996, blank)]);
    }
}
