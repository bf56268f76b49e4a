//! `SiteHeaders`: headers for the robots.txt of named sites, such as credentials.

use std::borrow::Cow;
use std::collections::HashMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http::HeaderMap;
use http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use verger_access::{Authority, Request};

#[derive(Default)]
pub(crate) struct SiteHeaders {
    named: HashMap<Authority, HeaderMap>,
    /// Credentials by host.
    logins: HashMap<String, HeaderValue>,
}

impl SiteHeaders {
    pub(crate) fn insert(&mut self, site: Authority, name: HeaderName, mut value: HeaderValue) {
        value.set_sensitive(true);
        self.named.entry(site).or_default().insert(name, value);
    }

    /// Adds the logins of a netrc file (`machine NAME login NAME password PASSWORD`), up to the first
    /// macro. An entry `default` names no host and is skipped. As for curl, the first entry of a host
    /// is used.
    pub(crate) fn add_netrc(&mut self, text: &str) {
        let lines = text
            .lines()
            .filter(|line| !line.trim_start().starts_with('#'));
        let mut words = lines.flat_map(str::split_whitespace);
        let mut machines: Vec<[&str; 3]> = Vec::new();
        while let Some(word) = words.next().filter(|word| *word != "macdef") {
            let field = match word {
                "default" => {
                    machines.push([""; 3]);
                    continue;
                }
                "machine" => {
                    machines.push([""; 3]);
                    0
                }
                "login" => 1,
                "password" => 2,
                _ => continue,
            };
            if let (Some(machine), Some(value)) = (machines.last_mut(), words.next()) {
                machine[field] = value;
            }
        }
        for [host, login, password] in machines {
            let site = Authority::from_url(&format!("http://{host}/"));
            let value = BASE64_STANDARD.encode(format!("{login}:{password}"));
            let value = HeaderValue::try_from(format!("Basic {value}"));
            if let (Ok(site), Ok(mut value), false) = (site, value, login.is_empty()) {
                value.set_sensitive(true);
                self.logins.entry(site.host().to_owned()).or_insert(value);
            }
        }
    }

    /// Returns the first header that the client sets itself, because the framing, the decoding or the
    /// condition of a request depends on it.
    pub(crate) fn refused(&self) -> Option<&HeaderName> {
        const CONTROLS: &str = "accept-encoding connection content-length expect host if-match \
            if-modified-since if-none-match if-range if-unmodified-since range te trailer \
            transfer-encoding upgrade";
        let mut names = self.named.values().flat_map(HeaderMap::keys);
        names.find(|name| CONTROLS.split(' ').any(|it| *name == it))
    }

    /// Returns a request of the fetch of `authority` with the headers for it. A redirect to another
    /// authority gets none.
    pub(crate) fn added_to<'r>(&self, request: &'r Request, site: &Authority) -> Cow<'r, Request> {
        let mut request = Cow::Borrowed(request);
        let (named, login) = (self.named.get(site), self.logins.get(site.host()));
        if (named.is_none() && login.is_none())
            || Authority::from_parsed_url(&request.url).as_ref() != Ok(site)
        {
            return request;
        }
        let headers = &mut request.to_mut().conditions;
        headers.extend(login.map(|login| (AUTHORIZATION, login.clone())));
        headers.extend(named.cloned().unwrap_or_default());
        request
    }
}
