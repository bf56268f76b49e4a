//! Every help and fix that shows a line is applied, and policies prove that nothing else changes.

use std::collections::BTreeSet;
use std::fmt::Write;

use verger::{Crawler, Dialect, GroupIndex, Policy, RobotsTxt};
use verger_compare::{Budget, Difference, PolicySet, Witness};
use verger_lint::{Finding, Linted, Served};
use verger_testkit::case::{load_all, testdata_dir};
use verger_testkit::generate::{Rng, body};

const DIALECTS: [Dialect; 2] = [Dialect::Rfc9309, Dialect::Google];

/// What may change.
enum Meant {
    Nothing,
    /// URLs about which a changed line decides, before or after.
    UrlsOfLines(BTreeSet<u32>),
    /// Everything, for the crawlers that this text names before or after.
    Crawlers(String),
    /// These URLs become allowed.
    Opened(fn(&str) -> bool),
}

/// Returns the body after a help or fix, and what it may change. `None` if it shows no line.
fn applied(file: &Linted, finding: &Finding) -> Option<(Vec<u8>, Meant)> {
    let body = file.robots().body();
    let lines: BTreeSet<u32> = finding
        .places()
        .map(|it| file.position(it.span.start).line.get())
        .collect();
    if let Some(fix) = &finding.fix {
        let mut fixed = body.to_vec();
        for edit in fix.edits.iter().rev() {
            let range = edit.span.start as usize..edit.span.end as usize;
            fixed.splice(range, edit.text.iter().copied());
        }
        // New lines and user-agent lines change the groups.
        let has_agent = |text: &[u8]| {
            let robots = RobotsTxt::parse(text, Dialect::Rfc9309);
            let mut agents = robots.records_of(verger::RecordKind::UserAgent);
            agents.any(|it| lines.contains(&it.line().get()))
        };
        let is_of_rules = fix.edits.iter().all(|it| !it.text.contains(&b'\n'))
            && finding.code != "carriage-return-line-ends"
            // A line that becomes a rule may end a run of user-agent lines.
            && DIALECTS.iter().all(|dialect| groups(body, *dialect) == groups(&fixed, *dialect))
            && !has_agent(body)
            && !has_agent(&fixed);
        let meant = match finding.code {
            "duplicate-rule" | "repeated-agent" | "duplicate-sitemap" | "agent-with-version" => {
                Meant::Nothing
            }
            _ if is_of_rules => Meant::UrlsOfLines(lines),
            "misspelt-crawler"
            | "agent-with-words"
            | "agent-names-no-crawler"
            | "agent-is-header" => {
                let named = fix
                    .edits
                    .iter()
                    .map(|it| String::from_utf8_lossy(&it.text).into_owned());
                let before = finding.places().map(|it| file.line(it.span.start).of(body));
                let before = before.map(String::from_utf8_lossy).collect::<String>();
                Meant::Crawlers(
                    format!("{before} {}", named.collect::<String>()).to_ascii_lowercase(),
                )
            }
            _ => return None,
        };
        return Some((fixed, meant));
    }
    of_help(body, finding, &lines)
}

/// Returns the body after a help without a fix.
fn of_help(body: &[u8], finding: &Finding, lines: &BTreeSet<u32>) -> Option<(Vec<u8>, Meant)> {
    // Other bytes and line ends are left to fixes.
    let body = str::from_utf8(body).ok().filter(|it| !it.contains('\r'))?;
    let changed = |change: &dyn Fn(&str) -> String| {
        let all = (1..).zip(body.split_inclusive('\n'));
        let changed = all.map(|(line, text)| {
            if lines.contains(&line) {
                change(text)
            } else {
                text.to_owned()
            }
        });
        changed.collect::<String>().into_bytes()
    };
    let without = || changed(&|_| String::new());
    let replaced = |rule: &str| changed(&|_| format!("{rule}\n"));
    let added = |rules: &str| {
        changed(&|text| {
            let end = if text.ends_with('\n') { "" } else { "\n" };
            format!("{text}{end}{rules}")
        })
    };
    let help = finding.help.as_deref()?;
    Some(match help {
        _ if help.starts_with("remove it: it closes the home page") => {
            (without(), Meant::Opened(|url| url == "/"))
        }
        "remove it" | "remove it: nothing changes" => (without(), Meant::Nothing),
        _ if help.ends_with("remove the line") => (without(), Meant::Nothing),
        _ if help.contains("write `Disallow:` instead") => (replaced("Disallow:"), Meant::Nothing),
        _ if help.contains("`Allow: /*.css?` and") => (
            added("Allow: /*.css?\nAllow: /*.js?\n"),
            Meant::Opened(|url| url.contains(".css?") || url.contains(".js?")),
        ),
        _ if help.contains("`Allow: /*.css`, `Allow: /*.js$` and") => (
            added("Allow: /*.css\nAllow: /*.js$\nAllow: /*.js?\n"),
            Meant::Opened(|url| url.contains(".css") || url.contains(".js")),
        ),
        _ if help.starts_with("write `Allow: /$`") => {
            (added("Allow: /$\n"), Meant::Opened(|url| url == "/"))
        }
        _ if help.starts_with("write `Allow: /`,") => (replaced("Allow: /"), Meant::Nothing),
        _ => return None,
    })
}

fn groups(body: &[u8], dialect: Dialect) -> usize {
    RobotsTxt::parse(body, dialect).groups().len()
}

