use std::collections::BTreeMap;
use std::net::IpAddr;

use serde::Serialize;
use verger_access::Timestamp;
use verger_crawlers::{Evidence, KnownCrawler, Registry};

use super::address_set::AddressSet;
use super::confirmed_names::{ConfirmedNames, NamesThen, is_below};
use super::evidence_age;
use super::range_document::RangeDocument;
use crate::public_address::is_public;

/// Maximum number of addresses with stored names. Further ones cannot be checked by name.
const NAMED_ADDRESSES_MAX: usize = 200_000;

/// Maximum number of answers stored for an address.
const TIMES_MAX: usize = 16;

/// Whether a request comes from the crawler that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestCheck {
    /// The address is in a published range, or has a name of the operator that resolves back to it.
    Verified,
    /// The operator documents how to recognize its requests, and this one does not match. Or the
    /// name is a token for rules only, under which nobody sends requests.
    Impostor,
    /// The operator publishes nothing, or the published data was not available.
    Unverifiable,
}

impl RequestCheck {
    /// All results, in report order.
    pub const ALL: &'static [Self] = &[Self::Verified, Self::Unverifiable, Self::Impostor];

    /// Returns `verified`, `impostor` or `unverifiable`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Impostor => "impostor",
            Self::Unverifiable => "unverifiable",
        }
    }
}

/// The evidence for checking requests: published address ranges and host names.
#[derive(Clone, Debug, Default)]
pub struct RequestChecks {
    /// By the URL of the document.
    ranges: BTreeMap<String, Vec<Ranges>>,
    names: BTreeMap<IpAddr, Vec<NamesThen>>,
}

