//! `AuthorityTable`: the authorities of the requests of a log, each with a number.

use std::collections::BTreeMap;

use verger_access::Authority;

use crate::log::LogRequest;

/// How many hosts are counted one by one. Clients write any host into a request, so there must be an end.
const HOSTS_MAX: usize = 10_000;

/// The longest name of a host.
const HOST_OCTETS_MAX: usize = 300;

/// The authorities of the requests of a log, each with a number.
#[derive(Debug, Default)]
pub(crate) struct AuthorityTable {
    /// The authority of requests without a host; its number is 0.
    site: Option<Authority>,
    /// The number of each host as it was written; `None` for what is no host.
    numbers: BTreeMap<String, Option<usize>>,
    /// The authorities by their number less 1.
    authorities: Vec<Authority>,
    /// The last that was found, which is often the next.
    last: Option<(String, Option<usize>)>,
}

impl AuthorityTable {
    pub(crate) fn new(site: Option<Authority>) -> Self {
        Self {
            site,
            ..Self::default()
        }
    }

    /// The number of a request's authority; `None` where its host is none or one too many.
    pub(crate) fn find(&mut self, request: &LogRequest<'_>) -> Option<usize> {
        let Some(host) = request.host.as_deref() else {
            return Some(0);
        };
        if host.len() > HOST_OCTETS_MAX {
            return None;
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
        if let Some((key, number)) = &self.last
            && is_same(key)
        {
            return *number;
        }
        let key = format!("{scheme}://{host}");
        let number = match self.numbers.get(&key) {
            Some(number) => *number,
            // Whoever writes many hosts into requests does not hide those of the site.
            None if self.numbers.len() >= HOSTS_MAX => self.number_of_site(&key),
            None => {
                let number = Authority::of(&key)
                    .ok()
                    .map(|authority| self.number(authority));
                self.numbers.insert(key.clone(), number);
                number
            }
        };
        self.last = Some((key, number));
        number
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

    /// 0, if it is the site.
    fn number_of_site(&self, key: &str) -> Option<usize> {
        let site = self.site.as_ref()?;
        (Authority::of(key).ok()? == *site).then_some(0)
    }

    /// The number of an authority, however its host was written.
    fn number(&mut self, authority: Authority) -> usize {
        if self.site.as_ref() == Some(&authority) {
            return 0;
        }
        let known = self
            .authorities
            .iter()
            .position(|known| *known == authority);
        known.map_or_else(
            || {
                self.authorities.push(authority);
                self.authorities.len()
            },
            |place| place + 1,
        )
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
            assert_eq!(table.find(&request(&host)), Some(nth + 1), "{host}");
        }
        assert_eq!(table.find(&request("one-more.example")), None);
        assert_eq!(table.find(&request("site.example")), Some(0));
        assert_eq!(table.find(&request("SITE.example:443")), Some(0));
        assert_eq!(table.find(&request("h0.example")), Some(1));
    }
}
