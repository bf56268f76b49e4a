//! Where a redirect leads ([`location`]), and whether it is followed ([`next_hop`]). R9309-2.3.1.2,
//! G-3xx, K96-3.1-8.

use http::header::HeaderValue;
use url::Url;

use crate::attempt::Hop;
use crate::authority::{Authority, Scheme, is_robots_txt, without_userinfo};
use crate::bad_ports::is_bad_port;
use crate::outcome::RedirectEnd;
use crate::profile::{DisallowedHops, Following, RedirectRules};

/// What to do about a redirect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NextHop {
    /// Fetch the URL.
    Fetch,
    /// Fetch the URL if its own authority allows it.
    Ask,
    /// Do not follow.
    None(RedirectEnd),
}

/// What to do about a redirect from the last URL of `asked` to `url`, on the way that began at
/// `authority`; `asked` is the way so far.
pub(crate) fn next_hop(
    rules: &RedirectRules,
    authority: &Authority,
    asked: &[Hop],
    url: &Url,
) -> NextHop {
    // Redirects lead to http and https alone: a robots.txt is no way into files and other
    // protocols. Which addresses are no go, the transport says when it has resolved them.
    let Some(to) = Authority::of_url(url)
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
    // "follow at least five consecutive redirects, even across authorities": as many were followed
    // as URLs were asked for, less the first.                                   R9309-2.3.1.2-1
    if asked.len() > usize::from(rules.followed_max) {
        return NextHop::None(RedirectEnd::TooMany);
    }
    // The file that is being fetched cannot be asked whether it may be.
    let asks =
        rules.disallowed_hop != DisallowedHops::NotAsked && !is_robots_txt(url) && to != *authority;
    if asks { NextHop::Ask } else { NextHop::Fetch }
}

/// The URL that a response of 300 to 399 from `current` names in its `Location` fields, without
/// fragment and userinfo.
pub(crate) fn location<'h>(
    status: u16,
    mut fields: impl Iterator<Item = &'h HeaderValue>,
    current: &Url,
) -> Result<Url, RedirectEnd> {
    match status {
        304 => return Err(RedirectEnd::UnaskedNotModified),
        // "Use Proxy" names a proxy, not a place (RFC 9110 15.4.6).
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
    fn a_location_is_read_from_where_it_stands() {
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
    fn a_location_that_is_no_url_is_none() {
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
    }
}
