use std::collections::BTreeMap;

use verger_access::Authority;

use crate::log::LogRequest;

/// Maximum number of hosts with rules that are told apart. Hosts without rules use no slot, because
/// clients can send any name.
pub const HOSTS_MAX: usize = 10_000;

const SPELLINGS_MAX: usize = 2 * HOSTS_MAX;

const HOST_BYTES_MAX: usize = 260;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestHost {
    /// The authority with this number. 0 is the site.
    Numbered(usize),
    /// A host with rules that came after too many others.
    Further,
    /// A host without rules, or an invalid host.
    Unknown,
}

#[derive(Debug, Default)]
pub(crate) struct AuthorityTable {
    /// The authority of requests without a host, number 0.
    site: Option<Authority>,
    /// Cached results, by host as written.
    spellings: BTreeMap<String, RequestHost>,
    /// All authorities except the site, by their text.
    numbers: BTreeMap<String, usize>,
    /// The authorities by number, starting at 1.
    authorities: Vec<Authority>,
    /// The last result, often also the next one.
    last: Option<(String, RequestHost)>,
}

impl AuthorityTable {
    pub(crate) fn new(site: Option<Authority>) -> Self {
        Self {
            site,
            ..Self::default()
        }
    }

    /// Finds the host of a request, or the site if the request names none. Servers accept any HTTP
    /// port in a client's `Host` header, and a scheme that only the client claims may be either
    /// one. If the host as written has no rules, the usual ports and schemes are tried as well.
    pub(crate) fn find<E>(
        &mut self,
        request: &LogRequest<'_>,
        has_rules: impl Fn(&Authority) -> Result<bool, E>,
    ) -> Result<RequestHost, E> {
        let Some(host) = request.host.as_deref() else {
            return Ok(RequestHost::Numbered(0));
        };
        if host.len() > HOST_BYTES_MAX {
            return Ok(RequestHost::Unknown);
        }
        let scheme = request.scheme.as_deref();
        let written = scheme.unwrap_or_else(|| self.usual_scheme(host));
        let mut found = self.find_written(written, host, &has_rules)?;
        let Some(name) = without_usual_port(host) else {
            return Ok(found);
        };
        let others: &[&str] = match scheme {
            Some(logged) if !request.is_scheme_claimed => &[logged],
            _ => &["https", "http"],
        };
        for other in others {
            if found == RequestHost::Unknown {
                found = self.find_written(other, name, &has_rules)?;
            }
        }
        Ok(found)
    }

    fn find_written<E>(
        &mut self,
        scheme: &str,
        host: &str,
        has_rules: impl Fn(&Authority) -> Result<bool, E>,
    ) -> Result<RequestHost, E> {
        let is_same = |key: &str| {
            let rest = key
                .strip_prefix(scheme)
                .and_then(|rest| rest.strip_prefix("://"));
            rest == Some(host)
        };
        if let Some((key, found)) = &self.last
            && is_same(key)
        {
            return Ok(*found);
        }
        let key = format!("{scheme}://{host}");
        let found = match self.spellings.get(&key) {
            Some(found) => *found,
            None => self.find_new(&key, has_rules)?,
        };
        self.last = Some((key, found));
        Ok(found)
    }

    /// Ignores a dot at the end of a host name, as servers do.
    fn find_new<E>(
        &mut self,
        key: &str,
        has_rules: impl Fn(&Authority) -> Result<bool, E>,
    ) -> Result<RequestHost, E> {
        let written = Authority::from_url(key).ok();
        let without_dot = written.as_ref().and_then(without_dot);
        let mut found = RequestHost::Unknown;
        for authority in written.into_iter().chain(without_dot) {
            if found == RequestHost::Unknown {
                found = self.find_authority(authority, &has_rules)?;
            }
        }
        if self.spellings.len() == SPELLINGS_MAX {
            self.spellings.clear();
        }
        self.spellings.insert(key.to_owned(), found);
        Ok(found)
    }

