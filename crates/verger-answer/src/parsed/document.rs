//! `ParsedFile`: a listing as JSON. It is written as the file is walked, without extra memory.

use std::borrow::Cow;

use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};
use verger::{Group, GroupMatch, NamedBy, Record, Rule};
use verger_extensions::{UrlRecord, sitemaps};

use super::diagnostic_place::{Place, placed};
use super::file_name::FileName;
use super::listing::{Listing, group_of};
use super::walked::Walked;
use crate::file_diagnostic::FileDiagnostic;
use crate::text::json_text;
use verger_crawlers::ResolvedCrawler;

const SCHEMA: &str = "verger.parse/1";

/// A listing and the name of its file (`verger.parse/1` in `docs/json.md`).
#[derive(Debug)]
pub struct ParsedFile<'l, 'r>(pub &'l Listing<'r>, pub &'l FileName);

impl Serialize for ParsedFile<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(listing, file) = self;
        let robots = listing.robots;
        let agent = listing.asked.map(ResolvedCrawler::name);
        let groups = Walked(|| robots.groups().map(GroupShape));
        let records = Walked(|| robots.records().map(|it| RecordShape::of(&it)));
        let sitemaps = Walked(|| sitemaps(robots).map(|it| SitemapShape::of(&it)));
        let values = Walked(|| listing.values());
        let diagnostics = Walked(|| placed(robots).map(DiagnosticShape::of));
        let crawler = listing.asked.map(ResolvedCrawler::crawler);
        let found = crawler.and_then(|crawler| robots.groups_for(crawler));
        let mut document = serializer.serialize_map(None)?;
        document.serialize_entry("schema", SCHEMA)?;
        document.serialize_entry("file", file.text())?;
        if let Some(bytes) = file.base64() {
            document.serialize_entry("file_base64", bytes)?;
        }
        document.serialize_entry("dialect", robots.dialect().as_str())?;
        document.serialize_entry("bytes", &robots.body().len())?;
        document.serialize_entry("bytes_read", &robots.bytes_read())?;
        document.serialize_entry("lines", &robots.lines().count())?;
        document.serialize_entry("groups", &groups)?;
        document.serialize_entry("records", &records)?;
        document.serialize_entry("sitemaps", &sitemaps)?;
        document.serialize_entry("agent", &agent)?;
        document.serialize_entry("crawler", &listing.asked)?;
        document.serialize_entry("merged_group", &found.map(MergedGroupShape))?;
        document.serialize_entry("values", &values)?;
        document.serialize_entry("diagnostics", &diagnostics)?;
        document.end()
    }
}

struct GroupShape<'r>(Group<'r>);

/// The groups that apply to a crawler, merged.
struct MergedGroupShape<'r, 'c>(GroupMatch<'r, 'c>);

impl Serialize for MergedGroupShape<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let groups = self.0.groups();
        let indices = Walked(|| groups.iter().map(Group::index));
        let user_agents = Walked(|| {
            groups
                .iter()
                .flat_map(Group::user_agents)
                .map(|it| ValueShape::of(&it))
        });
        let rules = Walked(|| {
            groups
                .iter()
                .flat_map(Group::rules)
                .map(|it| RuleShape::of(&it))
        });
        let mut shape = serializer.serialize_struct("MergedGroupShape", 5)?;
        shape.serialize_field("line", &self.0.line().get())?;
        shape.serialize_field("named", &(self.0.named_by() == NamedBy::Token))?;
        shape.serialize_field("groups", &indices)?;
        shape.serialize_field("user_agents", &user_agents)?;
        shape.serialize_field("rules", &rules)?;
        shape.end()
    }
}

impl Serialize for GroupShape<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(group) = self;
        let user_agents = Walked(|| group.user_agents().map(|it| ValueShape::of(&it)));
        let rules = Walked(|| group.rules().map(|it| RuleShape::of(&it)));
        let mut shape = serializer.serialize_struct("GroupShape", 4)?;
        shape.serialize_field("line", &group.line().get())?;
        shape.serialize_field("is_record", &group.is_record())?;
        shape.serialize_field("user_agents", &user_agents)?;
        shape.serialize_field("rules", &rules)?;
        shape.end()
    }
}

#[derive(Serialize)]
struct ValueShape<'r> {
    line: u32,
    value: Cow<'r, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value_base64: Option<String>,
}

#[derive(Serialize)]
struct RuleShape<'r> {
    line: u32,
    effect: &'static str,
    pattern: Cow<'r, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern_base64: Option<String>,
}

#[derive(Serialize)]
struct RecordShape<'r> {
    line: u32,
    column: u32,
    kind: &'static str,
    key: Cow<'r, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key_base64: Option<String>,
    value: Cow<'r, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value_base64: Option<String>,
    group: Option<usize>,
}

#[derive(Serialize)]
struct SitemapShape<'r> {
    line: u32,
    url: Cow<'r, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url_base64: Option<String>,
    absolute: bool,
}

#[derive(Serialize)]
struct DiagnosticShape {
    line: Option<u32>,
    column: Option<u32>,
    start: u32,
    end: u32,
    kind: &'static str,
    message: String,
    clause: &'static str,
}

impl<'r> ValueShape<'r> {
    fn of(record: &Record<'r>) -> Self {
        let (value, value_base64) = json_text(record.value());
        Self {
            line: record.line().get(),
            value,
            value_base64,
        }
    }
}

impl<'r> RuleShape<'r> {
    fn of(rule: &Rule<'r>) -> Self {
        let (pattern, pattern_base64) = json_text(rule.pattern());
        Self {
            line: rule.line().get(),
            effect: rule.effect().as_str(),
            pattern,
            pattern_base64,
        }
    }
}

impl<'r> RecordShape<'r> {
    fn of(record: &Record<'r>) -> Self {
        let (key, key_base64) = json_text(record.key());
        let (value, value_base64) = json_text(record.value());
        Self {
            line: record.line().get(),
            column: record.column(),
            kind: record.kind().key().unwrap_or("other"),
            key,
            key_base64,
            value,
            value_base64,
            group: group_of(record),
        }
    }
}

impl<'r> SitemapShape<'r> {
    fn of(sitemap: &UrlRecord<'r>) -> Self {
        let (url, url_base64) = json_text(sitemap.url());
        Self {
            line: sitemap.line().get(),
            url,
            url_base64,
            absolute: sitemap.is_absolute(),
        }
    }
}

impl DiagnosticShape {
    fn of((place, diagnostic): (Place, FileDiagnostic<'_>)) -> Self {
        Self {
            line: place.map(|(line, _)| line.get()),
            column: place.map(|(_, column)| column),
            start: diagnostic.span.start,
            end: diagnostic.span.end,
            kind: diagnostic.kind.as_str(),
            message: diagnostic.kind.to_string(),
            clause: diagnostic.kind.clause().id(),
        }
    }
}
