//! Examples on the pages of lints.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::time::Duration;

use verger_access::{Hop, Outcome, Reply};

use crate::page_example::PageExample;
use crate::served::{OtherFetch, Served, ServedFetch};

/// An example file and how it is served.
#[derive(Debug)]
pub struct Example {
    body: Body,
    served: Option<ServedExample>,
}

#[derive(Debug)]
enum Body {
    Written(&'static [u8]),
    /// A web page instead of a file.
    Page(PageExample),
    /// A repeated byte. It is expanded on demand, so it takes no room in a program.
    Repeated(u8, usize),
}

/// How the file of an example is served.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ServedExample {
    /// URLs and statuses.
    pub(crate) hops: &'static [(&'static str, u16)],
    pub(crate) outcome: Outcome,
    /// Names in lower case, and values.
    pub(crate) headers: &'static [(&'static str, &'static str)],
    pub(crate) stated_lifetime: Option<Duration>,
    pub(crate) variants: &'static [OtherExample],
    pub(crate) as_crawlers: &'static [OtherExample],
}

/// Name, outcome and file.
pub(crate) type OtherExample = (&'static str, Outcome, Option<&'static [u8]>);

/// A response with a file.
pub(crate) const OK: Outcome = Outcome::Successful(Reply::Http(200));

pub(crate) const USUAL_FILE: &[u8] = b"User-agent: *\nDisallow: /private\n";

impl ServedExample {
    /// A correctly served file.
    pub(crate) const USUAL: Self = Self {
        hops: &[("https://example.com/robots.txt", 200)],
        outcome: OK,
        headers: &[("content-type", "text/plain; charset=utf-8")],
        stated_lifetime: None,
        variants: &[],
        as_crawlers: &[],
    };

    /// Returns a response without a file.
    pub(crate) const fn answered(
        hops: &'static [(&'static str, u16)],
        outcome: Outcome,
    ) -> Example {
        Example {
            body: Body::Written(b""),
            served: Some(Self {
                hops,
                outcome,
                headers: &[],
                ..Self::USUAL
            }),
        }
    }
}

impl Example {
    /// Returns a file, with nothing known about how it is served.
    pub(crate) const fn of(body: &'static [u8]) -> Self {
        let body = Body::Written(body);
        Self { body, served: None }
    }

    /// Returns a file of a repeated byte.
    pub(crate) const fn repeated(byte: u8, times: usize) -> Self {
        let body = Body::Repeated(byte, times);
        Self { body, served: None }
    }

    /// Returns a file and how it is served.
    pub(crate) const fn served_as(body: &'static [u8], served: ServedExample) -> Self {
        Self {
            body: Body::Written(body),
            served: Some(served),
        }
    }

    /// Returns a usual file and how it is served.
    pub(crate) const fn usual_file(served: ServedExample) -> Self {
        Self::served_as(USUAL_FILE, served)
    }

    /// Returns a web page.
    pub(crate) const fn of_page(page: PageExample) -> Self {
        let body = Body::Page(page);
        Self { body, served: None }
    }

    /// Returns the web page, if the example is one.
    pub(crate) fn page(&self) -> Option<&PageExample> {
        match &self.body {
            Body::Page(page) => Some(page),
            _ => None,
        }
    }

    /// A usual file, served correctly.
    pub(crate) const USUAL: Self = Self::usual_file(ServedExample::USUAL);

    /// Returns the file, empty if the example is a response without one.
    #[must_use]
    pub fn body(&self) -> Cow<'static, [u8]> {
        match self.body {
            Body::Written(bytes) => bytes.into(),
            Body::Page(page) => page.robots.as_bytes().into(),
            Body::Repeated(byte, times) => vec![byte; times].into(),
        }
    }

    /// Returns how the file is served. Empty if the example is only about the file.
    #[must_use]
    pub fn served(&self) -> Served {
        let Some(served) = &self.served else {
            return Served::default();
        };
        let hop = |(url, status): &(&str, u16)| Hop::from_reply(url, Some(Reply::Http(*status)));
        let header = |(name, value): &(&str, &str)| ((*name).to_owned(), value.as_bytes().to_vec());
        let other = |(name, outcome, body): &OtherExample| OtherFetch {
            name: (*name).to_owned(),
            outcome: *outcome,
            body: body.map(<[u8]>::to_vec),
        };
        Served {
            origin: Some("https://example.com".to_owned()),
            fetch: Some(ServedFetch {
                hops: served.hops.iter().filter_map(hop).collect(),
                outcome: served.outcome,
                headers: served.headers.iter().map(header).collect(),
                stated_lifetime: served.stated_lifetime,
            }),
            variants: served.variants.iter().map(other).collect(),
            as_crawlers: served.as_crawlers.iter().map(other).collect(),
        }
    }
}

impl fmt::Display for Example {
    /// Writes Markdown blocks with the requests, the last headers and the file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = match self.body {
            Body::Written(bytes) => bytes,
            Body::Page(page) => return page.fmt(f),
            Body::Repeated(byte, times) => {
                let byte = byte.escape_ascii();
                return writeln!(f, "```robots\n(`{byte}`, {times} times)\n```");
            }
        };
        if let Some(served) = &self.served {
            writeln!(f, "```text\n{}```", Requests(served, file))?;
        }
        match (&self.served, file) {
            (Some(_), b"") => Ok(()),
            (Some(_), _) => writeln!(f, "\n```robots\n{}```", shown(file)),
            (None, _) => writeln!(f, "```robots\n{}```", shown(file)),
        }
    }
}

/// Returns a line for each request, then the headers of the last one.
struct Requests<'e>(&'e ServedExample, &'static [u8]);

impl fmt::Display for Requests<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(served, file) = self;
        for (url, status) in served.hops {
            writeln!(f, "GET {url}: status {status}")?;
        }
        for (name, value) in served.headers {
            writeln!(f, "{name}: {value}")?;
        }
        let which = |body: Option<&[u8]>| match body {
            Some(body) if body == *file => ", the same file",
            Some(_) => ", another file",
            None => "",
        };
        for (url, outcome, body) in served.variants {
            writeln!(f, "GET {url}: {outcome}{}", which(*body))?;
        }
        for (name, outcome, body) in served.as_crawlers {
            writeln!(f, "GET as {name}: {outcome}{}", which(*body))?;
        }
        Ok(())
    }
}

/// Returns the lines with everything except printable ASCII escaped.
fn shown(example: &[u8]) -> String {
    let mut text = String::new();
    let example = example.strip_suffix(b"\n").unwrap_or(example);
    for line in example.split(|byte| *byte == b'\n') {
        for &byte in line {
            match byte {
                b' '..=b'~' => text.push(char::from(byte)),
                // Writing to a string cannot fail.
                _ => drop(write!(text, "\\x{byte:02x}")),
            }
        }
        text.push('\n');
    }
    text
}
