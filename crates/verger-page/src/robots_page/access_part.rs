//! The fetch result of a site's robots.txt, and its consequences.

use std::io::{self, Write};

use verger::Clause;
use verger_access::{Reply, Stance};
use verger_answer::text::readable_time;

use super::site_facts::SiteFacts;
use crate::web_page::Text;

pub(super) fn write(output: &mut impl Write, site: &SiteFacts) -> io::Result<()> {
    let lookup = &site.lookup;
    let Some(state) = &lookup.state else {
        let at = readable_time(site.at);
        return writeln!(output, "<p>Nothing is known about the site at {at}.</p>");
    };
    let answer = &state.answer;
    let by = |what: String, clause: Clause| format!("{what} ({clause})");
    let fact = answer.access_result().map_or_else(
        || "none, because an override answers".to_owned(),
        |fact| fact.to_string(),
    );
    let copy = state.copy.as_ref().filter(|_| state.is_unreachable());
    output.write_all(b"<dl>\n")?;
    for hop in &site.hops {
        let reply = hop.reply.as_ref().map(Reply::to_string);
        let reply = reply.unwrap_or_else(|| "no complete response".to_owned());
        write_fact(output, "Request", &format!("{}: {reply}", hop.url))?;
    }
    let facts = [
        ("As of", Some(readable_time(site.at))),
        (
            "Access result",
            Some(by(fact, answer.access_result_clause())),
        ),
        ("Seen at", state.seen_at.map(readable_time)),
        (
            "Consequence",
            Some(by(answer.stance().to_string(), answer.clause())),
        ),
        (
            "Profile",
            Some(format!("{}, dialect {}", lookup.profile, answer.dialect())),
        ),
        (
            "Last good copy",
            copy.map(|copy| readable_time(copy.validated_at)),
        ),
        ("Valid until", Some(readable_time(answer.holds_until()))),
        ("Fetch again at", Some(readable_time(answer.ask_again_at()))),
        ("SHA-256", state.body_sha256().map(str::to_owned)),
        ("Not stored", state.not_kept.clone()),
    ];
    for (name, fact) in facts {
        if let Some(fact) = fact {
            write_fact(output, name, &fact)?;
        }
    }
    for warning in &site.warnings {
        let warning = by(warning.to_string(), warning.clause());
        write_fact(output, "Warning", &warning)?;
    }
    output.write_all(b"</dl>\n")
}

fn write_fact(output: &mut impl Write, name: &str, fact: &str) -> io::Result<()> {
    writeln!(output, "<dt>{name}</dt><dd>{}</dd>", Text(fact))
}

/// Describes a stance that is the same for every crawler and URL. Returns `None` if rules decide.
pub(super) fn for_all_crawlers(stance: Stance) -> Option<&'static str> {
    match stance {
        Stance::Rules | Stance::Copy => None,
        Stance::Open => Some("Every crawler may fetch everything: no robots.txt applies."),
        Stance::Closed => Some("No crawler may fetch anything until the site responds again."),
        Stance::Defer => {
            Some("No crawler may fetch anything for now: the robots.txt must be fetched first.")
        }
    }
}
