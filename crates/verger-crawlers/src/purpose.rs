//! What a crawler fetches for.

use std::fmt;

use serde::{Serialize, Serializer};

/// What a crawler fetches pages for; a crawler may have several purposes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// Advertisements, the pages they lead to, where they are placed.
    Ads,
    /// The answers of a model, at the time of asking.
    AiInput,
    /// The training of models.
    AiTrain,
    /// Keeping copies.
    Archive,
    /// Products, prices, shops.
    Commerce,
    /// Data that is published or sold.
    Dataset,
    /// RSS, Atom, podcasts, calendars.
    Feed,
    /// Whether a site is up or valid, and who is mentioned on it.
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
    /// Links and audits, for those who run sites.
    Seo,
    /// One page, because one person asked for it.
    UserTriggered,
}

impl Purpose {
    /// Every purpose, in the order of their names.
    pub const ALL: [Self; 15] = [
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

    /// The purpose that the registry file writes as `name`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|purpose| purpose.as_str() == name)
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
