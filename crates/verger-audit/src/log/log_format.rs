//! `LogFormat`: the format of a log. `LogReader`: reads its lines.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use super::json_fields::JsonFields;
use super::raw_request::{Field, LineProblem, LogRequest, RawRequest};
use super::template::Template;
use super::template_syntax::{self, FormatError};
use super::w3c::W3cFields;

const COMMON: &str = "$remote_addr $ident $remote_user [$time_local] \"$request\" $status $bytes";

const COMBINED: &str = "$remote_addr $ident $remote_user [$time_local] \"$request\" $status $bytes \
                        \"$http_referer\" \"$http_user_agent\"";

const VHOST_COMBINED: &str = "%v:%p %h %l %u %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\"";

/// With a host name and without a port.
const HOST_COMBINED: &str = "%v %h %l %u %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\"";

/// The access log of an AWS Application Load Balancer.
const ALB: &str = "$type $time_iso8601 $balancer $remote_addr $target $t1 $t2 $t3 $status \
                   $target_status $received $sent \"$request\" \"$http_user_agent\"";

/// The format of a log.
///
/// Parsed from the name of a common format (`common`, `combined`, `vhost-combined`, `json`, `w3c`,
/// `alb`) or from a format in the syntax of nginx or Apache: `$remote_addr [$time_local] "$request"
/// "$http_user_agent"`, `%h %t "%r" "%{User-Agent}i"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFormat {
    kind: Kind,
    text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Template(Template),
    Json(JsonFields),
    W3c,
}

impl FromStr for LogFormat {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Self, FormatError> {
        let format = match text {
            "json" => return Ok(Self::json(JsonFields::default())),
            "w3c" => return Ok(Self::w3c()),
            "common" => COMMON,
            "combined" => COMBINED,
            "vhost-combined" => VHOST_COMBINED,
            "alb" => ALB,
            text => text,
        };
        let template = template_syntax::template(format)?;
        if !template.has(Field::UserAgent) && format != COMMON {
            return Err(FormatError::NoUserAgent);
        }
        Ok(Self {
            kind: Kind::Template(template),
            text: text.to_owned(),
        })
    }
}

impl fmt::Display for LogFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl LogFormat {
    /// Returns the JSON format with these fields.
    #[must_use]
    pub fn json(fields: JsonFields) -> Self {
        Self {
            kind: Kind::Json(fields),
            text: "json".to_owned(),
        }
    }

    fn w3c() -> Self {
        Self {
            kind: Kind::W3c,
            text: "w3c".to_owned(),
        }
    }

    /// Detects the format from the first lines of a log. Tries `json`, `w3c`, `alb`,
    /// `vhost-combined` with and without a port, `combined` and `common`, in this order. Returns
    /// `None` if no line matches any.
    #[must_use]
    pub fn detected(start: &[u8]) -> Option<Self> {
        let names = ["alb", "vhost-combined", HOST_COMBINED, "combined", "common"];
        let templates: Vec<Self> = names.iter().filter_map(|name| name.parse().ok()).collect();
        let lines = start.split(|&byte| byte == b'\n');
        lines.map(<[u8]>::trim_ascii).find_map(|line| {
            let is_read = |format: &&Self| LogReader::new((*format).clone()).reads(line);
            match line.first()? {
                b'{' => Some(Self::json(JsonFields::default())).filter(|json| is_read(&json)),
                b'#' => line.starts_with(b"#Fields:").then(Self::w3c),
                _ => templates.iter().find(is_read).cloned(),
            }
        })
    }
}

/// Reads the lines of a log.
#[derive(Clone, Debug)]
pub struct LogReader {
    format: LogFormat,
    w3c: W3cFields,
}

/// A line of which only the `User-Agent` header has been parsed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoggedRequest<'l> {
    /// The `User-Agent` header, without log escapes. Empty if the line has none.
    pub user_agent: Cow<'l, [u8]>,
    raw: RawRequest<'l>,
}

impl<'l> LoggedRequest<'l> {
    /// Parses the other fields. Most lines come from browsers and need no further parsing.
    ///
    /// # Errors
    ///
    /// Returns an error if the line has no time or no request for a path.
    pub fn read(self) -> Result<LogRequest<'l>, LineProblem> {
        self.raw.read()
    }
}

impl LogReader {
    /// Creates a reader for the start of a log in this format.
    #[must_use]
    pub fn new(format: LogFormat) -> Self {
        let w3c = W3cFields::default();
        Self { format, w3c }
    }

