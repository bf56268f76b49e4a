//! `Crawler`: the crawler for which a question is answered.

use alloc::vec::Vec;

use core::fmt;
use core::str::FromStr;

use crate::allocated_bytes::allocated_bytes;
use crate::dialect::{AgentValue, Dialect, Reading, SeveralNames};
use crate::product_token::{ProductToken, ProductTokenError};

/// Whether a crawler that no group names obeys the `*` groups. V-1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Star {
    /// The crawler obeys them, as RFC 9309 requires. R9309-2.2.1-9.
    #[default]
    Honoured,
    /// The crawler ignores them, as its operator documents (`AdsBot-Google`).
    Ignored,
}

/// A crawler: its product tokens in order, and whether it obeys the `*` groups.
///
/// The first token that any group names selects the groups of that token and no others. The groups
/// of two tokens are never merged, except for a [`Crawler::union`] in `google`. V-1.
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
    /// Only readings with [`SeveralNames::UnionOnRequest`] respect it.
    is_union: bool,
}

impl Crawler {
    /// Creates a crawler with these tokens, in order of preference, that obeys `*`.
    pub fn new(tokens: impl IntoIterator<Item = ProductToken>) -> Self {
        Self {
            tokens: tokens.into_iter().collect(),
            star: Star::Honoured,
            is_union: false,
        }
    }

    /// Creates a crawler without a token: only the `*` groups apply to it.
    #[must_use]
    pub fn unnamed() -> Self {
        Self::default()
    }

    /// Creates a crawler from one name, interpreted as this reading does.
    ///
    /// In `google` any text is a name and is compared as the library does. In the other dialects it
    /// must be a product token, or `*` for a crawler that no group names. V-3, V-4.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a product token, outside `google`.
    pub fn named(name: &str, reading: impl Into<Reading>) -> Result<Self, ProductTokenError> {
        Self::named_in_order([name], reading)
    }

    /// Creates a crawler from several names in order of preference. Each is interpreted as in
    /// [`Crawler::named`].
    ///
    /// # Errors
    ///
    /// Returns an error if any of them is not a product token, outside `google`.
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

    /// Creates a crawler that has all these names at once, like a vector of user agents in Google's
    /// library: the groups that name any of them are merged, and `*` applies if no group names one.
    /// GL-group-2, V-1.
    ///
    /// Only `google` merges. A tree in another dialect uses the names of such a crawler in order.
    ///
    /// ```
    /// use verger::{Crawler, Dialect, RobotsTxt, TargetPath};
    ///
    /// let body = "User-agent: a\nDisallow: /x\nUser-agent: b\nDisallow: /y";
    /// let robots = RobotsTxt::parse(body, Dialect::Google);
    /// let policy = robots.policy(&Crawler::union(["a", "b"], Dialect::Google)?);
    /// for path in ["/x", "/y"] {
    ///     let target = TargetPath::new(path, Dialect::Google).unwrap();
    ///     assert!(!policy.decide(&target).is_allowed());
    /// }
    /// assert!(Crawler::union(["a", "b"], Dialect::Rfc9309).is_err());
    /// # Ok::<(), verger::UnionNotOffered>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error in every dialect but `google`, because their documents tell a crawler to
    /// obey the groups of one name. R9309-2.2.1-6.
    pub fn union<'n>(
        names: impl IntoIterator<Item = &'n str>,
        reading: impl Into<Reading>,
    ) -> Result<Self, UnionNotOffered> {
        let reading = reading.into();
        match reading.several_names {
            SeveralNames::InOrder => Err(UnionNotOffered(reading.dialect())),
            SeveralNames::UnionOnRequest => Ok(Self {
                is_union: true,
                ..Self::new(names.into_iter().map(ProductToken::verbatim))
            }),
        }
    }

    pub(crate) fn merges_names(&self, reading: &Reading) -> bool {
        let offers_union = reading.several_names == SeveralNames::UnionOnRequest;
        self.is_union && offers_union && self.tokens.len() > 1
    }

    /// Returns whether [`Crawler::union`] created this crawler.
    #[must_use]
    pub fn is_union(&self) -> bool {
        self.is_union
    }

    /// Sets whether the crawler obeys the `*` groups.
    #[must_use]
    pub fn star(mut self, star: Star) -> Self {
        self.star = star;
        self
    }

    /// Returns the product tokens, in order of preference.
    #[must_use]
    pub fn tokens(&self) -> &[ProductToken] {
        &self.tokens
    }

    /// Returns the heap memory in use, in bytes.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let tokens = self.tokens.iter();
        let texts = tokens.map(|token| allocated_bytes(token.as_str().len()));
        allocated_bytes(size_of_val(&*self.tokens)) + texts.sum::<usize>()
    }

    /// Returns whether the crawler obeys the `*` groups.
    #[must_use]
    pub fn honours_star(&self) -> bool {
        self.star == Star::Honoured
    }
}

/// The dialect does not merge the groups of several names. Only `google` does ([`Crawler::union`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnionNotOffered(Dialect);

impl fmt::Display for UnionNotOffered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(dialect) = self;
        write!(
            f,
            "in {dialect} a crawler obeys the groups of one product token: use google to merge \
             the groups of several"
        )
    }
}

impl core::error::Error for UnionNotOffered {}

impl FromStr for Crawler {
    type Err = ProductTokenError;

    /// Parses one product token. `*` stands for a crawler that no group names.
    fn from_str(name: &str) -> Result<Self, ProductTokenError> {
        Self::named(name, Dialect::Rfc9309)
    }
}

impl From<ProductToken> for Crawler {
    fn from(token: ProductToken) -> Self {
        Self::new([token])
    }
}
