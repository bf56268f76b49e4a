//! Compares answers about sets of URLs with `check` on generated pairs of files. Each witness must
//! hold, and each "nothing" is tested with URLs that a client can send.
//!
//! `VERGER_TEST_PAIRS=3000` sets the number of pairs per dialect, and `VERGER_TEST_URLS=10000` the
//! number of URLs per pair. `VERGER_TEST_FILES` names a directory of files to use instead.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use verger::{Crawler, Dialect, Effect, Policy, RobotsTxt, TargetPath};
use verger_access::requested_target;
use verger_compare::{Budget, EXAMPLE_SITE, Found};
use verger_owner::{
    ClaimFile, ClaimResult, FileComparison, check_claims, claims_of_file, crawlers_of, who,
};
use verger_testkit::generate::{self, Rng};

/// Budget per question. An undecided question claims nothing.
const BUDGET: Budget = Budget::from_states(200_000);

fn number(variable: &str, usual: usize) -> usize {
    let given = std::env::var(variable).ok();
    given.map_or(usual, |it| it.parse().expect("it is a number"))
}

/// Returns the answer of `check` for a URL.
fn checked(url: &str, robots: &RobotsTxt, crawler: &Crawler) -> Effect {
    let target = requested_target(url.as_bytes(), *robots.reading());
    robots.policy(crawler).decide(&target.unwrap()).effect()
}

/// Returns URLs that a client can send, many of which match rules of the files.
fn urls(rng: &mut Rng, bodies: [&[u8]; 2], count: usize) -> BTreeSet<String> {
    let mut urls = BTreeSet::new();
    for _ in 0..count {
        let body = bodies[rng.below(2)];
        let written = generate::url_for(rng, body);
        let path = match written.windows(3).position(|it| it == b"://") {
            Some(at) => {
                let after = &written[at + 3..];
                let path = after.iter().position(|it| b"/?#".contains(it));
                path.map_or(&[][..], |path| &after[path..])
            }
            None => &written[..],
        };
        let path = path.split(|it| *it == b'#').next().unwrap_or_default();
        let mut url = format!(
            "{EXAMPLE_SITE}{}",
            if path.starts_with(b"/") { "" } else { "/" }
        );
        for &byte in path {
            match byte {
                b'!'..=b'~' => url.push(char::from(byte)),
                _ => write!(url, "%{byte:02X}").unwrap(),
            }
        }
        urls.insert(url);
    }
    urls
}

/// A claim that no URL has these effects under two policies.
type Nothing = ([Policy; 2], [Effect; 2]);

struct Claims<'r> {
    files: [&'r RobotsTxt; 2],
    witnesses: usize,
    nothing: Vec<Nothing>,
}

impl Claims<'_> {
    /// Records an answer and confirms its witness.
    fn take(&mut self, found: &Found, crawler: &Crawler, wanted: [Effect; 2]) {
        match found {
            Found::Witness(witness) => {
                self.witnesses += 1;
                let url = witness.to_string();
                let effects = self.files.map(|robots| checked(&url, robots, crawler));
                assert_eq!(effects, wanted, "{url} {crawler:?}");
            }
            Found::NoTarget => {
                let policies = self.files.map(|robots| robots.policy(crawler));
                self.nothing.push((policies, wanted));
            }
            Found::NotDecided { .. } => {}
        }
    }

    /// Tests each "nothing" with URLs. Returns their number.
    fn refute(&self, urls: &BTreeSet<String>) {
        let reading = *self.files[0].reading();
        let targets = urls
            .iter()
            .map(|url| (url, TargetPath::as_sent(url, reading).unwrap()));
        let targets: Vec<_> = targets.collect();
        for (policies, wanted) in &self.nothing {
            for (url, target) in &targets {
                let effects = [0, 1].map(|at: usize| policies[at].decide(target).effect());
                // An exempt robots.txt is outside the universe.
                let is_exempt = target.is_robots_txt() && reading.dialect() != Dialect::Google;
                assert!(is_exempt || effects != *wanted, "{url}");
            }
        }
    }
}

