//! `AuthorityTable`: the authorities of the requests of a log, each with a number.

use std::collections::BTreeMap;

use verger_access::Authority;

use crate::log::LogRequest;

/// How many hosts are distinguished. Clients write any host into a request, so there must be an end.
pub const HOSTS_MAX: usize = 10_000;

/// The longest name of a host.
const HOST_OCTETS_MAX: usize = 300;

/// What is known of the host of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RequestHost {
    /// It is the authority with this number; 0 is the site.
    Numbered(usize),
    /// It came after so many others that it has no number.
    Further(Authority),
    /// It is no host.
    Invalid,
}

/// The authorities of the requests of a log, each with a number.
#[derive(Debug, Default)]
pub(crate) struct AuthorityTable {
    /// The authority of requests without a host; its number is 0.
    site: Option<Authority>,
    /// Each host as it was written, among the first.
    hosts: BTreeMap<String, RequestHost>,
    /// The number of each authority but the site, by its text.
    numbers: BTreeMap<String, usize>,
    /// The authorities by their number less 1.
    authorities: Vec<Authority>,
    /// The last that was found, which is often the next.
    last: Option<(String, RequestHost)>,
}

impl AuthorityTable {
    pub(crate) fn new(site: Option<Authority>) -> Self {
        Self {
            site,
            ..Self::default()
        }
    }

    /// Finds the host of a request; where the request names none, it is the site.
    pub(crate) fn find(&mut self, request: &LogRequest<'_>) -> RequestHost {
        let Some(host) = request.host.as_deref() else {
            return RequestHost::Numbered(0);
        };
        if host.len() > HOST_OCTETS_MAX {
            return RequestHost::Invalid;
        }
        let scheme = request
            .scheme
            .as_deref()
            .unwrap_or_else(|| self.usual_scheme(host));
        let is_same = |key: &str| {
            let rest = key
                .strip_prefix(scheme)
                .and_then(|rest| rest.strip_prefix("://"));
            rest == Some(host)
        };
        if let Some((key, found)) = &self.last
            && is_same(key)
        {
            return found.clone();
        }
        let key = format!("{scheme}://{host}");
        let found = match self.hosts.get(&key) {
            Some(found) => found.clone(),
            None => self.find_new(&key),
        };
        self.last = Some((key, found.clone()));
        found
    }

    /// Finds a host that was not written so before, and remembers it where there is room.
    fn find_new(&mut self, key: &str) -> RequestHost {
        let Ok(authority) = Authority::of(key) else {
            return RequestHost::Invalid;
        };
        let has_room = self.hosts.len() < HOSTS_MAX;
        // Whoever writes many hosts into requests does not hide those of the site.
        let found = if self.site.as_ref() == Some(&authority) {
            RequestHost::Numbered(0)
        } else if has_room {
            RequestHost::Numbered(self.number(authority))
        } else {
            RequestHost::Further(authority)
        };
        if has_room {
            self.hosts.insert(key.to_owned(), found.clone());
        }
        found
    }

    /// The scheme where the log has none: that of the site, or https; of port 80, http.
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

    /// The number of an authority other than the site, however its host was written.
    fn number(&mut self, authority: Authority) -> usize {
        let next = self.authorities.len() + 1;
        let number = *self.numbers.entry(authority.to_string()).or_insert(next);
        if number == next {
            self.authorities.push(authority);
        }
        number
    }

    /// The authority of a number; `None` where the log does not say it.
    pub(crate) fn authority(&self, number: usize) -> Option<&Authority> {
        match number.checked_sub(1) {
            None => self.site.as_ref(),
            Some(place) => self.authorities.get(place),
        }
    }
}

#[cfg(test)]
mod tests {
    use verger_access::Timestamp;

    use super::*;

    fn request(host: &str) -> LogRequest<'_> {
        LogRequest {
            time: Timestamp::from_unix_seconds(0),
            address: None,
            scheme: None,
            host: Some(host.into()),
            target: b"/".as_slice().into(),
            status: None,
        }
    }

    #[test]
    fn the_site_is_found_however_many_hosts_came_before() {
        let site = Authority::of("https://site.example").unwrap();
        let mut table = AuthorityTable::new(Some(site));
        for nth in 0..HOSTS_MAX {
            let host = format!("h{nth}.example");
            let found = RequestHost::Numbered(nth + 1);
            assert_eq!(table.find(&request(&host)), found, "{host}");
        }
        let further = Authority::of("https://one-more.example").unwrap();
        for (host, found) in [
            ("one-more.example", RequestHost::Further(further)),
            ("site.example", RequestHost::Numbered(0)),
            ("SITE.example:443", RequestHost::Numbered(0)),
            ("h0.example", RequestHost::Numbered(1)),
            ("no host", RequestHost::Invalid),
        ] {
            assert_eq!(table.find(&request(host)), found, "{host}");
        }
    }
}
