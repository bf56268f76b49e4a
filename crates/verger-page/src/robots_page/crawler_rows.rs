//! Tables of crawlers, by purpose and by name.

use std::collections::BTreeMap;
use std::io::{self, Write};

use verger::LineNumber;
use verger_answer::{Extent, ReadAs, ResolvedCrawler, RuleExtent, RuleExtents};
use verger_crawlers::{KnownCrawler, Obeys, Purpose};

use super::line_link::write_line;
use crate::web_page::{Columns, Text};

const BY_PURPOSE: Columns<4> = Columns(["Purpose", "Disallowed", "Applies by", "Crawlers"]);
const NAMED: Columns<3> = Columns(["Crawler", "Disallowed", "Applies by"]);

/// The key of a row: what is disallowed, the matching token or `*`, and whether robots.txt is
/// binding.
type RowKey = (Extent, Option<LineNumber>, usize, usize, String, bool);

/// Crawlers with the same rules.
struct Row {
    extent: RuleExtent,
    /// Whether the operators state that the crawlers ignore robots.txt.
    is_ignored: bool,
    crawlers: Vec<&'static KnownCrawler>,
}

/// Writes the registry's crawlers in use, by purpose and by equal rules.
pub(super) fn write_by_purpose(
    output: &mut impl Write,
    read_as: ReadAs,
    extents: &mut RuleExtents<'_>,
) -> io::Result<()> {
    let caption = "<caption>All crawlers in use that the registry knows. A crawler with several purposes has several \
                   rows. A ring (°) marks crawlers whose operators do not say whether they obey \
                   robots.txt.</caption>";
    BY_PURPOSE.begin(output, "purposes", caption)?;
    for purpose in Purpose::ALL {
        let rows = rows(*purpose, read_as, extents);
        if rows.is_empty() {
            continue;
        }
        output.write_all(b"<tbody>")?;
        for (nth, row) in rows.iter().enumerate() {
            output.write_all(b"<tr>")?;
            if nth == 0 {
                let (count, purpose) = (rows.len(), Text(purpose.as_str()));
                write!(
                    output,
                    "<th scope=\"rowgroup\" rowspan=\"{count}\">{purpose}</th>"
                )?;
            }
            write_extent(output, &BY_PURPOSE, &row.extent, row.is_ignored)?;
            write_crawlers(output, &row.crawlers)?;
            output.write_all(b"</tr>\n")?;
        }
        output.write_all(b"</tbody>")?;
    }
    output.write_all(b"</table>\n")
}

/// Returns the rows of a purpose, the most restricted first.
fn rows(purpose: Purpose, read_as: ReadAs, extents: &mut RuleExtents<'_>) -> Vec<Row> {
    let mut rows: BTreeMap<RowKey, Row> = BTreeMap::new();
    for resolved in ResolvedCrawler::from_purpose(purpose) {
        let extent = extents.of(&resolved.clone().judged(read_as));
        let Some(known) = resolved.known() else {
            continue;
        };
        let is_ignored = known.obeys() == Obeys::No;
        let by = applies_by(&extent);
        let counts = (extent.disallow_rules, extent.allow_rules);
        let key = (
            extent.extent,
            extent.line(),
            counts.0,
            counts.1,
            by,
            is_ignored,
        );
        let row = rows.entry(key).or_insert_with(|| Row {
            extent,
            is_ignored,
            crawlers: Vec::new(),
        });
        row.crawlers.push(known);
    }
    rows.into_values().rev().collect()
}

/// Writes the requested crawlers.
pub(super) fn write_named(
    output: &mut impl Write,
    crawlers: &[ResolvedCrawler],
    extents: &mut RuleExtents<'_>,
) -> io::Result<()> {
    NAMED.begin(output, "", "")?;
    output.write_all(b"<tbody>\n")?;
    for crawler in crawlers {
        let extent = extents.of(crawler);
        let known = crawler.known();
        let is_ignored = known.is_some_and(|known| known.obeys() == Obeys::No);
        output.write_all(b"<tr><th scope=\"row\">")?;
        write_label(output, crawler)?;
        output.write_all(b"</th>")?;
        write_extent(output, &NAMED, &extent, is_ignored)?;
        output.write_all(b"</tr>\n")?;
    }
    output.write_all(b"</tbody></table>\n")
}

/// Writes the label of a crawler, and whether it is judged as its operator reads.
pub(super) fn write_label(output: &mut impl Write, crawler: &ResolvedCrawler) -> io::Result<()> {
    write!(output, "{}", Text(crawler.label()))?;
    match crawler.as_its_operator_reads() {
        Some(reads) => write!(output, " <span class=\"soft\">({})</span>", Text(reads)),
        None => Ok(()),
    }
}

fn write_extent<const COUNT: usize>(
    output: &mut impl Write,
    columns: &Columns<COUNT>,
    extent: &RuleExtent,
    is_ignored: bool,
) -> io::Result<()> {
    let (class, sign) = match extent.extent {
        Extent::Nothing => ("allow", '✓'),
        Extent::SomeRules => ("some", '◐'),
        Extent::Everything(_) => ("disallow", '✕'),
    };
    write!(output, "{}{sign} {extent}", columns.cell(1, class))?;
    if is_ignored {
        output.write_all(b" <span class=\"soft\">(does not obey it)</span>")?;
    }
    let (cell, by) = (columns.cell(2, ""), Text(applies_by(extent)));
    write!(output, "</td>{cell}<code>{by}</code>")?;
    if let Some(line) = extent.line() {
        output.write_all(b", ")?;
        write_line(output, line)?;
    }
    output.write_all(b"</td>")
}

/// Returns the name by which a group applies.
fn applies_by(extent: &RuleExtent) -> String {
    match (&extent.token, extent.group) {
        (Some(token), _) => token.to_string(),
        (None, Some(_)) => "*".to_owned(),
        (None, None) => "no group".to_owned(),
    }
}

fn write_crawlers(output: &mut impl Write, crawlers: &[&KnownCrawler]) -> io::Result<()> {
    let count = crawlers.len();
    let cell = BY_PURPOSE.cell(3, "wide");
    write!(output, "{cell}<span class=\"soft\">{count}:</span> ")?;
    for (nth, crawler) in crawlers.iter().enumerate() {
        let comma = if nth == 0 { "" } else { ", " };
        let ring = match crawler.obeys() {
            Obeys::Unclear => "°",
            _ => "",
        };
        write!(output, "{comma}{}{ring}", Text(crawler.name()))?;
    }
    output.write_all(b"</td>")
}
