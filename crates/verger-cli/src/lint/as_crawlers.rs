//! `--as`: the crawlers in whose names requests are sent.

use thiserror::Error;
use verger_crawlers::{KnownCrawler, Registry};

use crate::octet_text::start_of;

/// Why no request is sent in a name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum NotAsCrawler {
    /// The registry does not have it, but perhaps others like it.
    #[error("no known crawler is called `{}`; {}", start_of(.0), advice(.1))]
    Unknown(String, Vec<&'static str>),
    /// It is a name for rules only.
    #[error("`{0}` sends no requests: it is a name for rules in robots.txt only")]
    SendsNothing(&'static str),
}

impl NotAsCrawler {
    /// The crawler of that name or product token.
    ///
    /// # Errors
    ///
    /// Where the registry has none, or one that sends no requests.
    pub(super) fn check(name: &str) -> Result<&'static KnownCrawler, Self> {
        let registry = Registry::bundled();
        let name = name.trim();
        let unknown = || Self::Unknown(name.to_owned(), registry.suggest(name));
        let known = registry.by_name(name).ok_or_else(unknown)?;
        if known.is_control_only() {
            return Err(Self::SendsNothing(known.name()));
        }
        Ok(known)
    }
}

/// What to ask for in the place of an unknown name.
fn advice(suggestions: &[&str]) -> String {
    match suggestions {
        [] => "`verger crawlers` lists them".to_owned(),
        names => format!("perhaps {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_tokens_are_crawlers_that_send_requests() {
        let name = |name: &str| NotAsCrawler::check(name).map(KnownCrawler::name);
        assert_eq!(name("gptbot"), Ok("gptbot"));
        assert_eq!(name(" GPTBot"), Ok("gptbot"));
        let error = |name: &str| NotAsCrawler::check(name).unwrap_err().to_string();
        assert!(
            error("gptbott").ends_with("perhaps gptbot"),
            "{}",
            error("gptbott")
        );
        assert!(error("google-extended").contains("sends no requests"));
        assert!(error("").starts_with("no known crawler"));
    }
}
