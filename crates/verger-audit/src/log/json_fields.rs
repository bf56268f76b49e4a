use std::borrow::Cow;
use std::str::FromStr;

use serde_json::Value;

use super::raw_request::{Escaping, Field, RawRequest, is_nothing};

/// Paths of fields, best first: Caddy, Traefik, Cloudflare Logpush, Google Cloud, nginx variable
/// names, other common names.
const USUAL: [(Field, &[&str]); 12] = [
    (
        Field::UserAgent,
        &[
            "request.headers.User-Agent",
            "request_User-Agent",
            "ClientRequestUserAgent",
            "httpRequest.userAgent",
            "http_user_agent",
            "user_agent",
            "userAgent",
            "request_user_agent",
            "agent",
        ],
    ),
    (
        Field::Time,
        &[
            "ts",
            "StartUTC",
            "EdgeStartTimestamp",
            "timestamp",
            "time_iso8601",
            "time_local",
            "msec",
            "time",
            "@timestamp",
            "datetime",
        ],
    ),
    (
        Field::Target,
        &[
            "request.uri",
            "RequestPath",
            "ClientRequestURI",
            "httpRequest.requestUrl",
            "request_uri",
        ],
    ),
    (Field::RequestLine, &["request", "request_line"]),
    // In nginx logs, the first two are often `$uri`. Other servers store the target with its query
    // there.
    (Field::Path, &["url", "uri", "path", "request_path"]),
    (Field::Query, &["query", "query_string", "args"]),
    (
        Field::Host,
        &[
            "request.host",
            "RequestHost",
            "ClientRequestHost",
            "host",
            "http_host",
            "server_name",
            "vhost",
        ],
    ),
    (
        Field::Scheme,
        &["RequestScheme", "ClientRequestScheme", "scheme"],
    ),
    (
        Field::Address,
        &[
            "request.client_ip",
            "request.remote_ip",
            "ClientHost",
            "ClientIP",
            "httpRequest.remoteIp",
            "remote_addr",
            "client_ip",
            "remote_ip",
            "ip",
            "clientip",
        ],
    ),
    (
        Field::Forwarded,
        &[
            "request.headers.X-Forwarded-For",
            "request_X-Forwarded-For",
            "http_x_forwarded_for",
            "x_forwarded_for",
            "X-Forwarded-For",
        ],
    ),
    (
        Field::Status,
        &[
            "status",
            "DownstreamStatus",
            "EdgeResponseStatus",
            "httpRequest.status",
            "response_status",
        ],
    ),
    (Field::Date, &["date"]),
];

/// Maps values of a JSON object to fields. The default supports Caddy, Traefik, Cloudflare Logpush,
/// Google Cloud and the variable names of nginx.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JsonFields {
    /// Paths that override the usual ones.
    named: Vec<JsonField>,
}

/// The path of a field in a JSON object, such as `user_agent=request.headers.User-Agent`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonField {
    field: Field,
    path: String,
}

/// A text is not a valid [`JsonField`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not NAME=PATH, where NAME is one of {}", NAMES.map(|(name, _)| name).join(", "))]
pub struct JsonFieldError {
    text: String,
}

const NAMES: [(&str, Field); 10] = [
    ("address", Field::Address),
    ("time", Field::Time),
    ("request", Field::RequestLine),
    ("target", Field::Target),
    ("path", Field::Path),
    ("query", Field::Query),
    ("scheme", Field::Scheme),
    ("host", Field::Host),
    ("status", Field::Status),
    ("user_agent", Field::UserAgent),
];

impl FromStr for JsonField {
    type Err = JsonFieldError;

    fn from_str(text: &str) -> Result<Self, JsonFieldError> {
        let named = text.split_once('=').and_then(|(name, path)| {
            let (_, field) = *NAMES.iter().find(|(known, _)| *known == name)?;
            let path = path.to_owned();
            (!path.is_empty()).then_some(Self { field, path })
        });
        named.ok_or_else(|| JsonFieldError {
            text: text.to_owned(),
        })
    }
}

