//! `ResponseHead`: the status and header fields of a response.

use verger::legible;

use crate::text::start_of;

/// Maximum number of bytes of a head.
pub const HEAD_BYTES_MAX: usize = 1 << 20;

/// The head of an HTTP response.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResponseHead {
    /// The status, three digits.
    pub status: u16,
    /// The header fields in order.
    pub fields: Vec<HeaderField>,
}

/// A header field line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeaderField {
    /// The name as written.
    pub name: Vec<u8>,
    /// The value without surrounding white space.
    pub value: Vec<u8>,
    /// Its line in the head, counted from 1. The status line is line 1.
    pub line: u32,
}

impl ResponseHead {
    /// Creates a head from a status and fields in order. The first field is in line 2.
    pub fn new(status: u16, fields: impl IntoIterator<Item = (Vec<u8>, Vec<u8>)>) -> Self {
        let lines = (2..).zip(fields);
        let fields = lines.map(|(line, (name, value))| HeaderField { name, value, line });
        Self {
            status,
            fields: fields.collect(),
        }
    }

    /// Parses a head as `curl --include` prints it, and returns it with the rest of the text. Lines
    /// may end with CR LF or LF. Lines that are not header fields are ignored.
    ///
    /// Interim responses (1xx) are skipped, and so is the reply of a proxy to CONNECT. Lines are
    /// counted in the whole text. If several responses follow one another, as `curl --location`
    /// prints them, the first one is returned, because it is the response for the URL.
    ///
    /// # Errors
    ///
    /// Returns an error if the text does not start with a status line such as `HTTP/1.1 200 OK`, or
    /// if the head has more than [`HEAD_BYTES_MAX`] bytes.
    pub fn parse(text: &[u8]) -> Result<(Self, &[u8]), ResponseHeadError> {
        let mut lines = Lines {
            rest: text,
            count: 0,
        };
        loop {
            let head = Self::next(&mut lines, text.len())?;
            let is_interim = head.status < 200;
            let is_connected = head.status == 200 && lines.starts_a_head();
            if !is_interim && !is_connected {
                return Ok((head, lines.rest));
            }
        }
    }

    /// Returns the values of the fields with this name, ignoring case.
    pub fn values<'h>(&'h self, name: &'h str) -> impl Iterator<Item = &'h [u8]> {
        self.fields_named(name).map(|field| &*field.value)
    }

    /// Returns the fields with this name, ignoring case.
    pub fn fields_named<'h>(&'h self, name: &'h str) -> impl Iterator<Item = &'h HeaderField> {
        let is_named = move |field: &&HeaderField| field.name.eq_ignore_ascii_case(name.as_bytes());
        self.fields.iter().filter(is_named)
    }

    /// Returns whether the body is a page: the status is 2xx, and the type is HTML or missing.
    #[must_use]
    pub fn has_html(&self) -> bool {
        (200..300).contains(&self.status) && self.values("content-type").next().is_none_or(is_html)
    }

    fn next(lines: &mut Lines<'_>, text_bytes: usize) -> Result<Self, ResponseHeadError> {
        let first = lines.next().unwrap_or_default();
        let status = status_of(first).ok_or_else(|| {
            let start = String::from_utf8_lossy(&first[..first.len().min(201)]);
            ResponseHeadError::NoStatusLine(legible(start_of(&start).as_bytes()))
        })?;
        let mut head = Self::new(status, []);
        while let Some(line) = lines.next().filter(|line| !line.is_empty()) {
            if text_bytes - lines.rest.len() > HEAD_BYTES_MAX {
                return Err(ResponseHeadError::TooLong);
            }
            head.add_line(line, lines.count);
        }
        Ok(head)
    }

    fn add_line(&mut self, line: &[u8], count: u32) {
        let is_continued = line.starts_with(b" ") || line.starts_with(b"\t");
        match (
            self.fields.last_mut(),
            line.iter().position(|&byte| byte == b':'),
        ) {
            // Obsolete line folding (RFC 9112 5.2).
            (Some(last), _) if is_continued => {
                last.value.push(b' ');
                last.value.extend_from_slice(line.trim_ascii());
            }
            (_, Some(colon)) if colon > 0 => self.fields.push(HeaderField {
                name: line[..colon].trim_ascii_end().to_vec(),
                value: line[colon + 1..].trim_ascii().to_vec(),
                line: count,
            }),
            _ => {}
        }
    }
}

/// Returns whether a media type is that of HTML, or empty.
fn is_html(content_type: &[u8]) -> bool {
    let end = memchr::memchr(b';', content_type).unwrap_or(content_type.len());
    let name = content_type[..end].trim_ascii();
    [&b"text/html"[..], b"application/xhtml+xml", b""]
        .iter()
        .any(|it| name.eq_ignore_ascii_case(it))
}

struct Lines<'t> {
    rest: &'t [u8],
    count: u32,
}

impl Lines<'_> {
    /// Returns whether the next line is a status line.
    fn starts_a_head(&self) -> bool {
        let end = memchr::memchr(b'\n', self.rest).unwrap_or(self.rest.len());
        status_of(self.rest[..end].trim_ascii_end()).is_some()
    }
}

impl<'t> Iterator for Lines<'t> {
    type Item = &'t [u8];

    fn next(&mut self) -> Option<&'t [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', self.rest);
        let (line, rest) = self
            .rest
            .split_at(end.map_or(self.rest.len(), |end| end + 1));
        self.rest = rest;
        self.count = self.count.saturating_add(1);
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }
}

/// Returns the status of `HTTP/1.1 200 OK`.
fn status_of(line: &[u8]) -> Option<u16> {
    let rest = line.strip_prefix(b"HTTP/")?;
    let mut words = rest.split(|&byte| byte == b' ').skip(1);
    let digits = words.next().filter(|word| word.len() == 3)?;
    let status = str::from_utf8(digits).ok()?.parse().ok()?;
    (100..=999).contains(&status).then_some(status)
}

/// The text is not a response head.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResponseHeadError {
    /// It starts with another line, quoted here.
    #[error("not a response head: expected a status line such as `HTTP/1.1 200 OK`, found `{0}`")]
    NoStatusLine(String),
    /// It is longer than [`HEAD_BYTES_MAX`].
    #[error("the response head has more than 1 MiB")]
    TooLong,
}
