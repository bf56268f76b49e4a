//! How much of a site crawlers may fetch: the sentence on top, and a table by topic.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use verger::RobotsTxt;
use verger_answer::{CountOf, ResolvedCrawler};
use verger_compare::{Budget, ExtentClass};
use verger_crawlers::{KnownCrawler, Obeys};
use verger_owner::{Topic, WhoRow, shown_names, who};

use super::line_link::{linked, write_line};
use crate::web_page::{Columns, Text, joined, swatch, write_bar, write_legend, write_names};

/// Budget for one list of rules, small enough to write a page within seconds.
const BUDGET: Budget = Budget::from_states(250_000);

/// The crawlers of the sentence on top, if the caller names none. `*` is any other.
const LEADING: [&str; 5] = ["Googlebot", "bingbot", "GPTBot", "ClaudeBot", "*"];

const LEGEND: [(&str, &str); 4] = [
    ("open", "open: nothing is disallowed"),
    ("partly", "partly: some URLs are disallowed"),
    ("closed", "closed: everything is disallowed"),
    ("undecided", "undecided: too complex to decide"),
];

const BY_TOPIC: Columns<3> = Columns(["Crawlers", "Share", "Answers"]);
const NAMED: Columns<3> = Columns(["Crawler", "May fetch", "Decided by"]);

/// The facts that crawlers in the same situation share: the class, and whether their group is that for `*`, if
/// one applies. Sorts closed crawlers first and undecided ones last.
type Situation = (bool, Reverse<Option<ExtentClass>>, Option<bool>);

/// Rows with the same cells, and the crawlers of each, as HTML.
#[derive(Default)]
pub(super) struct AlikeRows(Vec<(Vec<u8>, Vec<String>)>);

impl AlikeRows {
    pub(super) fn add(&mut self, cells: Vec<u8>, name: String) {
        match self.0.iter_mut().find(|(of_row, _)| *of_row == cells) {
            Some((_, names)) => names.push(name),
            None => self.0.push((cells, vec![name])),
        }
    }

    /// Writes each row: the heading of all before the first, a cell with the names, the cells.
    pub(super) fn write(
        &self,
        output: &mut impl Write,
        heading: &str,
        names_cell: [&str; 2],
    ) -> io::Result<()> {
        let [start, end] = names_cell;
        for (nth, (cells, names)) in self.0.iter().enumerate() {
            let heading = if nth == 0 { heading } else { "" };
            write!(output, "<tr>{heading}{start}")?;
            write_names(output, names)?;
            output.write_all(&[end.as_bytes(), cells, b"</tr>\n"].concat())?;
        }
        Ok(())
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }
}

/// How much each crawler may fetch. It is proven, not sampled.
pub(super) struct Who<'w> {
    all: Vec<WhoRow<'w>>,
    named: Vec<WhoRow<'w>>,
}

impl<'w> Who<'w> {
    pub(super) fn new(
        robots: &RobotsTxt,
        all: &'w [ResolvedCrawler],
        named: &'w [ResolvedCrawler],
    ) -> Self {
        let who = |crawlers| who(robots.clone(), crawlers, BUDGET);
        let (all, named) = (who(all), who(named));
        Self { all, named }
    }