    fn find_authority<E>(
        &mut self,
        authority: Authority,
        has_rules: impl Fn(&Authority) -> Result<bool, E>,
    ) -> Result<RequestHost, E> {
        if self.site.as_ref() == Some(&authority) {
            return Ok(RequestHost::Numbered(0));
        }
        Ok(match self.numbers.get(&authority.to_string()) {
            Some(&number) => RequestHost::Numbered(number),
            None if !has_rules(&authority)? => RequestHost::Unknown,
            None if self.authorities.len() < HOSTS_MAX => {
                RequestHost::Numbered(self.number(authority))
            }
            None => RequestHost::Further,
        })
    }

    /// Assumes http for port 80 or if the site uses it, otherwise https.
    fn usual_scheme(&self, host: &str) -> &'static str {
        let is_http = self
            .site
            .as_ref()
            .is_some_and(|site| site.scheme_name() == "http");
        if is_http || host.ends_with(":80") {
            "http"
        } else {
            "https"
        }
    }

    fn number(&mut self, authority: Authority) -> usize {
        let next = self.authorities.len() + 1;
        self.numbers.insert(authority.to_string(), next);
        self.authorities.push(authority);
        next
    }

    /// Returns `None` if the authority is unknown.
    pub(crate) fn named(&self, host: RequestHost) -> Option<(usize, &Authority)> {
        let RequestHost::Numbered(number) = host else {
            return None;
        };
        let authority = match number.checked_sub(1) {
            None => self.site.as_ref(),
            Some(place) => self.authorities.get(place),
        };
        Some((number, authority?))
    }
}