/// Confirms every answer about two files with `check`. Returns the number of witnesses.
fn hold(dialect: Dialect, bodies: [&[u8]; 2], rng: &mut Rng, url_count: usize) -> usize {
    let files = bodies.map(|body| RobotsTxt::parse(body, dialect));
    let crawlers = crawlers_of(&files, (*files[0].reading()).into());
    let mut claims = Claims {
        files: [&files[0], &files[0]],
        witnesses: 0,
        nothing: Vec::new(),
    };
    let mut seen = BTreeSet::new();
    for row in who(files[0].clone(), &crawlers, BUDGET) {
        // Crawlers of one group get the same answers.
        if seen.insert(row.group.as_ref().map(|it| it.first_line)) {
            let crawler = row.crawler.crawler();
            claims.take(row.extent.allowed(), crawler, [Effect::Allow; 2]);
            claims.take(row.extent.disallowed(), crawler, [Effect::Disallow; 2]);
        }
    }
    claims.files = [&files[0], &files[1]];
    let [before, after] = files.clone();
    let comparison = FileComparison::new(before, after, &crawlers, BUDGET).unwrap();
    let ways = [
        [Effect::Allow, Effect::Disallow],
        [Effect::Disallow, Effect::Allow],
    ];
    for change in comparison.changes() {
        let (difference, crawler) = (change.difference(), change.crawlers()[0].crawler());
        claims.take(difference.newly_disallowed(), crawler, ways[0]);
        claims.take(difference.newly_allowed(), crawler, ways[1]);
    }
    if comparison.is_same() == Some(true) {
        for way in ways {
            claims.take(&Found::NoTarget, &Crawler::unnamed(), way);
        }
    }
    claims.refute(&urls(rng, bodies, url_count));
    let text = claims_of_file(
        files[0].clone(),
        (*files[0].reading()).into(),
        ("robots.txt", EXAMPLE_SITE),
        BUDGET,
    );
    assert_claims_hold(&text, &files[0]);
    claims.witnesses
}

/// Confirms that generated claims hold.
fn assert_claims_hold(text: &str, robots: &RobotsTxt) {
    let file = ClaimFile::parse(text, None).unwrap_or_else(|error| panic!("{error}: {text}"));
    for checked in check_claims(file.claims(), robots.clone(), EXAMPLE_SITE, BUDGET) {
        let is_refuted = matches!(checked.result, ClaimResult::Fails { .. });
        assert!(
            !is_refuted,
            "{}: {:?}\n{text}",
            checked.claim, checked.result
        );
    }
}

/// Returns two files: unrelated ones, or one and an edit of it.
fn pair(rng: &mut Rng) -> [Vec<u8>; 2] {
    let before = generate::body(rng);
    if rng.one_in(3) {
        return [before, generate::body(rng)];
    }
    let lines: Vec<&[u8]> = before.split(|it| *it == b'\n').collect();
    let changed = rng.below(lines.len());
    let kept = lines.iter().enumerate().filter(|(at, _)| *at != changed);
    let after: Vec<&[u8]> = kept.map(|(_, line)| *line).collect();
    let after = after.join(&b'\n');
    [before, after]
}

fn files_in(directory: &Path) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(directory).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let bodies = paths.iter().map(|path| std::fs::read(path).unwrap());
    bodies.collect()
}

fn hold_all(dialect: Dialect) {
    let url_count = number("VERGER_TEST_URLS", 300);
    let mut witnesses = 0;
    if let Ok(directory) = std::env::var("VERGER_TEST_FILES") {
        let bodies = files_in(Path::new(&directory));
        let mut rng = Rng::new(2);
        for pair in bodies.windows(2) {
            witnesses += hold(dialect, [&pair[0], &pair[1]], &mut rng, url_count);
        }
    } else {
        let pairs = number("VERGER_TEST_PAIRS", 60);
        for seed in 0..pairs {
            let mut rng = Rng::new(seed as u64);
            let [before, after] = pair(&mut rng);
            witnesses += hold(dialect, [&before, &after], &mut rng, url_count);
        }
        assert!(witnesses > pairs, "{witnesses}");
    }
    println!("{dialect}: {witnesses} witnesses");
}

#[test]
fn what_is_said_in_rfc9309_is_what_check_says() {
    hold_all(Dialect::Rfc9309);
}

#[test]
fn what_is_said_in_google_is_what_check_says() {
    hold_all(Dialect::Google);
}

#[test]
fn what_is_said_in_draft2019_is_what_check_says() {
    hold_all(Dialect::Draft2019);
}

#[test]
fn what_is_said_in_koster1996_is_what_check_says() {
    hold_all(Dialect::Koster1996);
}
