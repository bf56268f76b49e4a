//! `CapturedKnowledge`: the knowledge from captures at a time.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use verger_access::{
    Attempt, Authority, GoodCopy, Jitter, Knowledge, LastAttempt, Outcome, Profile, RestOfSite,
    Stance, Timestamp, Treatment,
};

use super::access_source::{KnowledgeSource, KnownAt};
use super::known_standing::{CapturePlace, END_OF_TIME};
use super::standing_source::When;
use crate::capture_index::{Capture, CaptureIndex, FoundCapture};

/// At most so many captures are recorded again, as by a store.
const REPLAYED_CAPTURES_MAX: u64 = 1000;

/// The knowledge from captures at a time.
///
/// The captures of an authority until then are recorded as attempts. They begin with the last capture that is enough by
/// itself, as a body is, or after the last one that says nothing: a redirect that the profile follows to a URL that was
/// not captured. A capture does not have the lifetime that a response stated, `Retry-After`, or conditional requests.
#[derive(Debug)]
pub struct CapturedKnowledge {
    index: CaptureIndex,
}

impl CapturedKnowledge {
    /// The knowledge from the captures of an index.
    #[must_use]
    pub fn new(index: CaptureIndex) -> Self {
        Self { index }
    }

    fn read(&self, authority: &str, profile: &Profile, when: When) -> io::Result<Option<KnownAt>> {
        let Ok(site) = Authority::of(authority) else {
            return Ok(None);
        };
        let index = &self.index;
        let mut captures = index.captures_of(authority)?;
        let at = match when {
            When::Newest => None,
            When::At(at) => Some(at),
        };
        let until_then = index.until(&mut captures, at)?;
        let oldest = until_then.end.saturating_sub(REPLAYED_CAPTURES_MAX);
        let mut counted: VecDeque<(FoundCapture, Outcome)> = VecDeque::new();
        for nth in (until_then.start.max(oldest)..until_then.end).rev() {
            let Some(found) = index.capture(&mut captures, nth)? else {
                continue;
            };
            // Of this attempt nothing is known, so nothing is known of what it left of earlier ones.
            let Some(outcome) = outcome_under(&found.capture, profile) else {
                break;
            };
            let treatment = profile.consequence(outcome).treatment;
            counted.push_front((found, outcome));
            if matches!(
                treatment,
                Treatment::Rules | Treatment::Open | Treatment::Closed
            ) {
                break;
            }
        }
        let Some(last) = counted.back().map(|(found, _)| place_of(&found.capture)) else {
            return Ok(None);
        };
        let at = at.or_else(|| counted.back().map(|(found, _)| found.capture.time()));
        let mut knowledge = Knowledge::default();
        for (nth, (found, outcome)) in counted.iter().enumerate() {
            let attempt = attempt(nth, &found.capture, *outcome, &site);
            knowledge.record(&attempt, profile, Jitter::NONE);
        }
        let (copy, lacks_body) = self.with_body(&mut knowledge, &mut counted, profile)?;
        let until = index.time(&mut captures, until_then.end)?;
        Ok(Some(KnownAt {
            knowledge,
            at: at.unwrap_or(END_OF_TIME),
            until: until.unwrap_or(END_OF_TIME),
            last,
            copy,
            lacks_body,
        }))
    }

    /// Puts the body of the copy in the place of its number; returns where it is from, and whether no
    /// capture brings it. Such a copy stays, without its body: whether it counts, its age says.
    fn with_body(
        &self,
        knowledge: &mut Knowledge,
        counted: &mut VecDeque<(FoundCapture, Outcome)>,
        profile: &Profile,
    ) -> io::Result<(Option<CapturePlace>, bool)> {
        let Some(mut copy) = knowledge.copy.take() else {
            return Ok((None, false));
        };
        let nth = copy
            .body
            .first_chunk()
            .map(|octets| u64::from_be_bytes(*octets));
        let nth = nth.and_then(|nth| usize::try_from(nth).ok());
        let Some((found, _)) = nth.and_then(|nth| counted.get_mut(nth)) else {
            return Ok((None, false));
        };
        let octets = self.index.body_of(found)?;
        let lacks_body = octets.is_none();
        copy.body = octets.unwrap_or_default().into();
        if lacks_body || profile.accepts(&copy) {
            knowledge.copy = Some(copy);
        }
        Ok((Some(place_of(&found.capture)), lacks_body))
    }
}

/// How the fetch of a capture ended under a profile; `None` where that is not known. For a profile that is
/// not built in, how it ended for the profile that follows redirects furthest.
fn outcome_under(capture: &Capture, profile: &Profile) -> Option<Outcome> {
    let number = Profile::ALL.iter().position(|it| it.name == profile.name);
    number.map_or(capture.outcome, |number| capture.outcomes[number])
}

/// The attempt that a capture is of, if it ended so. The body of its copy is its number for now: only the copy
/// that remains at the end is read.
fn attempt(nth: usize, capture: &Capture, outcome: Outcome, site: &Authority) -> Attempt {
    let url = || {
        let stated = capture.final_url.as_deref();
        let stated = stated.and_then(|url| url.parse().ok());
        stated.unwrap_or_else(|| site.robots_url().clone())
    };
    let body = capture.body.filter(|_| capture.outcome == Some(outcome));
    let copy = body.map(|_| GoodCopy {
        body: Arc::from((nth as u64).to_be_bytes().as_slice()),
        url: url(),
        entity_tag: None,
        last_modified: None,
        validated_at: capture.time(),
        stated_lifetime: None,
    });
    Attempt {
        last: LastAttempt {
            at: capture.time(),
            outcome,
            stated_lifetime: None,
            retry_after: None,
        },
        hops: Vec::new(),
        copy,
        warnings: Vec::new(),
    }
}

fn place_of(capture: &Capture) -> CapturePlace {
    CapturePlace {
        time_micros: capture.time_micros,
        file: Some(capture.file.clone()),
        offset: Some(capture.offset),
    }
}

impl KnowledgeSource for CapturedKnowledge {
    fn known(
        &self,
        authority: &str,
        profile: &Profile,
        when: When,
    ) -> Result<Option<KnownAt>, String> {
        self.read(authority, profile, when)
            .map_err(|error| scratch_failed(&error))
    }

    fn unknown_until(&self, authority: &str, at: Timestamp) -> Result<Timestamp, String> {
        let next = || -> io::Result<_> {
            let mut captures = self.index.captures_of(authority)?;
            let until_then = self.index.until(&mut captures, Some(at))?;
            self.index.time(&mut captures, until_then.end)
        };
        let next = next().map_err(|error| scratch_failed(&error))?;
        Ok(next.unwrap_or(END_OF_TIME))
    }
}

fn scratch_failed(error: &io::Error) -> String {
    format!("the temporary file of captures cannot be read: {error}")
}

/// The stance of a profile towards a site of which nothing but one capture is known, at the time of the
/// capture; `None` where the capture names no site, or does not say.
pub(crate) fn stance_after(capture: &Capture, profile: &Profile) -> Option<Stance> {
    let site = Authority::of(&capture.authority).ok()?;
    let outcome = outcome_under(capture, profile)?;
    let mut knowledge = Knowledge::default();
    knowledge.record(&attempt(0, capture, outcome, &site), profile, Jitter::NONE);
    let answer = knowledge.answer(profile, capture.time(), RestOfSite::default());
    Some(answer.stance())
}
