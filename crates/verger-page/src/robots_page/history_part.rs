//! The history of a site: a timeline and the changes.

use std::io::{self, Write};

use verger_answer::text::{day_text, readable_time};
use verger_answer::{LineChange, LineChanges};

use super::site_facts::{BodyChange, SiteHistory};
use crate::web_page::{Text, start_of_line, write_cut};
use verger_store::{OutcomeClass, Share, Timeline, unit_text};

/// Maximum number of lines shown of a diff.
const DIFF_LINES_MAX: usize = 200;
/// Maximum number of bytes shown of a diff line.
const LINE_BYTES_MAX: usize = 2000;

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
         attempt, so no change.</p>",
        unit_text(timeline.unit_seconds())
    )?;
    for change in history.changes.iter().rev() {
        write_change(output, change)?;
    }
    let shown = history.changes.len() as u64;
    let earlier = timeline.changes.saturating_sub(shown);
    write_cut(
        output,
        earlier,
        ["earlier change", "earlier changes"],
        "not shown",
    )
}

/// Writes a row of slots for each outcome, and one for the changes. Rows stretch to the page.
fn write_drawing(output: &mut impl Write, timeline: &Timeline) -> io::Result<()> {
    let slots = timeline.slots();
    let numbered = slots.iter().enumerate();
    begin_row(output, "body changed", timeline.changes, slots.len())?;
    for (slot, _) in numbered.filter(|(_, slot)| slot.changes > 0) {
        write!(
            output,
            "<rect class=\"change\" x=\"{slot}\" y=\"2\" width=\"1\" height=\"18\"/>"
        )?;
    }
    output.write_all(b"</svg></div>\n")?;
    for class in timeline.classes() {
        begin_row(output, class.as_str(), timeline.count(class), slots.len())?;
        write_bars(output, timeline, class)?;
        output.write_all(b"</svg></div>\n")?;
    }
    let [first, last] =
        [0, slots.len().saturating_sub(1)].map(|it| day_text(timeline.start_of(it)));
    writeln!(
        output,
        "<p class=\"ends\"><span>{first}</span><span>{last}</span></p>"
    )
}

fn begin_row(output: &mut impl Write, name: &str, count: u64, slots: usize) -> io::Result<()> {
    write!(
        output,
        "<div class=\"slots\"><span>{name}: {count}</span><svg class=\"bar\" viewBox=\"0 0 {slots} 22\" \
         preserveAspectRatio=\"none\" aria-hidden=\"true\">"
    )
}

/// Writes the bars of a class, one per run of equal slots.
fn write_bars(output: &mut impl Write, timeline: &Timeline, class: OutcomeClass) -> io::Result<()> {
    let shares = timeline.slots().iter().map(|slot| slot.share(class));
    let shares: Vec<_> = shares.collect();
    let colour = match class {
        OutcomeClass::Successful => "partly",
        OutcomeClass::Unreachable | OutcomeClass::Illegible => "error",
        OutcomeClass::Unavailable | OutcomeClass::Redirected => "undecided",
    };
    let mut slot = 0;
    for run in shares.chunk_by(|left, right| left == right) {
        let (start, width) = (slot, run.len());
        slot += width;
        let (top, height) = match run[0] {
            Share::None => continue,
            Share::Carried => (10, 3),
            Share::Part => (11, 9),
            Share::Whole => (2, 18),
        };
        write!(
            output,
            "<rect class=\"{colour}\" x=\"{start}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"/>"
        )?;
    }
    Ok(())
}

fn write_change(output: &mut impl Write, change: &BodyChange) -> io::Result<()> {
    let (at, outcome) = (readable_time(change.at), Text(change.outcome.to_string()));
    let day = day_text(change.at);
    let Some(lines) = &change.lines else {
        return writeln!(
            output,
            "<h3>{day}: the body changed</h3>\n<p class=\"soft\">{at}, {outcome}. The store no longer has both bodies.</p>"
        );
    };
    let (added, removed) = (lines.added(), lines.removed());
    writeln!(
        output,
        "<h3>{day}: +{added} \u{2212}{removed} lines</h3>\n<p class=\"soft\">{at}, {outcome}.</p>"
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
                LineChange::Removed => ('-', "removed"),
                LineChange::Added => ('+', "added"),
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
    write_cut(
        output,
        left_out,
        ["line", "lines"],
        "more of the diff not shown",
    )
}
