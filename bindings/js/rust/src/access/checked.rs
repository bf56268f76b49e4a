//! Answers about URLs of a fetched authority. Recently parsed files are cached.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::Serialize;
use verger_access::requested_target;
use verger_answer::{
    AuthorityLookup, AuthorityState, CheckLine, CheckedFile, Explaining, Readings,
};
use verger_extensions::TimeOfDay;

use super::asked::text;
use crate::argument::Argument;
use crate::failure::Failure;

/// Approximate maximum size of the cached files together.
const BYTES_MAX: usize = 16 << 20;

struct Checked {
    file: CheckedFile,
    lookup: AuthorityLookup,
    bytes: usize,
}

thread_local! {
    static KEPT: RefCell<BTreeMap<u64, Checked>> = const { RefCell::new(BTreeMap::new()) };
}

/// Returns a line of `verger.check/1` and the requested delay, or null if the key is not cached and
/// the call has no snapshot.
pub(super) fn check(asked: &Argument, snapshot: Option<&[u8]>) -> Result<String, Failure> {
    KEPT.with_borrow_mut(|kept| {
        if let Some(snapshot) = snapshot {
            let checked = Checked::of(asked, snapshot)?;
            keep(kept, asked.key, checked);
        }
        let Some(checked) = kept.get(&asked.key) else {
            return Ok("null".to_owned());
        };
        checked.answer(asked)
    })
}

/// Evicts the oldest entries, but always keeps the new one.
fn keep(kept: &mut BTreeMap<u64, Checked>, key: u64, checked: Checked) {
    kept.remove(&key);
    let mut bytes: usize = kept.values().map(|it| it.bytes).sum();
    while bytes + checked.bytes > BYTES_MAX
        && let Some((_, oldest)) = kept.pop_first()
    {
        bytes -= oldest.bytes;
    }
    kept.insert(key, checked);
}

impl Checked {
    fn of(asked: &Argument, snapshot: &[u8]) -> Result<Self, Failure> {
        let profile = asked.profile()?;
        let known = asked.known(&profile, snapshot)?;
        let answer = asked.answer(&known, &profile);
        let lookup = AuthorityLookup {
            authority: asked.authority()?,
            profile: profile.name.to_string(),
            state: AuthorityState::new(known, answer),
        };
        let readings = Readings::new(profile.reading, Explaining::No);
        let crawler = asked.crawler_of_tokens(profile.reading)?;
        let file = CheckedFile::from_authority(&lookup, &readings, &[crawler]);
        Ok(Self {
            bytes: size_of::<Self>() + file.heap_bytes() + lookup.body().len(),
            file,
            lookup,
        })
    }

    fn answer(&self, asked: &Argument) -> Result<String, Failure> {
        let robots = self.file.robots();
        let target = requested_target(asked.url.as_bytes(), *robots.reading())?;
        let answer =
            (self.file).answer_of_authority(0, asked.url.as_bytes(), &target, &self.lookup);
        let time = TimeOfDay::from_unix_seconds(asked.now);
        text(&CheckedUrl {
            check: CheckLine::new(&answer),
            delay_milliseconds: self.file.pacing(0).wait_milliseconds(time),
        })
    }
}

#[derive(Serialize)]
struct CheckedUrl<'a> {
    check: CheckLine<'a>,
    delay_milliseconds: u64,
}
