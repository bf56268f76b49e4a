//! Findings (`verger.lint/1`) and lints (`verger.lint-list/1`) as JSON.

use std::borrow::Cow;
use std::io;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use verger::Span;
use verger_access::Hop;
use verger_answer::json;
use verger_answer::text::json_text;

use super::file_findings::FileFindings;
use super::settings::LintSettings;
use crate::finding::{Finding, LabelledSpan};
use crate::fix::{Edit, Fix, Meaning};
use crate::lint::Lint;
use crate::linted::Linted;
use crate::served::OtherFetch;
use crate::severity::Severity;

/// Lints a file and returns a line of `verger.lint/1`. `origin` is the file's site.
///
/// # Errors
///
/// Returns an error if a finding cannot be serialized. No such case is known.
pub fn lint_json(
    name: Vec<u8>,
    body: Vec<u8>,
    origin: Option<String>,
    settings: &LintSettings,
) -> io::Result<String> {
    json::line_of(&FileFindings::of_site(name, body, origin, settings))
}

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
    hops: &'f [Hop],
    media_type: Option<Cow<'f, str>>,
    lifetime_seconds: Option<u64>,
    variants: Vec<OtherShape<'f>>,
    as_crawlers: Vec<OtherShape<'f>>,
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
    severity: Severity,
    message: &'f str,
    help: Option<&'f str>,
    spans: Vec<SpanShape<'f>>,
    further: Vec<SpanShape<'f>>,
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

impl Serialize for FileFindings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (file, file_base64) = json_text(self.name());
        let findings = self.counted();
        let findings = findings.map(|(severity, it)| FindingShape::of(self.file(), severity, it));
        let shape = FileShape {
            schema: Self::SCHEMA,
            file,
            file_base64,
            served: ServedShape::of(self),
            findings: findings.collect(),
        };
        shape.serialize(serializer)
    }
}

impl Serialize for Lint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut shape = serializer.serialize_struct("Lint", 4)?;
        shape.serialize_field("schema", "verger.lint-list/1")?;
        shape.serialize_field("code", self.code())?;
        shape.serialize_field("severity", &self.severity())?;
        shape.serialize_field("summary", self.summary())?;
        shape.end()
    }
}

impl<'f> ServedShape<'f> {
    fn of(found: &'f FileFindings) -> Option<Self> {
        let served = found.served();
        let fetch = served.fetch.as_ref()?;
        let mut headers = fetch.headers.iter();
        let media_type = headers.find(|(name, _)| name == "content-type");
        let other = |it: &'f OtherFetch| OtherShape {
            name: &it.name,
            outcome: it.outcome.code(),
            same_file: it
                .body
                .as_deref()
                .map(|body| body == found.file().robots().body()),
        };
        Some(Self {
            outcome: fetch.outcome.code(),
            hops: &fetch.hops,
            media_type: media_type.map(|(_, value)| String::from_utf8_lossy(value)),
            lifetime_seconds: fetch.stated_lifetime.map(|it| it.as_secs()),
            variants: served.variants.iter().map(other).collect(),
            as_crawlers: served.as_crawlers.iter().map(other).collect(),
        })
    }
}

impl<'f> FindingShape<'f> {
    fn of(file: &Linted, severity: Severity, finding: &'f Finding) -> Self {
        let shapes = |places: &'f [LabelledSpan]| {
            let shapes = places.iter().map(|it| SpanShape::of(file, it));
            shapes.collect()
        };
        Self {
            code: finding.code,
            severity,
            message: &finding.message,
            help: finding.help.as_deref(),
            spans: shapes(&finding.spans),
            further: shapes(&finding.further),
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
