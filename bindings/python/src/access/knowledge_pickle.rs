//! Contents of a pickle of a `verger.access.Knowledge`.

use std::time::Duration;

use http::HeaderValue;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use verger_access::{FailureStreak, GoodCopy, Jitter, Knowledge, LastAttempt, Timestamp};

/// The last attempt, the last good copy, and the consecutive failures.
pub(crate) type Parts<'py> = (Option<Last>, Option<Kept<'py>>, Option<Streak>);

/// When it ended, its outcome, the lifetime stated by the response, and its `Retry-After`.
pub(crate) type Last = (u64, String, Option<Time>, Option<Time>);

/// The body, its URL, `ETag` and `Last-Modified`, when it was validated, and its stated lifetime.
pub(crate) type Kept<'py> = (
    Bound<'py, PyBytes>,
    String,
    Option<Bound<'py, PyBytes>>,
    Option<Bound<'py, PyBytes>>,
    u64,
    Option<Time>,
);

/// When the first failure happened, the number of failures, and the jitter in thousandths.
pub(crate) type Streak = (u64, u32, i16);

pub(crate) type Time = (u64, u32);

pub(crate) fn parts<'py>(py: Python<'py>, knowledge: &verger_access::Knowledge) -> Parts<'py> {
    let time = |it: Duration| (it.as_secs(), it.subsec_nanos());
    let bytes = |it: &HeaderValue| PyBytes::new(py, it.as_bytes());
    let last = knowledge.last.as_ref().map(|it| {
        let (stated, retry) = (it.stated_lifetime.map(time), it.retry_after.map(time));
        (it.at.unix_seconds(), it.outcome.code(), stated, retry)
    });
    let copy = knowledge.copy.as_ref().map(|it| {
        (
            PyBytes::new(py, &it.body),
            it.url.as_str().to_owned(),
            it.entity_tag.as_ref().map(bytes),
            it.last_modified.as_ref().map(bytes),
            it.validated_at.unix_seconds(),
            it.stated_lifetime.map(time),
        )
    });
    let streak = knowledge.streak.map(|it| {
        (
            it.first_at.unix_seconds(),
            it.failures,
            it.jitter.thousandths(),
        )
    });
    (last, copy, streak)
}

pub(crate) fn restored((last, copy, streak): Parts<'_>) -> Option<Knowledge> {
    Some(Knowledge {
        last: match last {
            Some(last) => Some(last_of(last)?),
            None => None,
        },
        copy: match copy {
            Some(copy) => Some(copy_of(&copy)?),
            None => None,
        },
        streak: streak.map(|(first_at, failures, jitter)| FailureStreak {
            first_at: Timestamp::from_unix_seconds(first_at),
            failures,
            jitter: Jitter::from_thousandths(jitter),
        }),
    })
}

fn last_of((at, outcome, stated, retry): Last) -> Option<LastAttempt> {
    Some(LastAttempt {
        at: Timestamp::from_unix_seconds(at),
        outcome: outcome.parse().ok()?,
        stated_lifetime: duration(stated)?,
        retry_after: duration(retry)?,
    })
}

fn copy_of((body, url, tag, modified, at, stated): &Kept<'_>) -> Option<GoodCopy> {
    let header = |value: &Option<Bound<'_, PyBytes>>| {
        let value = value.as_ref();
        value
            .map(|it| HeaderValue::from_bytes(it.as_bytes()))
            .transpose()
    };
    Some(GoodCopy {
        body: body.as_bytes().into(),
        url: url.parse().ok()?,
        entity_tag: header(tag).ok()?,
        last_modified: header(modified).ok()?,
        validated_at: Timestamp::from_unix_seconds(*at),
        stated_lifetime: duration(*stated)?,
    })
}

/// Returns `None` if there is a full second or more of nanoseconds.
#[expect(
    clippy::option_option,
    reason = "the outer one is for a damaged pickle"
)]
fn duration(time: Option<Time>) -> Option<Option<Duration>> {
    match time {
        Some((seconds, nanoseconds)) if nanoseconds < 1_000_000_000 => {
            Some(Some(Duration::new(seconds, nanoseconds)))
        }
        Some(_) => None,
        None => Some(None),
    }
}
