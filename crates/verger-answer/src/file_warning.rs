use std::fmt;

use serde::{Serialize, Serializer};
use verger::dialect::BodyLimit;
use verger::limits::BODY_BYTES_MAX;
use verger::{Clause, DiagnosticKind, InvalidLines, LineNumber, NotUtf8, RobotsTxt, Span};

use crate::text::grouped;

/// A warning about a whole file, at most one of each kind. `Display` writes a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileWarning {
    what: What,
    line: Option<LineNumber>,
    span: Option<Span>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    NotUtf8(NotUtf8),
    Compressed,
    LooksBinary,
    LooksLikeHtml,
    /// Length of the file, if known.
    BodyCut(Option<usize>),
    BeyondCrawlers(usize),
    InvalidLines(InvalidLines),
}

impl FileWarning {
    /// Returns the warnings of a parsed file, without reading its lines again.
    #[must_use]
    pub fn all_of(robots: &RobotsTxt) -> Vec<Self> {
        let mut warnings: Vec<_> = robots
            .body_diagnostics()
            .filter_map(|diagnostic| Self::of_body(robots, diagnostic.kind, diagnostic.span))
            .collect();
        let bytes = robots.body().len();
        if robots.reading().body_limit() == BodyLimit::None && bytes > BODY_BYTES_MAX {
            warnings.push(Self::of(What::BeyondCrawlers(bytes)));
        }
        let invalid = robots.invalid_lines();
        if !invalid.is_empty() {
            warnings.push(Self {
                line: invalid.first(),
                ..Self::of(What::InvalidLines(invalid))
            });
        }
        warnings
    }

    /// Returns the warning for a file of which only the start was fetched.
    #[must_use]
    pub const fn cut_by_the_client() -> Self {
        Self::of(What::BodyCut(None))
    }

    const fn of(what: What) -> Self {
        Self {
            what,
            line: None,
            span: None,
        }
    }

    fn of_body(robots: &RobotsTxt, kind: DiagnosticKind<'_>, span: Span) -> Option<Self> {
        let what = match kind {
            DiagnosticKind::NotUtf8(how) => What::NotUtf8(how),
            DiagnosticKind::Compressed => What::Compressed,
            DiagnosticKind::LooksBinary => What::LooksBinary,
            DiagnosticKind::LooksLikeHtml => What::LooksLikeHtml,
            DiagnosticKind::BodyCut => What::BodyCut(Some(robots.body().len())),
            _ => return None,
        };
        let line = match what {
            What::NotUtf8(NotUtf8::Bytes { .. }) => Some(robots.position(span.start).line),
            _ => None,
        };
        let has_place = matches!(
            what,
            What::NotUtf8(NotUtf8::Bytes { .. }) | What::BodyCut(_)
        );
        Some(Self {
            what,
            line,
            span: has_place.then_some(span),
        })
    }

    /// Returns the code, such as `not-utf8`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self.what {
            What::NotUtf8(_) => "not-utf8",
            What::Compressed => "compressed",
            What::LooksBinary => "looks-binary",
            What::LooksLikeHtml => "looks-like-html",
            What::BodyCut(_) => "body-cut",
            What::BeyondCrawlers(_) => "beyond-crawlers",
            What::InvalidLines(_) => "invalid-lines",
        }
    }

    /// Returns the clause behind it.
    #[must_use]
    pub const fn clause(&self) -> Clause {
        Clause::new(match self.what {
            What::NotUtf8(_) => "R9309-2.3-2",
            What::Compressed | What::LooksBinary | What::LooksLikeHtml | What::InvalidLines(_) => {
                "R9309-2.3.1.5-1"
            }
            What::BodyCut(_) => "R9309-2.5-1",
            What::BeyondCrawlers(_) => "G-fmt-5",
        })
    }

    /// Returns the first affected line.
    #[must_use]
    pub fn line(&self) -> Option<LineNumber> {
        self.line
    }

    /// Returns the affected bytes: from the first invalid or unread byte to the end.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.span
    }

    /// Returns the number of affected lines, if counted.
    #[must_use]
    pub fn count(&self) -> Option<u32> {
        match self.what {
            What::InvalidLines(invalid) => Some(invalid.len()),
            _ => None,
        }
    }
}

impl fmt::Display for FileWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = grouped(BODY_BYTES_MAX);
        match self.what {
            What::NotUtf8(NotUtf8::Bytes { .. }) => {
                f.write_str("some bytes are not UTF-8 and are compared one by one")?;
                match self.line {
                    Some(line) => write!(f, " (the first is on line {line})"),
                    None => Ok(()),
                }
            }
            // UTF-16 of either byte order. The enum may grow.
            What::NotUtf8(_) => {
                f.write_str("the file is UTF-16, so no line can be read: use UTF-8")
            }
            What::Compressed => f.write_str("the file is compressed data, not text"),
            What::LooksBinary => DiagnosticKind::LooksBinary.fmt(f),
            What::LooksLikeHtml => f.write_str(
                "the file looks like an HTML page, but lines that look like rules apply",
            ),
            What::BodyCut(Some(bytes)) => write!(
                f,
                "the file has {} bytes, but only the first {limit} are used",
                grouped(bytes)
            ),
            What::BodyCut(None) => write!(
                f,
                "the file has more than {limit} bytes, and the rest was not fetched"
            ),
            What::BeyondCrawlers(bytes) => write!(
                f,
                "the file has {} bytes, and all are used, as in Google's library, but Google's crawlers \
                 use only the first {limit}",
                grouped(bytes)
            ),
            What::InvalidLines(invalid) => match (invalid.len(), invalid.first()) {
                (1, Some(line)) => write!(f, "line {line} is invalid and ignored"),
                (count, Some(first)) => write!(
                    f,
                    "{} lines are invalid and ignored (the first is line {first})",
                    grouped(count as usize)
                ),
                (_, None) => Ok(()),
            },
        }
    }
}

