//! What a crawler fetches for.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::unknown_name::UnknownName;

/// A purpose for which a crawler fetches pages; a crawler may have several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Purpose {
    /// Advertisements: the pages that they link to, and the pages that show them.
    Ads,
    /// Input for the answers of a model, fetched when a question is put to it.
    AiInput,
    /// The training of models.
    AiTrain,
    /// Copies that are kept.
    Archive,
    /// Products, prices, shops.
    Commerce,
    /// Data that is published or sold.
    Dataset,
    /// RSS, Atom, podcasts, calendars.
    Feed,
    /// Whether a site is up or valid, and which names it mentions.
    Monitoring,
    /// None of the others.
    Other,
    /// A card, a picture or a screenshot for a link.
    Preview,
    /// Science, surveys, plagiarism, the operator's own studies.
    Research,
    /// An index that people search.
    Search,
    /// Malware, abuse, risk.
    Security,
    /// Links and audits, for site owners.
    Seo,
    /// One page, because a person asked for it.
    UserTriggered,
}

impl Purpose {
    /// Every purpose, in the order of their names.
    pub const ALL: &'static [Self] = &[
        Self::Ads,
        Self::AiInput,
        Self::AiTrain,
        Self::Archive,
        Self::Commerce,
        Self::Dataset,
        Self::Feed,
        Self::Monitoring,
        Self::Other,
        Self::Preview,
        Self::Research,
        Self::Search,
        Self::Security,
        Self::Seo,
        Self::UserTriggered,
    ];

    /// The purpose as the registry file writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ads => "ads",
            Self::AiInput => "ai-input",
            Self::AiTrain => "ai-train",
            Self::Archive => "archive",
            Self::Commerce => "commerce",
            Self::Dataset => "dataset",
            Self::Feed => "feed",
            Self::Monitoring => "monitoring",
            Self::Other => "other",
            Self::Preview => "preview",
            Self::Research => "research",
            Self::Search => "search",
            Self::Security => "security",
            Self::Seo => "seo",
            Self::UserTriggered => "user-triggered",
        }
    }
}

impl FromStr for Purpose {
    type Err = UnknownName;

    /// Reads a purpose as the registry file writes it.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        UnknownName::find(name, Self::ALL, Self::as_str)
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Purpose {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