#[derive(Clone, Debug)]
struct Ranges {
    read_at: Timestamp,
    addresses: AddressSet,
}

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

    /// Returns whether there is any evidence.
    #[must_use]
    pub fn has_evidence(&self) -> bool {
        !self.ranges.is_empty() || !self.names.is_empty()
    }

    /// Returns the times at which the documents of a URL were read.
    pub fn read_times(&self, url: &str) -> impl Iterator<Item = Timestamp> {
        let versions = self.ranges.get(url).map_or(&[][..], Vec::as_slice);
        versions.iter().map(|ranges| ranges.read_at)
    }

    /// Returns whether a host name belongs to the operator of some crawler. Other names verify
    /// nothing and need not be confirmed.
    #[must_use]
    pub fn is_of_operator(name: &str) -> bool {
        Self::operator_names().any(|suffix| is_below(name, suffix))
    }

    /// Returns the suffixes under which operators name the hosts of their crawlers.
    pub fn operator_names() -> impl Iterator<Item = &'static str> {
        let crawlers = Registry::bundled().iter();
        let suffixes = crawlers.flat_map(KnownCrawler::reverse_dns);
        suffixes.map(String::as_str)
    }

    /// Returns whether the names of an address should be queried: its crawler is recognized by host
    /// name, no range contains the address, and it was not queried since `since`.
    #[must_use]
    pub fn wants_names(&self, crawler: &KnownCrawler, address: IpAddr, since: Timestamp) -> bool {
        let known = self.names.get(&address);
        let is_asked = known.is_some_and(|times| times.iter().any(|then| then.read_at >= since));
        !crawler.reverse_dns().is_empty()
            && !is_asked
            && (known.is_some() || self.names.len() < NAMED_ADDRESSES_MAX)
            && is_public(address)
            && !self.has_range(crawler, address)
    }

    /// Adds the names that an address had at `read_at`.
    pub fn add_names(&mut self, address: IpAddr, names: ConfirmedNames, read_at: Timestamp) {
        if self.names.len() >= NAMED_ADDRESSES_MAX && !self.names.contains_key(&address) {
            return;
        }
        let times = self.names.entry(address).or_default();
        if times.len() == TIMES_MAX {
            times.remove(0);
        }
        times.push(NamesThen { read_at, names });
    }

    /// Checks whether a request comes from the crawler that it names.
    #[must_use]
    pub fn check(
        &self,
        crawler: &KnownCrawler,
        address: Option<IpAddr>,
        time: Timestamp,
    ) -> RequestCheck {
        if crawler.is_control_only() {
            return RequestCheck::Impostor;
        }
        let Some(address) = address.filter(|&address| is_public(address)) else {
            return RequestCheck::Unverifiable;
        };
        let by_ranges = self.by_ranges(crawler, address, time);
        if by_ranges == Said::Yes {
            return RequestCheck::Verified;
        }
        match (by_ranges, self.by_names(crawler, address, time)) {
            (_, Said::Yes) => RequestCheck::Verified,
            (Said::No, _) | (_, Said::No) => RequestCheck::Impostor,
            (_, Said::Nothing) => RequestCheck::Unverifiable,
        }
    }

    /// Returns whether evidence for an unverifiable request was looked for but is missing. That is
    /// the case if some of the crawler's documents are missing, too old or too new, if the answer
    /// about documented host names is missing, out of date or was dropped for lack of space, or if
    /// the line does not have exactly one address.
    #[must_use]
    pub fn lacks_evidence(&self, crawler: &KnownCrawler, address: Option<IpAddr>) -> bool {
        let has_ranges = crawler
            .ip_ranges()
            .iter()
            .any(|url| self.ranges.contains_key(url));
        let is_named = !crawler.reverse_dns().is_empty();
        let by_names = is_named && crawler.evidence() == Evidence::Operator;
        let Some(address) = address else {
            return has_ranges || (by_names && !self.names.is_empty());
        };
        let was_asked = match self.names.get(&address) {
            Some(_) => true,
            None => self.names.len() >= NAMED_ADDRESSES_MAX,
        };
        is_public(address) && (has_ranges || (by_names && was_asked))
    }

    /// Rules an address out only if every document of the crawler is available.
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
            if !versions
                .iter()
                .any(|ranges| evidence_age::holds_at(ranges.read_at, time))
            {
                said = Said::Nothing;
            }
        }
        said
    }

    fn has_range(&self, crawler: &KnownCrawler, address: IpAddr) -> bool {
        let mut versions = crawler
            .ip_ranges()
            .iter()
            .filter_map(|url| self.ranges.get(url))
            .flatten();
        versions.any(|ranges| ranges.addresses.contains(address))
    }

    /// A different name, or none, is evidence against a request only if the operator itself
    /// documents its host names. Suffixes known from other sources may be incomplete.
    fn by_names(&self, crawler: &KnownCrawler, address: IpAddr, time: Timestamp) -> Said {
        let suffixes = crawler.reverse_dns();
        let Some(times) = self.names.get(&address).filter(|_| !suffixes.is_empty()) else {
            return Said::Nothing;
        };
        if times.iter().any(|then| then.are_below(suffixes)) {
            return Said::Yes;
        }
        let is_said = crawler.evidence() == Evidence::Operator;
        if is_said && times.iter().any(|then| then.holds_at(time)) {
            Said::No
        } else {
            Said::Nothing
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

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
        // A list read much earlier or later does not show which addresses were valid.
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
    fn nobody_sends_requests_under_a_token_for_rules() {
        let mut checks = RequestChecks::default();
        let mut check = |ranges: Option<&str>| {
            let extended = crawler("google-extended");
            let url = &crawler("googlebot").ip_ranges()[0];
            if let Some(ranges) = ranges {
                checks.add(&RangeDocument::fetched(url, ranges.as_bytes(), AT).unwrap());
            }
            let address = "192.0.2.1".parse().ok();
            assert!(extended.is_control_only());
            [address, None].map(|address| checks.check(extended, address, AT))
        };
        assert_eq!(check(None), [RequestCheck::Impostor; 2]);
        assert_eq!(check(Some("192.0.2.0/24")), [RequestCheck::Impostor; 2]);
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
            assert!(checks.wants_names(googlebot, address, AT));
            checks.add_names(address, names.clone(), AT);
            assert!(!checks.wants_names(googlebot, address, AT));
            let check =
                |checks: &RequestChecks, crawler, time| checks.check(crawler, Some(address), time);
            assert_eq!(check(&checks, googlebot, AT), expected, "{names:?}");
            // An address without such a name today may have had one long ago.
            let long_ago = match expected {
                RequestCheck::Verified => RequestCheck::Verified,
                _ => RequestCheck::Unverifiable,
            };
            let later = AT.after(days(31));
            assert_eq!(check(&checks, googlebot, later), long_ago, "{names:?}");
            assert!(checks.wants_names(googlebot, address, later));
            // Bing's host names are documented only by others.
            let of_bing = check(&checks, crawler("bingbot"), AT);
            assert_eq!(of_bing, RequestCheck::Unverifiable, "{names:?}");
        }
        let checks = RequestChecks::default();
        assert!(!checks.wants_names(crawler("gptbot"), address, AT));
    }

    #[test]
    fn an_address_in_a_range_needs_no_name() {
        let googlebot = crawler("googlebot");
        let mut checks = RequestChecks::default();
        let url = &googlebot.ip_ranges()[0];
        checks.add(&RangeDocument::fetched(url, b"192.0.2.0/24", AT).unwrap());
        let wants = |address: &str| checks.wants_names(googlebot, address.parse().unwrap(), AT);
        assert!(!wants("192.0.2.1"));
        assert!(wants("198.51.100.1"));
        assert!(!wants("10.0.0.1"));
        assert_eq!(checks.read_times(url).collect::<Vec<_>>(), [AT]);
    }

    #[test]
    fn the_address_of_a_proxy_says_nothing() {
        let mut checks = RequestChecks::default();
        checks.add(&gptbot_ranges("192.0.2.0/24", AT));
        let check = |address: &str| checks.check(crawler("gptbot"), address.parse().ok(), AT);
        assert_eq!(check("203.0.113.1"), RequestCheck::Impostor);
        for address in ["10.0.0.1", "127.0.0.1", "fd00::1", "100.64.9.9"] {
            assert_eq!(check(address), RequestCheck::Unverifiable, "{address}");
        }
    }

    #[test]
    fn names_of_operators_end_at_a_dot() {
        for (name, expected) in [
            ("crawl-66-249-66-1.googlebot.com", true),
            ("googlebot.com", true),
            ("evilgooglebot.com", false),
            ("googlebot.com.evil.example", false),
        ] {
            assert_eq!(RequestChecks::is_of_operator(name), expected, "{name}");
        }
    }
}
