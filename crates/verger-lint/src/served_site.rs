//! Additional requests to a site: under its other names, and with crawlers' names.

use core::net::Ipv4Addr;

use verger_access::{Authority, Outcome, Reply, Scheme};
use verger_crawlers::KnownCrawler;

/// Returns a header with a crawler's name, in the most common form.
#[must_use]
pub fn usual_header_of(known: &KnownCrawler) -> String {
    let name = known.header_name();
    let docs = known.docs().map(|url| format!("; +{url}"));
    format!(
        "Mozilla/5.0 (compatible; {name}{})",
        docs.unwrap_or_default()
    )
}

/// Returns up to three other names of a site: http and https at their default ports, with and
/// without `www.`. An address or a name without a dot has no `www.`.
#[must_use]
pub fn other_names_of(site: &Authority) -> Vec<Authority> {
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
    let all = urls
        .filter_map(|(scheme, host)| Authority::from_url(&format!("{scheme}://{host}{port}")).ok());
    all.filter(|variant| variant != site).collect()
}

/// Returns whether a server answered, so lints can check the response.
#[must_use]
pub fn is_answer(outcome: Outcome) -> bool {
    !matches!(outcome, Outcome::Failed(_) | Outcome::Error(Reply::Ftp(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use verger_crawlers::Registry;

    fn variants(url: &str) -> Vec<String> {
        let site = Authority::from_url(url).unwrap();
        other_names_of(&site)
            .iter()
            .map(ToString::to_string)
            .collect()
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
            let header = usual_header_of(known);
            let is_sendable = |byte: u8| (b' '..=b'~').contains(&byte);
            assert!(header.bytes().all(is_sendable), "{header}");
            assert!(header.contains(known.header_name()));
        }
    }
}