fn crawlers(bodies: [&[u8]; 2], dialect: Dialect) -> Vec<(String, Crawler)> {
    let mut names = BTreeSet::from(["Googlebot".to_owned(), "bingbot".to_owned(), "*".to_owned()]);
    for body in bodies {
        let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
        let values = robots.records_of(verger::RecordKind::UserAgent).take(20);
        names.extend(values.map(|it| {
            let value = String::from_utf8_lossy(it.value()).into_owned();
            let is_odd = |it: char| !(it.is_ascii_alphabetic() || it == '-' || it == '_');
            value.split(is_odd).next().unwrap_or_default().to_owned()
        }));
    }
    let written = names.into_iter().filter(|name| !name.is_empty());
    let crawlers = written.filter_map(|name| {
        let crawler = if name == "*" {
            Crawler::unnamed()
        } else {
            Crawler::named(&name, dialect).ok()?
        };
        Some((name, crawler))
    });
    crawlers.collect()
}

/// Returns the first change that is not meant.
fn not_meant(before: &[u8], after: &[u8], meant: &Meant, changes_paths: bool) -> Option<String> {
    for dialect in DIALECTS {
        let [one, other] = [before, after].map(|it| GroupIndex::new(RobotsTxt::parse(it, dialect)));
        for (name, crawler) in crawlers([before, after], dialect) {
            let [old, new] = [&one, &other].map(|it| it.policy(&crawler));
            let difference = Difference::between(
                &PolicySet::new(&old),
                &PolicySet::new(&new),
                Budget::default(),
            )
            .unwrap();
            let closed = difference.newly_disallowed().witness();
            let opened = difference.newly_allowed().witness();
            let decides = |policy: &Policy, it: &Witness, lines: &BTreeSet<u32>| {
                let line = policy.decide(it.target()).line();
                line.is_some_and(|line| lines.contains(&line.get()))
            };
            let is_fine = |it: &Witness, opens: bool| match meant {
                Meant::Nothing => false,
                Meant::UrlsOfLines(lines) => decides(&old, it, lines) || decides(&new, it, lines),
                Meant::Crawlers(names) => names.contains(&name.to_ascii_lowercase()),
                Meant::Opened(urls) => opens && urls(it.path()),
            };
            for (it, opens) in [(closed, false), (opened, true)] {
                if let Some(it) = it.filter(|it| !is_fine(it, opens)) {
                    return Some(format!("{dialect} {name} {}", it.path()));
                }
            }
            // No path becomes one for everything. A misspelt key may have such a path.
            let everything = |policy: &Policy| {
                policy
                    .rules()
                    .filter(|it| matches!(it.pattern, b"/" | b"/*" | b"*" | b"/*$"))
                    .count()
            };
            if matches!(meant, Meant::UrlsOfLines(..))
                && changes_paths
                && everything(&new) > everything(&old)
            {
                return Some(format!("{dialect} {name}: a rule for everything"));
            }
        }
    }
    None
}

fn check(body: &[u8], served: &Served, counts: &mut usize) {
    let file = Linted::new(body, served);
    for finding in file.findings() {
        let Some((after, meant)) = applied(&file, finding) else {
            continue;
        };
        *counts += 1;
        let changes_paths = matches!(finding.code, "url-as-path" | "missing-leading-slash");
        let wrong = not_meant(body, &after, &meant, changes_paths);
        assert!(
            wrong.is_none(),
            "{}: {:?} {:?}\n{}\nbecomes\n{}\nchanged: {wrong:?}",
            finding.code,
            finding.help,
            finding.fix.as_ref().map(|it| &it.title),
            String::from_utf8_lossy(body),
            String::from_utf8_lossy(&after),
        );
    }
}

#[test]
fn a_help_that_shows_a_line_changes_nothing_beyond_what_it_says() {
    let mut count = 0;
    for case in load_all(&testdata_dir()).unwrap().cases {
        if case.robots.len() < 10_000 {
            check(&case.robots, &Served::default(), &mut count);
        }
    }
    for lint in verger_lint::all() {
        let example = lint.wrong_example();
        if example.body().len() < 10_000 {
            check(&example.body(), &example.served(), &mut count);
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn helps_of_generated_files_change_nothing_beyond_what_they_say() {
    let mut count = 0;
    for seed in 0..400 {
        check(&body(&mut Rng::new(seed)), &Served::default(), &mut count);
    }
    let paths = [
        "/",
        "/a",
        "/a/",
        "/*",
        "/$",
        "/a$",
        "",
        "/a%",
        "/a%2Bb",
        "/a+b",
        "./a",
        "?x=",
        "h.example/a",
        "https://h.example/a",
        "https://h.example",
        "/a*$*",
        "a",
        "none",
        "/*.css$",
        "/a b",
        "*",
        "/a/index.html",
        "/wp-includes/",
    ];
    let keys = ["Disallow", "Allow", "Disalow", "Disallow", "Noindex"];
    let names = [
        "*",
        "Googlebot",
        "googleboot",
        "bingbot",
        "Yahoo! Slurp",
        ": GPTBot",
        "FooBot/2.0",
        "",
    ];
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let mut file = String::new();
        for _ in 0..=rng.below(3) {
            writeln!(file, "User-agent: {}", names[rng.below(names.len())]).unwrap();
            for _ in 0..=rng.below(4) {
                let (key, path) = (keys[rng.below(keys.len())], paths[rng.below(paths.len())]);
                writeln!(file, "{key}: {path}").unwrap();
            }
        }
        let served = Served {
            origin: (seed % 2 == 0).then(|| "https://h.example".to_owned()),
            ..Served::default()
        };
        check(file.as_bytes(), &served, &mut count);
    }
    assert!(count > 500, "{count}");
}
