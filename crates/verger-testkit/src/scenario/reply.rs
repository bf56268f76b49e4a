use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};

use crate::case::{Bytes, as_base64};

/// The default body: two rules that distinguish open, closed and rules.
const USUAL_BODY: &str = "User-agent: *\nDisallow: /private\n";

/// The result of a request.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "ReplyShape", untagged)]
pub enum ServerReply {
    /// A response.
    Http {
        /// The status.
        status: u16,
        /// The headers, in order.
        #[serde(serialize_with = "as_fields")]
        headers: Vec<(String, String)>,
        /// The body.
        #[serde(rename = "body_base64", serialize_with = "as_base64")]
        body: Vec<u8>,
    },
    /// A file over FTP.
    FtpFile {
        /// The file.
        #[serde(rename = "ftp_file_base64", serialize_with = "as_base64")]
        body: Vec<u8>,
    },
    /// An FTP reply instead of a file.
    Ftp {
        /// The reply code.
        #[serde(rename = "ftp")]
        code: u16,
    },
    /// No complete reply.
    Failure {
        /// The product's name of the failure, such as `timeout`.
        #[serde(rename = "failure")]
        name: String,
    },
}

impl ServerReply {
    /// Returns the header fields in order. A value of several lines is several fields.
    pub fn header_fields(&self) -> impl Iterator<Item = (&str, &str)> {
        let headers = match self {
            Self::Http { headers, .. } => headers.as_slice(),
            Self::FtpFile { .. } | Self::Ftp { .. } | Self::Failure { .. } => &[],
        };
        fields(headers)
    }

    /// Returns `true` if a request meets a condition on this reply and gets a 304 instead.
    /// `condition` returns a header of the request.
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

    /// Parses `"404"`, `"301 /elsewhere"`, `"ftp 550"`, `"ftp file"` or `"timeout"`. A 2xx except
    /// 204 has the default body as text/plain.
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
}

#[derive(Deserialize)]
#[serde(untagged)]
enum ReplyShape {
    Short(String),
    Table(ReplyTable),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReplyTable {
    status: u16,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default)]
    without_type: bool,
    body: Option<Bytes>,
}

impl TryFrom<ReplyShape> for ServerReply {
    type Error = String;

    fn try_from(shape: ReplyShape) -> Result<Self, String> {
        let table = match shape {
            ReplyShape::Short(text) => return Self::in_short(&text),
            ReplyShape::Table(table) => table,
        };
        let mut reply = Self::in_short(&table.status.to_string())?;
        let Self::Http { headers, body, .. } = &mut reply else {
            return Err(format!("`{}` is no status", table.status));
        };
        if let Some(Bytes(bytes)) = table.body {
            *body = bytes;
        }
        headers.retain(|(name, _)| !table.headers.contains_key(name) && !table.without_type);
        headers.extend(table.headers);
        Ok(reply)
    }
}

fn fields(headers: &[(String, String)]) -> impl Iterator<Item = (&str, &str)> {
    let headers = headers.iter();
    headers.flat_map(|(name, values)| values.split('\n').map(move |value| (&**name, value)))
}

fn as_fields<S: Serializer>(headers: &[(String, String)], out: S) -> Result<S::Ok, S::Error> {
    out.collect_seq(fields(headers))
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
}
