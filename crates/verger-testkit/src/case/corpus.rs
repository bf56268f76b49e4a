use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, Serialize};

use super::answer::AnswerCase;
use super::ask::Ask;
use super::bytes::{as_base64, bytes};
use super::page::PageCase;
use super::preference::PreferenceCase;
use crate::subject::DialectName;

/// Everything under `testdata/`, ordered by file name and line.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// Questions about a body.
    pub cases: Vec<Case>,
    /// Path-patterns against request targets.
    pub patterns: Vec<Pattern>,
    /// URLs and their request targets.
    pub targets: Vec<Target>,
    /// Texts that are or are not product tokens.
    pub tokens: Vec<Token>,
    /// The contents of bodies.
    pub listings: Vec<Listing>,
    /// The values of extension records.
    pub values: Vec<Value>,
    /// Preferences about the uses of content.
    pub preferences: Vec<PreferenceCase>,
    /// Pages with directives.
    pub pages: Vec<PageCase>,
    /// Questions of site owners.
    pub answers: Vec<AnswerCase>,
    /// The requirements of the documents.
    pub clauses: Vec<Clause>,
}

impl Corpus {
    /// Returns the cases for the default options.
    pub fn plain_cases(&self) -> impl Iterator<Item = &Case> {
        self.cases.iter().filter(|case| case.option.is_none())
    }

    /// Returns the cases that need `option`.
    pub fn cases_with(&self, option: CaseOption) -> impl Iterator<Item = &Case> {
        self.cases
            .iter()
            .filter(move |case| case.option == Some(option))
    }

    /// Returns the id, file and cited clauses of every table except the clauses.
    pub fn citations(&self) -> impl Iterator<Item = (&str, &str, &[String])> {
        macro_rules! cited {
            ($($tables:ident),*) => {
                std::iter::empty()$(.chain(self.$tables.iter().map(|it| (&*it.id, &*it.file, &*it.clauses))))*
            };
        }
        cited!(
            cases,
            patterns,
            targets,
            tokens,
            listings,
            values,
            preferences,
            pages
        )
    }

    /// Returns the text clauses that no table cites.
    pub fn uncovered_clauses(&self) -> impl Iterator<Item = &Clause> {
        let cited: BTreeSet<&str> = self
            .citations()
            .flat_map(|(_, _, clauses)| clauses)
            .map(String::as_str)
            .collect();
        self.clauses.iter().filter(move |clause| {
            clause.status == ClauseStatus::Text && !cited.contains(clause.id.as_str())
        })
    }
}

/// A body and questions about it.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// File name.
    #[serde(skip_serializing)]
    pub file: String,
    /// Unique id.
    pub id: String,
    /// Clause ids.
    #[serde(skip_serializing)]
    pub clauses: Vec<String>,
    /// The bytes of the file.
    #[serde(rename(serialize = "robots_base64"), serialize_with = "as_base64")]
    #[serde(deserialize_with = "bytes")]
    pub robots: Vec<u8>,
    /// The option that the case needs.
    pub option: Option<CaseOption>,
    /// Why the dialects differ, or Google's page from its library. Required exactly then.
    #[serde(skip_serializing)]
    pub why: Option<String>,
    /// The answer by Google's page, if its library answers differently.
    #[serde(skip_serializing)]
    pub google_page: Option<String>,
    /// The questions.
    #[serde(rename(deserialize = "ask"))]
    pub asks: Vec<Ask>,
}

/// An option that is off by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CaseOption {
    /// Misspelt other records (`site-map`) are read.
    OtherRecordsLenient,
    /// Misspelt keys and missing colons are read.
    LenientLines,
    /// Allow lines are ignored.
    IgnoreAllow,
    /// UTF-16 and Latin-1 are decoded.
    Bridge,
    /// A user-agent line may contain several tokens, separated by commas.
    CommaAgents,
}

impl CaseOption {
    /// All options.
    pub const ALL: [Self; 5] = [
        Self::OtherRecordsLenient,
        Self::LenientLines,
        Self::IgnoreAllow,
        Self::Bridge,
        Self::CommaAgents,
    ];

    /// Returns the name in case files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OtherRecordsLenient => "other-records-lenient",
            Self::LenientLines => "lenient-lines",
            Self::IgnoreAllow => "ignore-allow",
            Self::Bridge => "bridge",
            Self::CommaAgents => "comma-agents",
        }
    }
}

/// Whether a path-pattern matches a request target.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// File name.
    pub file: String,
    /// Unique id.
    pub id: String,
    /// Clause ids.
    pub clauses: Vec<String>,
    /// The value of an allow or disallow line.
    #[serde(deserialize_with = "bytes")]
    pub rule: Vec<u8>,
    /// The request target.
    #[serde(deserialize_with = "bytes")]
    pub target: Vec<u8>,
    /// Whether it matches in `rfc9309` and `draft2019`.
    pub rfc9309: bool,
    /// Whether it matches in `google`.
    pub google: bool,
    /// Whether it matches in `koster1996`.
    pub koster1996: bool,
    /// The comparison form of the rule in `rfc9309`, if the rule is valid.
    pub canonical: Option<String>,
    /// The specificity of the rule in `rfc9309`, in bytes.
    pub bytes: Option<u32>,
    /// The specificity of the rule in `google`, in bytes.
    pub google_bytes: Option<u32>,
}

impl Pattern {
    /// Returns `true` if the pattern matches in `dialect`.
    #[must_use]
    pub fn matches(&self, dialect: DialectName) -> bool {
        match dialect {
            DialectName::Rfc9309 | DialectName::Draft2019 => self.rfc9309,
            DialectName::Google => self.google,
            DialectName::Koster1996 => self.koster1996,
        }
    }
}

