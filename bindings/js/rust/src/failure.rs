//! Errors.

use std::fmt::Display;

use serde::Serialize;
use verger::ProductTokenError;
use verger_access::RequestedUrlError;
#[cfg(feature = "owner")]
use verger_answer::CrawlerQueryError;

/// An error. The package maps its kind to a class.
#[derive(Debug, Serialize)]
pub(crate) struct Failure {
    kind: &'static str,
    message: String,
    /// The product token that was probably meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    likely: Option<String>,
}

impl Failure {
    pub(crate) fn new(kind: &'static str, message: impl Display) -> Self {
        Self {
            kind,
            message: message.to_string(),
            likely: None,
        }
    }

    pub(crate) fn argument(message: impl Display) -> Self {
        Self::new("argument", message)
    }

    #[cfg(feature = "owner")]
    pub(crate) fn internal(message: impl Display) -> Self {
        Self::new("internal", message)
    }

    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl From<ProductTokenError> for Failure {
    fn from(error: ProductTokenError) -> Self {
        Self {
            likely: error.likely().map(ToOwned::to_owned),
            ..Self::new("product-token", error)
        }
    }
}

impl From<RequestedUrlError> for Failure {
    fn from(error: RequestedUrlError) -> Self {
        Self::new("target", error)
    }
}

#[cfg(feature = "owner")]
impl From<CrawlerQueryError> for Failure {
    fn from(error: CrawlerQueryError) -> Self {
        match error {
            CrawlerQueryError::NotAToken(error) => error.into(),
            CrawlerQueryError::NoTokens
            | CrawlerQueryError::NoUnion(_)
            | CrawlerQueryError::Several { .. } => Self::argument(error),
            error => Self::new("unknown-crawler", error),
        }
    }
}
