//! A history as JSON Lines, schema `verger.history/1`.

use std::io::{self, BufWriter, StdoutLock, Write};
use std::net::IpAddr;

use serde::Serialize;
use verger_access::{Hop, Outcome, Reply, Warning};
use verger_answer::LineChanges;
use verger_store::time_text;

use super::entry::{HistoryEntry, Rendering};
use super::meaning::Meaning;
use super::showing::Showing;
use crate::octet_text::legible;

const SCHEMA: &str = "verger.history/1";

/// Writes one JSON object a line.
pub(super) struct JsonLines {
    output: BufWriter<StdoutLock<'static>>,
    showing: Showing,
}

impl JsonLines {
    pub(super) fn new(showing: Showing) -> Self {
        let output = BufWriter::new(io::stdout().lock());
        Self { output, showing }
    }
}

#[derive(Serialize)]
struct Line<'a> {
    schema: &'static str,
    authority: String,
    snapshot: u64,
    ended_at: String,
    profile: &'a str,
    outcome: String,
    what: String,
    hops: Vec<HopShape<'a>>,
    peer: Option<IpAddr>,
    media_type: Option<String>,
    octets: Option<u64>,
    body_sha256: Option<String>,
    fresh_until: String,
    warnings: Vec<String>,
    change: ChangeShape<'a>,
    #[serde(flatten)]
    diff: Option<DiffKey>,
}

/// What there is to be shown only where it is asked for.
#[derive(Serialize)]
struct DiffKey {
    diff: Option<String>,
    same_meaning: Option<bool>,
}

#[derive(Serialize)]
struct HopShape<'a> {
    url: &'a str,
    reply: Option<String>,
}

#[derive(Serialize)]
struct ChangeShape<'a> {
    since: Option<u64>,
    what: String,
    outcome_before: Option<String>,
    url_before: Option<&'a str>,
    body: &'static str,
    lines_added: Option<usize>,
    lines_removed: Option<usize>,
}

impl Rendering for JsonLines {
    fn entry(&mut self, entry: &HistoryEntry) -> io::Result<()> {
        let HistoryEntry { snapshot, .. } = entry;
        let diff = match self.showing {
            Showing::Lines => Some(DiffKey {
                diff: entry.change.body.lines().map(LineChanges::unified_diff),
                same_meaning: entry
                    .change
                    .body
                    .lines()
                    .and_then(|lines| Meaning::of(lines).comparison()?.is_same()),
            }),
            Showing::Counts => None,
        };
        let mut headers = snapshot.headers.fields();
        let media_type = headers.find(|(name, _)| name.as_str() == "content-type");
        let line = Line {
            schema: SCHEMA,
            authority: snapshot.authority.to_string(),
            snapshot: snapshot.id.0,
            ended_at: time_text(snapshot.attempt.at),
            profile: &snapshot.profile,
            outcome: snapshot.attempt.outcome.code(),
            what: snapshot.attempt.outcome.to_string(),
            hops: snapshot.hops.iter().map(hop).collect(),
            peer: snapshot.peer,
            media_type: media_type.map(|(_, value)| legible(value.as_bytes())),
            octets: snapshot.body.map(|body| body.octets),
            body_sha256: snapshot.body.map(|body| body.hash.to_string()),
            fresh_until: time_text(snapshot.fresh_until),
            warnings: snapshot.warnings.iter().map(Warning::code).collect(),
            change: change(entry),
            diff,
        };
        verger_answer::json::to_writer(&mut self.output, &line)?;
        self.output.write_all(b"\n")
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

fn hop(hop: &Hop) -> HopShape<'_> {
    HopShape {
        url: hop.url.as_str(),
        reply: hop.reply.map(Reply::code),
    }
}

fn change(entry: &HistoryEntry) -> ChangeShape<'_> {
    let change = &entry.change;
    let lines = change.body.lines();
    let before = |(before, _): (Outcome, Outcome)| before.code();
    ChangeShape {
        since: change.since.map(|id| id.0),
        what: change.to_string(),
        outcome_before: change.outcome.map(before),
        url_before: change.url.as_ref().map(|(before, _)| before.as_str()),
        body: change.body.as_str(),
        lines_added: lines.map(LineChanges::added),
        lines_removed: lines.map(LineChanges::removed),
    }
}
