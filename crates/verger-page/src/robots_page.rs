//! `RobotsPage`: the page about a robots.txt.

mod access_part;
mod file_listing;
mod history_part;
mod line_link;
mod lint_part;
pub(crate) mod site_facts;
pub(crate) mod verdict_rows;
mod who_part;

use std::io::{self, Write};

use verger::{GroupIndex, RobotsTxt};
use verger_access::Stance;
use verger_answer::text::day_text;
use verger_answer::{CountOf, FileDiagnostic, ReadAs, ResolvedCrawler, RuleExtents};
use verger_lint::{Linted, Served};
use verger_owner::crawlers_of;

use crate::sites_page::{SiteEvent, write_events};
use crate::web_page::{Frame, write_part};
use site_facts::SiteFacts;
use verdict_rows::{AskedUrl, Verdicts};
use who_part::Who;

/// A page about a robots.txt.
#[derive(Clone, Copy, Debug)]
pub struct RobotsPage<'p> {
    /// Name of the site or file.
    pub title: &'p str,
    /// The command that made the page, for its footer. May be empty.
    pub command: &'p str,
    /// The file.
    pub file: &'p GroupIndex,
    /// Facts about the site, if the file is from a site.
    pub site: Option<&'p SiteFacts>,
    /// Which dialect each crawler is judged in.
    pub read_as: ReadAs,
    /// The crawlers to show in detail.
    pub named: &'p [ResolvedCrawler],
    /// The URLs to decide.
    pub urls: &'p [AskedUrl],
    /// The events of a watched site, oldest first.
    pub events: &'p [SiteEvent],
}

/// The meaning of the rules, for a page on which rules decide.
struct Meaning<'m> {
    who: Who<'m>,
    linted: Linted,
}

impl RobotsPage<'_> {
    /// Writes the page. Its size is linear in the file. So is its time, except for lints and
    /// extents, which have budgets. It shows the first 5,000 lines and 300 lint findings, and states
    /// how many it omits.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let day = self.site.map(|site| format!(", {}", day_text(site.at)));
        let title = format!("robots.txt: {}{}", self.title, day.unwrap_or_default());
        let frame = Frame {
            kind: "robots.txt report",
            title: &title,
            command: self.command,
        };
        let crawlers = crawlers_of([self.robots()], self.read_as);
        let meaning = match access_part::for_all_crawlers(self.stance()) {
            Some(_) => None,
            None => Some(Meaning {
                who: Who::new(self.robots(), &crawlers, self.named),
                linted: self.linted(),
            }),
        };
        let unnamed = [ResolvedCrawler::unnamed()];
        let asked = match self.named {
            [] => &unnamed,
            named => named,
        };
        let mut extents = RuleExtents::new(self.file);
        let verdicts = Verdicts::new(&mut extents, asked, self.urls, self.stance());
        frame.write(
            output,
            |output| self.write_summary(output, meaning.as_ref(), &verdicts),
            |output| self.write_parts(output, meaning.as_ref(), &verdicts),
        )
    }

    fn stance(&self) -> Stance {
        match self.site {
            None => Stance::Rules,
            Some(site) => {
                let state = site.lookup.state.as_ref();
                state.map_or(Stance::Defer, |state| state.answer.stance())
            }
        }
    }

    fn robots(&self) -> &RobotsTxt {
        self.file.robots()
    }

    fn linted(&self) -> Linted {
        let served = Served {
            origin: self.site.map(|site| site.lookup.authority.to_string()),
            ..Served::default()
        };
        Linted::new(self.robots().body(), &served)
    }

    fn history(&self) -> Option<&site_facts::SiteHistory> {
        self.site.and_then(|site| site.history.as_ref())
    }

    /// Writes the answer, the number of problems, and the size of the file.
    fn write_summary(
        &self,
        output: &mut impl Write,
        meaning: Option<&Meaning<'_>>,
        verdicts: &Verdicts<'_>,
    ) -> io::Result<()> {
        output.write_all(b"<p class=\"answer\">")?;
        match (meaning, access_part::for_all_crawlers(self.stance())) {
            (_, Some(all)) => output.write_all(all.as_bytes())?,
            (Some(_), None) if !self.urls.is_empty() => verdicts.write_sentences(output)?,
            (Some(meaning), None) => meaning.who.write_sentences(output)?,
            (None, None) => {}
        }
        output.write_all(b"</p>\n<p class=\"badges\">")?;
        if let Some(meaning) = meaning {
            lint_part::write_counts(output, &meaning.linted)?;
        }
        let warnings = self.site.map_or(0, |site| site.warnings.len());
        let ignored = FileDiagnostic::all_of(self.robots()).count();
        let warnings_of_fetch = ("warning about the fetch", "warnings about the fetch");
        let ignored_lines = ("remark about a line", "remarks about lines");
        for (count, (one, others), id) in [
            (warnings, warnings_of_fetch, "access"),
            (ignored, ignored_lines, "file"),
        ] {
            if count > 0 {
                let count = CountOf(count, one, others);
                write!(output, "<a class=\"badge\" href=\"#{id}\">{count}</a>")?;
            }
        }
        output.write_all(b"</p>\n")?;
        let robots = self.robots();
        let size = [
            CountOf(robots.lines().count(), "line", "lines").to_string(),
            CountOf(robots.body().len(), "byte", "bytes").to_string(),
            CountOf(robots.groups().count(), "group", "groups").to_string(),
        ];
        let read_as = match self.read_as {
            ReadAs::Stated(_) => "",
            ReadAs::Operator(_) => ", for each known crawler as its operator reads",
        };
        let (size, dialect) = (size.join(", "), robots.dialect());
        writeln!(
            output,
            "<p class=\"soft\">{size}, read as {dialect}{read_as}.</p>"
        )
    }

    fn write_parts(
        &self,
        output: &mut impl Write,
        meaning: Option<&Meaning<'_>>,
        verdicts: &Verdicts<'_>,
    ) -> io::Result<()> {
        if !self.events.is_empty() {
            write_part(output, "events", "Events", |output| {
                write_events(output, self.events)
            })?;
        }
        if let Some(Meaning { linted, .. }) = meaning
            && !linted.findings().is_empty()
        {
            write_part(output, "lint", "Problems", |output| {
                lint_part::write(output, linted)
            })?;
        }
        if !self.urls.is_empty() {
            write_part(output, "verdicts", "Verdicts", |output| {
                verdicts.write(output)
            })?;
        }
        if let Some(Meaning { who, .. }) = meaning {
            write_part(output, "crawlers", "Who may fetch what", |output| {
                who.write(output)
            })?;
        }
        write_part(output, "file", "The file", |output| {
            file_listing::write(output, self.robots())
        })?;
        if let Some(site) = self.site {
            write_part(output, "access", "How the file was fetched", |output| {
                access_part::write(output, site)
            })?;
        }
        match self.history() {
            Some(history) => write_part(output, "history", "History", |output| {
                history_part::write(output, history)
            }),
            None => Ok(()),
        }
    }
}
