//! The uses of content about which a site can state a preference.

use core::error::Error;
use core::fmt;
use core::str::FromStr;

/// A use of content. Both vocabularies have these three, under different names.
///
/// | use | Content-Signal (CS-1) | Content-Usage (AV-1) | drafts of AIPREF |
/// |---|---|---|---|
/// | building an index that links to the content | `search` | `search` | 01 (June 2025) to 08 |
/// | input to a model that answers | `ai-input` | `ai-use` | 02 (July 2025), 08 (September 2026) |
/// | training of models | `ai-train` | `train-ai` | 02 (July 2025) to 08 |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ContentUse {
    /// Building an index, and showing links and short excerpts.
    Search,
    /// Feeding content into a model that answers, for example for grounding.
    AiInput,
    /// Training or tuning models.
    AiTrain,
}

impl ContentUse {
    /// All uses.
    pub const ALL: [Self; 3] = [Self::Search, Self::AiInput, Self::AiTrain];

    /// Returns the key in Content-Signal: `search`, `ai-input` or `ai-train`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::AiInput => "ai-input",
            Self::AiTrain => "ai-train",
        }
    }

    /// Returns the label in Content-Usage: `search`, `ai-use` or `train-ai`.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::AiInput => "ai-use",
            Self::AiTrain => "train-ai",
        }
    }

    /// Returns the use with this Content-Signal key, ignoring ASCII case.
    pub(crate) fn from_key(key: &[u8]) -> Option<Self> {
        let is_key = |it: &Self| key.eq_ignore_ascii_case(it.as_str().as_bytes());
        Self::ALL.into_iter().find(is_key)
    }

    /// Returns the use with this Content-Usage label, which is case-sensitive.
    pub(crate) fn from_label(label: &[u8]) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|it| label == it.label().as_bytes())
    }
}

impl FromStr for ContentUse {
    type Err = UnknownContentUse;

    /// Reads [`ContentUse::as_str`].
    fn from_str(name: &str) -> Result<Self, UnknownContentUse> {
        let mut all = Self::ALL.into_iter();
        all.find(|it| it.as_str() == name).ok_or(UnknownContentUse)
    }
}

/// The text names no [`ContentUse`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownContentUse;

impl fmt::Display for UnknownContentUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a use of content: expected search, ai-input or ai-train")
    }
}

impl Error for UnknownContentUse {}

impl fmt::Display for ContentUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Labels that the newest draft of the AIPREF vocabulary, 08 of September 2026, does not have, and
/// the last draft with each. AV-1.
pub(crate) const FORMER_LABELS: [(&str, &str); 8] = [
    ("ai", "01 of June 2025"),
    ("ai-output", "04 of October 2025"),
    ("all", "02 of July 2025"),
    ("bots", "04 of October 2025"),
    ("genai", "01 of June 2025"),
    ("inference", "01 of June 2025"),
    ("tdm", "01 of June 2025"),
    ("train-genai", "03 of September 2025"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_current_label_is_a_former_one() {
        for content_use in ContentUse::ALL {
            let mut former = FORMER_LABELS.iter();
            assert!(!former.any(|(label, _)| *label == content_use.label()));
        }
    }

    #[test]
    fn keys_have_no_case_and_labels_do() {
        for content_use in ContentUse::ALL {
            let [key, label] = [content_use.as_str(), content_use.label()];
            assert_eq!(
                ContentUse::from_key(key.to_ascii_uppercase().as_bytes()),
                Some(content_use)
            );
            assert_eq!(ContentUse::from_label(label.as_bytes()), Some(content_use));
            assert_eq!(
                ContentUse::from_label(label.to_ascii_uppercase().as_bytes()),
                None
            );
        }
        assert_eq!(ContentUse::from_key(b"ai-use"), None);
        assert_eq!(ContentUse::from_label(b"ai-train"), None);
    }
}
