//! Hops as text, one per line: the reply and the URL, such as `http 301 https://example.com/`.

use std::fmt::Write as _;

use url::Url;
use verger_access::Hop;

/// The text for a reply that never came.
const NO_REPLY: &str = "none";

pub(crate) fn to_lines(hops: &[Hop]) -> String {
    let mut lines = String::new();
    for hop in hops {
        // Writing to a string cannot fail. A URL has no line ends.
        let _ = match hop.reply {
            Some(reply) => writeln!(lines, "{} {}", reply.code(), hop.url),
            None => writeln!(lines, "{NO_REPLY} {}", hop.url),
        };
    }
    lines
}

/// Parses hops, or returns `None` if a line is malformed.
pub(crate) fn of_lines(lines: &str) -> Option<Vec<Hop>> {
    lines.lines().map(hop).collect()
}

fn hop(line: &str) -> Option<Hop> {
    // The URL comes last, because a URL without a host may contain spaces.
    let (protocol, rest) = line.split_once(' ')?;
    let (reply, url) = if protocol == NO_REPLY {
        (None, rest)
    } else {
        let (number, url) = rest.split_once(' ')?;
        let code = format!("{protocol} {number}");
        (Some(code.parse().ok()?), url)
    };
    let url = Url::parse(url).ok()?;
    Some(Hop { url, reply })
}

#[cfg(test)]
mod tests {
    use verger_access::Reply;

    use super::*;

    #[test]
    fn hops_are_read_back_from_their_lines() {
        let hops: Vec<Hop> = [
            ("http://h.example/robots.txt", Some(Reply::Http(301))),
            ("https://h.example/a%20b?c=d e", Some(Reply::Http(0))),
            ("ftp://h.example/robots.txt", Some(Reply::Ftp(550))),
            ("https://[::1]:8080/robots.txt", None),
            ("mailto:a b c", None),
            ("mailto:a b c", Some(Reply::Http(200))),
        ]
        .into_iter()
        .map(|(url, reply)| Hop {
            url: Url::parse(url).unwrap(),
            reply,
        })
        .collect();
        assert_eq!(of_lines(&to_lines(&hops)), Some(hops));
        assert_eq!(of_lines(""), Some(Vec::new()));
        for other in ["none", "http x http://h.example/", "http 200 /robots.txt"] {
            assert_eq!(of_lines(other), None, "{other}");
        }
    }
}
