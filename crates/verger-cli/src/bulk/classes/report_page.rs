//! Counts of classes as a page with charts: one file, without scripts and without anything from outside.

use std::io::{self, Write};

use super::class_counts::{CLASSES, ClassCounts, CrawlerCounts};
use crate::count_of::CountOf;
use crate::web_page::{Columns, Text, begin_drawing, end_drawing, write_page, write_part};

const NAMES_WIDTH: u64 = 220;
const BAR_WIDTH: u64 = 420;
const LINE_HEIGHT: u64 = 16;

/// The names of the styles of the classes.
const STYLES: [&str; 4] = ["all full", "part full", "none", "unclear full"];

/// Writes the page.
pub(super) fn write(output: &mut impl Write, counts: &ClassCounts) -> io::Result<()> {
    let bodies = counts.bodies();
    let summary = |output: &mut _| write_summary(output, &bodies);
    write_page(
        output,
        "robots.txt: how much is disallowed to whom",
        summary,
        |output| {
            for (purpose, rows) in counts.by_purpose() {
                write_part(output, purpose, purpose, |output| {
                    write_chart(output, purpose, &rows, bodies.0)?;
                    write_table(output, &rows)
                })?;
            }
            Ok(())
        },
    )
}

fn write_summary(output: &mut impl Write, bodies: &CountOf<u64>) -> io::Result<()> {
    writeln!(
        output,
        "<p>{bodies} of robots.txt. Of each crawler, how many disallow everything, some or \
         nothing to it; unknown is what has no rules that could be read, or was not decided.</p>"
    )
}

/// A bar for each crawler, divided by class.
fn write_chart(
    output: &mut impl Write,
    purpose: &str,
    rows: &[CrawlerCounts<'_>],
    bodies: u64,
) -> io::Result<()> {
    let (width, height) = (NAMES_WIDTH + BAR_WIDTH, rows.len() as u64 * LINE_HEIGHT);
    let title = "A bar for each crawler, divided by how much is disallowed; the table below has its numbers";
    begin_drawing(
        output,
        [width, height],
        &format!("drawing-{purpose}"),
        title,
    )?;
    for (nth, (name, counts)) in rows.iter().enumerate() {
        let y = nth as u64 * LINE_HEIGHT;
        writeln!(
            output,
            "<text x=\"0\" y=\"{}\">{}</text>",
            y + 10,
            Text(name)
        )?;
        let mut before = 0;
        for (count, style) in counts.iter().zip(STYLES) {
            let x = NAMES_WIDTH + part(before, bodies);
            before += count;
            let width = NAMES_WIDTH + part(before, bodies) - x;
            if width > 0 {
                writeln!(
                    output,
                    "<rect class=\"{style}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"12\"/>"
                )?;
            }
        }
    }
    end_drawing(output)
}

/// The width of so many bodies.
fn part(count: u64, bodies: u64) -> u64 {
    let part = u128::from(count) * u128::from(BAR_WIDTH) / u128::from(bodies.max(1));
    u64::try_from(part).unwrap_or(BAR_WIDTH)
}

fn write_table(output: &mut impl Write, rows: &[CrawlerCounts<'_>]) -> io::Result<()> {
    let [a, b, c, d] = CLASSES.map(|(_, word)| word);
    let columns = Columns(["crawler", a, b, c, d]);
    columns.begin(output, "counts", "")?;
    output.write_all(b"<tbody>\n")?;
    for (name, counts) in rows {
        write!(output, "<tr><th scope=\"row\">{}</th>", Text(name))?;
        for (nth, count) in counts.iter().enumerate() {
            write!(output, "{}{count}</td>", columns.cell(nth + 1, ""))?;
        }
        writeln!(output, "</tr>")?;
    }
    output.write_all(b"</tbody></table>\n")
}
