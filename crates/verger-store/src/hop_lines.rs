//! Hops as text: one line a hop, the reply and the URL, as in `http 301 https://example.com/`.

use std::fmt::Write as _;

use url::Url;
use verger_access::{Hop, Reply};

/// What stands for a reply that never came.
const NO_REPLY: &str = "none";

pub(crate) fn to_lines(hops: &[Hop]) -> String {
    let mut lines = String::new();
    for hop in hops {
        // Writing to a string cannot fail; and a URL has neither spaces nor line ends in it.
        let _ = match hop.reply {
            Some(reply) => writeln!(lines, "{} {}", reply.code(), hop.url),
            None => writeln!(lines, "{NO_REPLY} {}", hop.url),
        };
    }
    lines
}

/// The hops of those lines; `None` where they are none.
pub(crate) fn of_lines(lines: &str) -> Option<Vec<Hop>> {
    lines.lines().map(hop).collect()
}

fn hop(line: &str) -> Option<Hop> {
    let (reply, url) = line.rsplit_once(' ')?;
    let reply = match reply {
        NO_REPLY => None,
        code => Some(Reply::by_code(code)?),
    };
    let url = Url::parse(url).ok()?;
    Some(Hop { url, reply })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hops_come_back_from_their_lines() {
        let hops: Vec<Hop> = [
            ("http://h.example/robots.txt", Some(Reply::Http(301))),
            ("https://h.example/a%20b?c=d e", Some(Reply::Http(0))),
            ("ftp://h.example/robots.txt", Some(Reply::Ftp(550))),
            ("https://[::1]:8080/robots.txt", None),
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
