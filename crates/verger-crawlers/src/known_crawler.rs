//! An entry of the registry: the facts about one crawler.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use verger::{Crawler, Dialect, ProductToken, Star};

use crate::crawl_delay::CrawlDelay;
use crate::day::Day;
use crate::evidence::Evidence;
use crate::obeys::Obeys;
use crate::purpose::Purpose;

/// The facts about one crawler.
///
/// It serializes as a map with the keys of the registry file, in a fixed order. All keys are
/// present: unknown values are null, and empty lists are empty.
#[derive(Clone, Debug, Serialize)]
pub struct KnownCrawler {
    pub(crate) name: Cow<'static, str>,
    pub(crate) operator: Cow<'static, str>,
    #[serde(serialize_with = "serialize_tokens")]
    pub(crate) tokens: Vec<ProductToken>,
    pub(crate) user_agent: Option<Cow<'static, str>>,
    pub(crate) header_aliases: Vec<String>,
    pub(crate) purposes: Vec<Purpose>,
    #[serde(serialize_with = "serialize_star")]
    pub(crate) star: Star,
    #[serde(serialize_with = "serialize_dialect")]
    pub(crate) dialect: Dialect,
    pub(crate) obeys: Obeys,
    pub(crate) crawl_delay: Option<CrawlDelay>,
    pub(crate) retired: bool,
    pub(crate) control_only: bool,
    pub(crate) docs: Option<Cow<'static, str>>,
    pub(crate) reverse_dns: Vec<String>,
    pub(crate) ip_ranges: Vec<String>,
    pub(crate) note: Option<Cow<'static, str>>,
    pub(crate) source: Cow<'static, str>,
    pub(crate) evidence: Evidence,
    pub(crate) read: Day,
    #[serde(skip)]
    pub(crate) place: usize,
}

impl KnownCrawler {
    /// Returns the registry name, which is unique: lower-case letters, digits and hyphens.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the operator or, for software that its users run, the maker.
    #[must_use]
    pub fn operator(&self) -> &str {
        &self.operator
    }

    /// Returns its product tokens in the order in which it looks them up. Never empty.
    #[must_use]
    pub fn tokens(&self) -> &[ProductToken] {
        &self.tokens
    }

    /// Returns its own product token: the first one, which is unique to this entry.
    #[must_use]
    pub fn own_token(&self) -> &ProductToken {
        &self.tokens[0]
    }

    /// Returns the name in its User-Agent header: its own token, unless the entry specifies
    /// another. It may contain spaces.
    #[must_use]
    pub fn header_name(&self) -> &str {
        self.user_agent
            .as_deref()
            .unwrap_or_else(|| self.own_token().as_str())
    }

    /// Returns further names under which it appears in User-Agent headers.
    #[must_use]
    pub fn header_aliases(&self) -> &[String] {
        &self.header_aliases
    }

    /// Returns the purposes of its fetches. Never empty.
    #[must_use]
    pub fn purposes(&self) -> &[Purpose] {
        &self.purposes
    }

    /// Returns whether it obeys rules for `*` when no group names one of its tokens.
    #[must_use]
    pub fn star(&self) -> Star {
        self.star
    }

    /// Returns the dialect in which it reads a robots.txt: `google` for Google's crawlers, because
    /// Google states that they run its open-source library, and `rfc9309` if no
    /// source says.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns whether it obeys robots.txt, according to its operator.
    #[must_use]
    pub fn obeys(&self) -> Obeys {
        self.obeys
    }

    /// Returns whether it obeys Crawl-delay, if known.
    #[must_use]
    pub fn crawl_delay(&self) -> Option<CrawlDelay> {
        self.crawl_delay
    }

    /// Returns whether it is out of use, replaced, or no longer on its operator's page.
    #[must_use]
    pub fn is_retired(&self) -> bool {
        self.retired
    }

    /// Returns whether it is only a token for rules, under which no request is sent.
    #[must_use]
    pub fn is_control_only(&self) -> bool {
        self.control_only
    }

    /// Returns the URL of its operator's page about it.
    #[must_use]
    pub fn docs(&self) -> Option<&str> {
        self.docs.as_deref()
    }

    /// Returns host name suffixes for the reverse and forward DNS check, without a leading dot. A
    /// suffix matches the name itself and names below it. The operator's own mask may be narrower.
    #[must_use]
    pub fn reverse_dns(&self) -> &[String] {
        &self.reverse_dns
    }

    /// Returns the URLs of the documents in which its operator publishes address ranges.
    #[must_use]
    pub fn ip_ranges(&self) -> &[String] {
        &self.ip_ranges
    }

    /// Returns further facts, in one or two sentences.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Returns the document that the facts come from.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns whether the facts come from the operator or from others.
    #[must_use]
    pub fn evidence(&self) -> Evidence {
        self.evidence
    }

    /// Returns the day on which the source was read.
    #[must_use]
    pub fn read_on(&self) -> Day {
        self.read
    }

    /// Returns its position in the registry, counted from 0. Important crawlers come first, and
    /// lists of crawlers are sorted by it.
    #[must_use]
    pub fn place(&self) -> usize {
        self.place
    }

    /// Returns the crawler for the engine: its tokens in order, and whether it obeys `*`.
    ///
    /// This determines which groups apply to it. [`KnownCrawler::obeys`] returns whether it obeys
    /// them.
    #[must_use]
    pub fn crawler(&self) -> Crawler {
        Crawler::new(self.tokens.iter().cloned()).star(self.star)
    }

    /// Returns every name under which a header may name it: the header name, then aliases.
    pub(crate) fn header_names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.header_name()).chain(self.header_aliases.iter().map(String::as_str))
    }
}

fn serialize_tokens<S: Serializer>(
    tokens: &[ProductToken],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(tokens.iter().map(ProductToken::as_str))
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature is serde's"
)]
fn serialize_dialect<S: Serializer>(dialect: &Dialect, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(dialect.as_str())
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature is serde's"
)]
fn serialize_star<S: Serializer>(star: &Star, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match star {
        Star::Honoured => "honoured",
        Star::Ignored => "ignored",
    })
}
