use ipnet::IpNet;
use serde_json::Value;
use verger_access::Timestamp;

use super::address_set::AddressSet;

const DOCUMENT_BYTES_MAX: usize = 16 << 20;

/// The newest supported major version.
const FORMAT_VERSION_MAX: u64 = 1;

/// The address ranges published at a URL, and when they were fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeDocument {
    /// The URL.
    pub url: String,
    /// When the document was fetched.
    pub read_at: Timestamp,
    networks: Vec<IpNet>,
}

/// A document has no usable ranges.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RangeDocumentError {
    /// The document is larger than 16 MiB.
    #[error("the document is larger than 16 MiB")]
    TooLong,
    /// The document is neither JSON with `prefixes` nor a list of networks, one per line.
    #[error("the document is neither JSON with `prefixes` nor a list of networks, one per line")]
    Shape,
    /// The document contains no network.
    #[error("the document contains no network")]
    Empty,
    /// An entry is not a network.
    #[error("`{0}` is not a network")]
    NotANetwork(String),
    /// The format has a newer major version than 1.
    #[error("the document has format version {0}, but only 1.x is supported")]
    NewerVersion(String),
}

impl RangeDocument {
    /// Parses a document that was fetched from `url`. It is JSON with `prefixes`, an array of
    /// objects with `ipv4Prefix` or `ipv6Prefix` (Google's format, described by
    /// draft-illyes-webbotauth-jafar), or text with a network or address on each line.
    ///
    /// # Errors
    ///
    /// Returns an error if the document has neither format, contains no network, or has a newer
    /// major version.
    pub fn fetched(url: &str, body: &[u8], at: Timestamp) -> Result<Self, RangeDocumentError> {
        if body.len() > DOCUMENT_BYTES_MAX {
            return Err(RangeDocumentError::TooLong);
        }
        let mut networks = match serde_json::from_slice::<Value>(body) {
            Ok(document) => of_json(&document)?,
            Err(_) => of_lines(body)?,
        };
        networks.sort_unstable();
        networks.dedup();
        if networks.is_empty() {
            return Err(RangeDocumentError::Empty);
        }
        Ok(Self {
            url: url.to_owned(),
            read_at: at,
            networks,
        })
    }

    /// Returns the addresses.
    #[must_use]
    pub fn addresses(&self) -> AddressSet {
        self.networks.iter().copied().collect()
    }

    /// Returns the number of networks.
    #[must_use]
    pub fn networks(&self) -> usize {
        self.networks.len()
    }
}

fn of_json(document: &Value) -> Result<Vec<IpNet>, RangeDocumentError> {
    if let Some(version) = document.get("formatVersion") {
        let text = match version {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let major = text
            .split('.')
            .next()
            .and_then(|major| major.parse::<u64>().ok());
        if major.is_none_or(|major| major > FORMAT_VERSION_MAX) {
            return Err(RangeDocumentError::NewerVersion(text));
        }
    }
    let prefixes = document.get("prefixes").and_then(Value::as_array);
    let prefixes = prefixes.ok_or(RangeDocumentError::Shape)?;
    let texts = prefixes.iter().flat_map(|prefix| {
        let keys = ["ipv4Prefix", "ipv6Prefix"];
        keys.into_iter().filter_map(|key| prefix.get(key)?.as_str())
    });
    texts.map(network).collect()
}

fn of_lines(body: &[u8]) -> Result<Vec<IpNet>, RangeDocumentError> {
    let text = str::from_utf8(body).map_err(|_| RangeDocumentError::Shape)?;
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or("").trim());
    let networks = lines.filter(|line| !line.is_empty()).map(network);
    networks
        .collect::<Result<_, _>>()
        .map_err(|_| RangeDocumentError::Shape)
}

/// Parses a network or a single address.
fn network(text: &str) -> Result<IpNet, RangeDocumentError> {
    let address = || Some(IpNet::from(text.parse::<std::net::IpAddr>().ok()?));
    let network = text.parse::<IpNet>().ok().or_else(address);
    let network = network.map(|network| network.trunc());
    network.ok_or_else(|| RangeDocumentError::NotANetwork(text.chars().take(80).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Timestamp = Timestamp::from_unix_seconds(1_800_000_000);

    fn fetched(body: &str) -> Result<RangeDocument, RangeDocumentError> {
        RangeDocument::fetched("https://bot.example/ranges.json", body.as_bytes(), AT)
    }

    #[test]
    fn both_shapes_are_read() {
        let json = r#"{"formatVersion":"1.9","prefixes":[{"ipv4Prefix":"192.0.2.0/24"},{"ipv6Prefix":"2001:db8::/32","service":"x"}]}"#;
        let document = fetched(json).unwrap();
        let lines = fetched("# ours\n2001:db8::/32\r\n192.0.2.9/24 # a host of it\n").unwrap();
        assert_eq!(document, lines);
        assert_eq!(document.networks(), 2);
        assert!(
            document
                .addresses()
                .contains("192.0.2.200".parse().unwrap())
        );
    }

    #[test]
    fn what_is_no_document_says_why() {
        for (body, expected) in [
            (
                "<html>",
                "the document is neither JSON with `prefixes` nor a list of networks, one per line",
            ),
            (
                "{}",
                "the document is neither JSON with `prefixes` nor a list of networks, one per line",
            ),
            ("{\"prefixes\":[]}", "the document contains no network"),
            ("", "the document contains no network"),
            (
                "{\"prefixes\":[{\"ipv4Prefix\":\"192.0.2.0/33\"}]}",
                "`192.0.2.0/33` is not a network",
            ),
            (
                "{\"formatVersion\":\"2.0\",\"prefixes\":[]}",
                "the document has format version 2.0, but only 1.x is supported",
            ),
        ] {
            assert_eq!(fetched(body).unwrap_err().to_string(), expected, "{body}");
        }
        let at_limit = "\n".repeat(DOCUMENT_BYTES_MAX);
        assert_eq!(fetched(&at_limit), Err(RangeDocumentError::Empty));
        let long = at_limit + "\n\n";
        assert_eq!(fetched(&long), Err(RangeDocumentError::TooLong));
    }
}