impl FromIterator<JsonField> for JsonFields {
    fn from_iter<T: IntoIterator<Item = JsonField>>(fields: T) -> Self {
        let named = fields.into_iter().collect();
        Self { named }
    }
}

impl JsonFields {
    /// Returns `None` if the line is not a JSON object.
    pub(super) fn read(&self, line: &[u8]) -> Option<RawRequest<'static>> {
        let value: Value = serde_json::from_slice(line).ok()?;
        let object = value.is_object().then_some(&value)?;
        let mut request = RawRequest::new(Escaping::None);
        for JsonField { field, path } in &self.named {
            if let Some(bytes) = at(object, path).and_then(|value| bytes(*field, value)) {
                request.set(*field, bytes);
            }
        }
        for (field, paths) in &USUAL {
            if !self.names(*field) {
                let found = paths.iter().find_map(|path| {
                    bytes(*field, at(object, path)?).filter(|bytes| !is_nothing(bytes))
                });
                if let Some(bytes) = found {
                    request.set(*field, bytes);
                }
            }
        }
        Some(request)
    }

    /// Returns whether an override replaces the usual paths, and with them less reliable sources of
    /// the same value.
    fn names(&self, field: Field) -> bool {
        self.named.iter().any(|named| match named.field {
            Field::Address => matches!(field, Field::Address | Field::Forwarded),
            Field::Path => matches!(field, Field::Path | Field::Target | Field::RequestLine),
            other => other == field,
        })
    }
}

/// Looks up keys joined with `.`. A key may contain `.`, so each is tried whole first.
fn at<'v>(object: &'v Value, path: &str) -> Option<&'v Value> {
    let Some(found) = object.get(path) else {
        let (key, rest) = path.split_once('.')?;
        return at(object.get(key)?, rest);
    };
    Some(found)
}

/// Returns the bytes of a field. Only addresses use all of an array of header values, because the
/// client may have forged the first.
fn bytes(field: Field, value: &Value) -> Option<Cow<'static, [u8]>> {
    let Value::Array(values) = value else {
        return bytes_of_one(value);
    };
    if !matches!(field, Field::Address | Field::Forwarded) {
        return bytes_of_one(values.first()?);
    }
    let all = values.iter().map(bytes_of_one);
    let all: Vec<_> = all.map(Option::unwrap_or_default).collect();
    Some(Cow::Owned(all.join(&b", "[..])))
}

