//! A fetch as one JSON document, schema `verger.fetch/1`.

use std::io::{self, Write};
use std::net::IpAddr;

use serde::Serialize;
use verger_access::Warning;
use verger_answer::AccessKeys;

use super::seen::{Seen, SeenHop};

const SCHEMA: &str = "verger.fetch/1";

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    authority: String,
    url: &'a str,
    hops: Vec<HopShape<'a>>,
    media_type: Option<String>,
    octets: Option<usize>,
    entity_tag: Option<String>,
    last_modified: Option<String>,
    dialect: &'static str,
    #[serde(flatten)]
    access: AccessKeys<'a>,
    store: Option<String>,
    warnings: Vec<WarningShape>,
}

#[derive(Serialize)]
struct HopShape<'a> {
    url: &'a str,
    reply: Option<String>,
    what: String,
    detail: Option<&'a str>,
    peer: Option<IpAddr>,
    duration_us: u64,
}

#[derive(Serialize)]
struct WarningShape {
    kind: &'static str,
    message: String,
    clause: &'static str,
}

/// Writes the document.
pub(super) fn write(output: &mut impl Write, seen: &Seen<'_>) -> io::Result<()> {
    let answer = &seen.report.answer;
    let authority = &seen.report.authority;
    let document = Document {
        schema: SCHEMA,
        authority: authority.to_string(),
        url: authority.robots_url().as_str(),
        hops: seen.hops().into_iter().map(hop).collect(),
        media_type: seen.header("content-type"),
        octets: seen.body().map(<[u8]>::len),
        entity_tag: seen.header("etag"),
        last_modified: seen.header("last-modified"),
        dialect: answer.dialect().as_str(),
        access: AccessKeys::of(answer.profile(), seen.state.as_ref()),
        store: seen.store.map(|path| path.display().to_string()),
        warnings: seen.warnings().iter().map(warning).collect(),
    };
    verger_answer::json::to_writer(&mut *output, &document)?;
    output.write_all(b"\n")
}

fn hop(hop: SeenHop<'_>) -> HopShape<'_> {
    HopShape {
        url: hop.url,
        reply: hop.code,
        what: hop.outcome,
        detail: hop.detail,
        peer: hop.peer,
        duration_us: u64::try_from(hop.duration.as_micros()).unwrap_or(u64::MAX),
    }
}

fn warning(warning: &Warning) -> WarningShape {
    WarningShape {
        kind: warning.as_str(),
        message: warning.to_string(),
        clause: warning.clause().id(),
    }
}
