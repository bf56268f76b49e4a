//! The listing as JSON, schema `verger.parse/1`.

use std::borrow::Cow;

use serde::Serialize;
use verger::{Diagnostic, Group, LineNumber, Record};
use verger_answer::ResolvedCrawler;

use super::diagnostic_place::LineStarts;
use super::listing::Listing;
use super::values::Value;

use crate::octet_text::json_text;

const SCHEMA: &str = "verger.parse/1";

/// The whole file.
#[derive(Serialize)]
pub(super) struct Document<'r> {
    schema: &'static str,
    dialect: &'static str,
    octets: usize,
    octets_read: usize,
    lines: usize,
    groups: Vec<GroupShape<'r>>,
    records: Vec<RecordShape<'r>>,
    sitemaps: Vec<SitemapShape<'r>>,
    agent: Option<&'r str>,
    crawler: Option<&'r ResolvedCrawler>,
    values: Vec<Value>,
    diagnostics: Vec<DiagnosticShape>,
}

#[derive(Serialize)]
struct GroupShape<'r> {
    line: u32,
    is_record: bool,
    user_agents: Vec<ValueShape<'r>>,
    rules: Vec<RuleShape<'r>>,
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

/// The document about a listing.
pub(super) fn document<'r>(listing: &Listing<'r>) -> Document<'r> {
    let robots = listing.robots;
    let starts = LineStarts::of(robots);
    let sitemap = |sitemap: verger::UrlRecord<'r>| {
        let (url, url_base64) = json_text(sitemap.url());
        SitemapShape {
            line: sitemap.line().get(),
            url,
            url_base64,
            absolute: sitemap.is_absolute(),
        }
    };
    Document {
        schema: SCHEMA,
        dialect: robots.dialect().as_str(),
        octets: robots.body().len(),
        octets_read: robots.octets_read(),
        lines: starts.len(),
        groups: robots.groups().map(|group| group_shape(&group)).collect(),
        records: robots
            .records()
            .map(|record| record_shape(listing, &record))
            .collect(),
        sitemaps: robots.sitemaps().map(sitemap).collect(),
        agent: listing.asked.map(ResolvedCrawler::name),
        crawler: listing.asked,
        values: listing.values(),
        diagnostics: starts
            .placed(robots)
            .into_iter()
            .map(|(place, diagnostic)| diagnostic_shape(place, &diagnostic))
            .collect(),
    }
}

fn group_shape<'r>(group: &Group<'r>) -> GroupShape<'r> {
    let user_agent = |record: Record<'r>| {
        let (value, value_base64) = json_text(record.value());
        ValueShape {
            line: record.line().get(),
            value,
            value_base64,
        }
    };
    let rule = |rule: verger::Rule<'r>| {
        let (pattern, pattern_base64) = json_text(rule.pattern());
        RuleShape {
            line: rule.line().get(),
            effect: rule.effect().as_str(),
            pattern,
            pattern_base64,
        }
    };
    GroupShape {
        line: group.line().get(),
        is_record: group.is_record(),
        user_agents: group.user_agents().map(user_agent).collect(),
        rules: group.rules().map(rule).collect(),
    }
}

fn record_shape<'r>(listing: &Listing<'r>, record: &Record<'r>) -> RecordShape<'r> {
    let (key, key_base64) = json_text(record.key());
    let (value, value_base64) = json_text(record.value());
    RecordShape {
        line: record.line().get(),
        column: record.column(),
        kind: record.kind().key().unwrap_or("other"),
        key,
        key_base64,
        value,
        value_base64,
        group: listing.group_of(record),
    }
}

fn diagnostic_shape(
    place: Option<(LineNumber, u32)>,
    diagnostic: &Diagnostic<'_>,
) -> DiagnosticShape {
    DiagnosticShape {
        line: place.map(|(line, _)| line.get()),
        column: place.map(|(_, column)| column),
        start: diagnostic.span.start,
        end: diagnostic.span.end,
        kind: diagnostic.kind.as_str(),
        message: diagnostic.kind.to_string(),
        clause: diagnostic.kind.clause().id(),
    }
}
