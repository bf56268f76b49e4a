//! A history as a graph: a row for each class of outcomes, a column for each slot of time.

use std::io::{self, Write};

use anstyle::Style;
use verger_access::Authority;
use verger_answer::text::readable_time;
use verger_store::{OutcomeClass, Share, Slot, Timeline, unit_text};

use crate::screen::byte_text::legible;
use crate::screen::palette::{self, FAINT, HEADING, MARKED};
use crate::screen::terminal::{Glyphs, Terminal};

/// Width of row names and the space after them, in columns.
const NAME_WIDTH: usize = 13;
/// Minimum width of the graph, in columns. On a narrower terminal, lines wrap.
const COLUMNS_MIN: usize = 10;
/// Width of a label of the axis and a space, in columns.
const MARK_COLUMNS: usize = 13;

pub(super) fn columns(terminal: Terminal) -> u64 {
    let columns = usize::from(terminal.width).saturating_sub(NAME_WIDTH);
    columns.max(COLUMNS_MIN) as u64
}

pub(super) fn write(
    output: &mut impl Write,
    site: &Authority,
    timeline: &Timeline,
    glyphs: Glyphs,
) -> io::Result<()> {
    write_heading(output, site, timeline)?;
    let changes = timeline.slots().iter().map(|slot| changes(slot, glyphs));
    write_row(output, "body changed", MARKED, changes)?;
    for class in timeline.classes() {
        let slots = timeline.slots().iter();
        let cells = slots.map(|slot| cell(slot.share(class), glyphs));
        write_row(output, class.as_str(), style(class), cells)?;
    }
    write_axis(output, timeline, glyphs)?;
    let column = unit_text(timeline.unit_seconds());
    let (whole, part, carried, change) = match glyphs {
        Glyphs::Unicode => ('█', '▄', '─', '▲'),
        Glyphs::Ascii => ('#', '+', '-', '^'),
    };
    writeln!(
        output,
        "\n{FAINT}A column is {column}: {whole} every attempt, {part} some, {carried} no attempt, so \
         as before;\n{change} one change, 2 to 9 as many, * more{FAINT:#}"
    )
}

fn write_heading(output: &mut impl Write, site: &Authority, timeline: &Timeline) -> io::Result<()> {
    let site = legible(site.to_string().as_bytes());
    let (first, last) = timeline.ends;
    let outcomes = timeline.classes();
    let outcomes = outcomes.map(|class| format!("{} {}", timeline.count(class), class.as_str()));
    let outcomes: Vec<_> = outcomes.collect();
    let times = match timeline.changes {
        1 => "once".to_owned(),
        times => format!("{times} times"),
    };
    writeln!(output, "{HEADING}{site}{HEADING:#}")?;
    writeln!(
        output,
        "{} to {}",
        readable_time(first),
        readable_time(last)
    )?;
    writeln!(
        output,
        "{}; the body changed {times}\n",
        outcomes.join(", ")
    )
}

fn write_row(
    output: &mut impl Write,
    name: &str,
    style: Style,
    cells: impl Iterator<Item = char>,
) -> io::Result<()> {
    let cells: String = cells.collect();
    let cells = cells.trim_end();
    if cells.is_empty() {
        return writeln!(output, "{name}");
    }
    writeln!(output, "{name:<NAME_WIDTH$}{style}{cells}{style:#}")
}

fn write_axis(output: &mut impl Write, timeline: &Timeline, glyphs: Glyphs) -> io::Result<()> {
    let mark = match glyphs {
        Glyphs::Unicode => '│',
        Glyphs::Ascii => '|',
    };
    let (mut ticks, mut labels) = (String::new(), String::new());
    let width = timeline.slots().len().max(MARK_COLUMNS);
    for axis_mark in timeline.axis_marks(MARK_COLUMNS) {
        let column = NAME_WIDTH + axis_mark.slot;
        ticks.extend(std::iter::repeat_n(' ', column - ticks.chars().count()));
        ticks.push(mark);
        if axis_mark.slot + axis_mark.label.len() <= width {
            labels.extend(std::iter::repeat_n(' ', column - labels.len()));
            labels.push_str(&axis_mark.label);
        }
    }
    writeln!(output, "{FAINT}{ticks}\n{labels}{FAINT:#}")
}

fn changes(slot: &Slot, glyphs: Glyphs) -> char {
    match (slot.changes, glyphs) {
        (0, _) => ' ',
        (1, Glyphs::Unicode) => '▲',
        (1, Glyphs::Ascii) => '^',
        (count, _) => u32::try_from(count)
            .ok()
            .and_then(|count| char::from_digit(count, 10))
            .unwrap_or('*'),
    }
}

fn cell(share: Share, glyphs: Glyphs) -> char {
    match (share, glyphs) {
        (Share::None, _) => ' ',
        (Share::Carried, Glyphs::Unicode) => '─',
        (Share::Carried, Glyphs::Ascii) => '-',
        (Share::Part, Glyphs::Unicode) => '▄',
        (Share::Part, Glyphs::Ascii) => '+',
        (Share::Whole, Glyphs::Unicode) => '█',
        (Share::Whole, Glyphs::Ascii) => '#',
    }
}

fn style(class: OutcomeClass) -> Style {
    match class {
        OutcomeClass::Successful => palette::ALLOWED,
        OutcomeClass::Illegible | OutcomeClass::Redirected => palette::DOUBTFUL,
        OutcomeClass::Unavailable => palette::ABSENT,
        OutcomeClass::Unreachable => palette::DISALLOWED,
    }
}
