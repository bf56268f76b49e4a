//! One entry of the registry: what is known about one crawler.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use verger::{Crawler, ProductToken, Star};

use crate::crawl_delay::CrawlDelay;
use crate::day::Day;
use crate::evidence::Evidence;
use crate::obeys::Obeys;
use crate::purpose::Purpose;

/// The facts about one crawler.
///
/// Serializes as a map with the keys of the registry file in a fixed order, all
/// of them always present: what is not known is null, a list that is empty is
/// empty.
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
    /// The registry name: lower-case letters, digits and hyphens, unique.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The operator; for software that its users run, its maker.
    #[must_use]
    pub fn operator(&self) -> &str {
        &self.operator
    }

    /// Its product tokens in the order in which it looks them up; never empty.
    #[must_use]
    pub fn tokens(&self) -> &[ProductToken] {
        &self.tokens
    }

    /// Its own product token: the first one, which no other entry has first.
    #[must_use]
    pub fn own_token(&self) -> &ProductToken {
        &self.tokens[0]
    }

    /// The name by which its User-Agent header names it: its own token, unless
    /// the entry says otherwise. May contain spaces.
    #[must_use]
    pub fn header_name(&self) -> &str {
        self.user_agent
            .as_deref()
            .unwrap_or_else(|| self.own_token().as_str())
    }

    /// Further names under which it appears in User-Agent headers.
    #[must_use]
    pub fn header_aliases(&self) -> &[String] {
        &self.header_aliases
    }

    /// The purposes of its fetches; never empty.
    #[must_use]
    pub fn purposes(&self) -> &[Purpose] {
        &self.purposes
    }

    /// Whether rules for `*` apply to it when no group names one of its tokens.
    #[must_use]
    pub fn star(&self) -> Star {
        self.star
    }

    /// Whether it obeys robots.txt, by its operator's statement.
    #[must_use]
    pub fn obeys(&self) -> Obeys {
        self.obeys
    }

    /// Whether it obeys Crawl-delay, if a source says so.
    #[must_use]
    pub fn crawl_delay(&self) -> Option<CrawlDelay> {
        self.crawl_delay
    }

    /// Whether it is out of use, replaced, or no longer on its operator's page.
    #[must_use]
    pub fn is_retired(&self) -> bool {
        self.retired
    }

    /// Whether it is a token for rules only, under which no request is sent.
    #[must_use]
    pub fn is_control_only(&self) -> bool {
        self.control_only
    }

    /// The URL of its operator's page about it.
    #[must_use]
    pub fn docs(&self) -> Option<&str> {
        self.docs.as_deref()
    }

    /// Host name suffixes for the reverse and forward DNS check, without a
    /// leading dot. A suffix matches the name itself and names below it; the
    /// operator's own mask may be narrower.
    #[must_use]
    pub fn reverse_dns(&self) -> &[String] {
        &self.reverse_dns
    }

    /// URLs of the documents in which its operator publishes address ranges.
    #[must_use]
    pub fn ip_ranges(&self) -> &[String] {
        &self.ip_ranges
    }

    /// Further facts, in one or two sentences.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// The document that the facts of the entry are from.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Says whether the operator or others state the facts of the entry.
    #[must_use]
    pub fn evidence(&self) -> Evidence {
        self.evidence
    }

    /// The day on which the source was read.
    #[must_use]
    pub fn read_on(&self) -> Day {
        self.read
    }

    /// Its place in the order of the registry, counted from 0: the more important a crawler, the lower its place.
    /// Lists of crawlers are sorted by it.
    #[must_use]
    pub fn place(&self) -> usize {
        self.place
    }

    /// The crawler as the engine takes it: its tokens in order, then `*` if it
    /// honours it.
    ///
    /// This says which groups apply to it. Whether it obeys them is
    /// [`KnownCrawler::obeys`].
    #[must_use]
    pub fn crawler(&self) -> Crawler {
        Crawler::new(self.tokens.iter().cloned()).star(self.star)
    }

    /// Every name by which a header may name it: the header name, then aliases.
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
fn serialize_star<S: Serializer>(star: &Star, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match star {
        Star::Honoured => "honoured",
        Star::Ignored => "ignored",
    })
}
