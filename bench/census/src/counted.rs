//! Facts about all files, and the page that is made of them.

use std::time::{Duration, Instant};

use verger_answer::ResolvedCrawler;
use verger_lint::{Linted, Served};

use super::file_facts::{FileFacts, extents};
use super::fix_facts::FixFacts;
use super::part::Part;
use super::sample::{CensusFile, Sample};
use super::{finding_part, fix_part, provenance, sample_part, size_part, who_part};

/// Facts about files by name, and how long it took.
pub(crate) struct Counted {
    /// First of all one that no group names.
    crawlers: Vec<ResolvedCrawler>,
    files: Vec<(String, FileFacts)>,
    linting: Duration,
    judging: Duration,
}

impl Counted {
    pub(crate) fn new() -> Self {
        let mut crawlers = vec![ResolvedCrawler::unnamed()];
        crawlers.extend(ResolvedCrawler::all_in_use());
        Self {
            crawlers,
            files: Vec::new(),
            linting: Duration::ZERO,
            judging: Duration::ZERO,
        }
    }

    pub(crate) fn count(&mut self, name: &str, body: &[u8]) {
        let started = Instant::now();
        let linted = Linted::new(body, &Served::default());
        let linted_at = Instant::now();
        let extents = extents(&linted, &self.crawlers);
        self.linting += linted_at - started;
        self.judging += linted_at.elapsed();
        let mut facts = FileFacts::new(&linted, extents);
        facts.fixes = FixFacts::new(&linted);
        self.files.push((name.to_owned(), facts));
    }

    /// How many files were counted.
    pub(crate) fn file_count(&self) -> usize {
        self.files.len()
    }

    /// How long lints and extents took, for people.
    pub(crate) fn took(&self) -> String {
        format!(
            "{:.1} s of lints, {:.1} s of extents for {} crawlers",
            self.linting.as_secs_f64(),
            self.judging.as_secs_f64(),
            self.crawlers.len(),
        )
    }

    /// The parts of the page, in its order.
    pub(crate) fn parts(self, index: &str) -> Result<Vec<Part>, String> {
        let mut provenances = provenance::read(index)?;
        let mut files = Vec::new();
        for (name, facts) in self.files {
            let provenance = provenances.remove(&name);
            let provenance = provenance.ok_or_else(|| format!("{name} is in no list"))?;
            files.push(CensusFile { provenance, facts });
        }
        let all = Sample::of(&files);
        Ok(vec![
            sample_part::part(&all),
            finding_part::part(&all),
            fix_part::part(&all),
            who_part::part(&all.drawn(), &self.crawlers),
            size_part::part(&all.drawn()),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INDEX: &str = "\
file\tsource_repo\tpath_in_source\tkind\tera\ttags
a.txt\tsome/list\ta\treal\t2017-08\tsrc:some
b.txt\tsome/list\tb\treal\t2017-08\tsrc:some
c.txt\tother/list\tc\treal\t2024-05\tai-bots,src:other
d.txt\tother/list\td\treal\t2024-05\thtml
e.txt\tother/tests\te\tfixture\t\tfixture
";

    fn parts() -> Vec<Part> {
        let mut counted = Counted::new();
        counted.count("a.txt", b"User-agent: *\nDisallow: /\n");
        counted.count(
            "b.txt",
            b"User-agent: *\nDisallow: /secret-<&>\nDisallow: secret\n",
        );
        counted.count(
            "c.txt",
            b"User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow:\n",
        );
        counted.count("d.txt", b"<!DOCTYPE html>\n<html><body>no</body></html>\n");
        counted.count("e.txt", b"User-agent: *\nDisallow: no-slash\n");
        counted.parts(INDEX).unwrap()
    }

    fn row<'t>(text: &'t str, begins: &str) -> &'t str {
        let found = text.lines().find(|line| line.starts_with(begins));
        found.unwrap_or_else(|| panic!("no line begins with {begins:?} in {text}"))
    }

    #[test]
    fn files_are_counted_by_where_they_are_from() {
        let parts = parts();
        let text = &parts[0].text;
        assert_eq!(row(text, "| all"), "| all | 5 | 4 | 3 | 3 |");
        assert_eq!(row(text, "| some/list"), "| some/list | 2 | 2 | 2 | 2 |");
        assert_eq!(
            row(text, "| other/tests"),
            "| other/tests | 1 | 0 | 0 | 0 |"
        );
    }

    #[test]
    fn findings_are_counted_by_file() {
        let text = &parts()[1].text;
        let slash = row(text, "| [`missing-leading-slash`]");
        assert!(
            slash.ends_with("| 1 | 1 | 33.3 % | 33.3 % | 33.3 % | 0.0 % | 0.0 % |"),
            "{slash}"
        );
    }

    #[test]
    fn crawlers_are_counted_by_purpose_and_year() {
        let text = &parts()[3].text;
        assert_eq!(
            row(text, "| 2017 |"),
            "| 2017 | 2 | 50.0 % | 50.0 % | 0.0 % | 0.0 % |"
        );
        assert_eq!(
            row(text, "| gptbot"),
            "| gptbot | ai-train | 100.0 % | 100.0 % | 100.0 % | 0.0 % | 0.0 % |"
        );
        assert!(row(text, "| ai-train").starts_with("| ai-train | "));
    }

    #[test]
    fn charts_are_whole_and_have_a_title_a_description_and_nothing_of_a_file() {
        let parts = parts();
        let charts = parts.iter().flat_map(|part| &part.charts);
        let mut count = 0;
        for (name, chart) in charts {
            count += 1;
            assert!(
                chart.starts_with("<svg ") && chart.ends_with("</svg>\n"),
                "{name}"
            );
            assert!(
                chart.contains("<title id=") && chart.contains("<desc id="),
                "{name}"
            );
            assert_eq!(
                chart.matches("<text").count(),
                chart.matches("</text>").count()
            );
            assert!(
                !chart.contains("secret") && !chart.contains("NaN"),
                "{name}"
            );
        }
        assert_eq!(count, 9);
        assert!(!parts.iter().any(|part| part.text.contains("secret")));
    }

    #[test]
    fn a_file_that_the_list_lacks_is_said() {
        let mut counted = Counted::new();
        counted.count("z.txt", b"");
        let error = counted.parts(INDEX).map(|_| ()).unwrap_err();
        assert_eq!(error, "z.txt is in no list");
    }
}