    /// Writes how much the named crawlers or the leading ones may fetch, as sentences.
    pub(super) fn write_sentences(&self, output: &mut impl Write) -> io::Result<()> {
        let leading = LEADING.iter();
        let leading = leading.filter_map(|name| self.all.iter().find(|row| row.name == *name));
        let rows: Vec<_> = match &*self.named {
            [] => leading.collect(),
            named => named.iter().collect(),
        };
        let mut alike: Vec<(&WhoRow<'_>, Vec<String>)> = Vec::new();
        for row in &rows {
            let name = name_of(row.crawler);
            let same = alike.iter_mut().find(|(first, _)| is_alike(first, row));
            match same {
                Some((_, names)) => names.push(name),
                None => alike.push((row, vec![name])),
            }
        }
        let is_one = self.named.is_empty()
            && (self.all.iter().zip(self.all.iter().skip(1)))
                .all(|(one, next)| is_alike(one, next));
        for (row, names) in &mut alike {
            if is_one {
                *names = vec!["Every crawler".to_owned()];
            }
            output.write_all(joined(names).as_bytes())?;
            write_allowed(output, row)?;
            output.write_all(b". ")?;
        }
        let is_said = |row: &WhoRow<'_>| rows.iter().any(|said| said.name == row.name);
        let others = self
            .all
            .iter()
            .filter(|row| class_of(row) == "closed" && !is_said(row));
        let others = others.count();
        if is_one || others == 0 {
            return Ok(());
        }
        let others = CountOf(others, "other crawler", "other crawlers");
        write!(output, "{others} may fetch nothing.")
    }

    /// Writes the named crawlers, then a row for each topic, with a bar.
    pub(super) fn write(&self, output: &mut impl Write) -> io::Result<()> {
        write_legend(output, LEGEND)?;
        if !self.named.is_empty() {
            NAMED.begin(output, "named")?;
            let mut rows = AlikeRows::default();
            for row in &self.named {
                let mut cells = Vec::new();
                write_answer(&mut cells, row)?;
                rows.add(cells, format!("{}{}", label(row.crawler), mark_of(row)));
            }
            rows.write(output, "", ["<th scope=\"row\">", "</th>"])?;
            output.write_all(b"</tbody></table>\n")?;
        }
        output.write_all(
            b"<p class=\"soft\">All crawlers in use that Verger knows, and all others that the file names. \
              A crawler with several purposes is in several rows. \
              <code>*</code> is the group for crawlers that no other group names. \
              \xc2\xb0: its operator does not say whether it obeys robots.txt. \
              \xe2\x80\xa0: it does not obey robots.txt.</p>\n",
        )?;
        BY_TOPIC.begin(output, "who")?;
        for topic in Topic::ALL {
            let rows: Vec<_> = self.all.iter().filter(|row| topic.covers(row)).collect();
            if !rows.is_empty() {
                write_topic(output, topic.title, &rows)?;
            }
        }
        output.write_all(b"</tbody></table>\n")
    }
}

/// Returns whether one sentence is true of both crawlers.
fn is_alike(one: &WhoRow<'_>, other: &WhoRow<'_>) -> bool {
    // The sentence about some URLs has an example.
    let example = |row: &WhoRow<'_>| (class_of(row) == "partly").then_some(row.disallowed_by);
    one.extent.class() == other.extent.class() && example(one) == example(other)
}

/// Writes the end of a sentence about a crawler: `may fetch nothing`.
fn write_allowed(output: &mut impl Write, row: &WhoRow<'_>) -> io::Result<()> {
    write!(output, " may fetch {}", class_and_part(row).1)?;
    match (row.extent.disallowed().witness(), row.disallowed_by) {
        (Some(witness), Some(line)) if class_of(row) == "partly" => {
            let path = Text(witness.path());
            write!(output, ", but not, for example, <code>{path}</code> (")?;
            write_line(output, line)?;
            output.write_all(b")")
        }
        _ => Ok(()),
    }
}

fn class_of(row: &WhoRow<'_>) -> &'static str {
    class_and_part(row).0
}

/// Returns the CSS class of a row, and the part of the site that the crawler may fetch.
fn class_and_part(row: &WhoRow<'_>) -> (&'static str, &'static str) {
    match row.extent.class() {
        Some(ExtentClass::EverythingDisallowed) => ("closed", "nothing"),
        Some(ExtentClass::SomeDisallowed) => ("partly", "some URLs"),
        Some(ExtentClass::NothingDisallowed) => ("open", "everything"),
        None => ("undecided", "an undecided part"),
    }
}

/// Writes the cells of a crawler that was asked about.
fn write_answer(output: &mut impl Write, row: &WhoRow<'_>) -> io::Result<()> {
    let [cell, next] = [NAMED.cell(1, ""), NAMED.cell(2, "wide")];
    let (class, part) = class_and_part(row);
    write!(output, "{cell}{} {part}</td>{next}", swatch(class))?;
    match &row.group {
        None => output.write_all(b"no group")?,
        Some(group) => {
            let token = Text(group.token.as_deref().unwrap_or("*"));
            write!(output, "<code>{token}</code>, ")?;
            write_line(output, group.line)?;
        }
    }
    if let Some(line) = row.disallowed_by {
        output.write_all(b"; disallowed by ")?;
        write_line(output, line)?;
    }
    match row.disallow_rules {
        0 | 1 => {}
        count => write!(output, " and {} more", count - 1)?,
    }
    output.write_all(b"</td>")
}

/// Returns the name of a crawler as its operator spells it.
pub(super) fn name_of(crawler: &ResolvedCrawler) -> String {
    match crawler.crawler().tokens() {
        [] => "<code>*</code> (any other crawler)".to_owned(),
        _ => Text(shown_names(&[crawler]).concat()).to_string(),
    }
}

/// Returns the name, and whether the crawler is judged as its operator reads.
pub(super) fn label(crawler: &ResolvedCrawler) -> String {
    let reads = crawler.as_its_operator_reads();
    let reads = reads.map(|it| format!(" <span class=\"soft\">({})</span>", Text(it)));
    format!("{}{}", name_of(crawler), reads.unwrap_or_default())
}

/// Returns the mark of a crawler that may not obey robots.txt.
fn mark_of(row: &WhoRow<'_>) -> &'static str {
    match row.crawler.known().map(KnownCrawler::obeys) {
        Some(Obeys::Unclear) => "°",
        Some(Obeys::No) => "†",
        _ => "",
    }
}

fn write_topic(output: &mut impl Write, title: &str, rows: &[&WhoRow<'_>]) -> io::Result<()> {
    let mut alike: BTreeMap<Situation, Vec<&WhoRow<'_>>> = BTreeMap::new();
    for row in rows {
        let class = row.extent.class();
        let is_star = row.group.as_ref().map(|group| group.token.is_none());
        let key = (class.is_none(), Reverse(class), is_star);
        alike.entry(key).or_default().push(row);
    }
    let count = rows.len();
    write!(
        output,
        "<tr><th scope=\"row\">{title} <span class=\"soft\">{count}</span></th>"
    )?;
    output.write_all(BY_TOPIC.cell(1, "wide").as_bytes())?;
    let parts = alike
        .values()
        .filter_map(|rows| Some((class_of(rows.first()?), rows.len() as u64)));
    write_bar(output, parts, count as u64)?;
    write!(output, "</td>{}", BY_TOPIC.cell(2, "wide"))?;
    for ((_, _, is_star), rows) in &alike {
        write_alike(output, *is_star, rows)?;
    }
    output.write_all(b"</td></tr>\n")
}

/// Writes crawlers in the same situation. A name is linked to the line that names it.
fn write_alike(
    output: &mut impl Write,
    is_star: Option<bool>,
    rows: &[&WhoRow<'_>],
) -> io::Result<()> {
    let Some(first) = rows.first() else {
        return Ok(());
    };
    let (class, count) = (class_of(first), rows.len());
    write!(
        output,
        "<div class=\"alike\"><span>{} {count} {class}</span><span class=\"soft\">",
        swatch(class)
    )?;
    match (is_star, &first.group) {
        (Some(false), _) => output.write_all(b"by name")?,
        (_, Some(group)) => {
            output.write_all(b"by <code>*</code>, ")?;
            write_line(output, group.line)?;
        }
        (_, None) => output.write_all(b"no group applies")?,
    }
    output.write_all(b"</span><div>")?;
    let names = rows.iter().map(|row| {
        let name = Text(&row.name).to_string();
        let name = match &row.group {
            Some(group) if is_star == Some(false) => linked(group.line, &name),
            _ => name,
        };
        format!("{name}{}", mark_of(row))
    });
    write_names(output, &names.collect::<Vec<_>>())?;
    output.write_all(b"</div></div>")
}
