//! The history of a site: a timeline and the changes.

use std::io::{self, Write};

use verger_answer::text::readable_time;
use verger_answer::{CountOf, LineChange, LineChanges};

use super::site_facts::{BodyChange, SiteHistory};
use crate::web_page::{Text, begin_drawing, end_drawing, start_of_line};
use verger_store::{OutcomeClass, Share, Timeline, unit_text};

/// Maximum number of lines shown of a diff.
const DIFF_LINES_MAX: usize = 200;
/// Maximum number of bytes shown of a diff line.
const LINE_BYTES_MAX: usize = 2000;

/// Sizes in drawing units.
const NAMES_WIDTH: usize = 100;
const SLOTS_WIDTH: usize = 880;
const ROW_HEIGHT: usize = 24;
/// Distance between the marks of the axis.
const MARK_WIDTH: usize = 90;

pub(super) fn write(output: &mut impl Write, history: &SiteHistory) -> io::Result<()> {
    let timeline = &history.timeline;
    let outcomes = timeline.classes();
    let outcomes = outcomes.map(|class| format!("{} {}", timeline.count(class), class.as_str()));
    let outcomes: Vec<_> = outcomes.collect();
    let (first, last) = timeline.ends;
    writeln!(
        output,
        "<p>{} to {}: {}; the body changed {}.</p>",
        readable_time(first),
        readable_time(last),
        outcomes.join(", "),
        match timeline.changes {
            1 => "once".to_owned(),
            times => format!("{times} times"),
        }
    )?;
    write_drawing(output, timeline)?;
    writeln!(
        output,
        "<p class=\"soft\">A slot is {}. A full bar means every attempt, half a bar some attempts, and a thin bar no \
         attempt, so no change. A triangle means that the body changed.</p>",
        unit_text(timeline.unit_seconds())
    )?;
    for change in history.changes.iter().rev() {
        write_change(output, change)?;
    }
    let shown = history.changes.len() as u64;
    if timeline.changes > shown {
        let more = timeline.changes - shown;
        writeln!(
            output,
            "<p class=\"cut\">{more} earlier changes not shown</p>"
        )?;
    }
    Ok(())
}

fn write_drawing(output: &mut impl Write, timeline: &Timeline) -> io::Result<()> {
    let classes: Vec<_> = timeline.classes().collect();
    let width = NAMES_WIDTH + SLOTS_WIDTH + 20;
    let rows_end = (classes.len() + 1) * ROW_HEIGHT;
    let height = rows_end + 30;
    let title = "Outcomes over time. The counts are above";
    begin_drawing(
        output,
        [width, height].map(|it| it as u64),
        "drawing",
        title,
    )?;
    let x = |slot: usize| NAMES_WIDTH + slot * SLOTS_WIDTH / timeline.slots().len().max(1);
    write!(output, "<text x=\"0\" y=\"16\">body changed</text>")?;
    for (slot, _) in timeline
        .slots()
        .iter()
        .enumerate()
        .filter(|(_, it)| it.changes > 0)
    {
        let middle = usize::midpoint(x(slot), x(slot + 1)) - 5;
        write!(
            output,
            "<path class=\"change\" d=\"M{middle} 20h10l-5-12z\"/>"
        )?;
    }
    for (row, class) in classes.into_iter().enumerate() {
        let y = (row + 1) * ROW_HEIGHT;
        write!(
            output,
            "<text x=\"0\" y=\"{}\">{}</text>",
            y + 16,
            class.as_str()
        )?;
        write_bars(output, timeline, class, (y, &x))?;
    }
    write_axis(output, timeline, rows_end, &x)?;
    end_drawing(output)
}