impl Serialize for FileWarning {
    /// Serializes an item of the key `warnings` of `docs/json.md`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Keys {
            kind: &'static str,
            message: String,
            clause: &'static str,
            line: Option<u32>,
            start: Option<u32>,
            end: Option<u32>,
            count: Option<u32>,
        }
        Keys {
            kind: self.kind(),
            message: self.to_string(),
            clause: self.clause().id(),
            line: self.line.map(LineNumber::get),
            start: self.span.map(|span| span.start),
            end: self.span.map(|span| span.end),
            count: self.count(),
        }
        .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use verger::dialect::EncodingMismatch;
    use verger::{Dialect, Reading};

    fn warnings(body: &[u8], reading: impl Into<Reading>) -> Vec<FileWarning> {
        FileWarning::all_of(&RobotsTxt::parse(body, reading))
    }

    fn said(body: &[u8]) -> Vec<(&'static str, String)> {
        let warnings = warnings(body, Dialect::Rfc9309);
        warnings
            .iter()
            .map(|it| (it.kind(), it.to_string()))
            .collect()
    }

    #[test]
    fn a_good_file_has_no_warnings() {
        for &dialect in Dialect::ALL {
            let body = "\u{feff}# \u{e9}\nUser-agent: *\nDisallow: /caf\u{e9}\n\nCrawl-delay: 1\n";
            assert_eq!(warnings(body.as_bytes(), dialect), []);
            assert_eq!(warnings(b"", dialect), []);
        }
    }

    #[test]
    fn each_kind_is_said_once() {
        let latin1 =
            "some bytes are not UTF-8 and are compared one by one (the first is on line 2)";
        let lines = b"User-agent: *\nAllow: /\xe9\nAllow: /\xe9\n";
        assert_eq!(said(lines), [("not-utf8", latin1.to_owned())]);
        let invalid = "2 lines are invalid and ignored (the first is line 2)";
        let lines = b"User-agent: *\nnonsense\nAllow: /\nmore\n";
        assert_eq!(said(lines), [("invalid-lines", invalid.to_owned())]);
        let one = "line 1 is invalid and ignored".to_owned();
        assert_eq!(said(b"nonsense"), [("invalid-lines", one)]);
        let kinds = |body: &[u8]| {
            said(body)
                .into_iter()
                .map(|(kind, _)| kind)
                .collect::<Vec<_>>()
        };
        assert_eq!(kinds(b"<html>\n"), ["looks-like-html", "invalid-lines"]);
        let gzip = b"\x1F\x8B\x08\0\0";
        assert_eq!(kinds(gzip), ["compressed", "not-utf8", "invalid-lines"]);
        assert_eq!(kinds(b"\x7fELF\x02\0\0"), ["looks-binary", "invalid-lines"]);
    }

    #[test]
    fn a_file_in_utf16_has_a_warning_unless_it_is_bridged() {
        let units = "\u{feff}User-agent: *\nDisallow: /\n".encode_utf16();
        let body: Vec<u8> = units.flat_map(u16::to_be_bytes).collect();
        let said = warnings(&body, Dialect::Rfc9309);
        assert_eq!(said[0].kind(), "not-utf8");
        assert!(said[0].to_string().contains("UTF-16"));
        assert_eq!((said[0].line(), said[0].span()), (None, None));
        let bridging =
            Reading::new(Dialect::Rfc9309).with_encoding_mismatch(EncodingMismatch::Bridge);
        assert_eq!(warnings(&body, bridging), []);
    }

    /// G-fmt-5: Google's crawlers use the first 512,000 bytes, though Google's library uses all.
    #[test]
    fn a_long_file_is_cut_or_read_beyond_what_crawlers_read() {
        let line = "# forty bytes with the line end at last\n";
        let whole = line.repeat(12_800).into_bytes();
        let long = [&whole[..], b"#\n"].concat();
        for &dialect in Dialect::ALL {
            assert_eq!(warnings(&whole, dialect), []);
            let said = warnings(&long, dialect);
            assert_eq!(said.len(), 1);
            if dialect == Dialect::Google {
                assert_eq!(said[0].kind(), "beyond-crawlers");
                let text = "the file has 512,002 bytes, and all are used, as in Google's library, \
                            but Google's crawlers use only the first 512,000";
                assert_eq!(said[0].to_string(), text);
                continue;
            }
            assert_eq!(said[0].kind(), "body-cut");
            let text = "the file has 512,002 bytes, but only the first 512,000 are used";
            assert_eq!(said[0].to_string(), text);
            let span = said[0].span().unwrap();
            assert_eq!((span.start, span.end), (512_000, 512_002));
        }
    }

    #[test]
    fn a_warning_has_its_keys_in_the_documented_order() {
        let warnings = warnings(b"\xe9\n\n", Dialect::Rfc9309);
        let expected = concat!(
            r#"[{"kind":"not-utf8","message":"some bytes are not UTF-8 and are compared one by one "#,
            r#"(the first is on line 1)","clause":"R9309-2.3-2","line":1,"start":0,"end":3,"count":null},"#,
            r#"{"kind":"invalid-lines","message":"line 1 is invalid and ignored","#,
            r#""clause":"R9309-2.3.1.5-1","line":1,"start":null,"end":null,"count":1}]"#,
        );
        assert_eq!(serde_json::to_string(&warnings).unwrap(), expected);
    }
}
