use std::ops::Range;

/// Maximum number of bytes kept of a line. A longer URL is not read.
const LINE_BYTES_MAX: usize = 16 * 1024;

/// Maximum number of bytes kept of a head.
const HEAD_BYTES_MAX: usize = 256 * 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Type,
    TargetUri,
    Date,
    ContentLength,
    ContentType,
    Truncated,
    PayloadDigest,
    RefersToTargetUri,
    RefersToDate,
    SegmentNumber,
}

const FIELDS: [(&[u8], Field); 10] = [
    (b"WARC-Type", Field::Type),
    (b"WARC-Target-URI", Field::TargetUri),
    (b"WARC-Date", Field::Date),
    (b"Content-Length", Field::ContentLength),
    (b"Content-Type", Field::ContentType),
    (b"WARC-Truncated", Field::Truncated),
    (b"WARC-Payload-Digest", Field::PayloadDigest),
    (b"WARC-Refers-To-Target-URI", Field::RefersToTargetUri),
    (b"WARC-Refers-To-Date", Field::RefersToDate),
    (b"WARC-Segment-Number", Field::SegmentNumber),
];

#[derive(Debug, Default)]
pub(crate) struct WarcHead {
    bytes: Vec<u8>,
    line_start: usize,
    is_line_cut: bool,
    /// The first value of each field.
    values: [Value; FIELDS.len()],
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Value {
    #[default]
    Absent,
    TooLong,
    At(Range<usize>),
}

impl WarcHead {
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.line_start = 0;
        self.is_line_cut = false;
        self.values = Default::default();
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let line_bytes = self.bytes.len() - self.line_start;
        let room = (LINE_BYTES_MAX - line_bytes).min(HEAD_BYTES_MAX - self.bytes.len());
        let kept = bytes.len().min(room);
        self.bytes.extend_from_slice(&bytes[..kept]);
        self.is_line_cut |= kept < bytes.len();
    }

    /// Returns the current line without its line end.
    pub(crate) fn line(&self) -> &[u8] {
        let line = &self.bytes[self.line_start..];
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        line.strip_suffix(b"\r").unwrap_or(line)
    }

    pub(crate) fn is_line_cut(&self) -> bool {
        self.is_line_cut
    }

    pub(crate) fn end_line(&mut self) {
        let line = self.line();
        if let Some(colon) = memchr::memchr(b':', line) {
            let name = line[..colon].trim_ascii_end();
            let field = FIELDS.iter().find(|(of, _)| name.eq_ignore_ascii_case(of));
            if let Some(&(_, field)) = field {
                let value = &line[colon + 1..];
                let blanks = value.len() - value.trim_ascii_start().len();
                let start = self.line_start + colon + 1 + blanks;
                let end = start + value.trim_ascii().len();
                let is_cut = self.is_line_cut;
                let kept = &mut self.values[field as usize];
                if *kept == Value::Absent {
                    *kept = if is_cut {
                        Value::TooLong
                    } else {
                        Value::At(start..end)
                    };
                }
            }
        }
        self.line_start = self.bytes.len();
        self.is_line_cut = false;
    }

    /// Returns the first value of a field, or `None` if it is missing or too long.
    pub(crate) fn value(&self, field: Field) -> Option<&[u8]> {
        match &self.values[field as usize] {
            Value::At(range) => self.bytes.get(range.clone()),
            Value::Absent | Value::TooLong => None,
        }
    }

    /// Returns whether a field exists but is too long to keep.
    pub(crate) fn is_too_long(&self, field: Field) -> bool {
        self.values[field as usize] == Value::TooLong
    }

    /// Returns the length of the block in bytes, or `None` if it cannot be read.
    pub(crate) fn content_length(&self) -> Option<u64> {
        let digits = self.value(Field::ContentLength)?;
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        std::str::from_utf8(digits).ok()?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(lines: &[&str]) -> WarcHead {
        let mut head = WarcHead::default();
        for line in lines {
            head.push(line.as_bytes());
            head.push(b"\r\n");
            head.end_line();
        }
        head
    }

    #[test]
    fn the_first_value_of_a_field_counts() {
        let head = head(&["WARC/1.0", "warc-type :  response ", "WARC-Type: b", "a"]);
        assert_eq!(head.value(Field::Type), Some(&b"response"[..]));
        assert_eq!(head.value(Field::Date), None);
        assert!(!head.is_too_long(Field::Type));
    }

    #[test]
    fn a_line_that_is_too_long_has_no_value_and_the_next_one_has() {
        let url = format!(
            "WARC-Target-URI: http://h.example/{}",
            "a".repeat(10_000_000)
        );
        let head = head(&["WARC/1.0", &url, "Content-Length: 12"]);
        assert!(head.is_too_long(Field::TargetUri));
        assert_eq!(head.value(Field::TargetUri), None);
        assert_eq!(head.content_length(), Some(12));
        assert!(head.bytes.len() < 20_000);
    }

    #[test]
    fn a_length_is_digits() {
        let length = |value: &str| head(&[&format!("Content-Length: {value}")]).content_length();
        assert_eq!(length("0"), Some(0));
        assert_eq!(length("18446744073709551615"), Some(u64::MAX));
        for value in ["", "-1", "+1", "1 2", "1,1", "18446744073709551616", "0x1"] {
            assert_eq!(length(value), None, "{value}");
        }
    }
}
