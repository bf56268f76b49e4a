//! A redirect chain that was fetched under one profile, judged under another.

use std::time::Duration;

use http::HeaderValue;
use verger_access::{
    Authority, Hop, LastAttempt, Outcome, Profile, RecordedChain, RedirectEnd, Reply,
    TransportFailure,
};

use crate::replay::time;

const OWN: &str = "https://h.example/robots.txt";

/// A chain that began at [`OWN`]: further requests, the end, and the last `Location`.
struct Recorded<'r> {
    hops: &'r [&'r str],
    outcome: Outcome,
    location: Option<&'r str>,
}

impl Recorded<'_> {
    fn last(&self) -> LastAttempt {
        LastAttempt {
            at: time(0),
            outcome: self.outcome,
            stated_lifetime: Some(Duration::from_secs(60)),
            retry_after: Some(Duration::from_secs(7)),
        }
    }

    fn judged<T>(&self, judge: impl FnOnce(RecordedChain<'_>) -> T) -> T {
        let hop = |url: &&str| Hop::from_reply(url, Some(Reply::Http(301))).unwrap();
        let hops: Vec<Hop> = [OWN].iter().chain(self.hops).map(hop).collect();
        let location = self.location.map(|url| HeaderValue::from_str(url).unwrap());
        let locations: Vec<&HeaderValue> = location.iter().collect();
        judge(RecordedChain {
            authority: &Authority::from_url(OWN).unwrap(),
            hops: &hops,
            last: self.last(),
            locations: &locations,
        })
    }

    fn ended_under(&self, profile: &Profile) -> Option<LastAttempt> {
        self.judged(|chain| chain.ended_under(profile))
    }

    fn asks_about_hop(&self, profile: &Profile) -> bool {
        self.judged(|chain| chain.asks_about_hop(profile))
    }
}

fn file_after<'r>(hops: &'r [&'r str]) -> Recorded<'r> {
    Recorded {
        hops,
        outcome: Outcome::Successful(Reply::Http(200)),
        location: None,
    }
}

fn ended(end: RedirectEnd, location: Option<&str>) -> Recorded<'_> {
    Recorded {
        hops: &[],
        outcome: Outcome::Redirect(end),
        location,
    }
}

/// V-73.
#[test]
fn a_chain_that_the_profile_follows_too_ends_as_recorded() {
    let chain = file_after(&["https://www.h.example/robots.txt"]);
    for profile in Profile::ALL {
        assert_eq!(chain.ended_under(profile), Some(chain.last()));
        assert!(!chain.asks_about_hop(profile), "{}", profile.name);
    }
}

/// V-73.
#[test]
fn a_chain_ends_at_the_first_redirect_that_the_profile_refuses_and_without_a_lifetime() {
    let refused = LastAttempt {
        at: time(0),
        outcome: Outcome::Redirect(RedirectEnd::OtherHost),
        stated_lifetime: Some(Duration::ZERO),
        retry_after: None,
    };
    let chain = file_after(&["https://other.example/robots.txt"]);
    assert_eq!(chain.ended_under(&Profile::CAUTIOUS), Some(refused));
    assert_eq!(chain.ended_under(&Profile::RFC9309), Some(chain.last()));
}

/// V-73. G-3xx-2.
#[test]
fn a_profile_that_asks_about_a_hop_needs_a_fetch_of_its_own() {
    let chain = file_after(&["https://www.h.example/page"]);
    assert_eq!(chain.ended_under(&Profile::GOOGLE), None);
    assert!(chain.asks_about_hop(&Profile::GOOGLE));
    assert_eq!(chain.ended_under(&Profile::RFC9309), Some(chain.last()));
    assert!(!chain.asks_about_hop(&Profile::RFC9309));
    // The verdict was about one crawler, whichever profile judges.
    let disallowed = ended(RedirectEnd::DisallowedHop, None);
    assert!(disallowed.asks_about_hop(&Profile::RFC9309));
}

/// V-73.
#[test]
fn a_redirect_that_only_the_other_profile_refused_needs_a_fetch() {
    let other = Some("https://other.example/robots.txt");
    let chain = ended(RedirectEnd::OtherHost, other);
    assert_eq!(chain.ended_under(&Profile::CAUTIOUS), Some(chain.last()));
    assert_eq!(chain.ended_under(&Profile::RFC9309), None);
    let downgrade = ended(RedirectEnd::OtherHost, Some("http://other.example/"));
    let ended_so = downgrade.ended_under(&Profile::CAUTIOUS).unwrap();
    let expected = Outcome::Redirect(RedirectEnd::Downgrade);
    assert_eq!(ended_so.outcome, expected);
    assert_eq!(ended_so.stated_lifetime, downgrade.last().stated_lifetime);
    // Without the `Location`, the target is unknown.
    let unknown = ended(RedirectEnd::OtherHost, None);
    assert_eq!(unknown.ended_under(&Profile::CAUTIOUS), None);
}

/// V-73.
#[test]
fn a_redirect_that_leads_nowhere_ends_alike_under_every_profile() {
    for end in [
        RedirectEnd::NoLocation,
        RedirectEnd::BadLocation,
        RedirectEnd::OtherScheme,
        RedirectEnd::BadPort,
    ] {
        let chain = ended(end, None);
        for profile in Profile::ALL {
            assert_eq!(chain.ended_under(profile), Some(chain.last()), "{end}");
        }
    }
    // Google sends no conditions. Under another profile the request might have had some.
    let unasked = ended(RedirectEnd::UnaskedNotModified, None);
    assert_eq!(unasked.ended_under(&Profile::GOOGLE), Some(unasked.last()));
    assert_eq!(unasked.ended_under(&Profile::RFC9309), None);
}

/// V-73.
#[test]
fn an_address_that_the_client_refused_says_nothing_to_another_profile() {
    let refused = Recorded {
        outcome: Outcome::Failed(TransportFailure::AddressRefused),
        ..file_after(&[])
    };
    assert_eq!(refused.ended_under(&Profile::RFC9309), None);
}
