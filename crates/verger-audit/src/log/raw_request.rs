use std::borrow::Cow;
use std::net::IpAddr;
use std::str;

use verger_access::Timestamp;

use super::client_address;
use super::escapes::unescaped;
use super::log_time;

/// The kind of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Address,
    /// The `X-Forwarded-For` header, used if no field has the address.
    Forwarded,
    /// Date and time, or seconds since 1970.
    Time,
    /// The date without the time of day.
    Date,
    /// The time of day in UTC.
    TimeOfDay,
    /// Method, target and version, as sent.
    RequestLine,
    /// Path and query, or an absolute URL.
    Target,
    /// The path, possibly rewritten by the server, and possibly without the query.
    Path,
    /// The query, with or without `?`.
    Query,
    Scheme,
    /// The host, as sent by the client or as configured on the server.
    Host,
    Port,
    Status,
    UserAgent,
}

impl Field {
    const COUNT: usize = 14;
}

/// The escapes of special bytes in fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escaping {
    /// With `\x` and two digits, or with a backslash.
    Backslash,
    /// Not at all.
    None,
}

#[derive(Clone, Debug)]
pub(super) struct RawRequest<'l> {
    values: [Option<Cow<'l, [u8]>>; Field::COUNT],
    escaping: Escaping,
}

/// A request in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogRequest<'l> {
    /// When the request was logged, in whole seconds.
    pub time: Timestamp,
    /// The address of the client. `None` if it is missing or hidden behind a name, or if the client
    /// may have forged it.
    pub address: Option<IpAddr>,
    /// The scheme, if logged.
    pub scheme: Option<Cow<'l, str>>,
    /// Whether the scheme comes only from an absolute URL in the target, which the client chose.
    pub is_scheme_claimed: bool,
    /// The host, possibly with a port, if logged.
    pub host: Option<Cow<'l, str>>,
    /// Path and query, starting with `/`.
    pub target: Cow<'l, [u8]>,
    /// The status of the response, if logged.
    pub status: Option<u16>,
}

/// Why a line has no usable request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineProblem {
    /// The line does not match the format of the log.
    Shape,
    /// The time cannot be read.
    Time,
    /// The line has no request with a readable target.
    NoTarget,
    /// The request has no path, so no rules apply: `OPTIONS *` or `CONNECT` (RFC 9112 3.2.3,
    /// 3.2.4).
    NoPath,
}

impl<'l> RawRequest<'l> {
    pub(super) fn new(escaping: Escaping) -> Self {
        let values = Default::default();
        Self { values, escaping }
    }

    /// Keeps a field that is set already. Field maps list the best source first.
    pub(super) fn set(&mut self, field: Field, value: impl Into<Cow<'l, [u8]>>) {
        let value = value.into();
        let place = &mut self.values[field as usize];
        if place.is_none() && !is_nothing(&value) {
            *place = Some(value);
        }
    }

    fn get(&self, field: Field) -> Option<&[u8]> {
        self.values[field as usize].as_deref()
    }

