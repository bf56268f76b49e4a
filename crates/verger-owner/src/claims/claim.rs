use std::fmt;

use verger::{Effect, PathPattern, Reading, TargetPath};
use verger_access::requested_target;
use verger_answer::ResolvedCrawler;

/// One claim about one crawler.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Claim {
    /// The crawler.
    pub crawler: ResolvedCrawler,
    /// The claimed effect.
    pub effect: Effect,
    /// The targets.
    pub about: About,
    /// The URL or path-pattern as written.
    pub text: String,
    /// The owner's reason.
    pub why: Option<String>,
    /// Line of the claim, counted from 1.
    pub line: usize,
}

/// The targets of a claim.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum About {
    /// One URL.
    Target(TargetPath<'static>),
    /// Everything that a path-pattern matches.
    Under(PathPattern),
}

impl About {
    pub(super) fn url(text: &str, reading: Reading) -> Result<Self, String> {
        let target = requested_target(text.as_bytes(), reading);
        let target = target.map_err(|error| error.to_string())?;
        Ok(Self::Target(target.into_owned()))
    }

    pub(super) fn under(text: &str, reading: Reading) -> Result<Self, String> {
        let form = PathPattern::new(text, reading);
        form.map(Self::Under)
            .map_err(|error| format!("`{text}`: {error}"))
    }
}

impl Claim {
    /// Describes the claim without its crawler: `everything under /blog/ is allowed`.
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
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.crawler.name(), self.statement())
    }
}
