//! `Crawler`: the crawler that a question is about.

use alloc::vec::Vec;

use core::fmt;
use core::str::FromStr;

use crate::allocated_bytes::allocated_bytes;
use crate::dialect::{AgentValue, Dialect, Reading, SeveralNames};
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
/// several tokens never gets the groups of two of them merged. V-1. [`Crawler::union`] makes the one
/// kind that does, in `google`.
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
    /// The groups of all tokens count, where the reading has [`SeveralNames::UnionOnRequest`]; otherwise
    /// those of the first token that any group names.
    is_union: bool,
}

impl Crawler {
    /// A crawler with these tokens, the first one asked for first, that honours `*`.
    pub fn new(tokens: impl IntoIterator<Item = ProductToken>) -> Self {
        Self {
            tokens: tokens.into_iter().collect(),
            star: Star::Honoured,
            is_union: false,
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

    /// The crawler of all these names at once, as Google's library takes a vector of user agents: the
    /// groups that name any of them count as one, and `*` where no group does. Each name is compared
    /// as [`Crawler::named`] says. GL-group-2, V-1.
    ///
    /// It is for `google` alone. A tree of another dialect that such a crawler is held against takes
    /// its names in order, as those of every other crawler.
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
    /// In every dialect but `google`: their documents let a crawler obey the groups of one name.
    /// R9309-2.2.1-6.
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

    /// Whether the groups of all its names count, in that reading: false for one name.
    pub(crate) fn merges_names(&self, reading: &Reading) -> bool {
        let offers_union = reading.several_names == SeveralNames::UnionOnRequest;
        self.is_union && offers_union && self.tokens.len() > 1
    }

    /// Whether [`Crawler::union`] made it.
    #[must_use]
    pub fn is_union(&self) -> bool {
        self.is_union
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

    /// How many bytes of the heap it takes.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let tokens = self.tokens.iter();
        let texts = tokens.map(|token| allocated_bytes(token.as_str().len()));
        allocated_bytes(size_of_val(&*self.tokens)) + texts.sum::<usize>()
    }

    /// Whether it honours `*`.
    #[must_use]
    pub fn honours_star(&self) -> bool {
        self.star == Star::Honoured
    }
}

/// The dialect has no union of names; `google` has it ([`Crawler::union`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnionNotOffered(Dialect);

impl fmt::Display for UnionNotOffered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(dialect) = self;
        write!(
            f,
            "in {dialect} a crawler obeys the groups of one name; only google merges those of several"
        )
    }
}

impl core::error::Error for UnionNotOffered {}

impl FromStr for Crawler {
    type Err = ProductTokenError;

    /// Makes the crawler of one product token; `*` is a crawler that no group names.
    fn from_str(name: &str) -> Result<Self, ProductTokenError> {
        Self::named(name, Dialect::Rfc9309)
    }
}

impl From<ProductToken> for Crawler {
    fn from(token: ProductToken) -> Self {
        Self::new([token])
    }
}
