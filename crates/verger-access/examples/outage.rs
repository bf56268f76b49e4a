//! Prints the answer of each profile about a site that has been unreachable for a day. A real crawler passes the
//! results of its requests. This one has no network.

use std::error::Error;

use verger_access::{Action, Attempt, Authority, HopVerdict, Jitter, Knowledge, Profile};
use verger_access::{RestOfSite, Timestamp, TransportFailure, begin};

const DAY: u64 = 24 * 60 * 60;

fn main() -> Result<(), Box<dyn Error>> {
    let site = Authority::from_url("https://example.com/shop")?;
    let first = Timestamp::from_unix_seconds(1_800_000_000);
    let later = Timestamp::from_unix_seconds(1_800_000_000 + DAY);
    for profile in Profile::ALL {
        let mut knowledge = Knowledge::default();
        for now in [first, later] {
            knowledge.record(&fetch(&site, profile, now), profile, Jitter::NONE);
        }
        let answer = knowledge.answer(profile, later, RestOfSite::default());
        println!("{}: {}, {}", profile.name, answer.stance(), answer.clause());
    }
    Ok(())
}

fn fetch(site: &Authority, profile: &Profile, now: Timestamp) -> Attempt {
    let mut action = begin(site, profile, None);
    loop {
        action = match action {
            Action::Send(pending) => pending.failure(TransportFailure::Timeout, now),
            Action::AskAboutHop(question) => question.answer(HopVerdict::Unknown),
            Action::Done(attempt) => return attempt,
        };
    }
}
