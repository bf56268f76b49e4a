//! What is known about an authority, for people.

use std::io::{self, Write};

use verger_access::{AccessResult, Missing, Outcome, Stance, TransportFailure};
use verger_answer::text::readable_time;
use verger_answer::{AuthorityLookup, AuthorityState};

use crate::octet_text::legible;
use crate::palette::{FAINT, HEADING};

const ADDRESS_REFUSED: Outcome = Outcome::Failed(TransportFailure::AddressRefused);

/// Why a stance without rules is what it is.
pub(super) fn because_of_stance(state: &AuthorityState) -> String {
    let answer = &state.answer;
    let clause = answer.clause();
    let fact = match (answer.stance(), answer.access_result()) {
        (Stance::Open, Some(AccessResult::Unavailable(outcome))) => {
            format!("no robots.txt ({outcome})")
        }
        (_, Some(result)) if result.outcome() == ADDRESS_REFUSED => {
            format!("{result}, unless `--allow-address` allows it")
        }
        (_, Some(result)) => result.to_string(),
        (_, None) => "never fetched".to_owned(),
    };
    let again = readable_time(answer.ask_again_at());
    if let Some(Missing::AttemptAfter(last)) = answer.missing() {
        let (until, last) = (readable_time(answer.holds_until()), readable_time(last));
        return format!(
            "{fact} when last seen at {last}, which decided until {until}: deferred by {clause}"
        );
    }
    match answer.stance() {
        Stance::Open => format!("{fact}: open by {clause}"),
        Stance::Defer => format!("{fact}: deferred by {clause}, next attempt at {again}"),
        Stance::Closed if state.is_unreachable() => {
            format!("{fact}: closed by {clause}, next attempt at {again}")
        }
        Stance::Closed => format!("{fact}: closed by {clause}"),
        // These have rules, which decide.
        Stance::Rules | Stance::Copy => format!("{fact}: by {clause}"),
    }
}

/// How old the rules are, where they are those of a copy.
pub(super) fn copy_of(lookup: &AuthorityLookup) -> Option<String> {
    let state = lookup.state.as_ref()?;
    let copy = state.copy.as_ref()?;
    let is_used = state.answer.stance() == Stance::Copy;
    is_used.then(|| format!("last good copy of {}", readable_time(copy.validated_at)))
}

/// Writes what an answer rests on.
pub(super) fn write_authority(output: &mut impl Write, lookup: &AuthorityLookup) -> io::Result<()> {
    let AuthorityLookup {
        authority, profile, ..
    } = lookup;
    writeln!(output, "\n  {HEADING}{}{HEADING:#}", authority.robots_url())?;
    let Some(state) = &lookup.state else {
        return writeln!(output, "  {FAINT}nothing is known{FAINT:#}");
    };
    let answer = &state.answer;
    let fact = answer.access_result();
    let fact = fact.map_or("never fetched".to_owned(), |fact| fact.to_string());
    let seen_at = readable_time(state.seen_at);
    let snapshot = state.snapshot;
    let number = match (snapshot, &state.not_kept) {
        (Some(id), _) => format!(", snapshot {id}"),
        (None, Some(why)) => format!(", not kept ({})", legible(why.as_bytes())),
        (None, None) => String::new(),
    };
    let fact_clause = answer.access_result_clause();
    writeln!(
        output,
        "  {fact} at {seen_at}{number} {FAINT}({fact_clause}){FAINT:#}"
    )?;
    let (stance, clause) = (answer.stance(), answer.clause());
    let copy = copy_of(lookup).map(|copy| format!(", {copy}"));
    let (copy, ends) = (
        copy.unwrap_or_default(),
        readable_time(answer.holds_until()),
    );
    let word = match answer.missing() {
        Some(_) => "since",
        None => "until",
    };
    writeln!(
        output,
        "  {stance} by {profile} {word} {ends}{copy} {FAINT}({clause}){FAINT:#}"
    )
}
