//! What a server says.

use super::shapes::ReplyShape;

/// The body of a reply in short: two rules that tell open, closed and rules apart.
const USUAL_BODY: &str = "User-agent: *\nDisallow: /private\n";

/// What comes of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerReply {
    /// A response.
    Http {
        /// The status.
        status: u16,
        /// The headers in order.
        headers: Vec<(String, String)>,
        /// The body.
        body: Vec<u8>,
    },
    /// A file over FTP.
    FtpFile {
        /// The file.
        body: Vec<u8>,
    },
    /// An FTP reply in place of a file.
    Ftp {
        /// The reply code.
        code: u16,
    },
    /// No whole reply; the name of the failure as the product spells it.
    Failure {
        /// Such as `timeout`.
        name: String,
    },
}

impl ServerReply {
    /// The header fields of a response in order. A value of several lines is several fields.
    pub fn header_fields(&self) -> impl Iterator<Item = (&str, &str)> {
        let headers = match self {
            Self::Http { headers, .. } => headers.as_slice(),
            Self::FtpFile { .. } | Self::Ftp { .. } | Self::Failure { .. } => &[],
        };
        let fields = headers.iter();
        fields.flat_map(|(name, values)| values.split('\n').map(move |value| (&**name, value)))
    }

    /// Whether a server with this reply finds the conditions of a request met, and sends 304 in its place;
    /// `condition` gives a header of the request.
    pub fn is_unchanged_for<'r>(&self, condition: impl Fn(&str) -> Option<&'r [u8]>) -> bool {
        let pairs = [
            ("if-none-match", "etag"),
            ("if-modified-since", "last-modified"),
        ];
        pairs.iter().any(|(asked, told)| {
            let told = self.header_fields().find(|(name, _)| name == told);
            told.is_some_and(|(_, value)| condition(asked) == Some(value.as_bytes()))
        })
    }

    /// Reads `"404"`, `"301 /elsewhere"`, `"ftp 550"`, `"ftp file"`, `"timeout"`. A 2xx but 204 has
    /// the usual body as text/plain.
    fn in_short(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no reply");
        if let Some(code) = text.strip_prefix("ftp ") {
            return Ok(match code {
                "file" => Self::FtpFile {
                    body: USUAL_BODY.into(),
                },
                _ => Self::Ftp {
                    code: code.parse().map_err(|_| wrong())?,
                },
            });
        }
        if !text.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(Self::Failure {
                name: text.to_owned(),
            });
        }
        let (status, location) = text.split_once(' ').unwrap_or((text, ""));
        let status = status.parse().map_err(|_| wrong())?;
        let mut headers = Vec::new();
        let mut body = Vec::new();
        if !location.is_empty() {
            headers.push(("location".to_owned(), location.to_owned()));
        }
        if matches!(status, 200..=299) && status != 204 {
            headers.push(("content-type".to_owned(), "text/plain".to_owned()));
            body = USUAL_BODY.into();
        }
        Ok(Self::Http {
            status,
            headers,
            body,
        })
    }

    pub(super) fn read(shape: ReplyShape) -> Result<Self, String> {
        let table = match shape {
            ReplyShape::Short(text) => return Self::in_short(&text),
            ReplyShape::Table(table) => table,
        };
        let Self::Http {
            status,
            headers: mut usual,
            body,
        } = Self::in_short(&table.status.to_string())?
        else {
            return Err(format!("`{}` is no status", table.status));
        };
        let body = match (table.body, table.body_hex, table.body_repeat) {
            (None, None, None) => body,
            (Some(text), None, None) => text.into_bytes(),
            (None, Some(text), None) => {
                from_hex(&text).ok_or_else(|| format!("`{text}` is no hex"))?
            }
            (None, None, Some(pieces)) => {
                let pieces = pieces.iter();
                pieces
                    .map(|it| it.text.repeat(it.times))
                    .collect::<String>()
                    .into_bytes()
            }
            _ => return Err("gives its body in two forms".to_owned()),
        };
        usual.retain(|(name, _)| !table.headers.contains_key(name) && !table.without_type);
        usual.extend(table.headers);
        Ok(Self::Http {
            status,
            headers: usual,
            body,
        })
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let octet = |pair: &[char]| {
        let text: String = pair.iter().collect();
        u8::from_str_radix(&text, 16)
            .ok()
            .filter(|_| pair.len() == 2)
    };
    digits.chunks(2).map(octet).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(text: &str) -> ServerReply {
        ServerReply::in_short(text).unwrap()
    }

    #[test]
    fn replies_in_short() {
        assert!(matches!(
            short("404"),
            ServerReply::Http { status: 404, .. }
        ));
        assert!(matches!(
            short("301 /x"),
            ServerReply::Http { status: 301, headers, .. } if headers == [("location".into(), "/x".into())]
        ));
        assert_eq!(short("ftp 550"), ServerReply::Ftp { code: 550 });
        assert!(matches!(short("ftp file"), ServerReply::FtpFile { .. }));
        assert!(matches!(short("timeout"), ServerReply::Failure { .. }));
        assert!(ServerReply::in_short("99999999").is_err());
    }

    #[test]
    fn hex_has_two_digits_an_octet() {
        assert_eq!(from_hex("00 fF"), Some(vec![0, 255]));
        assert_eq!(from_hex("0"), None);
    }
}
