//! `Chains`: the outcome of a capture under each profile.

use std::array;
use std::collections::HashMap;
use std::sync::Arc;

use verger_access::{
    Action, Attempt, Authority, HopVerdict, Jitter, Knowledge, Outcome, PendingRequest, Profile,
    Response, RestOfSite, Stance,
};

use super::capture_window::CaptureWindow;
use super::captured_record::{CapturedRecord, Recorded};

const OUTCOMES_MAX: usize = 4096;

/// All profiles follow the same redirects, but some follow more. Fields without a value per profile
/// describe the longest chain.
#[derive(Debug)]
pub(crate) struct Chain {
    /// `None` if a redirect leads to a URL that is not in the input.
    pub(crate) outcome: Option<Outcome>,
    /// The status of the last response in the input.
    pub(crate) status: Option<u16>,
    pub(crate) final_url: String,
    pub(crate) redirects: usize,
    /// Kept if the outcome is successful.
    pub(crate) body: Option<Arc<[u8]>>,
    pub(crate) of_profiles: OfProfiles,
}

/// The outcome and stance for each of [`Profile::ALL`]. `None` if the profile follows a redirect to
/// a URL that is not in the input.
pub(crate) type OfProfiles = [Option<(Outcome, Stance)>; Profile::ALL.len()];

enum Ended {
    Attempt(Box<Attempt>),
    WithoutTarget { final_url: String, redirects: usize },
}

pub(crate) struct Chains {
    profiles: [Arc<Profile>; Profile::ALL.len()],
    stances: HashMap<Outcome, [Stance; Profile::ALL.len()]>,
}

impl Chains {
    pub(crate) fn new() -> Self {
        Self {
            profiles: array::from_fn(|at| Arc::new(Profile::ALL[at].clone())),
            stances: HashMap::new(),
        }
    }

    pub(crate) fn chain(
        &mut self,
        window: &CaptureWindow,
        authority: &Authority,
        capture: &CapturedRecord,
    ) -> Chain {
        let is_redirect = capture
            .status()
            .is_some_and(|status| (300..=399).contains(&status));
        let [first, others @ ..] = &self.profiles;
        let (ended, status) = follow(first, window, authority, capture);
        let mut longest = (ended, status);
        if !is_redirect && let Ended::Attempt(attempt) = &longest.0 {
            // Only the stance depends on the profile here.
            let outcome = attempt.last.outcome;
            let stances = self.stances_of(attempt);
            return Chain::of(longest, stances.map(|stance| Some((outcome, stance))));
        }
        let mut of_profiles = [None; Profile::ALL.len()];
        of_profiles[0] = of_profile(first, &longest.0);
        for (profile, kept) in others.iter().zip(&mut of_profiles[1..]) {
            let (ended, status) = follow(profile, window, authority, capture);
            *kept = of_profile(profile, &ended);
            if ended.redirects() > longest.0.redirects() {
                longest = (ended, status);
            }
        }
        Chain::of(longest, of_profiles)
    }

    fn stances_of(&mut self, attempt: &Attempt) -> [Stance; Profile::ALL.len()] {
        let outcome = attempt.last.outcome;
        if let Some(stances) = self.stances.get(&outcome) {
            return *stances;
        }
        let stances = self
            .profiles
            .each_ref()
            .map(|profile| stance_after(profile, attempt));
        if self.stances.len() < OUTCOMES_MAX {
            self.stances.insert(outcome, stances);
        }
        stances
    }
}

impl Chain {
    fn of((ended, status): (Ended, Option<u16>), of_profiles: OfProfiles) -> Self {
        let redirects = ended.redirects();
        match ended {
            Ended::Attempt(attempt) => Self {
                outcome: Some(attempt.last.outcome),
                status,
                final_url: attempt
                    .hops
                    .last()
                    .map(|hop| hop.url.to_string())
                    .unwrap_or_default(),
                redirects,
                body: attempt.copy.map(|copy| copy.body),
                of_profiles,
            },
            Ended::WithoutTarget { final_url, .. } => Self {
                outcome: None,
                status,
                final_url,
                redirects,
                body: None,
                of_profiles,
            },
        }
    }
}

impl Ended {
    fn redirects(&self) -> usize {
        match self {
            Self::Attempt(attempt) => attempt.hops.len().saturating_sub(1),
            Self::WithoutTarget { redirects, .. } => *redirects,
        }
    }
}

/// Starts with `capture` and looks up further responses in the window. Also returns the last
/// status.
fn follow(
    profile: &Arc<Profile>,
    window: &CaptureWindow,
    authority: &Authority,
    capture: &CapturedRecord,
) -> (Ended, Option<u16>) {
    let mut status = None;
    let mut redirects = 0;
    let mut answer = Some(capture);
    let mut action = verger_access::begin(authority, Arc::clone(profile), None);
    loop {
        action = match action {
            Action::Send(pending) => {
                let time = capture.time.unwrap_or(0);
                let url = &pending.request().url;
                let Some(capture) = answer.take().or_else(|| window.nearest(url, time)) else {
                    let final_url = url.to_string();
                    return (
                        Ended::WithoutTarget {
                            final_url,
                            redirects,
                        },
                        status,
                    );
                };
                status = capture.status();
                redirects += 1;
                received(pending, capture)
            }
            // The rules of the other authority depend on the crawler, and there is none here.
            Action::AskAboutHop(question) => question.answer(HopVerdict::Unknown),
            Action::Done(attempt) => return (Ended::Attempt(Box::new(attempt)), status),
        };
    }
}

fn received(pending: PendingRequest, capture: &CapturedRecord) -> Action {
    let now = capture.seconds();
    match &capture.recorded {
        Recorded::Http {
            status,
            headers,
            body,
            body_end,
        } => {
            let response = Response {
                status: *status,
                headers,
                body: Arc::clone(body),
                body_end: *body_end,
            };
            pending.response(response, now)
        }
        Recorded::FtpFile { body, body_end } => pending.ftp_file(Arc::clone(body), *body_end, now),
        Recorded::Failure { failure, .. } => pending.failure(*failure, now),
        // Not judged, and not indexed in the window.
        Recorded::Revisit(_) | Recorded::Nothing => {
            pending.failure(verger_access::TransportFailure::Protocol, now)
        }
    }
}

fn of_profile(profile: &Profile, ended: &Ended) -> Option<(Outcome, Stance)> {
    match ended {
        Ended::Attempt(attempt) => Some((attempt.last.outcome, stance_after(profile, attempt))),
        Ended::WithoutTarget { .. } => None,
    }
}

/// Returns the stance without earlier knowledge, right after the attempt.
fn stance_after(profile: &Profile, attempt: &Attempt) -> Stance {
    let mut knowledge = Knowledge::default();
    knowledge.record(attempt, profile, Jitter::NONE);
    let answer = knowledge.answer(profile, attempt.last.at, RestOfSite::default());
    answer.stance()
}
