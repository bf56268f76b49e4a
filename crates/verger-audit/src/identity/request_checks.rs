//! `RequestChecks`: whether a request comes from the crawler that it names.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Duration;

use serde::Serialize;
use verger_access::Timestamp;
use verger_crawlers::KnownCrawler;

use super::address_set::AddressSet;
use super::range_document::RangeDocument;

/// How long before and after a document was read its ranges tell that an address is of another: 30
/// days. Operators add networks, so an old list proves nothing against an address.
pub const RANGES_HOLD: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// How many addresses with their names are kept; of further ones, names say nothing.
const NAMED_ADDRESSES_MAX: usize = 200_000;

/// Whether a request comes from the crawler that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestCheck {
    /// Its address is in a range that the operator publishes, or has a name of the operator which has
    /// that address again.
    Verified,
    /// Its operator says how its requests are known, and this is none of them.
    Impostor,
    /// Its operator says nothing, or what it says was not at hand.
    Unverifiable,
}

impl RequestCheck {
    /// Every one, as reports order them.
    pub const ALL: [Self; 3] = [Self::Verified, Self::Unverifiable, Self::Impostor];

    /// `verified`, `impostor` or `unverifiable`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Impostor => "impostor",
            Self::Unverifiable => "unverifiable",
        }
    }
}

/// The host names of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfirmedNames {
    /// Those of its names (PTR) that have the address themselves (A, AAAA); perhaps none.
    Names(Vec<String>),
    /// The name servers did not answer.
    Unknown,
}

/// What is known for checks of requests: published ranges, and names of addresses.
#[derive(Clone, Debug, Default)]
pub struct RequestChecks {
    /// By the URL at which they were published.
    ranges: BTreeMap<String, Vec<Ranges>>,
    names: BTreeMap<IpAddr, ConfirmedNames>,
}

#[derive(Clone, Debug)]
struct Ranges {
    read_at: Timestamp,
    addresses: AddressSet,
}

impl Ranges {
    /// Whether it says at a time which addresses are of others.
    fn holds_at(&self, time: Timestamp) -> bool {
        let age = time.since(self.read_at).max(self.read_at.since(time));
        age <= RANGES_HOLD
    }
}

/// What one way of checking says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    Yes,
    No,
    Nothing,
}

impl RequestChecks {
    /// Adds the ranges of a document.
    pub fn add(&mut self, document: &RangeDocument) {
        let versions = self.ranges.entry(document.url.clone()).or_default();
        versions.push(Ranges {
            read_at: document.read_at,
            addresses: document.addresses(),
        });
    }

    /// Whether the names of an address are wanted: its crawler is known by names, and they were not
    /// looked up.
    #[must_use]
    pub fn wants_names(&self, crawler: &KnownCrawler, address: IpAddr) -> bool {
        !crawler.reverse_dns().is_empty()
            && !self.names.contains_key(&address)
            && self.names.len() < NAMED_ADDRESSES_MAX
    }

    /// Adds the names of an address.
    pub fn add_names(&mut self, address: IpAddr, names: ConfirmedNames) {
        self.names.insert(address, names);
    }

    /// Whether a request at a time from an address comes from the crawler that it names.
    #[must_use]
    pub fn check(
        &self,
        crawler: &KnownCrawler,
        address: Option<IpAddr>,
        time: Timestamp,
    ) -> RequestCheck {
        let Some(address) = address else {
            return RequestCheck::Unverifiable;
        };
        let by_ranges = self.by_ranges(crawler, address, time);
        if by_ranges == Said::Yes {
            return RequestCheck::Verified;
        }
        match (by_ranges, self.by_names(crawler, address)) {
            (_, Said::Yes) => RequestCheck::Verified,
            (Said::No, _) | (_, Said::No) => RequestCheck::Impostor,
            (_, Said::Nothing) => RequestCheck::Unverifiable,
        }
    }

    /// Every document of the crawler must be there before an address is of none of them.
    fn by_ranges(&self, crawler: &KnownCrawler, address: IpAddr, time: Timestamp) -> Said {
        let mut said = if crawler.ip_ranges().is_empty() {
            Said::Nothing
        } else {
            Said::No
        };
        for url in crawler.ip_ranges() {
            let versions = self.ranges.get(url).map_or(&[][..], Vec::as_slice);
            let contains = |ranges: &Ranges| ranges.addresses.contains(address);
            if versions.iter().any(contains) {
                return Said::Yes;
            }
            if !versions.iter().any(|ranges| ranges.holds_at(time)) {
                said = Said::Nothing;
            }
        }
        said
    }

