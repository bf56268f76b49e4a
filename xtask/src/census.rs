//! `cargo xtask census <dir>`: what lints find in the real files of the corpus, and which crawlers
//! these block: `docs/census.md` and its charts in `docs/census/`.
//!
//! Only numbers leave the corpus. The same corpus gives the same page, octet by octet.
//!
//! | module | one line |
//! |---|---|
//! | `provenance` | where a file is from, by the archive's list |
//! | `fix_facts`, `file_facts` | what fixes make of a file; what is counted about one file |
//! | `sample` | files, and shares of them |
//! | `markdown`, `svg`, `charts` | tables and charts |
//! | `part` | a part of the page |
//! | `sample_part`, `finding_part`, `fix_part`, `who_part`, `size_part` | the parts, in the order of the page |

mod charts;
mod file_facts;
mod finding_part;
mod fix_facts;
mod fix_part;
mod markdown;
mod part;
mod provenance;
mod sample;
mod sample_part;
mod size_part;
mod svg;
mod who_part;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use verger_answer::ResolvedCrawler;
use verger_lint::{Linted, Served};

use self::file_facts::{FileFacts, extents};
use self::fix_facts::FixFacts;
use self::part::Part;
use self::sample::{CensusFile, Sample};
use crate::corpus::archive;
use crate::generated_page::GeneratedPage;
use crate::workspace;

const PAGE: GeneratedPage = GeneratedPage {
    path: "docs/census.md",
    command: "census",
};

/// The directory of the charts.
const CHARTS: &str = "docs/census";

/// Reads `corpus.tar.zst` in `dir` and writes the page.
pub(crate) fn run(dir: &Path) -> Result<(), String> {
    let started = Instant::now();
    let mut counted = Counted::new();
    let contents = archive::for_each_file(&dir.join("corpus.tar.zst"), |name, body| {
        counted.count(name, body);
    })?;
    contents.check(counted.files.len())?;
    println!(
        "{} files: {:.1} s of lints, {:.1} s of extents for {} crawlers, {:.1} s in all",
        counted.files.len(),
        counted.linting.as_secs_f64(),
        counted.judging.as_secs_f64(),
        counted.crawlers.len(),
        started.elapsed().as_secs_f64()
    );
    let parts = counted.parts(contents.index()?)?;
    let directory = workspace::root().join(CHARTS);
    for (name, chart) in parts.iter().flat_map(|part| &part.charts) {
        let path = directory.join(format!("{name}.svg"));
        fs::write(&path, chart)
            .map_err(|error| format!("{}: cannot be written: {error}", path.display()))?;
    }
    let text: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
    PAGE.write(&text.join("\n"))
}

/// Facts about files by name, and how long it took.
struct Counted {
    /// First of all one that no group names.
    crawlers: Vec<ResolvedCrawler>,
    files: Vec<(String, FileFacts)>,
    linting: Duration,
    judging: Duration,
}

impl Counted {
    fn new() -> Self {
        let mut crawlers = vec![ResolvedCrawler::unnamed()];
        crawlers.extend(ResolvedCrawler::all_in_use());
        Self {
            crawlers,
            files: Vec::new(),
            linting: Duration::ZERO,
            judging: Duration::ZERO,
        }
    }

    fn count(&mut self, name: &str, body: &[u8]) {
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

    /// The parts of the page, in its order.
    fn parts(self, index: &str) -> Result<Vec<Part>, String> {
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
