//! `Keeper`: keeps observations. To add one, implement the trait and add its name to [`NAMES`].

mod blob_table;
mod redb;
mod verger;

use std::path::Path;

use verger_access::{
    Attempt, Authority, GoodCopy, Hop, Jitter, Knowledge, LastAttempt, Outcome, Profile, Reply,
    Timestamp,
};
use verger_store::{KeptHeaders, Observation, PackedFacts};

/// The names of all keepers. The first is the reference.
pub(crate) const NAMES: [&str; 4] = [
    "verger-sqlite",
    "verger-memory",
    "sqlite-blob-table",
    "redb-blob-table",
];

/// A keeper. Items are named by their index in the list it was created with.
pub(crate) trait Keeper: Sync {
    /// Prepares for puts, untimed.
    fn prepare(&mut self) -> Result<(), String>;

    /// Stores an item, and returns when it would survive a power failure.
    fn put(&self, item: usize) -> Result<(), String>;

    fn put_all(&self, items: &[usize]) -> Result<(), String>;

    /// Whether the latest item of the same authority is stored with its body.
    fn latest(&self, item: usize) -> Result<bool, String>;

    /// Acquires a lease, or returns `None` if the keeper has no leases.
    fn acquire(&self, item: usize) -> Option<Result<(), String>>;

    /// Closes the keeper, and returns its size.
    fn bytes(self: Box<Self>) -> Result<u64, String>;
}

pub(crate) const NOW: Timestamp = Timestamp::from_unix_seconds(1_800_000_000);

/// Creates the keeper with this name, with a file at that path if it needs one.
pub(crate) fn new<'i>(
    name: &str,
    path: &Path,
    items: &'i [Observation],
) -> Result<Box<dyn Keeper + 'i>, String> {
    Ok(match name {
        "verger-sqlite" => Box::new(verger::in_file(path, items)?),
        "verger-memory" => Box::new(verger::in_memory(items)),
        "sqlite-blob-table" => Box::new(blob_table::BlobTable::new(path, items)?),
        "redb-blob-table" => Box::new(redb::Redb::new(path, items)?),
        _ => return Err(format!("unknown contestant {name}")),
    })
}

/// Creates an observation of the authority with this number: a body behind one redirect.
pub(crate) fn observation(number: usize, body: &[u8]) -> Result<Observation, String> {
    let authority = Authority::from_url(&format!("https://www.host-{number}.example/"));
    let authority = authority.map_err(|error| error.to_string())?;
    let url = authority.robots_url().clone();
    let reply = |status| Some(Reply::Http(status));
    let hop = |url: &url::Url, status| Hop {
        url: url.clone(),
        reply: reply(status),
    };
    let first = Authority::from_url(&format!("https://host-{number}.example/"));
    let first = first.map_err(|error| error.to_string())?;
    let attempt = Attempt {
        last: LastAttempt {
            at: NOW,
            outcome: Outcome::Successful(Reply::Http(200)),
            stated_lifetime: None,
            retry_after: None,
        },
        hops: vec![hop(first.robots_url(), 301), hop(&url, 200)],
        copy: Some(GoodCopy {
            body: body.into(),
            url,
            entity_tag: Some("\"5f3c-18a0\"".parse().map_err(|_| "no header")?),
            last_modified: None,
            validated_at: NOW,
            stated_lifetime: None,
        }),
        warnings: Vec::new(),
    };
    let mut knowledge = Knowledge::default();
    knowledge.record(&attempt, &Profile::RFC9309, Jitter::NONE);
    Ok(Observation {
        authority,
        profile: Profile::RFC9309.name,
        attempt,
        knowledge,
        headers: KeptHeaders::default(),
        peer: None,
        fresh_until: NOW,
        facts: PackedFacts::default(),
    })
}

fn body(observation: &Observation) -> &[u8] {
    let copy = observation.attempt.copy.as_ref();
    copy.map_or(&[], |copy| &copy.body)
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}
