//! `KeptHead`: the head of a request or response, without credentials.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http::{HeaderMap, Method, StatusCode, Uri, Version};
use serde::{Deserialize, Serialize};

/// Maximum size of a stored head, in bytes.
pub const HEAD_BYTES_MAX: usize = 16 * 1024;

const CREDENTIALS: [&str; 4] = [
    "authorization",
    "cookie",
    "proxy-authorization",
    "set-cookie",
];

/// The start line and the fields of a request or response, one per line, then an empty line. It is cut at
/// [`HEAD_BYTES_MAX`] bytes.
///
/// For HTTP/1 these are the bytes on the connection if the transport sees them. For HTTP/2, and without those bytes,
/// the lines are rebuilt from the parsed message: names are in lower case, equal names are grouped, and
/// pseudo-header fields such as `:status: 200` replace the start line. The value of an `Authorization`,
/// `Proxy-Authorization`, `Cookie` or `Set-Cookie` field is never stored: `[23 bytes removed]` replaces it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "HeadText", into = "HeadText")]
pub struct KeptHead {
    bytes: Vec<u8>,
    bytes_cut: u64,
}

impl KeptHead {
    /// Stores the bytes of a head or of its beginning. `bytes_more` is the number of bytes that follow and are not
    /// available.
    #[must_use]
    pub fn new(bytes: &[u8], bytes_more: u64) -> Self {
        let (held, cut) = bytes.split_at(bytes.len().min(HEAD_BYTES_MAX));
        let mut kept = Vec::with_capacity(held.len());
        let mut lines = held.split_inclusive(|&byte| byte == b'\n').peekable();
        while let Some(line) = lines.next() {
            let Some((name, value)) = credential(line) else {
                kept.extend_from_slice(line);
                continue;
            };
            let mut removed = value.trim_ascii().len();
            // A line that begins with a blank continues the field before it (RFC 9112 5.2).
            while let Some(more) = lines.next_if(|line| matches!(line, [b' ' | b'\t', ..])) {
                removed += more.trim_ascii().len();
            }
            kept.extend_from_slice(name);
            kept.extend_from_slice(format!(": [{removed} bytes removed]").as_bytes());
            kept.extend_from_slice(&line[line.trim_ascii_end().len()..]);
        }
        let cut = cut.len() + kept.len().saturating_sub(HEAD_BYTES_MAX);
        kept.truncate(HEAD_BYTES_MAX);
        Self {
            bytes: kept,
            bytes_cut: bytes_more.saturating_add(cut as u64),
        }
    }

    /// Rebuilds the head of a request from its parts.
    #[must_use]
    pub fn from_request(method: &Method, uri: &Uri, version: Version, fields: &HeaderMap) -> Self {
        let target = uri.path_and_query().map_or("/", |target| target.as_str());
        let start = if version < Version::HTTP_2 {
            format!("{method} {target} {version:?}\r\n")
        } else {
            let scheme = uri.scheme_str().unwrap_or_default();
            let authority = uri.authority().map_or("", |authority| authority.as_str());
            // Without user and password, as HTTP/2 sends it (RFC 9113 8.3.1).
            let authority = authority.rsplit('@').next().unwrap_or_default();
            format!(
                ":method: {method}\r\n:scheme: {scheme}\r\n:authority: {authority}\r\n:path: {target}\r\n"
            )
        };
        Self::of_parts(start, fields)
    }

    /// Rebuilds the head of a response from its parts.
    #[must_use]
    pub fn from_response(version: Version, status: StatusCode, fields: &HeaderMap) -> Self {
        let start = if version < Version::HTTP_2 {
            format!("{version:?} {status}\r\n")
        } else {
            format!(":status: {}\r\n", status.as_str())
        };
        Self::of_parts(start, fields)
    }

    fn of_parts(start: String, fields: &HeaderMap) -> Self {
        let mut bytes = start.into_bytes();
        for (name, value) in fields {
            for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
                bytes.extend_from_slice(part);
            }
        }
        bytes.extend_from_slice(b"\r\n");
        Self::new(&bytes, 0)
    }

    /// Returns the stored bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the number of bytes of the head that were not stored.
    #[must_use]
    pub fn bytes_cut(&self) -> u64 {
        self.bytes_cut
    }

    /// Returns the values of the fields with this name, as sent without surrounding blanks, in order. A value on
    /// several lines is cut to its first line.
    pub fn values<'h>(&'h self, name: &'h str) -> impl Iterator<Item = &'h [u8]> {
        let lines = self.bytes.split(|&byte| byte == b'\n');
        lines.filter_map(|line| {
            let (found, value) = field(line)?;
            let is_it = found.eq_ignore_ascii_case(name.as_bytes());
            is_it.then(|| value.trim_ascii())
        })
    }
}

/// Splits a line into the name of a field and the text after the colon, or returns `None`.
fn field(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = line.iter().position(|&byte| byte == b':')?;
    let (name, value) = (line[..colon].trim_ascii_end(), &line[colon + 1..]);
    (!name.is_empty()).then_some((name, value))
}

fn credential(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let (name, value) = field(line)?;
    let mut credentials = CREDENTIALS.iter();
    let is_one = credentials.any(|it| name.eq_ignore_ascii_case(it.as_bytes()));
    is_one.then_some((name, value))
}

#[derive(Deserialize, Serialize)]
struct HeadText {
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bytes_base64: Option<String>,
    #[serde(default)]
    bytes_cut: u64,
}

