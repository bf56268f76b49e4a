//! How a site serves its robots.txt: one fetch, and those of its other names and in the names of
//! crawlers.

use std::error::Error;
use std::fmt;
use std::net::Ipv4Addr;

use verger_access::{Authority, Outcome, Reply, Scheme, stated_lifetime};
use verger_client::{FetchReport, Fetched};
use verger_crawlers::KnownCrawler;
use verger_lint::{OtherFetch, ServedFetch};

use crate::notice;
use crate::site_client::SiteClient;

/// A fetch, as far as lints look at it.
pub(super) fn served_fetch(fetched: &Fetched) -> ServedFetch {
    let attempt = &fetched.attempt;
    let headers = fetched.headers.iter();
    let headers = headers.map(|(name, value)| (name.to_string(), value.as_bytes().to_vec()));
    // What the headers state is the question, not what an age on the way leaves of it.
    let mut without_age = fetched.headers.clone();
    without_age.remove("age");
    ServedFetch {
        hops: attempt.hops.clone(),
        outcome: attempt.last.outcome,
        headers: headers.collect(),
        stated_lifetime: stated_lifetime(&without_age, attempt.last.at),
    }
}

/// What came of another request; `None`, which a note says, where nothing was fetched.
fn other_fetch(name: &str, report: Result<FetchReport, impl fmt::Display>) -> Option<OtherFetch> {
    let fetched = match report {
        Ok(report) => report.fetched,
        Err(error) => {
            notice::note(format_args!("{name} was not looked at: {error}"));
            return None;
        }
    };
    let attempt = &fetched?.attempt;
    let body = attempt.copy.as_ref().map(|copy| copy.body.to_vec());
    Some(OtherFetch {
        name: name.to_owned(),
        outcome: attempt.last.outcome,
        body,
    })
}

/// How the site answers under its other names.
///
/// # Errors
///
/// Where an option cannot be used or the store cannot be opened.
pub(super) fn fetch_variants(
    site: &Authority,
    sites: &mut SiteClient<'_>,
) -> Result<Vec<OtherFetch>, Box<dyn Error>> {
    let variants = variants_of(site);
    let reports = sites.fetch_all(&variants)?;
    let answered = variants.iter().zip(reports);
    let answered =
        answered.filter_map(|(variant, report)| other_fetch(variant.robots_url().as_str(), report));
    Ok(answered.collect())
}

/// How the site answers requests in the names of crawlers, one after another.
pub(super) fn fetch_as(
    site: &Authority,
    crawlers: &[&KnownCrawler],
    sites: &mut SiteClient<'_>,
) -> Vec<OtherFetch> {
    let answered = crawlers.iter().filter_map(|known| {
        let report = sites.fetch_as(site, &user_agent(known));
        other_fetch(known.header_name(), report)
    });
    answered.collect()
}

/// A header with the name of a crawler, in the form that most have.
fn user_agent(known: &KnownCrawler) -> String {
    let name = known.header_name();
    let docs = known.docs().map(|url| format!("; +{url}"));
    format!(
        "Mozilla/5.0 (compatible; {name}{})",
        docs.unwrap_or_default()
    )
}

/// The other names of a site, three at most: http and https at their usual ports, with and without
/// `www.`. An address, or a name without a dot, has no `www.`.
fn variants_of(site: &Authority) -> Vec<Authority> {
    let schemes = match (site.scheme(), site.robots_url().port()) {
        (Scheme::Http | Scheme::Https, None) => vec!["https", "http"],
        (Scheme::Http | Scheme::Https, Some(_)) => vec![site.scheme_name()],
        _ => return Vec::new(),
    };
    let host = site.host();
    let is_address = host.starts_with('[') || host.parse::<Ipv4Addr>().is_ok();
    let other_host = match host.strip_prefix("www.") {
        Some(bare) if bare.contains('.') => Some(bare.to_owned()),
        Some(_) => None,
        None => (!is_address && host.contains('.')).then(|| format!("www.{host}")),
    };
    let port = site.robots_url().port();
    let port = port.map_or_else(String::new, |port| format!(":{port}"));
    let hosts = [Some(host.to_owned()), other_host].into_iter().flatten();
    let urls = hosts.flat_map(|host| schemes.iter().map(move |it| (*it, host.clone())));
    let all =
        urls.filter_map(|(scheme, host)| Authority::of(&format!("{scheme}://{host}{port}")).ok());
    all.filter(|variant| variant != site).collect()
}

/// Whether a server answered, so that lints have something to say.
pub(super) fn is_answer(outcome: Outcome) -> bool {
    !matches!(outcome, Outcome::Failed(_) | Outcome::Error(Reply::Ftp(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use verger_crawlers::Registry;

    fn variants(url: &str) -> Vec<String> {
        let site = Authority::of(url).unwrap();
        variants_of(&site).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_site_has_three_other_names_at_most() {
        assert_eq!(
            variants("https://example.com"),
            [
                "http://example.com",
                "https://www.example.com",
                "http://www.example.com"
            ]
        );
        assert_eq!(
            variants("http://www.example.com/x"),
            [
                "https://www.example.com",
                "https://example.com",
                "http://example.com"
            ]
        );
        assert_eq!(
            variants("http://example.com:8080"),
            ["http://www.example.com:8080"]
        );
        assert_eq!(variants("http://127.0.0.1:8080"), [""; 0]);
        assert_eq!(variants("https://[::1]"), ["http://[::1]"]);
        assert_eq!(variants("https://localhost"), ["http://localhost"]);
        assert_eq!(variants("https://www.test"), ["http://www.test"]);
        assert_eq!(variants("ftp://example.com"), [""; 0]);
    }

    #[test]
    fn every_crawler_has_a_header_that_can_be_sent() {
        for known in Registry::bundled() {
            let header = user_agent(known);
            let is_sendable = |octet: u8| (b' '..=b'~').contains(&octet);
            assert!(header.bytes().all(is_sendable), "{header}");
            assert!(header.contains(known.header_name()));
        }
    }
}