    fn take(&mut self, field: Field) -> Option<Cow<'l, [u8]>> {
        let value = self.values[field as usize].take()?;
        Some(match self.escaping {
            Escaping::Backslash => unescaped(value),
            Escaping::None => value,
        })
    }

    fn take_text(&mut self, field: Field) -> Option<Cow<'l, str>> {
        match self.take(field)? {
            Cow::Borrowed(bytes) => str::from_utf8(bytes).ok().map(Cow::Borrowed),
            Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
        }
    }

    pub(super) fn take_user_agent(&mut self) -> Option<Cow<'l, [u8]>> {
        self.take(Field::UserAgent)
    }

    pub(super) fn read(mut self) -> Result<LogRequest<'l>, LineProblem> {
        let time = self.time().ok_or(LineProblem::Time)?;
        let address = self.get(Field::Address).or(self.get(Field::Forwarded));
        let address = address.and_then(client_address::read);
        let status = self.get(Field::Status).and_then(status);
        let mut host = self.take_text(Field::Host);
        if let (Some(name), Some(port)) = (&host, self.take_text(Field::Port)) {
            host = Some(Cow::Owned(format!("{name}:{port}")));
        }
        let mut scheme = self.take_text(Field::Scheme);
        let of_no_path = self
            .get(Field::RequestLine)
            .map_or(NoPath::Any, NoPath::of_line);
        let mut target = self.target().ok_or(LineProblem::NoTarget)?;
        let is_scheme_claimed = !target.starts_with(b"/");
        if is_scheme_claimed {
            if of_no_path.is(&target) {
                return Err(LineProblem::NoPath);
            }
            let (url_scheme, url_host, path) = of_url(&target).ok_or(LineProblem::NoTarget)?;
            scheme = Some(Cow::Owned(url_scheme));
            host = Some(Cow::Owned(url_host));
            target = Cow::Owned(path);
        }
        Ok(LogRequest {
            time,
            address,
            scheme,
            is_scheme_claimed,
            host,
            target,
            status,
        })
    }

    fn time(&self) -> Option<Timestamp> {
        if let Some(time) = self.get(Field::Time) {
            return log_time::read(time);
        }
        log_time::of_date(self.get(Field::Date)?, self.get(Field::TimeOfDay)?)
    }

    /// Prefers the target as sent. A path is the last choice, because nginx's `$uri` is decoded and
    /// rewritten by `try_files`. An absolute URL is not.
    fn target(&mut self) -> Option<Cow<'l, [u8]>> {
        if let Some(target) = self.take(Field::Target) {
            return Some(target);
        }
        if self.get(Field::Path).is_some_and(is_url) {
            return self.take(Field::Path);
        }
        let sent = self.take(Field::RequestLine).and_then(|line| match line {
            Cow::Borrowed(line) => target_of_line(line).map(Cow::Borrowed),
            Cow::Owned(line) => target_of_line(&line).map(|target| Cow::Owned(target.to_owned())),
        });
        if sent.is_some() {
            return sent;
        }
        let path = self.take(Field::Path)?;
        Some(match self.take(Field::Query) {
            Some(query) if !path.contains(&b'?') => with_query(path, &query),
            _ => path,
        })
    }
}

pub(super) fn is_nothing(value: &[u8]) -> bool {
    matches!(value, b"" | b"-")
}

fn is_url(path: &[u8]) -> bool {
    path.starts_with(b"https://") || path.starts_with(b"http://")
}

fn with_query<'l>(path: Cow<'l, [u8]>, query: &[u8]) -> Cow<'l, [u8]> {
    let query = query.strip_prefix(b"?").unwrap_or(query);
    let mut target = path.into_owned();
    target.push(b'?');
    target.extend_from_slice(query);
    Cow::Owned(target)
}

/// Returns everything between the first and the last space. HTTP/0.9 has no version.
fn target_of_line(line: &[u8]) -> Option<&[u8]> {
    let space = memchr::memchr(b' ', line)?;
    let rest = &line[space + 1..];
    let end = memchr::memrchr(b' ', rest).filter(|&end| rest[end + 1..].starts_with(b"HTTP/"));
    let target = &rest[..end.unwrap_or(rest.len())];
    (!target.is_empty()).then_some(target)
}

/// Targets that are not paths, by method.
#[derive(Clone, Copy)]
enum NoPath {
    /// Targets of CONNECT: host and port (RFC 9112 3.2.3).
    Authority,
    /// The target of OPTIONS: `*` (RFC 9112 3.2.4).
    Asterisk,
    /// The log has no method, so it may be either.
    Any,
    /// Other methods request a path.
    Never,
}

impl NoPath {
    fn of_line(line: &[u8]) -> Self {
        match line.split(|byte| *byte == b' ').next() {
            Some(b"CONNECT") => Self::Authority,
            Some(b"OPTIONS") => Self::Asterisk,
            _ => Self::Never,
        }
    }

    fn is(self, target: &[u8]) -> bool {
        match self {
            Self::Authority => is_host_and_port(target),
            Self::Asterisk => target == b"*",
            Self::Any => target == b"*" || is_host_and_port(target),
            Self::Never => false,
        }
    }
}

fn is_host_and_port(target: &[u8]) -> bool {
    let Some(colon) = memchr::memrchr(b':', target) else {
        return false;
    };
    let (host, port) = (&target[..colon], &target[colon + 1..]);
    let is_of_host = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._[:]".contains(byte);
    let is_host = !host.is_empty() && host.iter().all(is_of_host);
    is_host && str::from_utf8(port).is_ok_and(|port| port.parse::<u16>().is_ok())
}

/// Splits into scheme, host with port, and path with query.
fn of_url(url: &[u8]) -> Option<(String, String, Vec<u8>)> {
    let colon = memchr::memmem::find(url, b"://")?;
    let scheme = str::from_utf8(&url[..colon]).ok()?;
    let is_scheme = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let rest = &url[colon + 3..];
    let end = memchr::memchr3(b'/', b'?', b'#', rest).unwrap_or(rest.len());
    let host = str::from_utf8(&rest[..end]).ok()?;
    if scheme.is_empty() || host.is_empty() || !is_scheme {
        return None;
    }
    let mut target = rest[end..].to_vec();
    if !target.starts_with(b"/") {
        target.insert(0, b'/');
    }
    Some((scheme.to_ascii_lowercase(), host.to_owned(), target))
}

