use crate::known_crawler::KnownCrawler;
use crate::registry::Registry;
use thiserror::Error;
use verger::Shortened;

/// The reason why a name cannot be used to send requests.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotASender {
    /// The registry does not have the name. The list contains similar names.
    #[error("no known crawler is called `{}`: {}", Shortened(.0), advice(.1))]
    Unknown(String, Vec<&'static str>),
    /// The name only appears in robots.txt rules.
    #[error("`{0}` sends no requests: it is a name for rules in robots.txt only")]
    SendsNothing(&'static str),
}

/// Returns the known crawler with this name or product token, to send requests as.
///
/// # Errors
///
/// Returns an error if there is no such crawler or it sends no requests.
pub fn sending_crawler(name: &str) -> Result<&'static KnownCrawler, NotASender> {
    let registry = Registry::bundled();
    let name = name.trim();
    let unknown = || NotASender::Unknown(name.to_owned(), registry.suggest(name));
    let known = registry.by_name(name).ok_or_else(unknown)?;
    if known.is_control_only() {
        return Err(NotASender::SendsNothing(known.name()));
    }
    Ok(known)
}

/// Suggests other names.
fn advice(suggestions: &[&str]) -> String {
    match suggestions {
        [] => "`verger crawlers` lists them".to_owned(),
        names => format!("did you mean `{}`?", names.join("` or `")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_tokens_are_crawlers_that_send_requests() {
        let name = |name: &str| sending_crawler(name).map(KnownCrawler::name);
        assert_eq!(name("gptbot"), Ok("gptbot"));
        assert_eq!(name(" GPTBot"), Ok("gptbot"));
        let error = |name: &str| sending_crawler(name).unwrap_err().to_string();
        assert!(
            error("gptbott").ends_with("did you mean `gptbot`?"),
            "{}",
            error("gptbott")
        );
        assert!(error("google-extended").contains("sends no requests"));
        assert!(error("").starts_with("no known crawler"));
    }
}
