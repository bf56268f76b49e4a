//! The purposes for which crawlers fetch.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::near_miss::{nearest, nearness};
use crate::unknown_name::UnknownName;

/// A purpose for which a crawler fetches pages. A crawler may have several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Purpose {
    /// Advertising: pages that ads link to, and pages that show ads.
    Ads,
    /// Input for the answers of a model, fetched when a user asks a question.
    AiInput,
    /// Training of models.
    AiTrain,
    /// Keeping copies.
    Archive,
    /// Products, prices and shops.
    Commerce,
    /// Data that is published or sold.
    Dataset,
    /// RSS, Atom, podcasts and calendars.
    Feed,
    /// Checks whether a site is up or valid, or which names it mentions.
    Monitoring,
    /// None of the other purposes.
    Other,
    /// A card, picture or screenshot for a link.
    Preview,
    /// Science, surveys, plagiarism, and the operator's own studies.
    Research,
    /// An index that people search.
    Search,
    /// Malware, abuse and risk.
    Security,
    /// Link analysis and audits for site owners.
    Seo,
    /// One page, because a person requested it.
    UserTriggered,
}

impl Purpose {
    /// All purposes, in alphabetical order of their names.
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

    /// Returns the purpose as the registry file writes it.
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

    /// Returns the purposes that `name` may stand for, the closest first: names that differ in up to
    /// two letters, start alike, or end with it, as `ai-train` ends with `train`.
    #[must_use]
    pub fn suggest(name: &str) -> Vec<&'static str> {
        let near = |known: &'static str| {
            let end = known.split_once('-').map_or(known, |(_, end)| end);
            nearness(name, known).or_else(|| nearness(name, end))
        };
        let known = Self::ALL.iter().map(|purpose| purpose.as_str());
        nearest(
            known
                .filter_map(|known| Some((near(known)?, known)))
                .collect(),
        )
    }
}

impl FromStr for Purpose {
    type Err = UnknownName;

    /// Parses a purpose of the registry file.
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