/// Returns `None` if the host has another port. IPv6 addresses also contain colons.
fn without_usual_port(host: &str) -> Option<&str> {
    match host.rsplit_once(':') {
        Some((name, "" | "80" | "443")) => Some(name),
        Some((_, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => None,
        _ => Some(host),
    }
}

/// Returns `None` if the host does not end with a dot.
fn without_dot(authority: &Authority) -> Option<Authority> {
    let host = authority.host().strip_suffix('.')?;
    let mut url = authority.robots_url().clone();
    url.set_host(Some(host)).ok()?;
    Authority::from_parsed_url(&url).ok()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use verger_access::Timestamp;

    use super::*;

    fn request(host: &str) -> LogRequest<'_> {
        LogRequest {
            time: Timestamp::from_unix_seconds(0),
            address: None,
            scheme: None,
            is_scheme_claimed: false,
            host: Some(host.into()),
            target: b"/".as_slice().into(),
            status: None,
        }
    }

    fn found(table: &mut AuthorityTable, host: &str) -> RequestHost {
        let has_rules = |authority: &Authority| {
            Ok::<_, Infallible>(authority.to_string().ends_with(".known.example"))
        };
        let Ok(found) = table.find(&request(host), has_rules);
        found
    }

    #[test]
    fn hosts_without_rules_and_spellings_take_no_place() {
        let mut table = AuthorityTable::new(None);
        for nth in 0..=2 * HOSTS_MAX {
            let invented = format!("h{nth}.example");
            assert_eq!(found(&mut table, &invented), RequestHost::Unknown);
            assert_eq!(
                found(&mut table, "A.known.example:443"),
                RequestHost::Numbered(1)
            );
        }
        for nth in 0..2 * HOSTS_MAX {
            let mask = format!("{nth:015b}").into_bytes();
            let cased = b"abcdefghijklmno".iter().zip(mask).map(|(&letter, bit)| {
                char::from(if bit == b'1' {
                    letter.to_ascii_uppercase()
                } else {
                    letter
                })
            });
            let spelling = format!("{}.known.example", cased.collect::<String>());
            assert_eq!(found(&mut table, &spelling), RequestHost::Numbered(2));
        }
        assert!(table.spellings.len() <= SPELLINGS_MAX);
    }

    #[test]
    fn a_client_does_not_hide_a_host_by_how_it_writes_it() {
        let numbered = RequestHost::Numbered(0);
        for (site, is_claimed, scheme, host, expected) in [
            ("https", false, None, "d.example.", numbered),
            ("https", false, None, "d.example.:443", numbered),
            ("https", false, None, "d.example%2E", numbered),
            (
                "https",
                false,
                Some("http"),
                "d.example",
                RequestHost::Unknown,
            ),
            ("https", true, Some("http"), "d.example", numbered),
            ("https", true, Some("http"), "D.example.:", numbered),
            ("https", true, Some("http"), "d.example:80", numbered),
            ("https", false, None, "d.example:80", numbered),
            ("https", false, None, "d.example.:80", numbered),
            ("https", false, Some("https"), "d.example:80", numbered),
            (
                "https",
                false,
                Some("http"),
                "d.example:80",
                RequestHost::Unknown,
            ),
            ("http", false, None, "d.example:443", numbered),
            ("http", false, None, "D.example:443", numbered),
            ("https", false, None, "d.example:8080", RequestHost::Unknown),
            ("http", false, None, "[::1]:443", RequestHost::Unknown),
            ("https", true, Some("ftp"), "d.example", numbered),
            ("http", true, Some("https"), "d.example", numbered),
        ] {
            let site = Authority::from_url(&format!("{site}://d.example")).unwrap();
            let mut table = AuthorityTable::new(Some(site));
            let request = LogRequest {
                scheme: scheme.map(Into::into),
                is_scheme_claimed: is_claimed,
                ..request(host)
            };
            for _ in 0..2 {
                let Ok(found) = table.find(&request, |_| Ok::<_, Infallible>(false));
                assert_eq!(found, expected, "{request:?}");
            }
        }
    }

    #[test]
    fn a_host_without_a_scheme_is_that_of_the_site_or_of_the_port() {
        let both = &["http://d.example", "https://d.example"][..];
        for (site, host, known, expected) in [
            ("https://x.example", "d.example", both, Some(both[1])),
            ("http://x.example", "d.example", both, Some(both[0])),
            ("https://x.example", "d.example:80", both, Some(both[0])),
            (
                "https://x.example",
                "d.example:81",
                &["http://d.example:81"],
                None,
            ),
            (
                "https://x.example",
                "[::1]",
                &["http://[::1]"],
                Some("http://[::1]"),
            ),
        ] {
            let mut table = AuthorityTable::new(Authority::from_url(site).ok());
            let has_rules = |it: &Authority| Ok::<_, Infallible>(known.contains(&&*it.to_string()));
            let Ok(found) = table.find(&request(host), has_rules);
            let named = table.named(found).map(|(_, it)| it.to_string());
            assert_eq!(named.as_deref(), expected, "{site} {host}");
        }
        for (bytes, is_found) in [(253, true), (254, false), (HOST_BYTES_MAX + 1, false)] {
            let letter = |place: usize| if place % 64 == 63 { '.' } else { 'a' };
            let host: String = (0..bytes).map(letter).collect();
            let found =
                AuthorityTable::new(None).find(&request(&host), |_| Ok::<_, Infallible>(true));
            assert_eq!(found != Ok(RequestHost::Unknown), is_found, "{bytes}");
        }
    }

    #[test]
    fn the_site_is_found_however_many_hosts_came_before() {
        let site = Authority::from_url("https://site.example").unwrap();
        let mut table = AuthorityTable::new(Some(site));
        for nth in 0..HOSTS_MAX {
            let host = format!("h{nth}.known.example");
            assert_eq!(
                found(&mut table, &host),
                RequestHost::Numbered(nth + 1),
                "{host}"
            );
        }
        for (host, expected) in [
            ("one-more.known.example", RequestHost::Further),
            ("one-more.example", RequestHost::Unknown),
            ("site.example", RequestHost::Numbered(0)),
            ("SITE.example:443", RequestHost::Numbered(0)),
            ("h0.known.example", RequestHost::Numbered(1)),
            ("H0.known.example:443", RequestHost::Numbered(1)),
            ("no host", RequestHost::Unknown),
        ] {
            assert_eq!(found(&mut table, host), expected, "{host}");
        }
    }
}
