//! Line formats of the suites.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

/// A question from a parser's own tests, with the answers of that parser and of Google's library.
#[derive(Debug, Deserialize)]
pub(super) struct MatchCase {
    pub(super) id: String,
    robots: Option<String>,
    robots_b64: Option<String>,
    pub(super) agents: Vec<String>,
    google_agents: Option<Vec<String>>,
    url: Option<String>,
    url_b64: Option<String>,
    /// Expected answer of the parser's test, if any.
    pub(super) expected: Option<bool>,
    pub(super) google: bool,
    pub(super) google_line: u32,
}

impl MatchCase {
    pub(super) fn robots(&self) -> Result<Vec<u8>, String> {
        bytes(self.robots.as_deref(), self.robots_b64.as_deref())
    }

    pub(super) fn url(&self) -> Result<Vec<u8>, String> {
        bytes(self.url.as_deref(), self.url_b64.as_deref())
    }

    /// Names passed to Google's library.
    pub(super) fn google_agents(&self) -> &[String] {
        self.google_agents.as_ref().unwrap_or(&self.agents)
    }

    /// Number of the case in its suite, the end of its id.
    pub(super) fn number(&self) -> Result<u32, String> {
        self.id
            .rsplit_once('#')
            .and_then(|(_, number)| number.parse().ok())
            .ok_or_else(|| format!("the id `{}` does not end in a number", self.id))
    }
}

/// A body with questions answered by a model of one dialect, or by Google's library.
#[derive(Debug, Deserialize)]
pub(super) struct ModelCase {
    pub(super) id: u32,
    pub(super) dialect: String,
    robots: Option<String>,
    robots_base64: Option<String>,
    pub(super) queries: Vec<ModelQuery>,
}

impl ModelCase {
    pub(super) fn robots(&self) -> Result<Vec<u8>, String> {
        bytes(self.robots.as_deref(), self.robots_base64.as_deref())
    }
}

/// A question about the body.
#[derive(Debug, Deserialize)]
pub(super) struct ModelQuery {
    pub(super) agent: String,
    pub(super) url: String,
    pub(super) allowed: bool,
    /// Line reported by Google's library. Models report none.
    pub(super) line: Option<u32>,
}

/// A fact about Google's library other than a verdict.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum UnitCase {
    UrlToPath {
        input: String,
        expected: String,
    },
    PatternEscape {
        input: String,
        expected: String,
    },
    ValidUserAgent {
        input: String,
        expected: bool,
    },
    ParseStats {
        input_b64: String,
        valid_directives: usize,
        unknown_directives: usize,
        last_line_with_directive: u32,
    },
}

/// Returns the bytes of a text, from base64 if it is not UTF-8.
pub(super) fn bytes(text: Option<&str>, base64: Option<&str>) -> Result<Vec<u8>, String> {
    match (base64, text) {
        (Some(base64), _) => STANDARD
            .decode(base64)
            .map_err(|error| format!("invalid base64 `{base64}`: {error}")),
        (None, Some(text)) => Ok(text.as_bytes().to_vec()),
        (None, None) => Err("missing text: neither plain nor base64".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn base_64_goes_before_the_text() {
        assert_eq!(bytes(Some("x"), Some("77s=")).unwrap(), b"\xEF\xBB");
        assert_eq!(bytes(Some("x"), None).unwrap(), b"x");
        assert!(bytes(None, None).is_err());
        assert!(bytes(None, Some("?")).is_err());
    }
}