impl From<KeptHead> for HeadText {
    fn from(head: KeptHead) -> Self {
        let bytes_cut = head.bytes_cut;
        match String::from_utf8(head.bytes) {
            Ok(text) => Self {
                text,
                bytes_base64: None,
                bytes_cut,
            },
            Err(error) => Self {
                text: String::from_utf8_lossy(error.as_bytes()).into_owned(),
                bytes_base64: Some(BASE64_STANDARD.encode(error.as_bytes())),
                bytes_cut,
            },
        }
    }
}

impl TryFrom<HeadText> for KeptHead {
    type Error = &'static str;

    fn try_from(head: HeadText) -> Result<Self, &'static str> {
        let bytes = match head.bytes_base64 {
            None => head.text.into_bytes(),
            Some(base64) => BASE64_STANDARD
                .decode(base64)
                .map_err(|_| "`bytes_base64` is not valid base64")?,
        };
        if bytes.len() > HEAD_BYTES_MAX {
            return Err("the headers are longer than 16 KiB");
        }
        Ok(Self {
            bytes,
            bytes_cut: head.bytes_cut,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn kept(head: &str, expected: &str) {
        let head = KeptHead::new(head.as_bytes(), 0);
        assert_eq!(std::str::from_utf8(head.bytes()).unwrap(), expected);
        assert_eq!(head.bytes_cut(), 0);
    }

    #[test]
    fn a_head_is_kept_as_it_is_but_for_credentials() {
        let plain =
            "GET /robots.txt HTTP/1.1\r\nHost: h.example\r\nX-Cookie: a\r\nCookies: b\r\n\r\n";
        kept(plain, plain);
        kept("", "");
        kept(
            "GET / HTTP/1.1\r\nAUTHORIZATION: Basic c2VjcmV0\r\nCookie : a=secret; b\nA: b\r\n\r\n",
            "GET / HTTP/1.1\r\nAUTHORIZATION: [14 bytes removed]\r\nCookie: [11 bytes removed]\nA: b\r\n\r\n",
        );
        kept(
            "HTTP/1.1 200 OK\r\nSet-Cookie:\r\n secret\r\n\tmore\r\nA: b\r\n c\r\n\r\n",
            "HTTP/1.1 200 OK\r\nSet-Cookie: [10 bytes removed]\r\nA: b\r\n c\r\n\r\n",
        );
        // The head ends in a value.
        kept(
            "A: b\r\nproxy-authorization:Basic secr",
            "A: b\r\nproxy-authorization: [10 bytes removed]",
        );
    }

    #[test]
    fn a_head_is_kept_up_to_its_limit() {
        for (bytes, more, cut) in [(0, 0, 0), (0, 7, 7), (1, 0, 1), (9, 7, 16)] {
            let head = KeptHead::new(&vec![b'a'; HEAD_BYTES_MAX + bytes], more);
            assert_eq!(head.bytes().len(), HEAD_BYTES_MAX);
            assert_eq!(head.bytes_cut(), cut);
        }
        // The replacement of a short value is longer than the value.
        let head = KeptHead::new("Cookie:s\n".repeat(HEAD_BYTES_MAX / 9).as_bytes(), 0);
        assert_eq!(head.bytes().len(), HEAD_BYTES_MAX);
        assert!(head.bytes_cut() > 0);
        assert!(!head.bytes().windows(2).any(|pair| pair == b":s"));
    }

    #[test]
    fn heads_are_written_down_from_their_parts() {
        let uri = Uri::from_static("https://user:pass@h.example:8443/robots.txt?a");
        let mut fields = HeaderMap::new();
        fields.insert("cookie", "secret".parse().unwrap());
        fields.append("link", "</a>".parse().unwrap());
        fields.append("link", "</b>".parse().unwrap());
        let rest = "cookie: [6 bytes removed]\r\nlink: </a>\r\nlink: </b>\r\n\r\n";
        let heads = [
            (
                KeptHead::from_request(&Method::GET, &uri, Version::HTTP_11, &fields),
                "GET /robots.txt?a HTTP/1.1\r\n",
            ),
            (
                KeptHead::from_request(&Method::GET, &uri, Version::HTTP_2, &fields),
                ":method: GET\r\n:scheme: https\r\n:authority: h.example:8443\r\n:path: /robots.txt?a\r\n",
            ),
            (
                KeptHead::from_response(Version::HTTP_11, StatusCode::NOT_FOUND, &fields),
                "HTTP/1.1 404 Not Found\r\n",
            ),
            (
                KeptHead::from_response(Version::HTTP_2, StatusCode::OK, &fields),
                ":status: 200\r\n",
            ),
        ];
        for (head, start) in heads {
            assert_eq!(head.bytes(), format!("{start}{rest}").as_bytes());
            let values: Vec<_> = head.values("Link").collect();
            assert_eq!(values, [b"</a>", b"</b>"]);
        }
    }

    #[test]
    fn a_head_is_read_back_from_its_json() {
        for bytes in [&b"A: b\r\n\r\n"[..], b"Server: caf\xe9\0\r\n", b""] {
            let head = KeptHead::new(bytes, 3);
            let json = serde_json::to_string(&head).unwrap();
            assert_eq!(serde_json::from_str::<KeptHead>(&json).unwrap(), head);
            assert_eq!(json.contains("base64"), bytes.contains(&0xe9));
        }
        let long = format!(r#"{{"text":"{}"}}"#, "a".repeat(HEAD_BYTES_MAX + 1));
        assert!(serde_json::from_str::<KeptHead>(&long).is_err());
        let bad = r#"{"text":"","bytes_base64":"?"}"#;
        assert!(serde_json::from_str::<KeptHead>(bad).is_err());
    }
}
