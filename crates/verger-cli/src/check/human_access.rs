//! Facts about an authority, for people.

use std::io::{self, Write};

use verger_answer::AuthorityLookup;
use verger_answer::text::readable_time;

use crate::screen::byte_text::legible;
use crate::screen::palette::{FAINT, HEADING};

pub(super) fn write_authority(output: &mut impl Write, lookup: &AuthorityLookup) -> io::Result<()> {
    let AuthorityLookup {
        authority, profile, ..
    } = lookup;
    writeln!(output, "\n  {HEADING}{}{HEADING:#}", authority.robots_url())?;
    let Some(state) = &lookup.state else {
        return writeln!(output, "  {FAINT}nothing is known{FAINT:#}");
    };
    let answer = &state.answer;
    let fact = state.result_in_words();
    let fact = fact.unwrap_or_else(|| "not fetched".to_owned());
    let seen_at = state.seen_at.map(|at| format!(" at {}", readable_time(at)));
    let seen_at = seen_at.unwrap_or_default();
    let snapshot = state.snapshot;
    let number = match (snapshot, &state.not_kept) {
        (Some(id), _) => format!(", snapshot {id}"),
        (None, Some(why)) => format!(", not kept ({})", legible(why.as_bytes())),
        (None, None) => String::new(),
    };
    let fact_clause = answer.access_result_clause();
    writeln!(
        output,
        "  {fact}{seen_at}{number} {FAINT}({fact_clause}){FAINT:#}"
    )?;
    let (stance, clause) = (answer.stance(), answer.clause());
    let copy = lookup.copy_in_words().map(|copy| format!(", {copy}"));
    let (copy, ends) = (
        copy.unwrap_or_default(),
        readable_time(answer.holds_until()),
    );
    let profile = if answer.is_overridden() {
        "an override"
    } else {
        profile
    };
    let word = match answer.missing() {
        Some(_) => "since",
        None => "until",
    };
    writeln!(
        output,
        "  {stance} by {profile} {word} {ends}{copy} {FAINT}({clause}){FAINT:#}"
    )
}
