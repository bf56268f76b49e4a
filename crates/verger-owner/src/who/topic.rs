use verger_crawlers::{KnownCrawler, Purpose};

use crate::who::who_row::WhoRow;

/// A set of crawlers that a site owner has a word for, such as crawlers that train AI models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Topic {
    /// The heading.
    pub title: &'static str,
    covers: Covers,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Covers {
    /// Crawlers that no group names.
    Unnamed,
    /// Known crawlers with this purpose.
    Purpose(Purpose),
    /// Known crawlers whose search index a model uses.
    AiSearch,
    /// Known crawlers that feed a model's answers without a search index.
    AiAnswers,
    /// Crawlers that only the file names.
    Unknown,
}

impl Topic {
    /// All topics. Owners ask about the first ones most. Every purpose has one or more.
    pub const ALL: &'static [Self] = &[
        Self::new("any other crawler", Covers::Unnamed),
        Self::new("search engines", Covers::Purpose(Purpose::Search)),
        Self::new("AI search", Covers::AiSearch),
        Self::new("AI answers for people", Covers::AiAnswers),
        Self::new("AI training", Covers::Purpose(Purpose::AiTrain)),
        Self::new("link previews", Covers::Purpose(Purpose::Preview)),
        Self::new("ads", Covers::Purpose(Purpose::Ads)),
        Self::new("shopping", Covers::Purpose(Purpose::Commerce)),
        Self::new("feeds", Covers::Purpose(Purpose::Feed)),
        Self::new(
            "visits for a person",
            Covers::Purpose(Purpose::UserTriggered),
        ),
        Self::new("SEO tools", Covers::Purpose(Purpose::Seo)),
        Self::new("monitoring", Covers::Purpose(Purpose::Monitoring)),
        Self::new("archives", Covers::Purpose(Purpose::Archive)),
        Self::new("datasets", Covers::Purpose(Purpose::Dataset)),
        Self::new("research", Covers::Purpose(Purpose::Research)),
        Self::new("security", Covers::Purpose(Purpose::Security)),
        Self::new("other purposes", Covers::Purpose(Purpose::Other)),
        Self::new("not in the registry", Covers::Unknown),
    ];

    const fn new(title: &'static str, covers: Covers) -> Self {
        Self { title, covers }
    }

    /// Returns whether it is the topic of crawlers that no group names.
    #[must_use]
    pub fn is_any_other(self) -> bool {
        self.covers == Covers::Unnamed
    }

    /// Returns the purpose of its crawlers, or `None` for crawlers outside the registry.
    #[must_use]
    pub fn purpose(self) -> Option<Purpose> {
        match self.covers {
            Covers::Purpose(purpose) => Some(purpose),
            Covers::AiSearch | Covers::AiAnswers => Some(Purpose::AiInput),
            Covers::Unnamed | Covers::Unknown => None,
        }
    }

    /// Returns whether the crawler of a row belongs to the topic. It may belong to several.
    #[must_use]
    pub fn covers(self, row: &WhoRow<'_>) -> bool {
        let purposes = row.crawler.known().map(KnownCrawler::purposes);
        let has = |purpose| purposes.is_some_and(|of_it| of_it.contains(&purpose));
        let is_unnamed = row.crawler.crawler().tokens().is_empty();
        match self.covers {
            Covers::Purpose(purpose) => has(purpose),
            Covers::AiSearch => has(Purpose::AiInput) && has(Purpose::Search),
            Covers::AiAnswers => has(Purpose::AiInput) && !has(Purpose::Search),
            Covers::Unnamed => is_unnamed,
            Covers::Unknown => purposes.is_none() && !is_unnamed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_purpose_has_a_topic() {
        for purpose in Purpose::ALL {
            let of_purpose = Topic::ALL
                .iter()
                .filter(|it| it.purpose() == Some(*purpose));
            let expected = if *purpose == Purpose::AiInput { 2 } else { 1 };
            assert_eq!(of_purpose.count(), expected, "{purpose}");
        }
    }
}