/// Writes the bars of a class, one per run of equal slots.
fn write_bars(
    output: &mut impl Write,
    timeline: &Timeline,
    class: OutcomeClass,
    (y, x): (usize, &impl Fn(usize) -> usize),
) -> io::Result<()> {
    let shares = timeline.slots().iter().map(|slot| slot.share(class));
    let shares: Vec<_> = shares.collect();
    let mut slot = 0;
    for run in shares.chunk_by(|left, right| left == right) {
        let (start, end) = (slot, slot + run.len());
        slot = end;
        let (top, height, carried) = match run[0] {
            Share::None => continue,
            Share::Carried => (y + 10, 3, " carried"),
            Share::Part => (y + 11, 9, ""),
            Share::Whole => (y + 2, 18, ""),
        };
        let (left, width) = (x(start), (x(end) - x(start)).max(1));
        let class = match class {
            OutcomeClass::Successful => "successful",
            OutcomeClass::Illegible => "page",
            OutcomeClass::Unavailable => "unavailable",
            OutcomeClass::Redirected => "redirected",
            OutcomeClass::Unreachable => "unreachable",
        };
        write!(
            output,
            "<rect class=\"{class}{carried}\" x=\"{left}\" y=\"{top}\" width=\"{width}\" \
             height=\"{height}\"/>"
        )?;
    }
    Ok(())
}

fn write_axis(
    output: &mut impl Write,
    timeline: &Timeline,
    y: usize,
    x: &impl Fn(usize) -> usize,
) -> io::Result<()> {
    let slots = timeline.slots().len();
    let between = (slots * MARK_WIDTH).div_ceil(SLOTS_WIDTH).max(1);
    for mark in timeline.axis_marks(between) {
        let (x, bottom) = (x(mark.slot), y + 6);
        write!(
            output,
            "<line x1=\"{x}\" y1=\"0\" x2=\"{x}\" y2=\"{bottom}\"/>"
        )?;
        if x + MARK_WIDTH <= NAMES_WIDTH + SLOTS_WIDTH + 20 {
            write!(
                output,
                "<text x=\"{x}\" y=\"{}\">{}</text>",
                y + 20,
                Text(mark.label)
            )?;
        }
    }
    Ok(())
}

fn write_change(output: &mut impl Write, change: &BodyChange) -> io::Result<()> {
    let (at, outcome) = (readable_time(change.at), change.outcome.to_string());
    write!(output, "<h3>{at}: {}", Text(outcome))?;
    let Some(lines) = &change.lines else {
        return output
            .write_all(b", the body changed, but the store no longer has both bodies</h3>\n");
    };
    writeln!(
        output,
        ", +{} \u{2212}{} lines</h3>",
        lines.added(),
        lines.removed()
    )?;
    write_diff(output, lines)
}

fn write_diff(output: &mut impl Write, lines: &LineChanges) -> io::Result<()> {
    let mut left = DIFF_LINES_MAX;
    let mut left_out = 0;
    output.write_all(b"<pre>")?;
    for hunk in lines.hunks() {
        if left > 0 {
            writeln!(
                output,
                "<span class=\"soft\">{}</span>",
                Text(&hunk.heading)
            )?;
        }
        for line in &hunk.lines {
            if left == 0 {
                left_out += 1;
                continue;
            }
            left -= 1;
            let (sign, class) = match line.change {
                LineChange::Kept => (' ', "value"),
                LineChange::Removed => ('-', "disallow"),
                LineChange::Added => ('+', "allow"),
            };
            let text = line.bytes.strip_suffix(b"\n").unwrap_or(line.bytes);
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            let (text, cut) = start_of_line(text, LINE_BYTES_MAX);
            let dots = if cut > 0 { " …" } else { "" };
            writeln!(
                output,
                "<span class=\"{class}\">{sign}{}{dots}</span>",
                Text(text)
            )?;
        }
    }
    output.write_all(b"</pre>\n")?;
    if left_out > 0 {
        let more = CountOf(left_out, "line", "lines");
        writeln!(
            output,
            "<p class=\"cut\">{more} more of the diff not shown</p>"
        )?;
    }
    Ok(())
}
