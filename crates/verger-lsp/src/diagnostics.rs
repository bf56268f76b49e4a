//! Reports findings as diagnostics.

use std::iter;

use serde_json::{Value, json};
use verger::Span;
use verger_lint::{Finding, Severity};

use crate::client_features::ClientFeatures;
use crate::document::{Document, bytes};

/// Maximum number of findings shown for a document.
const FINDINGS_MAX: usize = 1_000;

/// Maximum number of related places shown for a finding.
const PLACES_MAX: usize = 16;

pub(crate) fn diagnostics(uri: &str, document: &Document, client: ClientFeatures) -> Vec<Value> {
    let problem = document.settings_problem().map(|problem| {
        let message = format!("cannot use the lint settings: {problem}");
        of_whole_document(Severity::Error, &message)
    });
    let places = || {
        let findings = document.findings();
        findings.flat_map(|(severity, it)| spans(it).map(move |span| (severity, it, span)))
    };
    let shown = places().take(FINDINGS_MAX);
    let shown =
        shown.map(|(severity, it, span)| diagnostic(uri, document, (severity, it, span), client));
    let rest = places().skip(FINDINGS_MAX).count();
    let rest = (rest > 0).then(|| {
        let message = format!("{rest} more findings are not shown: `verger lint` prints them all");
        of_whole_document(Severity::Note, &message)
    });
    problem.into_iter().chain(shown).chain(rest).collect()
}

/// Returns the places of a finding. One about how the file is served is at the start of the file.
pub(crate) fn spans(finding: &Finding) -> impl Iterator<Item = Span> {
    let further = finding.further.iter().map(|it| it.span);
    iter::once(finding.span()).chain(further)
}

/// Returns a finding at one of its places.
pub(crate) fn diagnostic(
    uri: &str,
    document: &Document,
    (severity, finding, span): (Severity, &Finding, Span),
    client: ClientFeatures,
) -> Value {
    let range = |span| json!(document.text().range(bytes(span)));
    let message = match &finding.help {
        Some(help) => format!("{}\nhelp: {help}", finding.message),
        None => finding.message.clone(),
    };
    let mut diagnostic = json!({
        "range": range(span),
        "severity": number(severity),
        "code": finding.code,
        "source": "verger",
        "message": message,
    });
    let labelled = finding.spans.iter().chain(&finding.further);
    let labelled = labelled.filter(|it| !it.label.is_empty());
    let related = labelled.take(PLACES_MAX).map(
        |it| json!({ "location": { "uri": uri, "range": range(it.span) }, "message": it.label }),
    );
    let related: Vec<Value> = related.collect();
    if client.related_information && !related.is_empty() {
        diagnostic["relatedInformation"] = related.into();
    }
    diagnostic
}

/// Returns a diagnostic at the start of a document.
fn of_whole_document(severity: Severity, message: &str) -> Value {
    let start = json!({ "line": 0, "character": 0 });
    json!({
        "range": { "start": start, "end": start },
        "severity": number(severity),
        "source": "verger",
        "message": message,
    })
}

/// Returns the severity number of the protocol.
fn number(severity: Severity) -> u8 {
    match severity {
        Severity::Error => 1,
        Severity::Warning => 2,
        Severity::Note => 3,
    }
}