fn status(text: &[u8]) -> Option<u16> {
    let status = str::from_utf8(text).ok()?.parse().ok()?;
    (100..1000).contains(&status).then_some(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(fields: &[(Field, &'static str)]) -> Result<LogRequest<'static>, LineProblem> {
        let mut raw = RawRequest::new(Escaping::Backslash);
        for &(field, value) in fields {
            raw.set(field, value.as_bytes());
        }
        raw.read()
    }

    const TIME: (Field, &str) = (Field::Time, "1700000000");

    #[test]
    fn a_request_line_has_a_target() {
        for (line, target) in [
            ("GET /a HTTP/1.1", "/a"),
            ("GET /a b HTTP/1.1", "/a b"),
            ("GET /a", "/a"),
            ("HEAD /\\x22\\\\ HTTP/2.0", "/\"\\"),
        ] {
            let read = request(&[TIME, (Field::RequestLine, line)]).unwrap();
            assert_eq!(read.target, target.as_bytes(), "{line}");
        }
        for line in [
            "-",
            "GET",
            "GET *",
            "CONNECT p HTTP/1.1",
            "\\x16\\x03 ",
            "GET ://h/a",
            "GET http:///a",
            "GET h$://h/a",
        ] {
            let read = request(&[TIME, (Field::RequestLine, line)]);
            assert_eq!(read, Err(LineProblem::NoTarget), "{line}");
        }
    }

    #[test]
    fn what_asks_for_no_path_is_no_line_that_cannot_be_read() {
        for (field, written) in [
            (Field::RequestLine, "OPTIONS * HTTP/1.1"),
            (Field::RequestLine, "CONNECT h:443 HTTP/1.1"),
            (Field::RequestLine, "CONNECT [::1]:443 HTTP/1.1"),
            (Field::Target, "*"),
            (Field::Target, "h.example:443"),
        ] {
            let read = request(&[TIME, (field, written)]);
            assert_eq!(read, Err(LineProblem::NoPath), "{written}");
        }
        for (field, written) in [
            (Field::RequestLine, "OPTIONS h:443 HTTP/1.1"),
            (Field::RequestLine, "GET h:443 HTTP/1.1"),
            (Field::RequestLine, "CONNECT a/b:443 HTTP/1.1"),
            (Field::RequestLine, "CONNECT :443 HTTP/1.1"),
            (Field::Target, "p"),
            (Field::Target, "h.example:443x"),
        ] {
            let read = request(&[TIME, (field, written)]);
            assert_eq!(read, Err(LineProblem::NoTarget), "{written}");
        }
    }

    #[test]
    fn a_url_says_host_and_scheme() {
        let line = (Field::RequestLine, "GET HTTP://h.example:80?q HTTP/1.1");
        let read = request(&[TIME, line, (Field::Host, "other.example")]).unwrap();
        assert_eq!(read.scheme.as_deref(), Some("http"));
        assert_eq!(read.host.as_deref(), Some("h.example:80"));
        assert_eq!(&*read.target, b"/?q");
    }

    #[test]
    fn path_and_query_are_joined() {
        for query in ["a=b", "?a=b"] {
            let read = request(&[TIME, (Field::Path, "/p"), (Field::Query, query)]).unwrap();
            assert_eq!(&*read.target, b"/p?a=b");
        }
        for (path, query) in [("/p", "-"), ("/p?", "a=b")] {
            let read = request(&[TIME, (Field::Path, path), (Field::Query, query)]).unwrap();
            assert_eq!(&*read.target, path.as_bytes());
        }
    }

    #[test]
    fn what_was_sent_counts_before_a_path() {
        let path = [
            TIME,
            (Field::Path, "/index.php"),
            (Field::Query, "rewritten"),
        ];
        for (more, target) in [
            ((Field::Target, "/sent?a"), "/sent?a"),
            ((Field::RequestLine, "GET /sent?a HTTP/1.1"), "/sent?a"),
            // Not a request line.
            ((Field::RequestLine, "7f3a"), "/index.php?rewritten"),
        ] {
            let read = request(&[&path[..], &[more]].concat()).unwrap();
            assert_eq!(&*read.target, target.as_bytes(), "{more:?}");
        }
    }
}
