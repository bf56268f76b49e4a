//! `SiteHeaders`: headers for the robots.txt of named sites, such as credentials.

use std::borrow::Cow;
use std::collections::HashMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http::HeaderMap;
use http::header::{self, AUTHORIZATION, HeaderName, HeaderValue};
use verger_access::{Authority, Request, SitePattern};

use crate::fetch::netrc::{NetrcError, machines};

/// Headers that this client sets itself, because the framing, the decoding or the condition of a
/// request depends on them.
const REFUSED: [HeaderName; 15] = [
    header::ACCEPT_ENCODING,
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::EXPECT,
    header::HOST,
    header::IF_MATCH,
    header::IF_MODIFIED_SINCE,
    header::IF_NONE_MATCH,
    header::IF_RANGE,
    header::IF_UNMODIFIED_SINCE,
    header::RANGE,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

#[derive(Clone, Default)]
pub(crate) struct SiteHeaders(HashMap<SitePattern, HeaderMap>);

impl SiteHeaders {
    pub(crate) fn insert(&mut self, sites: SitePattern, name: HeaderName, mut value: HeaderValue) {
        value.set_sensitive(true);
        self.0.entry(sites).or_default().insert(name, value);
    }

    /// Adds credentials from the text of a netrc file, except for sites that have some.
    pub(crate) fn add_netrc(&mut self, text: &str) -> Result<(), NetrcError> {
        for machine in machines(text)? {
            let Ok(sites) = machine.name.parse() else {
                continue;
            };
            let pair = BASE64_STANDARD.encode(format!("{}:{}", machine.login, machine.password));
            // Base64 is valid in a header.
            if let Ok(mut value) = HeaderValue::try_from(format!("Basic {pair}")) {
                value.set_sensitive(true);
                let headers = self.0.entry(sites).or_default();
                headers.entry(AUTHORIZATION).or_insert(value);
            }
        }
        Ok(())
    }

    /// Returns the first header that cannot be set.
    pub(crate) fn refused(&self) -> Option<&HeaderName> {
        let mut names = self.0.values().flat_map(HeaderMap::keys);
        names.find(|name| REFUSED.contains(name))
    }

    /// Returns a request of the fetch of `authority` with the headers for it. A redirect to another
    /// authority gets none.
    pub(crate) fn added_to<'r>(
        &self,
        request: &'r Request,
        authority: &Authority,
    ) -> Cow<'r, Request> {
        let is_own = || Authority::from_parsed_url(&request.url).as_ref() == Ok(authority);
        if self.0.is_empty() || !is_own() {
            return Cow::Borrowed(request);
        }
        let patterns = SitePattern::all_of(authority).into_iter();
        let headers = patterns.filter_map(|sites| self.0.get(&sites));
        headers.fold(Cow::Borrowed(request), |mut request, headers| {
            request.to_mut().conditions.extend(headers.clone());
            request
        })
    }
}