    fn by_names(&self, crawler: &KnownCrawler, address: IpAddr) -> Said {
        if crawler.reverse_dns().is_empty() {
            return Said::Nothing;
        }
        match self.names.get(&address) {
            None | Some(ConfirmedNames::Unknown) => Said::Nothing,
            Some(ConfirmedNames::Names(names)) => {
                let suffixes = crawler.reverse_dns();
                let is_known = |name: &String| suffixes.iter().any(|suffix| is_below(name, suffix));
                if names.iter().any(is_known) {
                    Said::Yes
                } else {
                    Said::No
                }
            }
        }
    }
}

/// Whether a host is the one of a suffix or below it.
fn is_below(name: &str, suffix: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let rest = name.strip_suffix(suffix);
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use verger_crawlers::Registry;

    use super::*;

    const AT: Timestamp = Timestamp::from_unix_seconds(1_800_000_000);

    fn days(days: u64) -> Duration {
        Duration::from_secs(days * 24 * 60 * 60)
    }

    fn crawler(name: &str) -> &'static KnownCrawler {
        Registry::bundled().by_name(name).unwrap()
    }

    fn gptbot_ranges(body: &str, at: Timestamp) -> RangeDocument {
        let url = &crawler("gptbot").ip_ranges()[0];
        RangeDocument::fetched(url, body.as_bytes(), at).unwrap()
    }

    #[test]
    fn ranges_tell_what_they_can() {
        let mut checks = RequestChecks::default();
        let check = |checks: &RequestChecks, address: &str, time| {
            checks.check(crawler("gptbot"), address.parse().ok(), time)
        };
        assert_eq!(check(&checks, "192.0.2.1", AT), RequestCheck::Unverifiable);
        checks.add(&gptbot_ranges("192.0.2.0/24", AT));
        assert_eq!(check(&checks, "192.0.2.1", AT), RequestCheck::Verified);
        assert_eq!(check(&checks, "198.51.100.1", AT), RequestCheck::Impostor);
        assert_eq!(
            check(&checks, "crawler.example", AT),
            RequestCheck::Unverifiable
        );
        // A list read long before or after does not know which addresses there were.
        for time in [
            AT.after(days(31)),
            Timestamp::from_unix_seconds(1_797_000_000),
        ] {
            assert_eq!(
                check(&checks, "198.51.100.1", time),
                RequestCheck::Unverifiable
            );
            assert_eq!(check(&checks, "192.0.2.1", time), RequestCheck::Verified);
        }
        checks.add(&gptbot_ranges("198.51.100.0/24", AT.after(days(9))));
        assert_eq!(check(&checks, "198.51.100.1", AT), RequestCheck::Verified);
        assert_eq!(
            check(&checks, "203.0.113.1", AT.after(days(31))),
            RequestCheck::Impostor
        );
    }

    #[test]
    fn names_are_of_the_operator() {
        let googlebot = crawler("googlebot");
        let address: IpAddr = "192.0.2.1".parse().unwrap();
        for (names, expected) in [
            (
                ConfirmedNames::Names(vec!["crawl-1.GoogleBot.com.".into()]),
                RequestCheck::Verified,
            ),
            (
                ConfirmedNames::Names(vec!["googlebot.com".into()]),
                RequestCheck::Verified,
            ),
            (
                ConfirmedNames::Names(vec!["fakegooglebot.com".into()]),
                RequestCheck::Impostor,
            ),
            (
                ConfirmedNames::Names(vec!["googlebot.com.evil.example".into()]),
                RequestCheck::Impostor,
            ),
            (ConfirmedNames::Names(Vec::new()), RequestCheck::Impostor),
            (ConfirmedNames::Unknown, RequestCheck::Unverifiable),
        ] {
            let mut checks = RequestChecks::default();
            assert!(checks.wants_names(googlebot, address));
            checks.add_names(address, names.clone());
            assert!(!checks.wants_names(googlebot, address));
            assert_eq!(
                checks.check(googlebot, Some(address), AT),
                expected,
                "{names:?}"
            );
        }
        assert!(!RequestChecks::default().wants_names(crawler("gptbot"), address));
    }
}
