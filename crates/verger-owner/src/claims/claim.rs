//! `Claim`: one thing that is claimed about one crawler.

use std::fmt;

use verger::{Effect, PathPattern, Reading, TargetPath};
use verger_access::requested_target;
use verger_answer::ResolvedCrawler;

/// One thing that is claimed about one crawler.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Claim {
    /// The crawler that the claim is about.
    pub crawler: ResolvedCrawler,
    /// The claimed effect.
    pub effect: Effect,
    /// The targets that the claim is about.
    pub about: About,
    /// The URL or path-pattern as it is written.
    pub text: String,
    /// Why, in the owner's words.
    pub why: Option<String>,
    /// The line of the claim, counted from 1.
    pub line: usize,
}

/// The targets that a claim is about.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum About {
    /// One URL.
    Target(TargetPath<'static>),
    /// All that a path-pattern matches.
    Under(PathPattern),
}

impl About {
    /// One URL, as it is sent.
    pub(super) fn url(text: &str, reading: Reading) -> Result<Self, String> {
        let target = requested_target(text.as_bytes(), reading);
        let target = target.map_err(|error| error.to_string())?;
        Ok(Self::Target(target.into_owned()))
    }

    /// All that a pattern matches.
    pub(super) fn under(text: &str, reading: Reading) -> Result<Self, String> {
        let form = PathPattern::new(text, reading);
        form.map(Self::Under)
            .map_err(|error| format!("`{text}`: {error}"))
    }
}

impl Claim {
    /// The claim without its crawler: `everything under /blog/ is allowed`.
    #[must_use]
    pub fn statement(&self) -> String {
        let everything = match self.about {
            About::Target(_) => "",
            About::Under(_) => "everything under ",
        };
        let effect = match self.effect {
            Effect::Allow => "allowed",
            Effect::Disallow => "disallowed",
        };
        format!("{everything}{} is {effect}", self.text)
    }
}

impl fmt::Display for Claim {
    /// `gptbot: /blog/ is disallowed`, `googlebot: everything under /blog/ is allowed`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.crawler.name(), self.statement())
    }
}
