//! `W3cFields`: the W3C extended log format, which names its fields in the log (IIS, `CloudFront`).

use std::borrow::Cow;

use super::escapes::percent_decoded;
use super::raw_request::{Escaping, Field, RawRequest};

/// The fields of the following lines, from a `#Fields:` line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct W3cFields {
    /// In line order. `None` if a field is ignored.
    fields: Vec<Option<Field>>,
    /// `CloudFront` percent-encodes, some fields twice. IIS writes `+` for a space.
    escapes_percent: bool,
}

impl W3cFields {
    /// Reads a line that starts with `#`. A `#Fields:` line applies to the lines after it.
    pub(super) fn take_directive(&mut self, line: &[u8]) {
        let directive = String::from_utf8_lossy(line);
        let Some(names) = directive.strip_prefix("#Fields:") else {
            return;
        };
        // `CloudFront` and its imitators separate with tabs and percent-encode.
        self.escapes_percent = names.contains("x-edge-");
        self.fields = names.split_ascii_whitespace().map(field).collect();
        if !self.escapes_percent {
            return;
        }
        // There `cs(Host)` is the name of the distribution, not the requested host.
        for (field, name) in self.fields.iter_mut().zip(names.split_ascii_whitespace()) {
            if name.eq_ignore_ascii_case("cs(host)") {
                *field = None;
            }
        }
    }

    /// Returns `None` if the line has too few fields.
    pub(super) fn read<'l>(&self, line: &'l [u8]) -> Option<RawRequest<'l>> {
        if self.fields.is_empty() {
            return None;
        }
        let separator = if memchr::memchr(b'\t', line).is_some() {
            b'\t'
        } else {
            b' '
        };
        let mut request = RawRequest::new(Escaping::None);
        let mut values = line.split(|&byte| byte == separator);
        for field in &self.fields {
            let value = values.next()?;
            if let Some(field) = *field {
                request.set(field, self.read_value(field, value));
            }
        }
        Some(request)
    }

    fn read_value<'l>(&self, field: Field, value: &'l [u8]) -> Cow<'l, [u8]> {
        match field {
            Field::UserAgent if self.escapes_percent => {
                let once = percent_decoded(value);
                Cow::Owned(percent_decoded(&once).into_owned())
            }
            Field::Forwarded if self.escapes_percent => percent_decoded(value),
            // Undo only what `CloudFront` encoded. The target keeps its own encoding.
            Field::Path | Field::Query if self.escapes_percent => once_decoded(value),
            Field::UserAgent | Field::Address | Field::Forwarded => {
                let spaced = value
                    .iter()
                    .map(|&byte| if byte == b'+' { b' ' } else { byte });
                Cow::Owned(spaced.collect())
            }
            _ => Cow::Borrowed(value),
        }
    }
}

/// Decodes a target in which `CloudFront` wrote `%` as `%25`.
fn once_decoded(value: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memmem::find(value, b"%25").is_none() {
        return Cow::Borrowed(value);
    }
    percent_decoded(value)
}

fn field(name: &str) -> Option<Field> {
    Some(match name.to_ascii_lowercase().as_str() {
        "date" => Field::Date,
        "time" => Field::TimeOfDay,
        "timestamp" => Field::Time,
        "c-ip" => Field::Address,
        "x-forwarded-for" | "cs(x-forwarded-for)" => Field::Forwarded,
        "cs-uri-stem" => Field::Path,
        "cs-uri-query" => Field::Query,
        "cs-uri" => Field::Target,
        "cs(user-agent)" => Field::UserAgent,
        "sc-status" => Field::Status,
        "x-host-header" | "cs-host" | "cs(host)" => Field::Host,
        "cs-protocol" => Field::Scheme,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iis_and_cloudfront_are_read() {
        let mut iis = W3cFields::default();
        iis.take_directive(b"#Software: Microsoft Internet Information Services 10.0");
        assert!(iis.read(b"a b c").is_none());
        iis.take_directive(b"#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status");
        let line = b"2026-10-10 20:55:36 10.0.0.1 GET /a%2520 b=c 443 - 192.0.2.1 Mozilla/5.0+(compatible;+GPTBot/1.3) - 200";
        let mut raw = iis.read(line).unwrap();
        let agent = raw.take_user_agent().unwrap();
        assert_eq!(&*agent, b"Mozilla/5.0 (compatible; GPTBot/1.3)");
        let request = raw.read().unwrap();
        assert_eq!(request.time.unix_seconds(), 1_791_665_736);
        assert_eq!(request.address, "192.0.2.1".parse().ok());
        assert_eq!(
            (&*request.target, request.status),
            (&b"/a%2520?b=c"[..], Some(200))
        );

        let mut iis = W3cFields::default();
        iis.take_directive(b"#Fields: timestamp cs-uri X-Forwarded-For");
        for (list, expected) in [
            ("192.0.2.1,+10.0.0.1", Some("192.0.2.1")),
            ("192.0.2.1,+198.51.100.7", None),
        ] {
            let line = format!("1791665736 /a {list}");
            let request = iis.read(line.as_bytes()).unwrap().read().unwrap();
            let expected = expected.map(|address| address.parse().unwrap());
            assert_eq!(request.address, expected, "{list}");
        }

        let mut front = W3cFields::default();
        front.take_directive(b"#Fields: date time x-edge-location c-ip cs-method cs(Host) cs-uri-stem sc-status cs(User-Agent) cs-uri-query x-host-header cs-protocol x-forwarded-for");
        let line = b"2026-10-10\t20:55:36\tFRA\t-\tGET\td.cloud.example\t/a%2520b\t403\tMozilla/5.0%2520(compatible;%20GPTBot/1.3)\t-\th.example\thttps\t192.0.2.1,%2010.0.0.7";
        let mut raw = front.read(line).unwrap();
        let agent = raw.take_user_agent().unwrap();
        assert_eq!(&*agent, b"Mozilla/5.0 (compatible; GPTBot/1.3)");
        let request = raw.read().unwrap();
        assert_eq!(&*request.target, b"/a%20b");
        assert_eq!(request.address, "192.0.2.1".parse().ok());
        assert_eq!(
            (request.host.as_deref(), request.scheme.as_deref()),
            (Some("h.example"), Some("https"))
        );
        assert!(front.read(b"2026-10-10\t20:55:36").is_none());
    }
}
