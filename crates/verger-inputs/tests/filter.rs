//! Filters URLs: which lines are printed, in which order, and by whose rules.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use verger::{Crawler, Dialect, Effect, Reading, RobotsTxt};
use verger_access::requested_target;
use verger_answer::CrawlerQuery;
use verger_inputs::rulebook::{BYTES_DEFAULT, Keeping, RulesMaker};
use verger_inputs::{
    Bodies, BodyRules, FilterLines, FilterObserver, FilterTerms, Filtered, GivenRules, LinesOf,
    RobotsDirectory, RobotsList, RuleSource, UnansweredLine, filter_urls,
};
use verger_inputs::{ReplacedFiles, Source};

const BODY: &str = "\
User-agent: *
Disallow: /private
Allow: /private/open
Disallow: /*.pdf$
Disallow:\t/a\tb

User-agent: ExampleBot
Disallow: /
";

const LIST: &str = include_str!("fixtures/bodies.jsonl");

/// The output of a run.
#[derive(Default)]
struct Out {
    lines: Vec<u8>,
    /// Each with its line number.
    unanswered: Vec<String>,
}

impl Out {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.lines).unwrap()
    }
}

impl FilterObserver for Out {
    fn answered(&mut self, lines: &[u8]) -> io::Result<()> {
        self.lines.extend_from_slice(lines);
        Ok(())
    }

    fn unanswered(&mut self, line: &UnansweredLine<'_>) {
        let UnansweredLine {
            number,
            kind,
            message,
        } = line;
        self.unanswered.push(format!("{number} {kind}: {message}"));
    }
}

/// A run: which lines are printed, for which product tokens, in how many threads.
#[derive(Clone, Copy)]
struct Run<'a> {
    of: LinesOf,
    tokens: &'a [&'a str],
    threads: usize,
    missing: Option<Effect>,
    dialect: Dialect,
}

const ALLOWED: Run<'static> = Run {
    of: LinesOf::Allowed,
    tokens: &[],
    threads: 3,
    missing: None,
    dialect: Dialect::Rfc9309,
};

const DISALLOWED: Run<'static> = Run {
    of: LinesOf::Disallowed,
    ..ALLOWED
};

const ANNOTATED: Run<'static> = Run {
    of: LinesOf::Annotated,
    ..ALLOWED
};

impl Run<'_> {
    fn maker(&self) -> BodyRules {
        let crawler = |token: &&str| Crawler::named(token, self.dialect).unwrap();
        let crawlers = self.tokens.iter().map(crawler).collect();
        let maker = RulesMaker::new(crawlers, Reading::new(self.dialect), Keeping::Lines);
        BodyRules::from(maker)
    }

    fn ended(&self, rules: &RuleSource, urls: &[u8]) -> (Out, Filtered) {
        let reading = Reading::new(self.dialect);
        let resolved = |token: &&str| CrawlerQuery::Token((*token).to_owned()).resolve(reading);
        let crawlers = self.tokens.iter().flat_map(|it| resolved(it).unwrap());
        let mut crawlers: Vec<_> = crawlers.collect();
        if crawlers.is_empty() {
            crawlers = CrawlerQuery::Unnamed.resolve(reading).unwrap();
        }
        let terms = FilterTerms {
            rules,
            missing: self.missing,
            lines: &FilterLines::new(self.of, crawlers, reading),
        };
        let mut out = Out::default();
        let threads = NonZero::new(self.threads).unwrap();
        let filtered = filter_urls(urls, terms, threads, &mut out).unwrap();
        assert!(filtered.read.is_ok());
        (out, filtered)
    }

    /// Runs with one body.
    fn by(&self, body: &str, urls: impl AsRef<[u8]>) -> Out {
        let rules = RuleSource::one(self.maker().rules(body, "robots.txt"));
        self.ended(&rules, urls.as_ref()).0
    }

    /// Runs with bodies by authority.
    fn by_authority(&self, bodies: Bodies, urls: &[u8]) -> (Out, Filtered) {
        let rules = GivenRules::new(bodies, self.maker());
        self.ended(&RuleSource::by_authority(rules, BYTES_DEFAULT), urls)
    }
}

/// Opens a list and returns the complaints about its lines.
fn list(text: &str) -> (Bodies, Vec<String>) {
    static LISTS: AtomicU32 = AtomicU32::new(0);
    let mut said = Vec::new();
    let (process, list) = (std::process::id(), LISTS.fetch_add(1, Ordering::Relaxed));
    let name = format!("list-{process}-{list}.jsonl");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    let source = Source::File(path);
    let replaced = ReplacedFiles::default();
    let list = RobotsList::open(&source, &replaced, |it| said.push(it)).unwrap();
    let name = source.to_string();
    let said = said.into_iter().map(|it| it.replace(&name, "list"));
    (Bodies::List(list), said.collect())
}

#[test]
fn allowed_lines_go_out_as_they_came() {
    let input = b"\xEF\xBB\xBF/caf\xe9\r\n\r\n\n/private/x\r\n/private/open\n/x.pdf\n/ b \n/last";
    let out = ALLOWED.by(BODY, input);
    assert_eq!(out.lines, b"/caf\xe9\r\n/private/open\n/ b \n/last\n");
    assert!(out.unanswered.is_empty());
    assert_eq!(DISALLOWED.by(BODY, input).lines, b"/private/x\r\n/x.pdf\n");
    let tokens = &["ExampleBot"];
    let out = Run { tokens, ..ALLOWED }.by(BODY, "/robots.txt\n/\n");
    assert_eq!(out.text(), "/robots.txt\n");
}

#[test]
fn an_annotated_line_says_why() {
    let urls = "/robots.txt\n/private\r\n/private/open\n/x.pdf\nx\n/a%09b\n/a\tb";
    let expected = "\
allowed\t-\trobots-txt\t/robots.txt
disallowed\t2\tDisallow: /private\t/private
allowed\t3\tAllow: /private/open\t/private/open
disallowed\t4\tDisallow: /*.pdf$\t/x.pdf
unknown\t-\tnot-a-url\tx
disallowed\t5\tDisallow: /a b\t/a%09b
unknown\t-\tnot-a-url\t/a\tb
";
    assert_eq!(ANNOTATED.by(BODY, urls).text(), expected);
    let body = "User-agent: a\nDisallow: /x\n";
    assert_eq!(
        ANNOTATED.by(body, "/\n").text(),
        "allowed\t-\tno-group\t/\n"
    );
    let tokens = &["a"];
    let of_group = Run {
        tokens,
        ..ANNOTATED
    }
    .by(body, "/\n");
    assert_eq!(of_group.text(), "allowed\t-\tno-rule\t/\n");
}

/// Returns `count` URLs in a fixed shuffled order.
fn urls(count: u64) -> String {
    let mut urls = String::new();
    let mut state = 1_u64;
    for number in 0..count {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let path = [
            "private/",
            "private/open/",
            "docs/x.pdf?",
            "%7Euser/",
            "",
            "",
            "",
        ];
        let path = path[usize::try_from((state >> 33) % 7).unwrap()];
        let is_pdf = (state >> 40).is_multiple_of(3);
        let end = if is_pdf { ".pdf" } else { "" };
        writeln!(urls, "https://h{}.example/{path}{number}{end}", state >> 60).unwrap();
    }
    urls
}

#[test]
fn order_is_kept_whatever_the_threads_and_verdicts_are_those_of_the_engine() {
    let urls = urls(100_000);
    let annotated = |threads| {
        Run {
            threads,
            ..ANNOTATED
        }
        .by(BODY, &urls)
        .lines
    };
    let expected = annotated(1);
    assert!(annotated(3) == expected && annotated(7) == expected);
    let lines = std::str::from_utf8(&expected).unwrap().lines();
    let policy = RobotsTxt::parse(BODY, Dialect::Rfc9309).policy(&Crawler::unnamed());
    let (mut allowed, mut disallowed) = (String::new(), String::new());
    for (line, url) in lines.zip(urls.lines()) {
        let target = requested_target(url.as_bytes(), Reading::new(Dialect::Rfc9309)).unwrap();
        let is_allowed = policy.decide(&target).is_allowed();
        let word = if is_allowed { "allowed" } else { "disallowed" };
        let columns: Vec<_> = line.split('\t').collect();
        assert_eq!((columns[0], columns[3]), (word, url));
        let to = if is_allowed {
            &mut allowed
        } else {
            &mut disallowed
        };
        writeln!(to, "{url}").unwrap();
    }
    assert!(ALLOWED.by(BODY, &urls).text() == allowed);
    assert!(DISALLOWED.by(BODY, &urls).text() == disallowed);
}

#[test]
fn what_cannot_be_asked_is_named_with_its_line_and_the_rest_goes_on() {
    let long = "a".repeat(256 << 10);
    let input = format!("/a\n\nx\n/{long}\n/b\nhttps://\n/c");
    let out = ALLOWED.by(BODY, &input);
    assert_eq!(out.text(), "/a\n/b\n/c\n");
    assert_eq!(
        out.unanswered,
        [
            "3 not-a-url: `x` is neither an absolute URL (https://host/path) nor a path that starts with `/`",
            "4 line-too-long: the line is longer than 262144 bytes",
            "6 not-a-url: `https://` has no host",
        ]
    );
    let annotated = ANNOTATED.by(BODY, &input);
    let line = annotated.text().lines().nth(2);
    assert_eq!(line, Some("unknown\t-\tline-too-long\t"));
    // Google's library accepts any bytes as a path. A client cannot request any of these.
    let dialect = Dialect::Google;
    let out = Run { dialect, ..ALLOWED }.by(BODY, "x\n");
    assert_eq!((out.text(), out.unanswered.len()), ("", 1));
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn a_directory_has_a_body_for_each_authority() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bodies");
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(directory.join("unreadable.example")).unwrap();
    for (name, path) in [
        ("plain.example", "/plain"),
        ("text.example.txt", "/text"),
        ("https%3A%2F%2Ffull.example%3A8443", "/full"),
        ("http%3A%2F%2Fplain.example", "/http"),
    ] {
        let body = format!("User-agent: *\nDisallow: {path}\n");
        fs::write(directory.join(name), body).unwrap();
    }
    let bodies = || Bodies::Directory(RobotsDirectory::open(&directory).unwrap());
    let input = "\
https://plain.example/plain
HTTPS://user@Plain.EXAMPLE:443/plain
https://plain.example/http
http://plain.example/plain
http://PLAIN.example:80/http
https://text.example?/text
https://TEXT.example/text
https://full.example:8443/full
https://FULL.example:08443/
";
    let disallowed = "\
https://plain.example/plain
HTTPS://user@Plain.EXAMPLE:443/plain
http://PLAIN.example:80/http
https://TEXT.example/text
https://full.example:8443/full
";
    let (out, _) = DISALLOWED.by_authority(bodies(), input.as_bytes());
    assert_eq!(out.text(), disallowed);
    for url in [
        "https://full.example/full",
        "http://full.example:8443/full",
        "https://plain.example:8443/",
        "ftp://plain.example/",
        "https://plain.example./",
    ] {
        let (out, _) = ANNOTATED.by_authority(bodies(), url.as_bytes());
        assert_eq!(out.text(), format!("unknown\t-\tno-body\t{url}\n"));
    }
    for url in ["https://../plain.example/", "https://./"] {
        let (out, _) = ANNOTATED.by_authority(bodies(), url.as_bytes());
        assert_eq!(out.text(), format!("unknown\t-\tnot-a-url\t{url}\n"));
    }
    // A URL that cannot be requested is rejected even if its authority has no body.
    let url = "https://u;v@absent.example/x";
    let run = Run {
        missing: Some(Effect::Allow),
        dialect: Dialect::Google,
        ..ANNOTATED
    };
    let (out, _) = run.by_authority(bodies(), url.as_bytes());
    assert_eq!(out.text(), format!("unknown\t-\tnot-a-url\t{url}\n"));
    // An unreadable body is not a missing one.
    let url = b"https://unreadable.example/\n/plain";
    let missing = Some(Effect::Allow);
    let (out, filtered) = Run {
        missing,
        ..ANNOTATED
    }
    .by_authority(bodies(), url);
    let expected =
        "unknown\t-\tunreadable-body\thttps://unreadable.example/\nunknown\t-\tnot-a-url\t/plain\n";
    assert_eq!((out.text(), filtered.tally.unanswered), (expected, 2));
    assert!(out.unanswered[0].starts_with("1 unreadable-body: cannot read `"));
    assert_eq!(
        out.unanswered[1],
        "2 not-a-url: `/plain` is not an absolute URL: give one such as https://example.com/path"
    );
    assert!(RobotsDirectory::open(&directory.join("none")).is_err());
}

#[test]
fn a_list_has_a_body_for_each_authority() {
    let input = b"https://TEXT.example/text\nhttps://text.example/\nhttp://bytes.example/caf\xe9\n\
        https://twice.example/\nhttps://port.example:8443/\nhttps://text.example:443/text\n";
    let expected: &[u8] = b"https://TEXT.example/text\nhttp://bytes.example/caf\xe9\n\
        https://twice.example/\nhttps://port.example:8443/\nhttps://text.example:443/text\n";
    let (out, _) = DISALLOWED.by_authority(list(LIST).0, input);
    assert_eq!((out.lines, out.unanswered.len()), (expected.to_vec(), 0));
    // Nothing is kept, yet the answers are the same. Two of the six lookups read a body again.
    let run = Run {
        threads: 1,
        ..DISALLOWED
    };
    let rules = RuleSource::by_authority(GivenRules::new(list(LIST).0, run.maker()), 0);
    assert_eq!(run.ended(&rules, input).0.lines, expected);
    assert_eq!(rules.read_again().unwrap().to_string(), "2");
}

/// The body of `a.example` exists but cannot be read. A missing body would allow.
fn assert_unreadable(bodies: Bodies) {
    let missing = Some(Effect::Allow);
    let (out, _) = Run {
        missing,
        ..ANNOTATED
    }
    .by_authority(bodies, b"https://a.example/\n");
    let expected = "unknown\t-\tunreadable-body\thttps://a.example/\n";
    assert_eq!(out.text(), expected);
}

#[test]
fn a_line_that_is_damaged_still_applies_to_the_authority_that_it_names() {
    for damaged in [
        r#""robots":1}"#,
        r#""robots":"","robots":""}"#,
        r#""robots":"\ud800"}"#,
        r#""robots":"","robots_path":5}"#,
        r#""robots":"User-ag"#,
        "",
    ] {
        let start = r#"{"authority":"https://a.example","#;
        let (bodies, said) = list(&format!("{start}\"robots\":\"\"}}\n{start}{damaged}\n"));
        assert_unreadable(bodies);
        assert_eq!(said.len(), 1, "{damaged}");
    }
}

/// Such a line may be about any authority that no line names.
#[test]
fn beside_a_line_that_is_cut_before_its_authority_no_authority_is_without_a_body() {
    let whole = r#"{"authority":"https://a.example","robots":""}"#;
    for (cut, expected) in [
        (r#"{"robots":"User-ag"#, "unknown\t-\tunreadable-body"),
        (
            r#"{"authority":"https://b.ex"#,
            "unknown\t-\tunreadable-body",
        ),
        // These lines are about no authority.
        (r#"{"robots":""}"#, "allowed\t-\tno-body"),
        ("comment", "allowed\t-\tno-body"),
    ] {
        let (bodies, said) = list(&format!("{cut}\n{whole}\n"));
        let missing = Some(Effect::Allow);
        let (out, _) = Run {
            missing,
            ..ANNOTATED
        }
        .by_authority(bodies, b"https://b.example/\nhttps://a.example/\n");
        let expected = format!("{expected}\thttps://b.example/\n");
        assert!(out.text().starts_with(&expected), "{cut}: {}", out.text());
        assert!(out.text().contains("\nallowed\t"), "{cut}: {}", out.text());
        assert_eq!(said.len(), 1, "{cut}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_a_body_that_cannot_be_read() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("links");
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    std::os::unix::fs::symlink("nothing", directory.join("a.example")).unwrap();
    assert_unreadable(Bodies::Directory(
        RobotsDirectory::open(&directory).unwrap(),
    ));
}

#[test]
fn a_line_without_a_usable_body_still_applies_to_its_authority() {
    let text = r#"[1]
{"authority":"https://both.example","robots":"","robots_base64":""}
{"authority":"https://gone.example","robots_path":"no-such-body.txt"}
{"authority":"example.com","robots":""}
{"authority":"https://example.com/a","robots":""}
{"robots":""}
{"authority":1}
"#;
    let (bodies, said) = list(text);
    let input = b"https://both.example/\nhttps://gone.example/\nhttps://other.example/\n";
    let missing = Some(Effect::Allow);
    let (out, _) = Run {
        missing,
        ..ANNOTATED
    }
    .by_authority(bodies, input);
    let expected = "\
unknown\t-\tunreadable-body\thttps://both.example/
unknown\t-\tunreadable-body\thttps://gone.example/
allowed\t-\tno-body\thttps://other.example/
";
    assert_eq!(out.text(), expected);
    assert_eq!(
        said,
        [
            "list, line 1: not a JSON object",
            "list, line 2: several bodies: give only one of robots, robots_base64, robots_path",
            "list, line 4: `example.com` is not an absolute URL: give one such as https://example.com/path",
            "list, line 5: `https://example.com/a` is more than an authority: give one such as https://example.com",
            "list, line 6: there is no authority: give one such as https://example.com",
            "list, line 7: invalid type: integer `1`, expected a string, at column 14",
        ]
    );
    let [of_line, of_path] = &out.unanswered[..] else {
        panic!("{:?}", out.unanswered);
    };
    let why = "several bodies: give only one of robots, robots_base64, robots_path";
    assert!(of_line.starts_with("1 unreadable-body: `") && of_line.ends_with(why));
    assert_eq!(
        of_path,
        "2 unreadable-body: cannot read `no-such-body.txt`: there is no such file"
    );
}

#[test]
fn every_spelling_of_a_host_has_the_rules_of_that_host() {
    let (bodies, _) = list(
        r#"{"authority":"https://xn--exmple-cua.com","robots":"User-agent: *\nDisallow: /secret"}
{"authority":"https://bücher.example/robots.txt","robots":"User-agent: *\nDisallow: /secret"}
{"authority":"http://127.0.0.1:8080","robots":"User-agent: *\nDisallow: /secret"}
"#,
    );
    let urls = "\
https://exämple.com/secret
https://EXÄMPLE.com/secret
https://xn--exmple-cua.com/secret
https://ex%C3%A4mple.com/secret
https://xn--bcher-kva.example/secret
http://0x7f.1:8080/secret
http://2130706433:8080/secret
";
    let missing = Some(Effect::Allow);
    let (out, filtered) = Run { missing, ..ALLOWED }.by_authority(bodies, urls.as_bytes());
    assert_eq!((out.text(), filtered.tally.disallowed), ("", 7));
}

#[test]
fn an_authority_without_a_body_is_never_silently_allowed() {
    let input = "https://text.example/a\nhttps://none.example/a\nhttp://text.example/b\n";
    let run = |run: Run<'_>| run.by_authority(list(LIST).0, input.as_bytes());
    for (of, lines) in [(ALLOWED, "https://text.example/a\n"), (DISALLOWED, "")] {
        let (out, filtered) = run(of);
        let first = filtered.without_body.unwrap();
        assert_eq!((out.text(), first.line), (lines, 2));
        assert_eq!(first.authority, "https://none.example");
        assert!(!filtered.tally.is_complete() && filtered.tally.without_body == 2);
    }
    let missing = Some(Effect::Allow);
    let (out, filtered) = run(Run { missing, ..ALLOWED });
    assert_eq!(out.text(), input);
    assert!(filtered.tally.is_complete() && filtered.tally.without_body_allowed == 2);
    let missing = Some(Effect::Disallow);
    let (out, filtered) = run(Run {
        missing,
        ..ANNOTATED
    });
    let second = out.text().lines().nth(1);
    assert_eq!(
        second,
        Some("disallowed\t-\tno-body\thttps://none.example/a")
    );
    assert_eq!(filtered.tally.without_body_disallowed, 2);
}

#[test]
fn of_several_crawlers_all_may_fetch_what_comes_out() {
    let body = "User-agent: a\nDisallow: /a\n\nUser-agent: b\nDisallow: /b\n";
    let urls = "/a\n/b\n/c\nhttps://\n";
    let tokens = &["a", "b", "c"];
    assert_eq!(Run { tokens, ..ALLOWED }.by(body, urls).text(), "/c\n");
    assert_eq!(
        Run {
            tokens,
            ..DISALLOWED
        }
        .by(body, urls)
        .text(),
        "/a\n/b\n"
    );
    let two = &["a", "c"];
    assert_eq!(
        Run {
            tokens: two,
            ..ALLOWED
        }
        .by(body, urls)
        .text(),
        "/b\n/c\n"
    );
    let expected = "\
disallowed\t2\tDisallow: /a\ta\t/a
allowed\t-\tno-rule\tb\t/a
allowed\t-\tno-group\tc\t/a
allowed\t-\tno-rule\ta\t/b
disallowed\t5\tDisallow: /b\tb\t/b
allowed\t-\tno-group\tc\t/b
allowed\t-\tno-rule\ta\t/c
allowed\t-\tno-rule\tb\t/c
allowed\t-\tno-group\tc\t/c
unknown\t-\tnot-a-url\ta\thttps://
unknown\t-\tnot-a-url\tb\thttps://
unknown\t-\tnot-a-url\tc\thttps://
";
    let out = Run {
        tokens,
        ..ANNOTATED
    }
    .by(body, urls);
    assert_eq!((out.text(), out.unanswered.len()), (expected, 1));
}
