//! A fetch for people: a line for each request, then a line for each fact.

use std::io::{self, Write};

use verger::Clause;
use verger_access::AccessResult;
use verger_answer::text::readable_time;
use verger_answer::{AuthorityState, CountOf};
use verger_client::{FetchAnswer, FetchHop};

use crate::screen::byte_text::legible;
use crate::screen::palette::{FAINT, HEADING};

/// Maximum number of sitemaps that are shown.
const SITEMAPS_MAX: usize = 10;

pub(super) fn write(output: &mut impl Write, seen: &FetchAnswer<'_>) -> io::Result<()> {
    let url = seen.report.authority.robots_url();
    writeln!(output, "{HEADING}{url}{HEADING:#}")?;
    for hop in seen.hops() {
        write_hop(output, &hop)?;
    }
    let answer = &seen.report.answer;
    let by = |what: String, clause: Clause| format!("{what} {FAINT}({clause}){FAINT:#}");
    let fact = answer.access_result().map_or_else(
        || "none, because an override answers".to_owned(),
        |fact: AccessResult| fact.to_string(),
    );
    let (stance, profile) = (answer.stance(), answer.profile());
    let store = seen
        .store
        .map(|path| legible(path.display().to_string().as_bytes()));
    // A snapshot in memory cannot be looked up later.
    let snapshot = seen.report.snapshot.zip(store);
    let not_kept = seen.report.not_kept.as_ref().map(ToString::to_string);
    let copy = seen.state.as_ref().and_then(copy_time);
    let hash = seen
        .state
        .as_ref()
        .and_then(|state| state.body_sha256().map(str::to_owned));
    let facts = [
        ("media type", seen.header("content-type")),
        ("bytes", seen.body().map(|body| body.len().to_string())),
        ("entity tag", seen.header("etag")),
        ("last modified", seen.header("last-modified")),
        (
            "access result",
            Some(by(fact, answer.access_result_clause())),
        ),
        ("stance", Some(by(stance.to_string(), answer.clause()))),
        (
            "profile",
            Some(format!("{profile}, dialect {}", answer.dialect())),
        ),
        ("delay", seen.delay.map(|delay| format!("{delay} (for *)"))),
        ("last good copy", copy),
        ("SHA-256", hash),
        ("fresh until", Some(readable_time(answer.holds_until()))),
        ("ask again at", Some(readable_time(answer.ask_again_at()))),
        (
            "snapshot",
            snapshot.map(|(id, store)| format!("{} in {store}", id.0)),
        ),
        ("not kept", not_kept),
    ];
    for (name, fact) in facts {
        if let Some(fact) = fact {
            write_fact(output, name, &fact)?;
        }
    }
    write_sitemaps(output, seen)?;
    for warning in seen.warnings() {
        let message = legible(warning.to_string().as_bytes());
        write_fact(output, "warning", &by(message, warning.clause()))?;
    }
    Ok(())
}

fn write_fact(output: &mut impl Write, name: &str, fact: &str) -> io::Result<()> {
    writeln!(output, "  {FAINT}{name:<14}{FAINT:#}  {fact}")
}

fn write_sitemaps(output: &mut impl Write, seen: &FetchAnswer<'_>) -> io::Result<()> {
    let sitemaps = seen.sitemaps();
    for sitemap in sitemaps.iter().take(SITEMAPS_MAX) {
        let shown = |url: &str| legible(url.as_bytes());
        let url = shown(&sitemap.url);
        let resolved = match &sitemap.resolved {
            Some(_) if url.contains("://") => String::new(),
            Some(resolved) => format!(" is {}", shown(resolved)),
            None => " is not a URL".to_owned(),
        };
        write_fact(output, "sitemap", &format!("{url}{resolved}"))?;
    }
    if let Some(more) = sitemaps.len().checked_sub(SITEMAPS_MAX + 1) {
        let more = CountOf(more + 1, "more sitemap", "more sitemaps");
        writeln!(output, "  {:<14}  {more}", "")?;
    }
    Ok(())
}

/// Returns when a copy was last validated, if it stands in for a file that cannot be fetched.
fn copy_time(state: &AuthorityState) -> Option<String> {
    let copy = state.copy.as_ref().filter(|_| state.is_unreachable())?;
    Some(readable_time(copy.validated_at))
}

fn write_hop(output: &mut impl Write, hop: &FetchHop<'_>) -> io::Result<()> {
    let milliseconds = hop.duration.as_secs_f64() * 1000.0;
    let peer = hop.peer.map(|peer| format!(" from {peer}"));
    let (what, url, peer) = (&hop.what, &hop.hop.url, peer.unwrap_or_default());
    let detail = hop
        .detail
        .map(|detail| format!(": {}", legible(detail.as_bytes())));
    let detail = detail.unwrap_or_default();
    let request = format!("{url}   {what}{peer} in {milliseconds:.1} ms{detail}");
    write_fact(output, "request", &request)
}
