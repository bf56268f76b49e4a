//! `ClassPage`: how much many files disallow.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use verger_answer::CountOf;

use crate::web_page::{Columns, Frame, Text, write_bar, write_cut, write_legend, write_part};

/// Number of crawlers in the table of the most disallowed ones.
const FIRST_MAX: usize = 20;

/// CSS classes of the four counts, and their meanings.
const LEGEND: [(&str, &str); 4] = [
    ("closed", "everything: disallows every URL"),
    ("partly", "some: disallows some URLs"),
    ("open", "nothing: disallows no URL"),
    (
        "undecided",
        "unknown: undecided, or the rules could not be read",
    ),
];

/// A crawler, and the numbers of bodies that disallow everything, some or nothing, or are
/// undecided.
type CrawlerCounts<'c> = (&'c str, [u64; 4]);

/// A page about how much a large set of bodies disallows to each crawler, with charts.
#[derive(Clone, Debug)]
pub struct ClassPage<'c> {
    /// The command that made the page, for its footer. May be empty.
    pub command: &'c str,
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
        let frame = Frame {
            kind: "class report",
            title: "How much robots.txt files disallow, by crawler",
            command: self.command,
        };
        let crawlers: BTreeMap<_, _> = self
            .by_purpose
            .iter()
            .flat_map(|(_, rows)| rows.iter().copied())
            .collect();
        let crawlers: Vec<_> = crawlers.into_iter().collect();
        frame.write(
            output,
            |output| self.write_summary(output, &crawlers),
            |output| {
                write_part(output, "most", "Disallowed the most", |output| {
                    self.write_crawlers(output, &crawlers, FIRST_MAX)
                })?;
                write_part(output, "purposes", "By purpose", |output| {
                    self.write_purposes(output)
                })
            },
        )
    }

    fn write_summary(
        &self,
        output: &mut impl Write,
        crawlers: &[CrawlerCounts<'_>],
    ) -> io::Result<()> {
        let all = self.bodies;
        output.write_all(b"<p class=\"answer\">")?;
        match most_disallowed(crawlers).first() {
            Some((name, [closed, partly, ..])) if closed + partly > 0 => write!(
                output,
                "Everything is disallowed to {name} by {closed} of {all}, and some URLs by {partly}. No crawler is disallowed more.",
                name = Text(name)
            )?,
            _ => write!(output, "None of {all} disallows anything.")?,
        }
        output.write_all(b"</p>\n")?;
        write_legend(output, LEGEND)
    }

    /// Writes a row for each purpose, with its crawlers folded.
    fn write_purposes(&self, output: &mut impl Write) -> io::Result<()> {
        output.write_all(
            b"<p class=\"soft\">Each bar adds up the crawlers of a purpose. A crawler with several purposes \
              counts in each. <code>ai-train</code> trains models, <code>ai-input</code> feeds their answers, \
              and <code>user-triggered</code> fetches a page because a person asked for it.</p>\n",
        )?;
        for (purpose, rows) in &self.by_purpose {
            let mut sums = [0; 4];
            for (_, counts) in rows {
                for (sum, count) in sums.iter_mut().zip(counts) {
                    *sum += count;
                }
            }
            let crawlers = CountOf(rows.len(), "crawler", "crawlers");
            let answers: u64 = sums.iter().sum();
            let percent = |count: u64| u128::from(count) * 100 / u128::from(answers.max(1));
            let shares = self.classes.iter().zip(sums);
            let shares = shares.map(|(class, sum)| format!("{}\u{a0}% {class}", percent(sum)));
            let shares: Vec<_> = shares.take(3).collect();
            write!(
                output,
                "<details class=\"purpose\"><summary><strong>{purpose}</strong> <span>{crawlers}: {}</span>",
                shares.join(", ")
            )?;
            write_bar(output, parts(sums), answers)?;
            output.write_all(b"</summary>")?;
            self.write_crawlers(output, rows, usize::MAX)?;
            output.write_all(b"</details>\n")?;
        }
        Ok(())
    }

    /// Writes a row for each crawler that is disallowed something, up to a number, with a bar. Writes
    /// the number of crawlers that are not disallowed anything.
    fn write_crawlers(
        &self,
        output: &mut impl Write,
        rows: &[CrawlerCounts<'_>],
        shown_max: usize,
    ) -> io::Result<()> {
        let [a, b, c, d] = self.classes;
        let columns = Columns(["crawler", "share", a, b, c, d]);
        let is_free = |(_, [closed, partly, ..]): &&CrawlerCounts<'_>| closed + partly == 0;
        let free = rows.iter().filter(is_free).count();
        if free < rows.len() {
            columns.begin(output, "counts")?;
            let shown = most_disallowed(rows).into_iter();
            for (name, counts) in shown.take(shown_max.min(rows.len() - free)) {
                write!(
                    output,
                    "<tr><th scope=\"row\">{}</th>{}",
                    Text(name),
                    columns.cell(1, "wide")
                )?;
                write_bar(output, parts(counts), self.bodies.0)?;
                output.write_all(b"</td>")?;
                for (nth, count) in counts.iter().enumerate() {
                    write!(output, "{}{count}</td>", columns.cell(nth + 2, "number"))?;
                }
                writeln!(output, "</tr>")?;
            }
            output.write_all(b"</tbody></table>\n")?;
        }
        let end = "not disallowed anything.";
        write_cut(output, free as u64, ["crawler is", "crawlers are"], end)
    }
}

fn parts(counts: [u64; 4]) -> impl Iterator<Item = (&'static str, u64)> {
    LEGEND.map(|(class, _)| class).into_iter().zip(counts)
}

/// Returns the crawlers, the most disallowed first.
fn most_disallowed<'c>(rows: &[CrawlerCounts<'c>]) -> Vec<CrawlerCounts<'c>> {
    let mut rows = rows.to_vec();
    rows.sort_by_key(|(name, [closed, partly, ..])| (Reverse((*closed, *partly)), *name));
    rows
}
