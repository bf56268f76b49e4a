use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices_deadline, group_diff_ops};

use crate::text::legible;

/// Number of unchanged lines around changed ones in a hunk.
const CONTEXT_LINES: usize = 3;

/// The lines that differ between two bodies.
#[derive(Clone, Debug)]
pub struct LineChanges {
    before: Arc<[u8]>,
    after: Arc<[u8]>,
    operations: Vec<DiffOp>,
    added: usize,
    removed: usize,
}

/// Changed lines that are close together, with their context.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hunk<'c> {
    /// First line and number of lines in each body: `@@ -2,7 +2,9 @@`.
    pub heading: String,
    /// The lines. In each change, removed lines precede added ones.
    pub lines: Vec<HunkLine<'c>>,
}

/// A line of a hunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HunkLine<'c> {
    /// Whether it was added, removed or kept.
    pub change: LineChange,
    /// Its bytes with its line end.
    pub bytes: &'c [u8],
}

/// Whether a line was added, removed or kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineChange {
    /// Both bodies have it.
    Kept,
    /// Only the old body has it.
    Removed,
    /// Only the new body has it.
    Added,
}

impl LineChanges {
    /// Compares two bodies line by line, including line ends.
    ///
    /// The time is proportional to lines × changes. At `deadline`, lines not yet compared count as
    /// replaced, so the result may report more changes than necessary but never fewer.
    #[must_use]
    pub fn between(before: Arc<[u8]>, after: Arc<[u8]>, deadline: Option<Instant>) -> Self {
        let (old, new) = (lines(&before), lines(&after));
        let operations = capture_diff_slices_deadline(Algorithm::Myers, &old, &new, deadline);
        let (mut added, mut removed) = (0, 0);
        for change in operations.iter().filter(|it| it.tag() != DiffTag::Equal) {
            added += change.new_range().len();
            removed += change.old_range().len();
        }
        Self {
            before,
            after,
            operations,
            added,
            removed,
        }
    }

    /// Returns the old body.
    #[must_use]
    pub fn before(&self) -> &[u8] {
        &self.before
    }

    /// Returns the new body.
    #[must_use]
    pub fn after(&self) -> &[u8] {
        &self.after
    }

    /// Returns the number of added lines.
    #[must_use]
    pub fn added(&self) -> usize {
        self.added
    }

    /// Returns the number of removed lines.
    #[must_use]
    pub fn removed(&self) -> usize {
        self.removed
    }

    /// Returns the hunks of a unified diff.
    #[must_use]
    pub fn hunks(&self) -> Vec<Hunk<'_>> {
        let (old, new) = (lines(&self.before), lines(&self.after));
        let groups = group_diff_ops(self.operations.clone(), CONTEXT_LINES);
        let hunks = groups.iter().filter_map(|hunk| {
            let (first, last) = (hunk.first()?, hunk.last()?);
            let old_range = range(first.old_range().start, last.old_range().end);
            let new_range = range(first.new_range().start, last.new_range().end);
            let lines = hunk.iter().flat_map(|change| {
                let (old, new) = (&old[change.old_range()], &new[change.new_range()]);
                if change.tag() == DiffTag::Equal {
                    return hunk_lines(old, LineChange::Kept);
                }
                let removed = hunk_lines(old, LineChange::Removed);
                [removed, hunk_lines(new, LineChange::Added)].concat()
            });
            Some(Hunk {
                heading: format!("@@ -{old_range} +{new_range} @@"),
                lines: lines.collect(),
            })
        });
        hunks.collect()
    }

    /// Returns the hunks as text that is safe to show. See [`legible`].
    #[must_use]
    pub fn unified_diff(&self) -> String {
        let hunks = self.hunks();
        let hunks = hunks.iter().map(|hunk| {
            let lines = hunk.lines.iter().map(ToString::to_string);
            let lines: String = lines.collect();
            format!("{}\n{lines}", hunk.heading)
        });
        hunks.collect()
    }
}

impl fmt::Display for HunkLine<'_> {
    /// Writes the line with its sign and its end, as in a unified diff.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.change {
            LineChange::Kept => ' ',
            LineChange::Removed => '-',
            LineChange::Added => '+',
        };
        let (line, note) = match self.bytes.strip_suffix(b"\n") {
            Some(line) => (line, ""),
            None => (self.bytes, "\\ No newline at end of file\n"),
        };
        write!(f, "{sign}{}\n{note}", legible(line))
    }
}

fn hunk_lines<'c>(lines: &[&'c [u8]], change: LineChange) -> Vec<HunkLine<'c>> {
    let lines = lines.iter();
    lines.map(|&bytes| HunkLine { change, bytes }).collect()
}

/// Splits a body into lines that keep their ends.
fn lines(body: &[u8]) -> Vec<&[u8]> {
    body.split_inclusive(|&byte| byte == b'\n').collect()
}

/// Formats a range as in a unified diff: the first line, counted from 1, or the line before an
/// empty range, and the number of lines unless it is one.
fn range(start: usize, end: usize) -> String {
    match end - start {
        0 => format!("{start},0"),
        1 => (start + 1).to_string(),
        lines => format!("{},{lines}", start + 1),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn changes(before: &str, after: &str, deadline: Option<Instant>) -> (usize, usize, String) {
        let [before, after] = [before, after].map(|body| Arc::from(body.as_bytes()));
        let changes = LineChanges::between(before, after, deadline);
        (changes.added(), changes.removed(), changes.unified_diff())
    }

    #[test]
    fn changed_lines_are_counted_and_shown_with_their_neighbours() {
        let before = "a\nb\nc\nd\ne\nf\ng\nh\n";
        let after = "a\nb\nc\nd\nE\nE2\nf\ng\nh\ni";
        let hunks = "\
@@ -2,7 +2,9 @@
 b
 c
 d
-e
+E
+E2
 f
 g
 h
+i
\\ No newline at end of file
";
        assert_eq!(changes(before, after, None), (3, 1, hunks.to_owned()));
    }

    #[test]
    fn an_empty_body_has_no_lines() {
        let hunks = "@@ -0,0 +1 @@\n+a\n".to_owned();
        assert_eq!(changes("", "a\n", None), (1, 0, hunks));
        let hunks = "@@ -1,2 +0,0 @@\n-a\n-b\x5c\x78\x30\x64\n".to_owned();
        assert_eq!(changes("a\nb\r\n", "", None), (0, 2, hunks));
        assert_eq!(changes("a\n", "a\n", None), (0, 0, String::new()));
    }

    #[test]
    fn a_comparison_ends_at_its_deadline_and_misses_no_change() {
        let body = |factor: u32| {
            let numbers = (0..60_000_u32).map(|number| number.wrapping_mul(factor));
            let lines: Vec<_> = numbers.map(|number| number.to_string()).collect();
            lines.join("\n")
        };
        let deadline = Instant::now() + Duration::from_millis(100);
        let (before, after) = (body(2_654_435_761), body(2_246_822_519));
        let (added, removed, _) = changes(&before, &after, Some(deadline));
        assert!(added > 50_000 && added == removed, "+{added} -{removed}");
    }
}
