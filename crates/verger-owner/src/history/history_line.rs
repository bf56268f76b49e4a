use std::net::IpAddr;
use std::ops::Range;

use serde::Serialize;
use thiserror::Error;
use verger::legible;
use verger_access::{Authority, Hop, Outcome, Timestamp, Warning};
use verger_answer::{LineChanges, json};
use verger_store::{
    HopFacts, ImportError, MemoryStore, PackedFacts, ReadFacts, Store, StoreError, import,
};

use crate::history::change_meaning::ChangeMeaning;
use crate::history::history_entry::{HistoryEntry, each_history_entry};

const SCHEMA: &str = "verger.history/1";

/// A snapshot and its changes, as a line of `verger.history/1` in `docs/json.md`.
#[derive(Debug, Serialize)]
pub struct HistoryLine<'a> {
    schema: &'static str,
    authority: String,
    snapshot: u64,
    ended_at: Timestamp,
    profile: &'a str,
    outcome: String,
    what: String,
    hops: Vec<HopKeys<'a>>,
    peer: Option<IpAddr>,
    media_type: Option<String>,
    bytes: Option<u64>,
    body_sha256: Option<String>,
    fresh_until: Timestamp,
    warnings: Vec<String>,
    change: ChangeKeys<'a>,
    #[serde(flatten)]
    diff: Option<DiffKeys>,
}

/// The optional parts of a [`HistoryLine`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HistoryDetail {
    /// Whether to include changed lines and whether they matter to any crawler.
    pub diff: bool,
    /// Whether to include extra facts about each hop ([`verger_store::HopFacts`]).
    pub facts: bool,
}

impl HistoryDetail {
    /// Returns what [`each_history_entry`] must read.
    #[must_use]
    pub fn read_facts(self) -> ReadFacts {
        if self.facts {
            ReadFacts::Yes
        } else {
            ReadFacts::No
        }
    }
}

#[derive(Debug, Serialize)]
struct HopKeys<'a> {
    #[serde(flatten)]
    hop: &'a Hop,
    #[serde(flatten)]
    facts: Option<FactsKey>,
}

/// Optional facts of a hop. `None` if unknown.
#[derive(Debug, Serialize)]
struct FactsKey {
    facts: Option<HopFacts>,
}

#[derive(Debug, Serialize)]
struct DiffKeys {
    diff: Option<String>,
    same_meaning: Option<bool>,
}

#[derive(Debug, Serialize)]
struct ChangeKeys<'a> {
    since: Option<u64>,
    what: String,
    outcome_before: Option<String>,
    url_before: Option<&'a str>,
    body: &'static str,
    lines_added: Option<usize>,
    lines_removed: Option<usize>,
}

/// The history of a site cannot be written as text.
#[derive(Debug, Error)]
pub enum HistoryTextError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The text is not an export of a store.
    #[error(transparent)]
    Import(ImportError),
    /// Writing JSON failed.
    #[error(transparent)]
    Json(#[from] std::io::Error),
}

/// Returns the history of a site in a time range as JSON Lines, oldest first.
///
/// # Errors
///
/// Returns an error if the store fails.
pub fn history_json(
    store: &dyn Store,
    site: &Authority,
    during: Range<Timestamp>,
    detail: HistoryDetail,
) -> Result<String, HistoryTextError> {
    let mut lines = Vec::new();
    let facts = detail.read_facts();
    each_history_entry::<HistoryTextError>(store, site, during, facts, |entry| {
        let line = HistoryLine::new(entry, detail);
        Ok(json::write_line(&mut lines, &line)?)
    })?;
    Ok(json::text_of(lines)?)
}

/// Returns the same as [`history_json`], from the output of `verger store export`. Reads the
/// whole export into memory.
///
/// # Errors
///
/// Returns an error if a line is not part of an export.
pub fn history_json_of_export(
    mut export: &[u8],
    site: &Authority,
    during: Range<Timestamp>,
    detail: HistoryDetail,
) -> Result<String, HistoryTextError> {
    let store = MemoryStore::keeping_facts();
    // A new store has no live leases.
    let imported = import(&store, &mut export, &Timestamp::default);
    imported.map_err(|error| match error {
        ImportError::Store(error) => HistoryTextError::Store(error),
        error => HistoryTextError::Import(error),
    })?;
    history_json(&store, site, during, detail)
}

impl<'a> HistoryLine<'a> {
    /// Creates the line of an entry that was read with [`HistoryDetail::read_facts`].
    #[must_use]
    pub fn new(entry: &'a HistoryEntry, detail: HistoryDetail) -> Self {
        let HistoryEntry { snapshot, .. } = entry;
        // No facts if the store keeps none or they are damaged.
        let facts = || entry.facts.as_ref().and_then(PackedFacts::hops);
        let facts = detail.facts.then(|| facts().unwrap_or_default());
        let hop = |(number, hop): (usize, &'a Hop)| HopKeys {
            hop,
            facts: facts.as_ref().map(|known| FactsKey {
                facts: known.get(number).cloned(),
            }),
        };
        let mut headers = snapshot.headers.fields();
        let media_type = headers.find(|(name, _)| name.as_str() == "content-type");
        Self {
            schema: SCHEMA,
            authority: snapshot.authority.to_string(),
            snapshot: snapshot.id.0,
            ended_at: snapshot.attempt.at,
            profile: &snapshot.profile,
            outcome: snapshot.attempt.outcome.code(),
            what: snapshot.attempt.outcome.to_string(),
            hops: snapshot.hops.iter().enumerate().map(hop).collect(),
            peer: snapshot.peer,
            media_type: media_type.map(|(_, value)| legible(value.as_bytes())),
            bytes: snapshot.body.map(|body| body.bytes),
            body_sha256: snapshot.body.map(|body| body.hash.to_string()),
            fresh_until: snapshot.fresh_until,
            warnings: snapshot.warnings.iter().map(Warning::code).collect(),
            change: ChangeKeys::of(entry),
            diff: detail.diff.then(|| DiffKeys::of(entry)),
        }
    }
}

impl DiffKeys {
    fn of(entry: &HistoryEntry) -> Self {
        let lines = entry.change.body.lines();
        Self {
            diff: lines.map(LineChanges::unified_diff),
            same_meaning: lines.and_then(|lines| ChangeMeaning::new(lines).comparison()?.is_same()),
        }
    }
}

impl<'a> ChangeKeys<'a> {
    fn of(entry: &'a HistoryEntry) -> Self {
        let change = &entry.change;
        let lines = change.body.lines();
        let before = |(before, _): (Outcome, Outcome)| before.code();
        Self {
            since: change.since.map(|id| id.0),
            what: change.to_string(),
            outcome_before: change.outcome.map(before),
            url_before: change.url.as_ref().map(|(before, _)| before.as_str()),
            body: change.body.as_str(),
            lines_added: lines.map(LineChanges::added),
            lines_removed: lines.map(LineChanges::removed),
        }
    }
}
