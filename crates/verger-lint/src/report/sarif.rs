//! Findings as a SARIF 2.1.0 log, which many code review tools read.

use std::collections::BTreeSet;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::file_findings::{FileFindings, Region};
use crate::finding::{Finding, LabelledSpan};
use crate::fix::{Edit, Fix};
use crate::lints::by_code;
use crate::severity::Severity;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A SARIF 2.1.0 log with the findings of many files.
#[derive(Debug, Default)]
pub struct SarifLog {
    results: Vec<Value>,
    /// The lints of the results, alphabetically.
    codes: BTreeSet<&'static str>,
}

impl SarifLog {
    /// Adds the findings of a file.
    pub fn add(&mut self, found: &FileFindings) {
        let uri = uri_of(found.name());
        for (severity, finding) in found.counted() {
            self.codes.insert(finding.code);
            self.results.push(result(found, &uri, severity, finding));
        }
    }
}

impl Serialize for SarifLog {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rules: Vec<Value> = self.codes.iter().filter_map(|code| rule(code)).collect();
        let log = json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": {
                    "driver": {
                        "name": "verger",
                        "semanticVersion": env!("CARGO_PKG_VERSION"),
                        "rules": rules,
                    },
                },
                "columnKind": "unicodeCodePoints",
                "results": self.results,
            }],
        });
        log.serialize(serializer)
    }
}

fn rule(code: &str) -> Option<Value> {
    let lint = by_code(code)?;
    Some(json!({
        "id": code,
        "shortDescription": { "text": lint.summary() },
        "fullDescription": { "text": lint.explanation() },
        "help": { "text": lint.explanation(), "markdown": lint.to_string() },
        "defaultConfiguration": { "level": lint.severity().as_str() },
    }))
}

fn result(found: &FileFindings, uri: &str, severity: Severity, finding: &Finding) -> Value {
    let (first, related) = finding.spans.split_at(1.min(finding.spans.len()));
    let location_of = first.first().map(|it| location(found, uri, it));
    // Findings about how the file is served have no region.
    let location_of = location_of.unwrap_or_else(|| artifact(uri));
    let related = related.iter().chain(&finding.further);
    let related: Vec<Value> = related.map(|it| location(found, uri, it)).collect();
    let text = match &finding.help {
        Some(help) => format!("{}. {help}", finding.message),
        None => finding.message.clone(),
    };
    let mut result = json!({
        "ruleId": finding.code,
        "level": severity.as_str(),
        "message": { "text": text },
        "locations": [location_of],
    });
    if let Some(object) = result.as_object_mut() {
        if !related.is_empty() {
            object.insert("relatedLocations".to_owned(), Value::Array(related));
        }
        if let Some(fix) = finding.fix.as_ref().and_then(|it| fix_of(found, uri, it)) {
            object.insert("fixes".to_owned(), Value::Array(vec![fix]));
        }
    }
    result
}

fn artifact(uri: &str) -> Value {
    json!({ "physicalLocation": { "artifactLocation": { "uri": uri } } })
}

fn location(found: &FileFindings, uri: &str, place: &LabelledSpan) -> Value {
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri },
            "region": region(found.region(place.span)),
        },
    });
    if let Some(object) = location.as_object_mut().filter(|_| !place.label.is_empty()) {
        object.insert("message".to_owned(), json!({ "text": place.label }));
    }
    location
}

fn region(region: Region) -> Value {
    json!({
        "startLine": region.line,
        "startColumn": region.column,
        "endLine": region.end_line,
        "endColumn": region.end_column,
    })
}

/// Returns a fix, or `None` if it inserts invalid UTF-8.
fn fix_of(found: &FileFindings, uri: &str, fix: &Fix) -> Option<Value> {
    let replacement = |edit: &Edit| {
        let text = std::str::from_utf8(&edit.text).ok()?;
        Some(json!({
            "deletedRegion": region(found.region(edit.span)),
            "insertedContent": { "text": text },
        }))
    };
    let replacements: Option<Vec<Value>> = fix.edits.iter().map(replacement).collect();
    Some(json!({
        "description": { "text": fix.title },
        "artifactChanges": [{
            "artifactLocation": { "uri": uri },
            "replacements": replacements?,
        }],
    }))
}

/// Returns a file name as a URI reference, with escapes where needed. A URL stays as it is.
fn uri_of(bytes: &[u8]) -> String {
    if bytes.windows(3).any(|three| three == b"://") {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let escaped = bytes.iter().map(|&byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    });
    escaped.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_references() {
        assert_eq!(uri_of(b"a b/robots.txt"), "a%20b/robots.txt");
        assert_eq!(uri_of(b"c:d%"), "c%3Ad%25");
        assert_eq!(uri_of(b"https://h/robots.txt"), "https://h/robots.txt");
    }
}
