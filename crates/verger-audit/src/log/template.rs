use memchr::memmem;

use super::client_address;
use super::raw_request::{Escaping, Field, RawRequest};

/// A format with the same fields and separators in each line, such as nginx's `log_format` and
/// Apache's `LogFormat`.
///
/// A field ends at the first occurrence of its separator. If the separator starts with a quotation
/// mark, escaped marks in the field are skipped. The rest of a line is ignored, because servers may
/// append fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template {
    pub(super) start: Vec<u8>,
    pub(super) parts: Vec<Part>,
    pub(super) escaping: Escaping,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// `None` if the field is ignored.
    pub(super) field: Option<Field>,
    /// The separator. Empty at the end of the line, and between a host and a target, which starts
    /// with `/`.
    pub(super) after: Vec<u8>,
}

impl Template {
    /// Returns `None` if the line has another shape.
    pub(super) fn read<'l>(&self, line: &'l [u8]) -> Option<RawRequest<'l>> {
        let mut request = RawRequest::new(self.escaping);
        let mut rest = line.strip_prefix(&*self.start)?;
        for part in &self.parts {
            let length = match part.field {
                Some(Field::Address | Field::Forwarded) => list_length(rest, &part.after)?,
                Some(Field::Host) if part.after.is_empty() => {
                    memchr::memchr(b'/', rest).unwrap_or(rest.len())
                }
                _ => field_length(rest, &part.after)?,
            };
            if let Some(field) = part.field {
                request.set(field, &rest[..length]);
            }
            rest = &rest[length + part.after.len()..];
        }
        Some(request)
    }

    pub(super) fn has(&self, field: Field) -> bool {
        self.parts.iter().any(|part| part.field == Some(field))
    }
}

/// Measures the field at the start of `rest`.
fn field_length(rest: &[u8], after: &[u8]) -> Option<usize> {
    match after {
        [] => Some(rest.len()),
        [byte] if *byte != b'"' => memchr::memchr(*byte, rest),
        [b'"', ..] => {
            let mut marks = memchr::memchr_iter(b'"', rest);
            marks.find(|&at| rest[at..].starts_with(after) && !is_escaped(rest, at))
        }
        _ => memmem::find(rest, after),
    }
}

/// Measures an address field. If a space ends the field, it continues after a comma followed by
/// another address, as in `192.0.2.1, 10.0.0.1`. A trailing comma from a client does not change how
/// the line is split.
fn list_length(rest: &[u8], after: &[u8]) -> Option<usize> {
    let mut length = field_length(rest, after)?;
    while after.starts_with(b" ") && rest[..length].ends_with(b",") {
        let others = &rest[length + after.len()..];
        let next = field_length(others, after)?;
        let entry = others[..next].strip_suffix(b",");
        if client_address::read(entry.unwrap_or(&others[..next])).is_none() {
            break;
        }
        length += after.len() + next;
    }
    Some(length)
}

/// Counts backslashes before a byte. This stays linear even for a field of backslashes, because the
/// count stops at each quotation mark.
fn is_escaped(bytes: &[u8], at: usize) -> bool {
    let before = bytes[..at].iter().rev();
    before.take_while(|&&byte| byte == b'\\').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(parts: &[(Option<Field>, &str)]) -> Template {
        Template {
            start: Vec::new(),
            parts: parts
                .iter()
                .map(|&(field, after)| Part {
                    field,
                    after: after.into(),
                })
                .collect(),
            escaping: Escaping::Backslash,
        }
    }

    #[test]
    fn a_field_in_quotation_marks_may_have_escaped_ones() {
        let agent = |end: &str, line: &'static str| {
            let parts = [
                (Some(Field::Address), " \""),
                (Some(Field::UserAgent), end),
                (None, ""),
            ];
            let mut request = template(&parts).read(line.as_bytes())?;
            let agent = request.take_user_agent()?;
            Some(String::from_utf8_lossy(&agent).into_owned())
        };
        let last = agent("\"", r#"1.1.1.1 "a \" b""#);
        assert_eq!(last.as_deref(), Some(r#"a " b"#));
        let read = |line| agent("\" ", line);
        assert_eq!(
            read(r#"1.1.1.1 "a \" b\\" x"#).as_deref(),
            Some(r#"a " b\"#)
        );
        assert_eq!(read(r#"1.1.1.1 "a"b" x"#).as_deref(), Some(r#"a"b"#));
        assert_eq!(read(r#"1.1.1.1 "a\" x"#), None);
        assert_eq!(read(r#"1.1.1.1 "a"#), None);
    }
}
