//! The case files, typed.

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, Serialize};

use super::answer::AnswerCase;
use super::ask::Ask;
use super::bytes::{as_base64, bytes};
use crate::subject::DialectName;

/// Everything under `testdata/`, in the order of file names and of the lines in a file.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// Questions about a body.
    pub cases: Vec<Case>,
    /// One path pattern against one request target.
    pub patterns: Vec<Pattern>,
    /// From URL to request target.
    pub targets: Vec<Target>,
    /// Product tokens and what is none.
    pub tokens: Vec<Token>,
    /// What a body holds.
    pub listings: Vec<Listing>,
    /// What extension records say.
    pub values: Vec<Value>,
    /// Questions of a site's owner.
    pub answers: Vec<AnswerCase>,
    /// The requirements of the documents.
    pub clauses: Vec<Clause>,
}

impl Corpus {
    /// The cases that every interface answers with its defaults, no option set.
    pub fn plain_cases(&self) -> impl Iterator<Item = &Case> {
        self.cases.iter().filter(|case| case.option.is_none())
    }

    /// The cases that are asked with `option` on.
    pub fn cases_with(&self, option: CaseOption) -> impl Iterator<Item = &Case> {
        self.cases
            .iter()
            .filter(move |case| case.option == Some(option))
    }

    /// Every table's id, file and cited clauses, the clause list itself left out.
    pub fn citations(&self) -> impl Iterator<Item = (&str, &str, &[String])> {
        macro_rules! cited {
            ($($tables:ident),*) => {
                std::iter::empty()$(.chain(self.$tables.iter().map(|it| (&*it.id, &*it.file, &*it.clauses))))*
            };
        }
        cited!(cases, patterns, targets, tokens, listings, values)
    }

    /// The clauses about text that no table cites.
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
    /// The file that contains it, without its directory.
    #[serde(skip_serializing)]
    pub file: String,
    /// Its name, unique over all files.
    pub id: String,
    /// What it rests on.
    #[serde(skip_serializing)]
    pub clauses: Vec<String>,
    /// The bytes of the file asked about.
    #[serde(rename(serialize = "robots_base64"), serialize_with = "as_base64")]
    #[serde(deserialize_with = "bytes")]
    pub robots: Vec<u8>,
    /// The option under which it is asked, in every dialect that it names.
    pub option: Option<CaseOption>,
    /// Why the dialects differ, or Google's page from its library; present exactly where so.
    #[serde(skip_serializing)]
    pub why: Option<String>,
    /// What a reader of Google's page would answer, where its library answers otherwise.
    #[serde(skip_serializing)]
    pub google_page: Option<String>,
    /// The questions.
    #[serde(rename(deserialize = "ask"))]
    pub asks: Vec<Ask>,
}

/// An option that is off unless asked for.
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
    /// A user-agent line may hold several tokens, separated by commas.
    CommaAgents,
}

impl CaseOption {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::OtherRecordsLenient,
        Self::LenientLines,
        Self::IgnoreAllow,
        Self::Bridge,
        Self::CommaAgents,
    ];

    /// The name in case files.
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

/// Whether one path pattern matches one request target.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// The file that contains it, without its directory.
    pub file: String,
    /// Its name, unique over all files.
    pub id: String,
    /// What it rests on.
    pub clauses: Vec<String>,
    /// The value of an allow or disallow line.
    #[serde(deserialize_with = "bytes")]
    pub rule: Vec<u8>,
    /// The request target.
    #[serde(deserialize_with = "bytes")]
    pub target: Vec<u8>,
    /// Whether it matches in `rfc9309` and in `draft2019`.
    pub rfc9309: bool,
    /// Whether it matches in `google`.
    pub google: bool,
    /// Whether it matches in `koster1996`.
    pub koster1996: bool,
    /// The comparison form of the rule in `rfc9309`; absent where the rule is invalid.
    pub canonical: Option<String>,
    /// How specific the rule is in `rfc9309`, in bytes.
    pub bytes: Option<u32>,
    /// How specific the rule is in `google`, in bytes.
    pub google_bytes: Option<u32>,
}

impl Pattern {
    /// Whether the pattern matches in `dialect`.
    #[must_use]
    pub fn matches(&self, dialect: DialectName) -> bool {
        match dialect {
            DialectName::Rfc9309 | DialectName::Draft2019 => self.rfc9309,
            DialectName::Google => self.google,
            DialectName::Koster1996 => self.koster1996,
        }
    }
}

