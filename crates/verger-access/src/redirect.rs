//! The target of a redirect ([`location`]), and whether it is followed ([`next_hop`]). R9309-2.3.1.2, G-3xx,
//! K96-3.1-8.

use http::header::HeaderValue;
use url::Url;

use crate::attempt::Hop;
use crate::authority::{Authority, Scheme, is_robots_txt, without_userinfo};
use crate::bad_ports::is_bad_port;
use crate::outcome::RedirectEnd;
use crate::profile::{DisallowedHops, Following, RedirectRules};

/// Whether a redirect is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NextHop {
    Fetch,
    /// It is followed if the robots.txt of its own authority allows it.
    Ask,
    None(RedirectEnd),
}

/// Decides whether to follow a redirect to `url` in the fetch for `authority`. `asked` contains the requests so far, of
/// which the last was redirected.
pub(crate) fn next_hop(
    rules: &RedirectRules,
    authority: &Authority,
    asked: &[Hop],
    url: &Url,
) -> NextHop {
    // Follow redirects only to http and https, so they cannot make the crawler read files or use other protocols.
    // The transport refuses addresses, once names are resolved.
    let Some(to) = Authority::from_parsed_url(url)
        .ok()
        .filter(|to| matches!(to.scheme(), Scheme::Http | Scheme::Https))
    else {
        return NextHop::None(RedirectEnd::OtherScheme);
    };
    if url.port().is_some_and(is_bad_port) {
        return NextHop::None(RedirectEnd::BadPort);
    }
    let is_from_https = asked.last().is_some_and(|hop| hop.url.scheme() == "https");
    let is_downgrade = is_from_https && to.scheme() == Scheme::Http;
    if is_downgrade && rules.downgrade != Following::Followed {
        return NextHop::None(RedirectEnd::Downgrade);
    }
    if !to.is_near(authority) && rules.other_host != Following::Followed {
        return NextHop::None(RedirectEnd::OtherHost);
    }
    if asked.iter().any(|hop| hop.url == *url) {
        return NextHop::None(RedirectEnd::Loop);
    }
    // "follow at least five consecutive redirects, even across authorities": the number of redirects so far is one
    // less than that of requests.                                               R9309-2.3.1.2-1
    if asked.len() > usize::from(rules.followed_max) {
        return NextHop::None(RedirectEnd::TooMany);
    }
    // The rules of the authority itself are not known before its file is fetched.
    let asks =
        rules.disallowed_hop != DisallowedHops::NotAsked && !is_robots_txt(url) && to != *authority;
    if asks { NextHop::Ask } else { NextHop::Fetch }
}

/// Resolves the `Location` fields of a response of 300 to 399 from `current`. The result has no fragment and no
/// userinfo.
pub(crate) fn location<'h>(
    status: u16,
    mut fields: impl Iterator<Item = &'h HeaderValue>,
    current: &Url,
) -> Result<Url, RedirectEnd> {
    match status {
        304 => return Err(RedirectEnd::UnaskedNotModified),
        // 305 means "Use Proxy": the URL is that of a proxy (RFC 9110 15.4.6).
        305 => return Err(RedirectEnd::NoLocation),
        _ => {}
    }
    let value = fields.next().ok_or(RedirectEnd::NoLocation)?;
    if fields.any(|other| other != value) {
        return Err(RedirectEnd::BadLocation);
    }
    let text = std::str::from_utf8(value.as_bytes()).map_err(|_| RedirectEnd::BadLocation)?;
    if text.trim().is_empty() {
        return Err(RedirectEnd::NoLocation);
    }
    let mut url = current.join(text).map_err(|_| RedirectEnd::BadLocation)?;
    let is_web = matches!(url.scheme(), "http" | "https");
    if is_web && Authority::from_parsed_url(&url).is_err() {
        return Err(RedirectEnd::BadLocation);
    }
    url.set_fragment(None);
    without_userinfo(&mut url);
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn located(status: u16, values: &[&[u8]]) -> Result<String, RedirectEnd> {
        let values = values.iter().map(|it| HeaderValue::from_bytes(it).unwrap());
        let values: Vec<HeaderValue> = values.collect();
        let current = Url::parse("https://h.example/a/robots.txt?x").unwrap();
        location(status, values.iter(), &current).map(String::from)
    }

    #[test]
    fn a_location_is_resolved_against_the_current_url() {
        let ok = |url: &str| Ok(url.to_owned());
        assert_eq!(located(301, &[b"b.txt"]), ok("https://h.example/a/b.txt"));
        assert_eq!(located(302, &[b"/b"]), ok("https://h.example/b"));
        assert_eq!(located(303, &[b"//i.example"]), ok("https://i.example/"));
        assert_eq!(
            located(307, &[b"?y"]),
            ok("https://h.example/a/robots.txt?y")
        );
        assert_eq!(
            located(308, &[b"http://u:p@i.example/#f"]),
            ok("http://i.example/")
        );
        assert_eq!(
            located(300, &["/ツ".as_bytes()]),
            ok("https://h.example/%E3%83%84")
        );
        assert_eq!(located(301, &[b"/b", b"/b"]), ok("https://h.example/b"));
    }

    #[test]
    fn a_missing_or_malformed_location_is_an_error() {
        assert_eq!(located(301, &[]), Err(RedirectEnd::NoLocation));
        assert_eq!(located(301, &[b" "]), Err(RedirectEnd::NoLocation));
        assert_eq!(
            located(305, &[b"http://proxy.example/"]),
            Err(RedirectEnd::NoLocation)
        );
        assert_eq!(located(304, &[b"/b"]), Err(RedirectEnd::UnaskedNotModified));
        assert_eq!(located(301, &[b"/b", b"/c"]), Err(RedirectEnd::BadLocation));
        assert_eq!(located(301, &[b"/caf\xE9"]), Err(RedirectEnd::BadLocation));
        assert_eq!(
            located(301, &[b"http://a b/"]),
            Err(RedirectEnd::BadLocation)
        );
        assert_eq!(located(301, &[b"http://"]), Err(RedirectEnd::BadLocation));
        assert_eq!(
            located(301, &[b"http://a..b/"]),
            Err(RedirectEnd::BadLocation)
        );
    }
}
