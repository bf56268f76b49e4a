//! Functions for tests and the benchmark. An installed gem does not contain them.

use std::hint::black_box;
use std::time::Instant;

use magnus::{Error, RString, Ruby, Value};
use verger::{Crawler, Dialect, Policy, TargetPath};

use crate::bytes::{text, with_bytes};
use crate::guard::guarded;

/// Panics inside the guard, for tests.
pub(crate) fn panic_now(ruby: &Ruby, message: RString) -> Result<(), Error> {
    let message = text(message);
    guarded(ruby, || panic!("{message}"))
}

/// Panics outside the guard, where only magnus stops it.
pub(crate) fn panic_unguarded(message: RString) {
    panic!("{}", text(message))
}

/// Measures `times` checks of a body from its bytes, in nanoseconds.
pub(crate) fn question_nanoseconds(
    ruby: &Ruby,
    (body, agent, url): (RString, RString, RString),
    dialect: Value,
    times: u64,
) -> Result<u64, Error> {
    let dialect = crate::dialect_name::dialect(ruby, dialect)?;
    let agent = text(agent);
    Ok(with_bytes([body, url], |[body, url]| {
        nanoseconds(times, || {
            ask(black_box(body), black_box(&agent), black_box(url), dialect)
        })
    }))
}

/// Measures `times` checks with one policy, in nanoseconds.
pub(crate) fn policy_nanoseconds(
    ruby: &Ruby,
    (body, agent, url): (RString, RString, RString),
    dialect: Value,
    times: u64,
) -> Result<u64, Error> {
    let dialect = crate::dialect_name::dialect(ruby, dialect)?;
    let agent = text(agent);
    Ok(with_bytes([body, url], |[body, url]| {
        let Ok(crawler) = Crawler::named(&agent, dialect) else {
            return 0;
        };
        let policy = Policy::read(body, &crawler, dialect);
        nanoseconds(times, || {
            let target = TargetPath::new(black_box(url), dialect).ok()?;
            Some(policy.decide(&target).is_allowed())
        })
    }))
}

fn ask(body: &[u8], agent: &str, url: &[u8], dialect: Dialect) -> Option<bool> {
    let crawler = Crawler::named(agent, dialect).ok()?;
    let target = TargetPath::new(url, dialect).ok()?;
    Some(
        verger::scan::effect_for_crawler(body, &crawler, &target, dialect) == verger::Effect::Allow,
    )
}

fn nanoseconds(times: u64, ask: impl Fn() -> Option<bool>) -> u64 {
    let start = Instant::now();
    for _ in 0..times {
        black_box(ask());
    }
    u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX)
}