    /// Splits a line into fields. Returns `None` if the line is empty or is a directive for later
    /// lines.
    ///
    /// # Errors
    ///
    /// Returns an error if the line does not match the format.
    pub fn divide<'l>(&mut self, line: &'l [u8]) -> Result<Option<LoggedRequest<'l>>, LineProblem> {
        if line.trim_ascii().is_empty() {
            return Ok(None);
        }
        let raw = match &self.format.kind {
            Kind::Template(template) => template.read(line),
            Kind::Json(fields) => fields.read(line),
            Kind::W3c if line.starts_with(b"#") => {
                self.w3c.take_directive(line);
                return Ok(None);
            }
            Kind::W3c => self.w3c.read(line),
        };
        let mut raw = raw.ok_or(LineProblem::Shape)?;
        let user_agent = raw.take_user_agent().unwrap_or_default();
        Ok(Some(LoggedRequest { user_agent, raw }))
    }

    /// Returns whether a line matches, including its time. If the format starts with a host, an
    /// address must follow, and the host must not be an address itself. Otherwise an IPv6 address
    /// would look like a host with a port, and a list of addresses like a host and an address.
    fn reads(&mut self, line: &[u8]) -> bool {
        let Ok(Some(request)) = self.divide(line) else {
            return false;
        };
        match request.read() {
            Ok(request) => match self.format.kind {
                Kind::Template(ref template) if template.has(Field::Host) => {
                    let host = request.host.as_deref().unwrap_or_default();
                    let is_address = host.contains(',') || host.parse::<IpAddr>().is_ok();
                    !is_address && request.address.is_some()
                }
                Kind::Template(_) | Kind::Json(_) | Kind::W3c => true,
            },
            Err(LineProblem::NoTarget | LineProblem::NoPath) => true,
            Err(LineProblem::Shape | LineProblem::Time) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: u64 = 1_791_665_736;

    fn read(format: &str, line: &str) -> (String, LogRequest<'static>) {
        let format = match format {
            "" => LogFormat::detected(line.as_bytes()).unwrap(),
            format => format.parse().unwrap(),
        };
        let line: &'static [u8] = line.to_owned().leak().as_bytes();
        let mut reader = LogReader::new(format);
        let divided = reader.divide(line).unwrap().unwrap();
        let agent = String::from_utf8_lossy(&divided.user_agent).into_owned();
        (agent, divided.read().unwrap())
    }

    #[test]
    fn usual_formats_are_detected() {
        for (line, host) in [
            (
                r#"192.0.2.1 - - [10/Oct/2026:20:55:36 +0000] "GET /a HTTP/1.1" 200 5 "-" "GPTBot""#,
                None,
            ),
            (
                r#"2001:db8::1 - al b [10/Oct/2026:20:55:36 +0000] "GET /a HTTP/1.1" 200 5 "r" "GPTBot" "more""#,
                None,
            ),
            (
                r#"h.example:443 192.0.2.1 - - [10/Oct/2026:20:55:36 +0000] "GET /a HTTP/1.1" 200 5 "-" "GPTBot""#,
                Some("h.example:443"),
            ),
            (
                r#"https 2026-10-10T20:55:36.186641Z app/x/1 192.0.2.1:2817 10.0.0.1:80 0.086 0.048 0.037 200 200 0 57 "GET https://h.example:443/a HTTP/1.1" "GPTBot" ECDHE TLS"#,
                Some("h.example:443"),
            ),
            (
                r#"{"ts":1791665736,"request":{"host":"h.example","uri":"/a","headers":{"User-Agent":["GPTBot"]}},"status":200}"#,
                Some("h.example"),
            ),
        ] {
            let (agent, request) = read("", line);
            assert_eq!(
                (&*agent, request.host.as_deref()),
                ("GPTBot", host),
                "{line}"
            );
            assert_eq!(
                (request.time.unix_seconds(), request.status),
                (TIME, Some(200)),
                "{line}"
            );
            assert_eq!(&*request.target, b"/a", "{line}");
        }
        let common = r#"192.0.2.1 - - [10/Oct/2026:20:55:36 +0000] "GET /a HTTP/1.1" 200 5"#;
        assert_eq!(
            LogFormat::detected(common.as_bytes()),
            "common".parse().ok()
        );
        assert_eq!(read("", common).0, "");
        assert_eq!(LogFormat::detected(b"nothing\n\nknown"), None);
        let late = format!("junk\n#\n{common}");
        assert_eq!(LogFormat::detected(late.as_bytes()), "common".parse().ok());
    }

    #[test]
    fn a_host_without_a_port_and_a_list_of_addresses_are_told_apart() {
        let rest = r#"- - [10/Oct/2026:20:55:36 +0000] "GET /a HTTP/1.1" 200 5 "-" "GPTBot""#;
        for (start, host, address) in [
            ("h.example 192.0.2.1", Some("h.example"), Some("192.0.2.1")),
            (
                "h.example:443 192.0.2.1",
                Some("h.example:443"),
                Some("192.0.2.1"),
            ),
            (
                "[2001:db8::5]:443 192.0.2.1",
                Some("[2001:db8::5]:443"),
                Some("192.0.2.1"),
            ),
            ("192.0.2.1, 10.0.0.1", None, Some("192.0.2.1")),
            ("192.0.2.1, 198.51.100.7", None, None),
            ("2001:db8::1, 198.51.100.7", None, None),
            ("2001:db8::1, fd00::1", None, Some("2001:db8::1")),
            ("192.0.2.1,", None, None),
            ("192.0.2.1, unknown", None, None),
            ("192.0.2.1, 10.0.0.1,", None, None),
            ("crawler.example", None, None),
            ("- 192.0.2.1", None, Some("192.0.2.1")),
        ] {
            let (agent, request) = read("", &format!("{start} {rest}"));
            let address = address.map(|address| address.parse().unwrap());
            assert_eq!(
                (&*agent, request.host.as_deref(), request.address),
                ("GPTBot", host, address),
                "{start}"
            );
        }
    }

    #[test]
    fn forwarded_addresses_are_read_where_the_format_has_no_other() {
        let nginx = r#"$http_x_forwarded_for - [$msec] "$request" "$http_user_agent""#;
        let apache = r#"%{X-Forwarded-For}i %l %u %{sec}t \"%r\" \"%{User-Agent}i\""#;
        let both = r#"$remote_addr [$msec] "$request" "$http_user_agent" "$http_x_forwarded_for""#;
        for (format, line, expected) in [
            (
                nginx,
                r#"192.0.2.1, 10.0.0.1 - [1791665736] "GET /a" "x""#,
                Some("192.0.2.1"),
            ),
            (
                nginx,
                r#"192.0.2.1, 198.51.100.7 - [1791665736] "GET /a" "x""#,
                None,
            ),
            (nginx, r#"- - [1791665736] "GET /a" "x""#, None),
            (
                apache,
                r#"192.0.2.1, 10.0.0.1 - - 1791665736 "GET /a" "x""#,
                Some("192.0.2.1"),
            ),
            (
                both,
                r#"10.0.0.1 [1791665736] "GET /a" "x" "192.0.2.1""#,
                Some("10.0.0.1"),
            ),
            (
                "json",
                r#"{"ts":1791665736,"uri":"/a","http_x_forwarded_for":"192.0.2.1, 10.0.0.1"}"#,
                Some("192.0.2.1"),
            ),
            (
                "json",
                r#"{"ts":1791665736,"uri":"/a","ip":"203.0.113.5","http_x_forwarded_for":"192.0.2.1"}"#,
                Some("203.0.113.5"),
            ),
            (
                // The header occurs twice, and the client sent the first one.
                "json",
                r#"{"ts":1791665736,"uri":"/a","X-Forwarded-For":["192.0.2.1","198.51.100.7"]}"#,
                None,
            ),
        ] {
            let (_, request) = read(format, line);
            let expected = expected.map(|address| address.parse().unwrap());
            assert_eq!(request.address, expected, "{line}");
        }
    }

    #[test]
    fn formats_of_servers_are_read() {
        let nginx = "$msec|$host|$remote_addr|$request_uri|${status}|$http_user_agent";
        let line = r"1791665736.123|h.example|192.0.2.1|/a\x22b|404|Googlebot/2.1";
        let (agent, request) = read(nginx, line);
        assert_eq!(agent, "Googlebot/2.1");
        assert_eq!(
            (request.time.unix_seconds(), request.status),
            (TIME, Some(404))
        );
        assert_eq!(&*request.target, b"/a\"b");
        let apache = r#"%a %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-agent}i\" %D"#;
        let line = r#"192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] "GET /a HTTP/1.1" 304 - "-" "a \"quoted\" GPTBot" 17"#;
        let (agent, request) = read(apache, line);
        assert_eq!(agent, "a \"quoted\" GPTBot");
        assert_eq!(
            (request.time.unix_seconds(), request.status),
            (TIME, Some(304))
        );
    }

    #[test]
    fn a_format_displays_as_it_is_given() {
        let own = r#"%h %t "%r" "%{User-Agent}i""#;
        for text in ["combined", "common", "json", "w3c", "alb", own] {
            assert_eq!(text.parse::<LogFormat>().unwrap().to_string(), text);
        }
        let detected = LogFormat::detected(b"#Fields: date time cs-uri-stem\n").unwrap();
        assert_eq!(detected.to_string(), "w3c");
    }

    #[test]
    fn a_format_needs_a_header() {
        let format = "$remote_addr [$time_local] \"$request\"".parse::<LogFormat>();
        assert_eq!(format, Err(FormatError::NoUserAgent));
    }
}
