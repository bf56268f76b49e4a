//! `LineChanges`: which lines of a body changed.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices_deadline, group_diff_ops};

use crate::octet_text::legible;
use crate::palette::{ALLOWED, DISALLOWED, FAINT};

/// A comparison that takes longer ends: what it has not compared by then counts as replaced. Then
/// it tells more changes than there need be, and none too few.
const COMPARISON_MAX: Duration = Duration::from_secs(2);

/// So many unchanged lines stand around changed ones.
const CONTEXT_LINES: usize = 3;

/// Which lines of a body changed.
pub(super) struct LineChanges {
    before: Arc<[u8]>,
    after: Arc<[u8]>,
    changes: Vec<DiffOp>,
    pub(super) added: usize,
    pub(super) removed: usize,
}

impl LineChanges {
    /// What changed from `before` to `after`, line by line, line ends included.
    pub(super) fn between(before: Arc<[u8]>, after: Arc<[u8]>) -> Self {
        let deadline = Some(Instant::now() + COMPARISON_MAX);
        let (old, new) = (lines(&before), lines(&after));
        let changes = capture_diff_slices_deadline(Algorithm::Myers, &old, &new, deadline);
        let (mut added, mut removed) = (0, 0);
        for change in changes.iter().filter(|it| it.tag() != DiffTag::Equal) {
            added += change.new_range().len();
            removed += change.old_range().len();
        }
        Self {
            before,
            after,
            changes,
            added,
            removed,
        }
    }

    /// Writes the hunks of a unified diff, its two headings left out.
    pub(super) fn write_hunks(&self, output: &mut impl Write) -> io::Result<()> {
        let (old, new) = (lines(&self.before), lines(&self.after));
        for hunk in group_diff_ops(self.changes.clone(), CONTEXT_LINES) {
            let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else {
                continue;
            };
            let old_place = place(first.old_range().start, last.old_range().end);
            let new_place = place(first.new_range().start, last.new_range().end);
            writeln!(output, "{FAINT}@@ -{old_place} +{new_place} @@{FAINT:#}")?;
            for change in &hunk {
                let (old, new) = (&old[change.old_range()], &new[change.new_range()]);
                if change.tag() == DiffTag::Equal {
                    for line in old {
                        write_line(output, ' ', line)?;
                    }
                    continue;
                }
                for line in old {
                    write!(output, "{DISALLOWED}")?;
                    write_line(output, '-', line)?;
                    write!(output, "{DISALLOWED:#}")?;
                }
                for line in new {
                    write!(output, "{ALLOWED}")?;
                    write_line(output, '+', line)?;
                    write!(output, "{ALLOWED:#}")?;
                }
            }
        }
        Ok(())
    }
}

/// The lines, each with its end.
fn lines(body: &[u8]) -> Vec<&[u8]> {
    body.split_inclusive(|&octet| octet == b'\n').collect()
}

/// Where lines stand, as a unified diff tells it: the first one counted from 1, or the one before
/// where there are none, and how many there are unless it is one.
fn place(start: usize, end: usize) -> String {
    match end - start {
        0 => format!("{start},0"),
        1 => (start + 1).to_string(),
        lines => format!("{},{lines}", start + 1),
    }
}

fn write_line(output: &mut impl Write, sign: char, line: &[u8]) -> io::Result<()> {
    match line.strip_suffix(b"\n") {
        Some(line) => writeln!(output, "{sign}{}", legible(line)),
        None => writeln!(
            output,
            "{sign}{}\n\\ No newline at end of file",
            legible(line)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(before: &str, after: &str) -> (usize, usize, String) {
        let [before, after] = [before, after].map(|body| Arc::from(body.as_bytes()));
        let changes = LineChanges::between(before, after);
        let mut hunks = anstream::StripStream::new(Vec::new());
        changes.write_hunks(&mut hunks).unwrap();
        let hunks = String::from_utf8(hunks.into_inner()).unwrap();
        (changes.added, changes.removed, hunks)
    }

    #[test]
    fn lines_that_changed_are_counted_and_shown_with_their_neighbours() {
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
        assert_eq!(told(before, after), (3, 1, hunks.to_owned()));
    }

    #[test]
    fn an_empty_body_has_no_lines() {
        let hunks = "@@ -0,0 +1 @@\n+a\n".to_owned();
        assert_eq!(told("", "a\n"), (1, 0, hunks));
        let hunks = "@@ -1,2 +0,0 @@\n-a\n-b\x5c\x78\x30\x64\n".to_owned();
        assert_eq!(told("a\nb\r\n", ""), (0, 2, hunks));
        assert_eq!(told("a\n", "a\n"), (0, 0, String::new()));
    }

    #[test]
    fn bodies_without_a_common_line_are_compared_in_bounded_time() {
        let body = |factor: u32| {
            let numbers = (0..60_000_u32).map(|number| number.wrapping_mul(factor));
            let lines: Vec<_> = numbers.map(|number| number.to_string()).collect();
            lines.join("\n")
        };
        let (added, removed, _) = told(&body(2_654_435_761), &body(2_246_822_519));
        assert!(added > 50_000 && added == removed, "+{added} -{removed}");
    }
}
