use std::io::{self, Write};

use verger_answer::CountOf;

use crate::web_page::{Columns, Text, begin_drawing, end_drawing, write_page, write_part};

const NAMES_WIDTH: u64 = 220;
const BAR_WIDTH: u64 = 420;
const LINE_HEIGHT: u64 = 16;

/// CSS classes of the four counts.
const STYLES: [&str; 4] = ["all full", "part full", "none", "unclear full"];

/// A crawler, and the numbers of bodies that disallow everything, some or nothing, or are
/// undecided.
type CrawlerCounts<'c> = (&'c str, [u64; 4]);

/// A page about how much a large set of bodies disallows to each crawler, with charts.
#[derive(Clone, Debug)]
pub struct ClassPage<'c> {
    /// Number of bodies, with its noun.
    pub bodies: CountOf<u64>,
    /// Names of the four classes, in the order of the counts.
    pub classes: [&'static str; 4],
    /// Crawlers and their counts, by purpose.
    pub by_purpose: Vec<(&'static str, Vec<CrawlerCounts<'c>>)>,
}

impl ClassPage<'_> {
    /// Writes the page.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        write_page(
            output,
            "robots.txt: how much is disallowed, by crawler",
            |output| write_summary(output, &self.bodies),
            |output| {
                for (purpose, rows) in &self.by_purpose {
                    write_part(output, purpose, purpose, |output| {
                        write_chart(output, purpose, rows, self.bodies.0)?;
                        write_table(output, self.classes, rows)
                    })?;
                }
                Ok(())
            },
        )
    }
}

fn write_summary(output: &mut impl Write, bodies: &CountOf<u64>) -> io::Result<()> {
    writeln!(
        output,
        "<p>{bodies} of robots.txt. For each crawler: how many disallow everything, some or \
         nothing. A body is unknown if its rules could not be read or the result is undecided.</p>"
    )
}

/// Writes one bar per crawler, divided by class.
fn write_chart(
    output: &mut impl Write,
    purpose: &str,
    rows: &[CrawlerCounts<'_>],
    bodies: u64,
) -> io::Result<()> {
    let (width, height) = (NAMES_WIDTH + BAR_WIDTH, rows.len() as u64 * LINE_HEIGHT);
    let title =
        "One bar per crawler, divided by how much is disallowed. The table below has the numbers";
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

/// Returns the width of `count` bodies.
fn part(count: u64, bodies: u64) -> u64 {
    let part = u128::from(count) * u128::from(BAR_WIDTH) / u128::from(bodies.max(1));
    u64::try_from(part).unwrap_or(BAR_WIDTH)
}

fn write_table(
    output: &mut impl Write,
    [a, b, c, d]: [&'static str; 4],
    rows: &[CrawlerCounts<'_>],
) -> io::Result<()> {
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