/// The request target of a URL.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// File name.
    #[serde(skip_serializing)]
    pub file: String,
    /// Unique id.
    pub id: String,
    /// Clause ids.
    #[serde(skip_serializing)]
    pub clauses: Vec<String>,
    /// The URL or request target.
    #[serde(rename(serialize = "url_base64"), serialize_with = "as_base64")]
    #[serde(deserialize_with = "bytes")]
    pub url: Vec<u8>,
    /// The target that Google's library compares.
    pub google: String,
    /// The raw target of the other dialects. `None` if the URL is an error.
    #[serde(deserialize_with = "target_or_error")]
    pub other: Option<String>,
    /// Whether the URL is an error wherever its authority matters. The engine alone ignores the
    /// authority.
    #[serde(default)]
    pub cannot_be_asked: bool,
}

fn target_or_error<'de, D: Deserializer<'de>>(input: D) -> Result<Option<String>, D::Error> {
    let text = String::deserialize(input)?;
    Ok((text != "error").then_some(text))
}

/// Whether a text is a product token.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// File name.
    #[serde(skip_serializing)]
    pub file: String,
    /// Unique id.
    pub id: String,
    /// Clause ids.
    #[serde(skip_serializing)]
    pub clauses: Vec<String>,
    /// The text.
    pub text: String,
    /// Whether it is a product token by the letter of RFC 9309.
    pub identifier: bool,
    /// Whether the dialects other than `google` accept it as a crawler's name.
    pub accepted: bool,
    /// The token that an error should suggest.
    pub likely: Option<String>,
}

/// The contents of a body.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Listing {
    /// File name.
    #[serde(skip_serializing)]
    pub file: String,
    /// Unique id.
    pub id: String,
    /// Clause ids.
    #[serde(skip_serializing)]
    pub clauses: Vec<String>,
    /// The bytes of the file.
    #[serde(rename(serialize = "robots_base64"), serialize_with = "as_base64")]
    #[serde(deserialize_with = "bytes")]
    pub robots: Vec<u8>,
    /// The dialects it applies to.
    #[serde(default = "all_dialects")]
    pub dialects: Vec<DialectName>,
    /// The groups, in file order.
    pub groups: Option<Vec<ListedGroup>>,
    /// The sitemap values, in file order.
    pub sitemaps: Option<Vec<String>>,
    /// The number of lines.
    #[serde(skip_serializing)]
    pub lines: Option<u32>,
}

fn all_dialects() -> Vec<DialectName> {
    DialectName::ALL.to_vec()
}

/// A group of a listing.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ListedGroup {
    /// The user-agent values, in file order.
    pub agents: Vec<String>,
    /// The rules in file order: effect, space and pattern as written, or the effect alone if the
    /// pattern is empty.
    pub rules: Vec<String>,
}

/// The values of an extension record.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Value {
    /// File name.
    #[serde(skip_serializing)]
    pub file: String,
    /// Unique id.
    pub id: String,
    /// Clause ids.
    #[serde(skip_serializing)]
    pub clauses: Vec<String>,
    /// The bytes of the file.
    #[serde(rename(serialize = "robots_base64"), serialize_with = "as_base64")]
    #[serde(deserialize_with = "bytes")]
    pub robots: Vec<u8>,
    /// The crawler, if the field belongs to a group.
    pub agent: Option<String>,
    /// The field.
    pub field: FieldName,
    /// The request target, if the field has a path.
    pub target: Option<String>,
    /// The values in normal form.
    pub expect: Vec<String>,
}

/// Fields with values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FieldName {
    /// `Crawl-delay`, in seconds.
    CrawlDelay,
    /// `Request-rate`.
    RequestRate,
    /// `Visit-time`.
    VisitTime,
    /// `Host`.
    Host,
    /// `Clean-param`.
    CleanParam,
    /// `Noindex`.
    Noindex,
    /// `Content-Signal`.
    ContentSignal,
    /// `Content-Usage`.
    ContentUsage,
    /// `License`.
    License,
    /// `Sitemap`.
    Sitemap,
}

impl FieldName {
    /// All fields.
    pub const ALL: [Self; 10] = [
        Self::CrawlDelay,
        Self::RequestRate,
        Self::VisitTime,
        Self::Host,
        Self::CleanParam,
        Self::Noindex,
        Self::ContentSignal,
        Self::ContentUsage,
        Self::License,
        Self::Sitemap,
    ];

    /// Returns the name in case files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CrawlDelay => "crawl-delay",
            Self::RequestRate => "request-rate",
            Self::VisitTime => "visit-time",
            Self::Host => "host",
            Self::CleanParam => "clean-param",
            Self::Noindex => "noindex",
            Self::ContentSignal => "content-signal",
            Self::ContentUsage => "content-usage",
            Self::License => "license",
            Self::Sitemap => "sitemap",
        }
    }
}

/// A requirement of the documents, or a choice that they leave open.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// File name.
    pub file: String,
    /// Its id, such as `R9309-2.2.1-7` or `V-12`.
    pub id: String,
    /// How it is covered.
    pub status: ClauseStatus,
    /// The document's word of requirement, such as `MUST`. `None` for a statement.
    pub level: Option<String>,
    /// The text.
    pub sentence: String,
    /// The reason of a choice.
    pub reason: Option<String>,
    /// The part of the page of choices that starts here.
    pub topic: Option<String>,
}

/// How a requirement is covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClauseStatus {
    /// By cases about a body, a URL or a token.
    Text,
    /// By tests of the access layer: fetching, redirects, status, cache, location.
    Access,
    /// By nothing that runs, such as wording or advice.
    Prose,
}
