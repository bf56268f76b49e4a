//! `RobotsPage`: the page about a robots.txt.

mod access_part;
mod crawler_rows;
mod file_listing;
mod history_part;
mod line_link;
mod lint_part;
pub(crate) mod site_facts;
pub(crate) mod verdict_rows;
mod who_picture;

use std::io::{self, Write};

use verger::{GroupIndex, RobotsTxt};
use verger_access::Stance;
use verger_answer::{CountOf, ReadAs, ResolvedCrawler, RuleExtents};

use crate::web_page::{write_page, write_part};
use site_facts::SiteFacts;
use verdict_rows::AskedUrl;

/// A page about a robots.txt.
#[derive(Clone, Copy, Debug)]
pub struct RobotsPage<'p> {
    /// Name of the site or file.
    pub title: &'p str,
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
}

impl RobotsPage<'_> {
    /// Writes the page. Its size is linear in the file. So is its time, except for lints and
    /// extents, which have budgets. It shows the first 5,000 lines, 300 lint findings and 200
    /// diagnostics, and states how many it omits.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let title = format!("robots.txt: {}", self.title);
        write_page(
            output,
            &title,
            |output| self.write_summary(output),
            |output| self.write_parts(output),
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

    fn write_summary(&self, output: &mut impl Write) -> io::Result<()> {
        let robots = self.robots();
        let size = [
            CountOf(robots.lines().count(), "line", "lines").to_string(),
            CountOf(robots.body().len(), "byte", "bytes").to_string(),
            CountOf(robots.groups().count(), "group", "groups").to_string(),
        ];
        writeln!(
            output,
            "<p>{}, read as {}{}.</p>\n<nav aria-label=\"Parts of the page\">",
            size.join(", "),
            robots.dialect(),
            match self.read_as {
                ReadAs::Stated(_) => "",
                ReadAs::Operator(_) => ", for each known crawler as its operator reads",
            }
        )?;
        let parts = [
            ("access", "Access", self.site.is_some()),
            ("verdicts", "Verdicts", !self.urls.is_empty()),
            ("crawlers", "Crawlers", true),
            ("lint", "Lint", self.has_rules()),
            ("findings", "Ignored", true),
            ("file", "File", true),
            ("history", "History", self.has_history()),
        ];
        for (id, name, _) in parts.into_iter().filter(|(_, _, is_shown)| *is_shown) {
            write!(output, "<a href=\"#{id}\">{name}</a> ")?;
        }
        output.write_all(b"</nav>\n")
    }

    /// Returns whether rules decide, not a stance for all crawlers.
    fn has_rules(&self) -> bool {
        access_part::for_all_crawlers(self.stance()).is_none()
    }

    fn has_history(&self) -> bool {
        self.site.is_some_and(|site| site.history.is_some())
    }

    fn write_parts(&self, output: &mut impl Write) -> io::Result<()> {
        if let Some(site) = self.site {
            write_part(output, "access", "Access", |output| {
                access_part::write(output, site)
            })?;
        }
        if !self.urls.is_empty() {
            write_part(output, "verdicts", "Verdicts", |output| {
                self.write_verdicts(output)
            })?;
        }
        write_part(output, "crawlers", "Who may fetch what", |output| {
            self.write_crawlers(output)
        })?;
        if self.has_rules() {
            let origin = self.site.map(|site| site.lookup.authority.to_string());
            write_part(output, "lint", "Likely mistakes", |output| {
                lint_part::write(output, self.robots().body(), origin)
            })?;
        }
        write_part(
            output,
            "findings",
            "Lines that were ignored or read differently",
            |output| file_listing::write_findings(output, self.robots()),
        )?;
        write_part(output, "file", "The file", |output| {
            file_listing::write_lines(output, self.robots())
        })?;
        let history = self.site.and_then(|site| site.history.as_ref());
        match history {
            Some(history) => write_part(output, "history", "History", |output| {
                history_part::write(output, history)
            }),
            None => Ok(()),
        }
    }

    fn write_verdicts(&self, output: &mut impl Write) -> io::Result<()> {
        let unnamed = [ResolvedCrawler::unnamed()];
        let crawlers = if self.named.is_empty() {
            &unnamed
        } else {
            self.named
        };
        let mut extents = RuleExtents::new(self.file);
        verdict_rows::write(output, &mut extents, crawlers, self.urls, self.stance())
    }

    fn write_crawlers(&self, output: &mut impl Write) -> io::Result<()> {
        if let Some(all) = access_part::for_all_crawlers(self.stance()) {
            return writeln!(output, "<p>{all}</p>");
        }
        who_picture::write(output, self.robots(), self.read_as)?;
        let mut extents = RuleExtents::new(self.file);
        if !self.named.is_empty() {
            crawler_rows::write_named(output, self.named, &mut extents)?;
        }
        crawler_rows::write_by_purpose(output, self.read_as, &mut extents)
    }
}