/// The request target that a URL asks for.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// The file that contains it, without its directory.
    #[serde(skip_serializing)]
    pub file: String,
    /// Its name, unique over all files.
    pub id: String,
    /// What it rests on.
    #[serde(skip_serializing)]
    pub clauses: Vec<String>,
    /// The URL or request target.
    #[serde(rename(serialize = "url_base64"), serialize_with = "as_base64")]
    #[serde(deserialize_with = "bytes")]
    pub url: Vec<u8>,
    /// What Google's library compares.
    pub google: String,
    /// What the other dialects start from, raw; `None` where the URL is an error.
    #[serde(deserialize_with = "target_or_error")]
    pub other: Option<String>,
    /// Whether that is an error wherever a URL is asked about, since the authority cannot be asked: the engine
    /// alone does not look at it.
    #[serde(default)]
    pub cannot_be_asked: bool,
}

/// A request target, or `error`.
fn target_or_error<'de, D: Deserializer<'de>>(input: D) -> Result<Option<String>, D::Error> {
    let text = String::deserialize(input)?;
    Ok((text != "error").then_some(text))
}

/// Whether a text is a product token.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// The file that contains it, without its directory.
    #[serde(skip_serializing)]
    pub file: String,
    /// Its name, unique over all files.
    pub id: String,
    /// What it rests on.
    #[serde(skip_serializing)]
    pub clauses: Vec<String>,
    /// The text.
    pub text: String,
    /// Whether it is a product token by the letter of RFC 9309.
    pub identifier: bool,
    /// Whether the dialects other than `google` take it as a crawler's name.
    pub accepted: bool,
    /// The token that an error about it should name.
    pub likely: Option<String>,
}

/// What a body holds.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Listing {
    /// The file that contains it, without its directory.
    #[serde(skip_serializing)]
    pub file: String,
    /// Its name, unique over all files.
    pub id: String,
    /// What it rests on.
    #[serde(skip_serializing)]
    pub clauses: Vec<String>,
    /// The bytes of the file.
    #[serde(rename(serialize = "robots_base64"), serialize_with = "as_base64")]
    #[serde(deserialize_with = "bytes")]
    pub robots: Vec<u8>,
    /// The dialects for which it holds.
    #[serde(default = "all_dialects")]
    pub dialects: Vec<DialectName>,
    /// The groups in the order of the file.
    pub groups: Option<Vec<ListedGroup>>,
    /// The sitemap values in the order of the file.
    pub sitemaps: Option<Vec<String>>,
    /// The number of lines.
    #[serde(skip_serializing)]
    pub lines: Option<u32>,
}

fn all_dialects() -> Vec<DialectName> {
    DialectName::ALL.to_vec()
}

/// One group of a listing.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ListedGroup {
    /// The user-agent values in the order of the file.
    pub agents: Vec<String>,
    /// The rules in the order of the file: the effect, a space and the pattern as written
    /// (the effect alone where the pattern is empty).
    pub rules: Vec<String>,
}

/// What an extension record says.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Value {
    /// The file that contains it, without its directory.
    #[serde(skip_serializing)]
    pub file: String,
    /// Its name, unique over all files.
    pub id: String,
    /// What it rests on.
    #[serde(skip_serializing)]
    pub clauses: Vec<String>,
    /// The bytes of the file.
    #[serde(rename(serialize = "robots_base64"), serialize_with = "as_base64")]
    #[serde(deserialize_with = "bytes")]
    pub robots: Vec<u8>,
    /// The crawler asked for, where the field belongs to a group.
    pub agent: Option<String>,
    /// The field.
    pub field: FieldName,
    /// The request target, where the field has a path.
    pub target: Option<String>,
    /// The values in normal form.
    pub expect: Vec<String>,
}

/// The fields that have values.
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
    /// All of them.
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

    /// The name in case files.
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

/// One requirement of the documents, or one choice where they leave something open.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// The file that contains it, without its directory.
    pub file: String,
    /// Its id, such as `R9309-2.2.1-7` or `V-12`.
    pub id: String,
    /// How it is covered.
    pub status: ClauseStatus,
    /// The document's word for how much it asks, such as `MUST`; `None` for a statement.
    pub level: Option<String>,
    /// What it says.
    pub sentence: String,
    /// Why it was chosen; `None` for a requirement.
    pub reason: Option<String>,
    /// The part of the page of choices that it begins.
    pub topic: Option<String>,
}

/// How a requirement is covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClauseStatus {
    /// By cases about a body, a URL or a token.
    Text,
    /// By the tests of the access layer: fetching, redirects, status, cache, location.
    Access,
    /// By nothing that runs: wording, advice, documentation.
    Prose,
}
