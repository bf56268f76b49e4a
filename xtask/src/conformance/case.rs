//! The shapes of the lines in the suites.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

/// A question that a parser's own tests ask, with that parser's answer and Google's.
#[derive(Debug, Deserialize)]
pub(super) struct MatchCase {
    pub(super) id: String,
    robots: Option<String>,
    robots_b64: Option<String>,
    pub(super) agents: Vec<String>,
    google_agents: Option<Vec<String>>,
    url: Option<String>,
    url_b64: Option<String>,
    /// What the parser's own test expects; absent where it gives no answer.
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

    /// The names under which Google's library was asked.
    pub(super) fn google_agents(&self) -> &[String] {
        self.google_agents.as_ref().unwrap_or(&self.agents)
    }

    /// The number of the case in its suite, which its id ends in.
    pub(super) fn number(&self) -> Result<u32, String> {
        self.id
            .rsplit_once('#')
            .and_then(|(_, number)| number.parse().ok())
            .ok_or_else(|| format!("the id `{}` ends in no number", self.id))
    }
}

/// A body with questions that a model of one dialect, or Google's library, answered.
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

/// One of those questions.
#[derive(Debug, Deserialize)]
pub(super) struct ModelQuery {
    pub(super) agent: String,
    pub(super) url: String,
    pub(super) allowed: bool,
    /// The line that Google's library reports; a model reports none.
    pub(super) line: Option<u32>,
}

/// A fact about Google's library that is no verdict.
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

/// The bytes of a text as it is, or in base 64 where it is not UTF-8.
pub(super) fn bytes(text: Option<&str>, base64: Option<&str>) -> Result<Vec<u8>, String> {
    match (base64, text) {
        (Some(base64), _) => STANDARD
            .decode(base64)
            .map_err(|error| format!("`{base64}` is not base 64: {error}")),
        (None, Some(text)) => Ok(text.as_bytes().to_vec()),
        (None, None) => Err("neither the text nor its base 64 is there".to_owned()),
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
