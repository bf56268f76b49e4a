//! `CheckAnswer`: whether a crawler may fetch a URL, and why.

use verger::{LineNumber, Reading, Reason, TargetPath};

#[cfg(feature = "access")]
use crate::access::authority_lookup::AuthorityLookup;
use crate::check_result::CheckResult;
use crate::checked_file::{CheckedCrawler, CheckedFile};
use crate::explanation::Explanation;
use crate::other_limit::OtherLimitAnswer;

/// Whether a crawler may fetch a URL, and why. Its JSON is that of [`CheckLine`](crate::CheckLine).
#[derive(Debug)]
#[non_exhaustive]
pub struct CheckAnswer<'s> {
    /// The body with the rules, parsed.
    pub file: &'s CheckedFile,
    /// The crawler.
    pub crawler: &'s CheckedCrawler,
    /// The URL as it was asked about.
    pub url: &'s [u8],
    /// The target that was compared, where it is sent otherwise than the URL has it: in `google` a
    /// URL is asked about as it is sent. V-40.
    pub sent_as: Option<String>,
    /// The line of the `*` group that would apply if the crawler did not ignore `*`, where no group
    /// applies to it.
    pub ignored_star: Option<LineNumber>,
    /// The answer with, or without, the bytes after the first 512,000, where it differs. R9309-2.5-1, G-fmt-5.
    pub at_other_limit: Option<OtherLimitAnswer<'s>>,
    /// The result that decides.
    pub result: CheckResult,
    /// The explanation, where rules decide and answers are explained.
    pub explanation: Option<Explanation<'s>>,
    /// The knowledge about the authority; `None` where the body was given.
    #[cfg(feature = "access")]
    pub lookup: Option<&'s AuthorityLookup>,
}

impl CheckedFile {
    /// Whether the crawler of that number, counted from 0, may fetch `target`, by this body alone;
    /// `url` is the URL that the question names, for the answers of other dialects.
    ///
    /// # Panics
    ///
    /// Where there is no such crawler.
    #[must_use]
    pub fn answer<'s>(
        &'s self,
        nth: usize,
        url: &'s [u8],
        target: &'s TargetPath<'s>,
    ) -> CheckAnswer<'s> {
        let view = self.view(nth, target);
        let result = CheckResult::Rules(view.verdict);
        CheckAnswer {
            file: self,
            crawler: &self.crawlers()[nth],
            url,
            sent_as: sent_as(url, target, *self.robots().reading()),
            ignored_star: self.ignored_star(nth, &result),
            at_other_limit: self.at_other_limit(nth, &view),
            result,
            explanation: self.explanation(nth, url, &view),
            #[cfg(feature = "access")]
            lookup: None,
        }
    }

    /// As [`CheckedFile::answer`], with the state of the authority: the rules decide only where they are in force.
    ///
    /// # Panics
    ///
    /// Where there is no such crawler.
    #[cfg(feature = "access")]
    #[must_use]
    pub fn answer_of_authority<'s>(
        &'s self,
        nth: usize,
        url: &'s [u8],
        target: &'s TargetPath<'s>,
        lookup: &'s AuthorityLookup,
    ) -> CheckAnswer<'s> {
        let view = self.view(nth, target);
        let result = CheckResult::of_authority(lookup, view.verdict);
        let explanation = match result {
            CheckResult::Rules(_) => self.explanation(nth, url, &view),
            CheckResult::Stance { .. } | CheckResult::Unknown => None,
        };
        CheckAnswer {
            file: self,
            crawler: &self.crawlers()[nth],
            url,
            sent_as: sent_as(url, target, *self.robots().reading()),
            ignored_star: self.ignored_star(nth, &result),
            at_other_limit: match result {
                CheckResult::Rules(_) => self.at_other_limit(nth, &view),
                CheckResult::Stance { .. } | CheckResult::Unknown => None,
            },
            result,
            explanation,
            lookup: Some(lookup),
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

/// The path and query of `target` as a client sends them, where that is not what `url` has: bytes had
/// to be percent-encoded ([`TargetPath::as_sent`]).
pub(crate) fn sent_as(url: &[u8], target: &TargetPath<'_>, reading: Reading) -> Option<String> {
    // All at once, without a branch for each.
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
    use crate::crawlers::resolved::ResolvedCrawler;
    use crate::explanation::CandidateStatus;

    const BODY: &str = "User-agent: *\n\nDisallow: /a\nUser-agent: b\nDisallow: /\n";

    fn file(explaining: Explaining) -> CheckedFile {
        let own = Dialect::Rfc9309.into();
        let readings = Readings::new(own, explaining);
        let names = ["x", "b"];
        let crawlers = names.map(|name| ResolvedCrawler::of_token(name, own).unwrap());
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
