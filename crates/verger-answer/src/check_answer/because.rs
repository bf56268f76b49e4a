//! Explains answers in words.

use verger::{Effect, Reason, RobotsTxt, Verdict, legible};
use verger_access::{AccessResult, Missing, Outcome, Stance, TransportFailure};

use crate::access::authority_lookup::AuthorityLookup;
use crate::access::authority_state::AuthorityState;
use crate::check_answer::CheckAnswer;
use crate::check_result::CheckResult;
use crate::text::readable_time;

impl CheckAnswer<'_> {
    /// Returns the verdict: `allowed`, `disallowed` or `unknown`.
    #[must_use]
    pub fn word(&self) -> &'static str {
        self.result.effect().map_or("unknown", effect_word)
    }

    /// Describes the deciding rule or the state of the authority. The text is safe to show.
    #[must_use]
    pub fn because(&self) -> String {
        match &self.result {
            CheckResult::Rules(verdict) => because_of_rules(verdict, self.file.robots()),
            CheckResult::Stance { last_known, .. } => {
                let state = self.lookup.and_then(|lookup| lookup.state.as_ref());
                let because = state.map(AuthorityState::because).unwrap_or_default();
                match last_known {
                    Some(verdict) => {
                        let word = effect_word(verdict.effect());
                        let why = because_of_rules(verdict, self.file.robots());
                        format!("{because} (its last known file: {word}, {why})")
                    }
                    None => because,
                }
            }
            CheckResult::Unknown => {
                let authority = self.lookup.map(|lookup| lookup.authority.to_string());
                let authority = authority.unwrap_or_default();
                format!("nothing is known about {authority}")
            }
        }
    }
}

fn effect_word(effect: Effect) -> &'static str {
    match effect {
        Effect::Allow => "allowed",
        Effect::Disallow => "disallowed",
    }
}

/// Describes the deciding rule. The text is safe to show.
pub(crate) fn because_of_rules(verdict: &Verdict, robots: &RobotsTxt) -> String {
    match verdict.reason() {
        Reason::Rule => {
            let record = verdict.line().and_then(|line| robots.record_at(line));
            record.map_or_else(String::new, |record| {
                format!("line {}: {}", record.line(), legible(record.text()))
            })
        }
        Reason::NoRuleMatched => "no rule matches".to_owned(),
        Reason::NoGroup => "no group applies to this crawler".to_owned(),
        Reason::RobotsTxtItself => "/robots.txt itself".to_owned(),
    }
}

const ADDRESS_REFUSED: Outcome = Outcome::Failed(TransportFailure::AddressRefused);

impl AuthorityState {
    /// Describes a stance without rules, with its clause. A deferral includes the last result and
    /// how long it was valid.
    #[must_use]
    pub fn because(&self) -> String {
        let answer = &self.answer;
        let clause = answer.clause();
        if answer.is_overridden() {
            return format!("an override: {} by {clause}", answer.stance());
        }
        let fact = self.result_in_words();
        let fact = fact.unwrap_or_else(|| "never fetched".to_owned());
        let result = answer.access_result();
        let is_refused = result.is_some_and(|result| result.outcome() == ADDRESS_REFUSED);
        let fact = match (answer.stance(), result) {
            (Stance::Open, Some(AccessResult::Unavailable(outcome))) => {
                format!("no robots.txt ({outcome})")
            }
            _ if is_refused => format!("{fact}, unless `--allow-address` allows it"),
            _ => fact,
        };
        let again = readable_time(answer.ask_again_at());
        if let Some(Missing::AttemptAfter(last)) = answer.missing() {
            let (until, last) = (readable_time(answer.holds_until()), readable_time(last));
            return format!(
                "{fact} when last seen at {last}, valid until {until}: deferred by {clause}"
            );
        }
        match answer.stance() {
            Stance::Open => format!("{fact}: open by {clause}"),
            Stance::Defer => format!("{fact}: deferred by {clause}, next attempt at {again}"),
            Stance::Closed if self.is_unreachable() && !is_refused => {
                format!("{fact}: closed by {clause}, next attempt at {again}")
            }
            Stance::Closed => format!("{fact}: closed by {clause}"),
            // The rules of these stances decide.
            Stance::Rules | Stance::Copy => format!("{fact}: by {clause}"),
        }
    }
}

impl AuthorityLookup {
    /// Describes the source of the rules if it is not the last response: `rules of an override` or
    /// `last good copy of 2026-11-20 17:02:11 UTC`.
    #[must_use]
    pub fn copy_in_words(&self) -> Option<String> {
        let state = self.state.as_ref()?;
        if state.answer.is_overridden() {
            let has_rules = state.answer.stance() == Stance::Rules;
            return has_rules.then(|| "rules of an override".to_owned());
        }
        let copy = state.copy.as_ref()?;
        let is_used = state.answer.stance() == Stance::Copy;
        is_used.then(|| format!("last good copy of {}", readable_time(copy.validated_at)))
    }
}

#[cfg(test)]
mod tests {
    use verger::{Dialect, TargetPath};

    use crate::checked_file::{CheckedFile, Explaining, Readings};
    use verger_crawlers::ResolvedCrawler;

    #[test]
    fn rules_are_named_with_their_lines() {
        let own = Dialect::Rfc9309.into();
        let readings = Readings::new(own, Explaining::No);
        let because = |body: &str, path: &str| {
            let file = CheckedFile::new(body.into(), &readings, &[ResolvedCrawler::unnamed()]);
            let target = TargetPath::new(path, own).unwrap();
            let answer = file.answer(0, path.as_bytes(), &target);
            format!("{}: {}", answer.word(), answer.because())
        };
        let body = "User-agent: *\nDisallow: /\u{202e}\n";
        assert_eq!(
            because(body, "/%E2%80%AE"),
            "disallowed: line 2: Disallow: /\\u{202e}"
        );
        assert_eq!(because(body, "/b"), "allowed: no rule matches");
        assert_eq!(
            because("", "/b"),
            "allowed: no group applies to this crawler"
        );
        assert_eq!(because(body, "/robots.txt"), "allowed: /robots.txt itself");
    }
}
