//! Findings as JSON, schema `verger.lint/1`.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;
use verger::Span;
use verger_lint::{Edit, Finding, Fix, LabelledSpan, Linted, Meaning, OtherFetch, Severity};

use super::file_findings::FileFindings;
use crate::octet_text::{argument_octets, json_text};

const SCHEMA: &str = "verger.lint/1";

#[derive(Serialize)]
struct FileShape<'f> {
    schema: &'static str,
    file: Cow<'f, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_base64: Option<String>,
    served: Option<ServedShape<'f>>,
    findings: Vec<FindingShape<'f>>,
}

/// How a site serves its file.
#[derive(Serialize)]
struct ServedShape<'f> {
    outcome: String,
    hops: Vec<HopShape<'f>>,
    media_type: Option<Cow<'f, str>>,
    lifetime_seconds: Option<u64>,
    variants: Vec<OtherShape<'f>>,
    as_crawlers: Vec<OtherShape<'f>>,
}

#[derive(Serialize)]
struct HopShape<'f> {
    url: &'f str,
    status: Option<u16>,
}

#[derive(Serialize)]
struct OtherShape<'f> {
    name: &'f str,
    outcome: String,
    same_file: Option<bool>,
}

#[derive(Serialize)]
struct FindingShape<'f> {
    code: &'static str,
    severity: &'static str,
    message: &'f str,
    help: Option<&'f str>,
    spans: Vec<SpanShape<'f>>,
    fix: Option<FixShape<'f>>,
}

#[derive(Serialize)]
struct SpanShape<'f> {
    line: u32,
    column: u32,
    start: u32,
    end: u32,
    label: Option<&'f str>,
}

#[derive(Serialize)]
struct FixShape<'f> {
    title: &'f str,
    keeps_meaning: bool,
    edits: Vec<EditShape<'f>>,
}

#[derive(Serialize)]
struct EditShape<'f> {
    start: u32,
    end: u32,
    text: Cow<'f, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text_base64: Option<String>,
}

/// Writes a line about a file.
pub(super) fn write(output: &mut impl Write, found: &FileFindings<'_>) -> io::Result<()> {
    let name = found.name();
    let octets = argument_octets(&name);
    let (file, file_base64) = json_text(&octets);
    let findings = found.counted();
    let findings = findings.map(|(severity, it)| FindingShape::of(&found.file, severity, it));
    let shape = FileShape {
        schema: SCHEMA,
        file,
        file_base64,
        served: ServedShape::of(found),
        findings: findings.collect(),
    };
    verger_answer::json::to_writer(&mut *output, &shape)?;
    output.write_all(b"\n")
}

impl<'f> ServedShape<'f> {
    fn of(found: &'f FileFindings<'_>) -> Option<Self> {
        let served = &found.served;
        let fetch = served.fetch.as_ref()?;
        let hops = fetch.hops.iter().map(|hop| HopShape {
            url: &hop.url,
            status: hop.status,
        });
        let mut headers = fetch.headers.iter();
        let media_type = headers.find(|(name, _)| name == "content-type");
        let other = |it: &'f OtherFetch| OtherShape {
            name: &it.name,
            outcome: it.outcome.code(),
            same_file: it.body.as_deref().map(|body| body == found.body()),
        };
        Some(Self {
            outcome: fetch.outcome.code(),
            hops: hops.collect(),
            media_type: media_type.map(|(_, value)| String::from_utf8_lossy(value)),
            lifetime_seconds: fetch.stated_lifetime.map(|it| it.as_secs()),
            variants: served.variants.iter().map(other).collect(),
            as_crawlers: served.as_crawlers.iter().map(other).collect(),
        })
    }
}

impl<'f> FindingShape<'f> {
    fn of(file: &Linted, severity: Severity, finding: &'f Finding) -> Self {
        let spans = finding.spans.iter().map(|it| SpanShape::of(file, it));
        Self {
            code: finding.code,
            severity: severity.as_str(),
            message: &finding.message,
            help: finding.help.as_deref(),
            spans: spans.collect(),
            fix: finding.fix.as_ref().map(FixShape::of),
        }
    }
}

impl<'f> SpanShape<'f> {
    fn of(file: &Linted, place: &'f LabelledSpan) -> Self {
        let Span { start, end } = place.span;
        let position = file.position(start);
        Self {
            line: position.line.get(),
            column: position.column,
            start,
            end,
            label: Some(&*place.label).filter(|it| !it.is_empty()),
        }
    }
}

impl<'f> FixShape<'f> {
    fn of(fix: &'f Fix) -> Self {
        Self {
            title: &fix.title,
            keeps_meaning: fix.meaning == Meaning::Kept,
            edits: fix.edits.iter().map(EditShape::of).collect(),
        }
    }
}

impl<'f> EditShape<'f> {
    fn of(edit: &'f Edit) -> Self {
        let (text, text_base64) = json_text(&edit.text);
        Self {
            start: edit.span.start,
            end: edit.span.end,
            text,
            text_base64,
        }
    }
}