fn bytes_of_one(value: &Value) -> Option<Cow<'static, [u8]>> {
    match value {
        Value::String(text) => Some(Cow::Owned(text.clone().into_bytes())),
        Value::Number(number) => Some(Cow::Owned(number.to_string().into_bytes())),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caddy_traefik_and_logpush_are_known() {
        for line in [
            r#"{"ts":1791665736.25,"request":{"client_ip":"192.0.2.1","host":"h.example","uri":"/a?b","headers":{"User-Agent":["GPTBot"]}},"status":200}"#,
            r#"{"ClientHost":"192.0.2.1","RequestHost":"h.example","RequestPath":"/a?b","DownstreamStatus":200,"StartUTC":"2026-10-10T20:55:36Z","request_User-Agent":"GPTBot"}"#,
            r#"{"ClientIP":"192.0.2.1","ClientRequestHost":"h.example","ClientRequestURI":"/a?b","EdgeResponseStatus":200,"EdgeStartTimestamp":1791665736000000000,"ClientRequestUserAgent":"GPTBot"}"#,
            r#"{"remote_addr":"192.0.2.1","host":"h.example","request":"GET /a?b HTTP/1.1","status":"200","time_local":"10/Oct/2026:20:55:36 +0000","http_user_agent":"GPTBot"}"#,
            r#"{"timestamp":"2026-10-10T20:55:36Z","httpRequest":{"requestUrl":"https://h.example/a?b","remoteIp":"192.0.2.1","status":200,"userAgent":"GPTBot"}}"#,
        ] {
            let mut raw = JsonFields::default().read(line.as_bytes()).unwrap();
            assert_eq!(
                raw.take_user_agent().as_deref(),
                Some(&b"GPTBot"[..]),
                "{line}"
            );
            let request = raw.read().unwrap();
            assert_eq!(request.time.unix_seconds(), 1_791_665_736, "{line}");
            assert_eq!(request.address, "192.0.2.1".parse().ok(), "{line}");
            assert_eq!(request.host.as_deref(), Some("h.example"), "{line}");
            assert_eq!(&*request.target, b"/a?b", "{line}");
            assert_eq!(request.status, Some(200), "{line}");
        }
    }

    #[test]
    fn the_target_is_what_was_requested() {
        for (line, named, target) in [
            (
                r#""request":"GET /private/x HTTP/1.1","uri":"/index.php""#,
                None,
                "/private/x",
            ),
            (
                r#""request":"GET /shop?sort=1 HTTP/1.1","url":"/shop","args":"sort=1""#,
                None,
                "/shop?sort=1",
            ),
            (r#""uri":"/shop","query":"sort=1""#, None, "/shop?sort=1"),
            (
                r#""uri":"/shop?sort=1","query":"sort=1""#,
                None,
                "/shop?sort=1",
            ),
            (
                r#""request_uri":"/shop","uri":"/index.php","args":"q=/shop""#,
                None,
                "/shop",
            ),
            (
                r#""request":"GET 5 HTTP/1.1","request_uri":"no","p":"/own""#,
                Some("path=p"),
                "/own",
            ),
        ] {
            let fields: JsonFields = named.map(|it| it.parse().unwrap()).into_iter().collect();
            let line = format!("{{\"ts\":1791665736,{line}}}");
            let request = fields.read(line.as_bytes()).unwrap().read().unwrap();
            assert_eq!(&*request.target, target.as_bytes(), "{line}");
        }
    }

    #[test]
    fn a_whole_url_has_its_host() {
        let line = br#"{"ts":1791665736,"request":"GET /a HTTP/1.1","url":"https://h.example/a"}"#;
        let request = JsonFields::default().read(line).unwrap().read().unwrap();
        assert_eq!(
            (request.host.as_deref(), &*request.target),
            (Some("h.example"), &b"/a"[..])
        );
    }

    #[test]
    fn a_key_without_a_value_hides_no_other() {
        let line = br#"{"http_user_agent":"-","user_agent":"","agent":"GPTBot"}"#;
        let mut raw = JsonFields::default().read(line).unwrap();
        assert_eq!(raw.take_user_agent().as_deref(), Some(&b"GPTBot"[..]));
    }

    #[test]
    fn fields_are_named() {
        let field = |text: &str| text.parse::<JsonField>();
        let fields: JsonFields = [
            field("user_agent=h.ua").unwrap(),
            field("time=when").unwrap(),
            field("target=a.b").unwrap(),
        ]
        .into_iter()
        .collect();
        let line = br#"{"when":1791665736,"a.b":"/x","h":{"ua":"GPTBot"},"time":5,"uri":"/no"}"#;
        let mut raw = fields.read(line).unwrap();
        assert_eq!(raw.take_user_agent().as_deref(), Some(&b"GPTBot"[..]));
        let request = raw.read().unwrap();
        assert_eq!(
            (request.time.unix_seconds(), &*request.target),
            (1_791_665_736, &b"/x"[..])
        );
        for text in ["agent=x", "user_agent", "user_agent=", ""] {
            assert!(field(text).unwrap_err().to_string().contains("NAME=PATH"));
        }
        for line in ["", "[]", "5", "{", "null"] {
            assert!(fields.read(line.as_bytes()).is_none());
        }
    }
}
