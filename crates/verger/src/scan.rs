//! One question about one body: `verger::allowed(body, token, url)`.

use alloc::vec::Vec;
use core::fmt;

use crate::crawler::Crawler;
use crate::dialect::Reading;
use crate::product_token::ProductTokenError;
use crate::robots_txt::RobotsTxt;
use crate::target_path::{TargetPath, TargetPathError};

/// Whether the crawler of that product token may fetch `url`, by RFC 9309.
///
/// For the reason, for other dialects, or to ask more than once about a body, use
/// [`RobotsTxt::parse`] and [`RobotsTxt::policy`].
///
/// ```
/// let body = "User-agent: *\nDisallow: /private";
/// assert!(verger::allowed(body, "ExampleBot", "https://example.com/")?);
/// assert!(!verger::allowed(body, "ExampleBot", "https://example.com/private/x")?);
/// # Ok::<(), verger::QuestionError>(())
/// ```
///
/// # Errors
///
/// Where `token` is not a product token ([`crate::ProductToken::new`]; `*` asks for a crawler
/// that no group names), or `url` is neither absolute nor a path ([`TargetPath::new`]).
pub fn allowed(
    body: impl Into<Vec<u8>>,
    token: &str,
    url: &(impl AsRef<[u8]> + ?Sized),
) -> Result<bool, QuestionError> {
    let reading = Reading::default();
    let crawler = Crawler::named(token, reading).map_err(QuestionError::ProductToken)?;
    let target = TargetPath::new(url, reading).map_err(QuestionError::TargetPath)?;
    let policy = RobotsTxt::parse(body, reading).policy(&crawler);
    Ok(policy.decide(&target).is_allowed())
}

/// The question cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuestionError {
    /// Who asks is not a product token.
    ProductToken(ProductTokenError),
    /// What is asked about has no target.
    TargetPath(TargetPathError),
}

impl fmt::Display for QuestionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ProductToken(error) => error.fmt(f),
            Self::TargetPath(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for QuestionError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::ProductToken(error) => Some(error),
            Self::TargetPath(error) => Some(error),
        }
    }
}
