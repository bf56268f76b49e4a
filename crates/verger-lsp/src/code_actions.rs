//! Offers fixes as code actions.

use std::ops::Range;

use serde::Deserialize;
use serde_json::{Value, json};
use verger::Span;
use verger_lint::{Finding, Fix, Meaning, Severity};

use crate::client_features::ClientFeatures;
use crate::diagnostics::{diagnostic, spans};
use crate::document::{Document, TextChange, bytes};
use crate::text::{PositionRange, capitalized};

pub(crate) const QUICK_FIX: &str = "quickfix";

/// The action that applies all fixes that keep the meaning.
pub(crate) const FIX_ALL: &str = "source.fixAll.verger";

/// Maximum number of fixes offered at one place.
const FIXES_MAX: usize = 100;

/// The requested actions.
#[derive(Debug, Deserialize)]
pub(crate) struct ActionContext {
    /// Requested kinds, including the kinds they contain. If absent, all kinds.
    only: Option<Vec<String>>,
    #[serde(rename = "triggerKind")]
    trigger_kind: Option<u8>,
}

/// The editor asked on its own, such as after the cursor moved.
const AUTOMATIC: u8 = 2;

/// Returns the fixes in a range.
pub(crate) fn code_actions(
    uri: &str,
    document: &Document,
    range: PositionRange,
    context: &ActionContext,
    client: ClientFeatures,
) -> Value {
    let mut actions = Vec::new();
    if context.wants(QUICK_FIX) {
        let text = document.text();
        let wanted = text.offset(range.start)..text.offset(range.end);
        let found = document.findings();
        let found = found.filter_map(|(severity, it)| Some((severity, it, touched(it, &wanted)?)));
        let fixes = found.filter_map(|found| quick_fix(uri, document, found, client));
        actions.extend(fixes.take(FIXES_MAX));
    }
    if context.wants_all_fixes() {
        actions.extend(document.fixed().map(|change| {
            json!({
                "title": "Apply all fixes that keep the meaning",
                "kind": FIX_ALL,
                "edit": edit(uri, document, vec![of_change(change)], client),
            })
        }));
    }
    actions.into()
}

impl ActionContext {
    /// Returns whether the kind or one that contains it is requested.
    fn wants(&self, kind: &str) -> bool {
        let contains = |wanted: &String| {
            let rest = kind.strip_prefix(wanted.as_str());
            rest.is_some_and(|rest| wanted.is_empty() || rest.is_empty() || rest.starts_with('.'))
        };
        let only = self.only.as_ref();
        only.is_none_or(|only| only.iter().any(contains))
    }

    /// Skips the combined fix on cursor moves, because it runs all lints several times.
    fn wants_all_fixes(&self) -> bool {
        let is_unasked = self.only.is_none() && self.trigger_kind == Some(AUTOMATIC);
        !is_unasked && self.wants(FIX_ALL)
    }
}

/// Returns the first place of a finding that overlaps or borders on a range.
fn touched(finding: &Finding, range: &Range<usize>) -> Option<Span> {
    spans(finding).find(|span| {
        let place = bytes(*span);
        place.start <= range.end && range.start <= place.end
    })
}

fn quick_fix(
    uri: &str,
    document: &Document,
    found: (Severity, &Finding, Span),
    client: ClientFeatures,
) -> Option<Value> {
    let fix = found.1.fix.as_ref()?;
    let note = match fix.meaning {
        Meaning::Kept => "",
        Meaning::Changed => " (may change the meaning)",
    };
    let edits = edits(document, fix)?;
    Some(json!({
        "title": format!("{}{note}", capitalized(&fix.title)),
        "kind": QUICK_FIX,
        "diagnostics": [diagnostic(uri, document, found, client)],
        "isPreferred": fix.meaning == Meaning::Kept,
        "edit": edit(uri, document, edits, client),
    }))
}

/// Returns the edits of a fix, or `None` if it would insert bytes that are not text.
fn edits(document: &Document, fix: &Fix) -> Option<Vec<Value>> {
    let edits = fix.edits.iter().map(|edit| {
        Some(of_change(&TextChange {
            range: document.text().range(bytes(edit.span)),
            text: std::str::from_utf8(&edit.text).ok()?.to_owned(),
        }))
    });
    edits.collect()
}

fn of_change(change: &TextChange) -> Value {
    json!({ "range": change.range, "newText": change.text })
}

/// Builds a workspace edit, with the version of the document if the client supports it.
fn edit(uri: &str, document: &Document, edits: Vec<Value>, client: ClientFeatures) -> Value {
    let edits = Value::from(edits);
    if client.versioned_edits {
        let text_document = json!({ "uri": uri, "version": document.version });
        json!({ "documentChanges": [{ "textDocument": text_document, "edits": edits }] })
    } else {
        json!({ "changes": { uri: edits } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_contain_others() {
        let wants = |only: Option<&[&str]>, kind| {
            let only = only.map(|only| only.iter().map(|&it| it.to_owned()).collect());
            let trigger_kind = None;
            ActionContext { only, trigger_kind }.wants(kind)
        };
        for only in [
            None,
            Some(&[""][..]),
            Some(&["source"]),
            Some(&["x", "source.fixAll"]),
            Some(&[FIX_ALL]),
        ] {
            assert!(wants(only, FIX_ALL), "{only:?}");
        }
        for only in [
            &[][..],
            &["sour"],
            &["source.fixAll.verger.x"],
            &[QUICK_FIX],
        ] {
            assert!(!wants(Some(only), FIX_ALL), "{only:?}");
        }
    }
}
