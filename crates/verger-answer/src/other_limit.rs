//! `OtherLimit`: answers for long files with and without their end.
//!
//! Google's crawlers and most dialects use the first 512,000 bytes of a file. Google's library uses
//! all of it. For a longer file, each answer is compared with that under the other limit, so a rule
//! after the limit does not go unnoticed. Only long files need this second parse.

use std::fmt;

use serde::Serialize;
use verger::dialect::{BodyLimit, EncodingMismatch};
use verger::limits::BODY_BYTES_MAX;
use verger::{Crawler, Policy, Reading, RobotsTxt, TargetPath, Verdict};

use crate::text::grouped;
use crate::verdict_keys::VerdictKeys;

/// Longer files are not parsed as a whole. Answers only warn that they are cut. No real file is
/// this long.
const WHOLE_BYTES_MAX: usize = 64 << 20;

/// A long file under the other size limit.
#[derive(Debug)]
pub(crate) struct OtherLimit {
    robots: RobotsTxt,
    policies: Vec<Policy>,
}

/// The answer of a long file under the other size limit, if it differs. `Display` writes a
/// sentence.
#[derive(Clone, Copy, Debug)]
pub struct OtherLimitAnswer<'s> {
    robots: &'s RobotsTxt,
    verdict: Verdict,
}

/// Parses the file under the other limit. Returns `None` if that makes no difference.
pub(crate) fn read_otherwise(robots: &RobotsTxt) -> Option<RobotsTxt> {
    let body = robots.body();
    if body.len() <= BODY_BYTES_MAX {
        return None;
    }
    let (limit, bytes) = match robots.reading().body_limit() {
        // One more byte reveals a line that the limit cuts in two.
        BodyLimit::None => (BodyLimit::Bytes512000, BODY_BYTES_MAX + 1),
        _ if body.len() > WHOLE_BYTES_MAX => return None,
        _ => (BodyLimit::None, body.len()),
    };
    let reading = robots.reading().with_body_limit(limit);
    // The body is already bridged, and the cut may split a character.
    let reading = reading.with_encoding_mismatch(EncodingMismatch::KeepBytes);
    Some(RobotsTxt::parse(&body[..bytes], reading))
}

impl OtherLimit {
    pub(crate) fn of<'c>(
        robots: &RobotsTxt,
        crawlers: impl Iterator<Item = &'c Crawler>,
    ) -> Option<Self> {
        let robots = read_otherwise(robots)?;
        Some(Self {
            policies: crawlers.map(|crawler| robots.policy(crawler)).collect(),
            robots,
        })
    }

    /// Returns the answer for the `nth` crawler if it differs from `verdict`.
    pub(crate) fn answer(
        &self,
        nth: usize,
        target: &TargetPath<'_>,
        verdict: Verdict,
    ) -> Option<OtherLimitAnswer<'_>> {
        OtherLimitAnswer::of(&self.robots, &self.policies[nth], target, verdict)
    }

    pub(crate) fn bytes(&self) -> usize {
        let policies = self.policies.iter().map(Policy::heap_bytes_max);
        self.robots.heap_bytes() + policies.sum::<usize>()
    }
}

impl<'s> OtherLimitAnswer<'s> {
    /// Returns the answer of `policy` if it differs from `verdict`.
    pub(crate) fn of(
        robots: &'s RobotsTxt,
        policy: &Policy,
        target: &TargetPath<'_>,
        verdict: Verdict,
    ) -> Option<Self> {
        let other = policy.decide(target);
        let is_same = (other.effect(), other.line()) == (verdict.effect(), verdict.line());
        (!is_same).then_some(Self {
            robots,
            verdict: other,
        })
    }

    /// Returns the verdict under the other limit.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Returns the file under the other limit, to which [`OtherLimitAnswer::verdict`] refers.
    #[must_use]
    pub fn robots(&self) -> &'s RobotsTxt {
        self.robots
    }

    /// Returns whether the other limit uses the whole file, and the answer itself only its start.
    #[must_use]
    pub fn uses_whole_file(&self) -> bool {
        self.reading().body_limit() == BodyLimit::None
    }

    fn reading(&self) -> &'s Reading {
        self.robots.reading()
    }
}

impl fmt::Display for OtherLimitAnswer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (limit, verdict) = (grouped(BODY_BYTES_MAX), self.verdict);
        if self.uses_whole_file() {
            write!(f, "with the bytes after the first {limit}: {verdict}")
        } else {
            write!(
                f,
                "with only the first {limit} bytes, as in Google's crawlers: {verdict}"
            )
        }
    }
}

/// The key `body_limit` of `docs/json.md`.
#[derive(Debug, Serialize)]
pub(crate) struct BodyLimitKeys<'a> {
    bytes: usize,
    applies: bool,
    otherwise: VerdictKeys<'a>,
}

impl<'a> BodyLimitKeys<'a> {
    pub(crate) fn of(answer: &OtherLimitAnswer<'a>) -> Self {
        Self {
            bytes: BODY_BYTES_MAX,
            applies: answer.uses_whole_file(),
            otherwise: VerdictKeys::new(&answer.verdict, answer.robots),
        }
    }

    pub(crate) fn in_batch(answer: &OtherLimitAnswer<'a>) -> Self {
        Self {
            otherwise: VerdictKeys::in_batch(&answer.verdict, answer.robots),
            ..Self::of(answer)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use verger::Dialect;

    /// Returns the other answer about `/x` for a body whose `rule` starts at byte `start`.
    fn other(dialect: Dialect, start: usize, rule: &str) -> Option<String> {
        let mut body = b"User-agent: *\nDisallow: /a\n#".to_vec();
        body.resize(start - 1, b'-');
        body.extend_from_slice(b"\n");
        body.extend_from_slice(rule.as_bytes());
        let robots = RobotsTxt::parse(body, dialect);
        let crawler = Crawler::unnamed();
        let target = TargetPath::new("/x", dialect).unwrap();
        let verdict = robots.policy(&crawler).decide(&target);
        let limit = OtherLimit::of(&robots, [&crawler].into_iter())?;
        assert!(limit.bytes() > 0);
        let answer = limit.answer(0, &target, verdict)?;
        assert_eq!(answer.verdict().line().is_some(), answer.uses_whole_file());
        Some(answer.to_string())
    }

    #[test]
    fn a_rule_after_the_limit_is_seen_where_it_would_decide() {
        let after = "with the bytes after the first 512,000: disallowed by line 4";
        let before =
            "with only the first 512,000 bytes, as in Google's crawlers: allowed: no rule matches";
        for (start, rule, is_seen) in [
            (512_000 - 12, "Disallow: /x", false),
            (512_000 - 11, "Disallow: /x", true),
            (700_000, "Disallow: /x", true),
            (700_000, "Disallow: /y", false),
        ] {
            let expected = is_seen.then(|| after.to_owned());
            assert_eq!(other(Dialect::Rfc9309, start, rule), expected, "{start}");
            let expected = is_seen.then(|| before.to_owned());
            assert_eq!(other(Dialect::Google, start, rule), expected, "{start}");
        }
    }
}
