//! `SitesPage`: a row for each watched site.

use std::io::{self, Write};

use verger_access::Timestamp;
use verger_answer::CountOf;
use verger_answer::text::readable_time;

use crate::web_page::{Columns, Frame, Text, write_part};

const SITES: Columns<4> = Columns(["Site", "State", "Last event", "Next look"]);
const EVENTS: Columns<3> = Columns(["Time", "Severity", "What"]);

/// A page about watched sites.
#[derive(Clone, Debug)]
pub struct SitesPage<'p> {
    /// The sites, those with problems first.
    pub rows: &'p [SiteRow],
    /// Number of sites, of which the page may show some.
    pub count: usize,
    /// Number of sites with problems, of all.
    pub troubled: usize,
    /// The link to the next page, if there is one.
    pub next: Option<String>,
}

/// A watched site.
#[derive(Clone, Debug)]
pub struct SiteRow {
    /// The site, or its URL as written.
    pub name: String,
    /// The link to its page, or `None` if the site is not watched.
    pub link: Option<String>,
    /// How crawlers treat it, in words.
    pub state: String,
    /// Its problems: a sentence each.
    pub problems: Vec<String>,
    /// The last event.
    pub last: Option<SiteEvent>,
    /// When it is fetched next.
    pub next: Option<Timestamp>,
}

/// An event of a watched site.
#[derive(Clone, Debug)]
pub struct SiteEvent {
    /// When the change was seen.
    pub at: Timestamp,
    /// `notice`, `warning` or `critical`.
    pub severity: &'static str,
    /// The event in words. The first line is a summary.
    pub text: String,
}

impl SitesPage<'_> {
    /// Writes the page.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let frame = Frame {
            kind: "watched sites",
            title: "Watched sites",
            command: "vergerd --sites",
        };
        let troubled = self.troubled;
        frame.write(
            output,
            |output| {
                let sites = CountOf(self.count, "site", "sites");
                writeln!(
                    output,
                    "<p class=\"answer\">{sites}, {troubled} with problems.</p>"
                )
            },
            |output| write_part(output, "sites", "Sites", |output| self.write_rows(output)),
        )
    }

    fn write_rows(&self, output: &mut impl Write) -> io::Result<()> {
        SITES.begin(output, "sites")?;
        for row in self.rows {
            write_row(output, row)?;
        }
        output.write_all(b"</tbody></table>\n")?;
        match &self.next {
            Some(next) => writeln!(output, "<p><a href=\"{}\">More sites</a></p>", Text(next)),
            None => Ok(()),
        }
    }
}

fn write_row(output: &mut impl Write, row: &SiteRow) -> io::Result<()> {
    let name = Text(&row.name);
    write!(output, "<tr>{}", SITES.cell(0, "wide"))?;
    match &row.link {
        Some(link) => write!(output, "<a href=\"{}\">{name}</a></td>", Text(link))?,
        None => write!(output, "{name}</td>")?,
    }
    write!(output, "{}{}", SITES.cell(1, "wide"), Text(&row.state))?;
    for problem in &row.problems {
        write!(
            output,
            "<br><span class=\"badge error\">!</span> {}",
            Text(problem)
        )?;
    }
    write!(output, "</td>{}", SITES.cell(2, "wide"))?;
    if let Some(event) = &row.last {
        let (time, first) = (readable_time(event.at), event.text.lines().next());
        let badge = badge(event.severity);
        write!(
            output,
            "{badge} {time}<br>{}",
            Text(first.unwrap_or_default())
        )?;
    }
    let next = row.next.map(readable_time).unwrap_or_default();
    writeln!(output, "</td>{}{next}</td></tr>", SITES.cell(3, ""))
}

/// Writes the events of a site, the last one first.
pub(crate) fn write_events(output: &mut impl Write, events: &[SiteEvent]) -> io::Result<()> {
    EVENTS.begin(output, "events")?;
    for event in events.iter().rev() {
        let (time, badge) = (readable_time(event.at), badge(event.severity));
        write!(
            output,
            "<tr>{}{time}</td>{}{badge}</td>",
            EVENTS.cell(0, ""),
            EVENTS.cell(1, "")
        )?;
        let lines = event.text.lines().map(|line| Text(line.trim()).to_string());
        let lines: Vec<String> = lines.collect();
        writeln!(
            output,
            "{}{}</td></tr>",
            EVENTS.cell(2, "wide"),
            lines.join("<br>")
        )?;
    }
    output.write_all(b"</tbody></table>\n")
}

fn badge(severity: &'static str) -> String {
    let class = match severity {
        "critical" => "error",
        "warning" => "warning",
        _ => "note",
    };
    format!("<span class=\"badge {class}\">{severity}</span>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_counts_all_troubled_sites_and_no_text_is_markup() {
        let row = |name: &str, problems: &[&str]| SiteRow {
            name: name.to_owned(),
            link: Some(format!("/sites/{name}\"><script>")),
            state: "<b>".to_owned(),
            problems: problems.iter().map(|it| (*it).to_owned()).collect(),
            last: Some(SiteEvent {
                at: Timestamp::from_unix_seconds(1_800_000_000),
                severity: "critical",
                text: "lost </td><script>\n  more".to_owned(),
            }),
            next: None,
        };
        let rows = [row("b.example", &["down <i>"]), row("a.example", &[])];
        let page = SitesPage {
            rows: &rows,
            count: 300,
            troubled: 7,
            next: Some("/sites?after=2".to_owned()),
        };
        let mut html = Vec::new();
        page.write(&mut html).unwrap();
        let html = String::from_utf8(html).unwrap();
        assert!(html.contains("300 sites, 7 with problems"), "{html}");
        assert!(html.find("b.example").unwrap() < html.find("a.example").unwrap());
        let body = &html[html.find("<main>").unwrap()..];
        for markup in ["<script", "<b>", "<i>"] {
            assert!(!body.contains(markup), "{body}");
        }
    }
}
