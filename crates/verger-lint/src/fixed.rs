//! Applying fixes to a body.

use std::collections::BTreeMap;

use verger::Span;

use crate::finding::Finding;
use crate::fix::{Edit, Fix, Meaning};
use crate::linted::Linted;
use crate::served::Served;

/// Maximum number of rounds. A fix may make room for another, so the body is linted again.
const ROUNDS_MAX: usize = 8;

/// Which fixes to apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixing {
    /// Fixes that keep the meaning of the file.
    KeepingMeaning,
    /// All fixes.
    All,
}

/// A fixed body.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fixed {
    /// The body.
    pub body: Vec<u8>,
    /// Number of applied fixes.
    pub fixes: usize,
    /// Whether no wanted fix is left.
    pub is_complete: bool,
}

impl Fixing {
    fn takes(self, fix: &Fix) -> bool {
        self == Self::All || fix.meaning == Meaning::Kept
    }
}

/// Applies the fixes of all findings that `wanted` accepts, until none is left or after eight
/// rounds.
///
/// If two fixes change the same bytes, the first is applied. The other follows if its finding is
/// still there. Fixing a fixed body changes nothing.
///
/// ```
/// use verger_lint::{Fixing, Served, fixed};
///
/// let body = b"User-agent: FooBot/2.0\nDisallow: /a\nDisallow: /a\n";
/// let fixed = fixed(body, &Served::default(), Fixing::KeepingMeaning, |_| true);
/// assert_eq!(fixed.body, b"User-agent: FooBot\nDisallow: /a\n");
/// assert_eq!(fixed.fixes, 2);
/// ```
#[must_use]
pub fn fixed(
    body: &[u8],
    served: &Served,
    fixing: Fixing,
    wanted: impl Fn(&Finding) -> bool,
) -> Fixed {
    let mut fixed = Fixed {
        body: body.to_vec(),
        fixes: 0,
        is_complete: false,
    };
    for round in 0..=ROUNDS_MAX {
        let linted = Linted::new(&*fixed.body, served);
        let findings = linted.findings().iter().filter(|finding| wanted(finding));
        let proposed = findings.filter_map(|finding| finding.fix.as_ref());
        let (body, count) = with_fixes(&fixed.body, proposed.filter(|fix| fixing.takes(fix)));
        fixed.is_complete = count == 0;
        if fixed.is_complete || round == ROUNDS_MAX {
            break;
        }
        fixed.body = body;
        fixed.fixes += count;
    }
    fixed
}

/// Returns the body with as many fixes as do not overlap, and their number.
fn with_fixes<'f>(body: &[u8], fixes: impl Iterator<Item = &'f Fix>) -> (Vec<u8>, usize) {
    let mut fixes: Vec<&Fix> = fixes.filter(|fix| !fix.edits.is_empty()).collect();
    fixes.sort_by_key(|fix| fix.edits[0].span.start);
    let mut edits: BTreeMap<(u32, u32), &Edit> = BTreeMap::new();
    let mut count = 0;
    for fix in fixes {
        let is_free = |edit: &Edit| {
            // Only the last edits that begin before its end, or at it, can overlap.
            let mut near = edits.range(..=(edit.span.end, u32::MAX)).rev().take(2);
            near.all(|(_, other)| other.may_precede(edit) || edit.may_precede(other))
        };
        if fix.edits.iter().all(is_free) {
            let places = fix.edits.iter();
            edits.extend(places.map(|edit| ((edit.span.start, edit.span.end), edit)));
            count += 1;
        }
    }
    let edits: Vec<&Edit> = edits.into_values().collect();
    (with_edits(body, &edits), count)
}

fn with_edits(body: &[u8], edits: &[&Edit]) -> Vec<u8> {
    let mut edited = Vec::with_capacity(body.len());
    let mut start = 0;
    for edit in edits {
        let before = Span {
            start,
            end: edit.span.start,
        };
        edited.extend_from_slice(before.of(body));
        edited.extend_from_slice(&edit.text);
        start = edit.span.end;
    }
    let rest = Span {
        start,
        end: u32::MAX,
    };
    edited.extend_from_slice(rest.of(body));
    edited
}
