//! `Crawler`: the crawler that a question is about.

use alloc::vec::Vec;

use crate::dialect::{AgentValue, Reading};
use crate::product_token::{ProductToken, ProductTokenError};

/// Whether a crawler that no group names obeys the `*` groups. V-1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Star {
    /// It does, as RFC 9309 says. R9309-2.2.1-9.
    #[default]
    Honoured,
    /// It does not, as its operator says (`AdsBot-Google`).
    Ignored,
}

/// The crawler that a question is about: product tokens in order, and whether `*` counts.
///
/// The first token that any group names selects those groups, and only those; a crawler with
/// several tokens never gets the groups of two of them merged. V-1.
///
/// ```
/// use verger::{Crawler, ProductToken};
///
/// let tokens = ["Googlebot-News", "Googlebot"].map(|token| ProductToken::new(token).unwrap());
/// let news = Crawler::new(tokens);
/// assert_eq!(news.tokens().len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Crawler {
    tokens: Vec<ProductToken>,
    star: Star,
}

impl Crawler {
    /// A crawler with these tokens, the first one asked for first, that honours `*`.
    pub fn new(tokens: impl IntoIterator<Item = ProductToken>) -> Self {
        Self {
            tokens: tokens.into_iter().collect(),
            star: Star::Honoured,
        }
    }

    /// A crawler that no group names: it gets the `*` groups.
    #[must_use]
    pub fn unnamed() -> Self {
        Self::default()
    }

    /// The crawler of one name, as a question in this reading states it.
    ///
    /// In `google` every text is a name and is compared as the library does; in the other
    /// dialects it is a product token, or `*` for a crawler that no group names. V-3, V-4.
    ///
    /// # Errors
    ///
    /// Where the text is not a product token, outside `google`.
    pub fn named(name: &str, reading: impl Into<Reading>) -> Result<Self, ProductTokenError> {
        Self::named_in_order([name], reading)
    }

    /// The crawler of several names in order, each stated as for [`Crawler::named`].
    ///
    /// # Errors
    ///
    /// Where one of them is not a product token, outside `google`.
    pub fn named_in_order<'n>(
        names: impl IntoIterator<Item = &'n str>,
        reading: impl Into<Reading>,
    ) -> Result<Self, ProductTokenError> {
        let agent_value = reading.into().agent_value;
        let mut tokens = Vec::new();
        for name in names {
            match agent_value {
                AgentValue::GoogleIdentifier => tokens.push(ProductToken::verbatim(name)),
                AgentValue::LeadingToken | AgentValue::Whole if name == "*" => {}
                AgentValue::LeadingToken | AgentValue::Whole => {
                    tokens.push(ProductToken::new(name)?);
                }
            }
        }
        Ok(Self::new(tokens))
    }

    /// The same crawler, honouring `*` or not.
    #[must_use]
    pub fn star(mut self, star: Star) -> Self {
        self.star = star;
        self
    }

    /// Its tokens, the first one asked for first.
    #[must_use]
    pub fn tokens(&self) -> &[ProductToken] {
        &self.tokens
    }

    /// Whether it honours `*`.
    #[must_use]
    pub fn honours_star(&self) -> bool {
        self.star == Star::Honoured
    }
}

impl From<ProductToken> for Crawler {
    fn from(token: ProductToken) -> Self {
        Self::new([token])
    }
}
