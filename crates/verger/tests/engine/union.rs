//! The union of several names, which only `google` has. GL-group-2.

use verger::{Crawler, Dialect, NamedBy, RobotsTxt, TargetPath};
use verger_testkit::generate::{self, Rng};

const NAMES: [&str; 3] = ["FooBot", "BarBot", "Foo"];

/// Returns the lines of a body as written, each with its end.
fn lines(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    body.split_inclusive(|&byte| byte == b'\n')
}

/// Returns the body with a line for `Union` after each line that names one of the names.
fn with_one_name_for_all(body: &[u8]) -> Vec<u8> {
    let mut renamed = Vec::new();
    for line in lines(body) {
        renamed.extend_from_slice(line);
        let of_line = RobotsTxt::parse(line, Dialect::Google);
        let names_one = of_line.groups().any(|group| {
            let crawler = |name| Crawler::named(name, Dialect::Google).unwrap();
            let mut crawlers = NAMES.iter().map(|&name| crawler(name));
            crawlers.any(|crawler| group.names(&crawler.tokens()[0]))
        });
        if names_one {
            renamed.extend_from_slice(b"\nUser-agent: Union\n");
        }
    }
    renamed
}

#[test]
fn it_obeys_what_one_name_on_the_lines_of_all_would() {
    let (mut asked, mut named) = (0, 0);
    for seed in 0..6_000 {
        let mut rng = Rng::new(seed);
        let body = generate::body(&mut rng);
        // `with_one_name_for_all` only splits lines at LF, and reads a byte order mark as part of
        // the first line.
        if body.contains(&b'\r') || !body.is_ascii() {
            continue;
        }
        let url = generate::url_for(&mut rng, &body);
        let target = TargetPath::new(&url, Dialect::Google).unwrap();
        let union = Crawler::union(NAMES, Dialect::Google).unwrap();
        let one = Crawler::named("Union", Dialect::Google).unwrap();
        let renamed = RobotsTxt::parse(with_one_name_for_all(&body), Dialect::Google);
        let expected = renamed.policy(&one).decide(&target);
        let verdict = RobotsTxt::parse(&*body, Dialect::Google)
            .policy(&union)
            .decide(&target);
        let shown = body.escape_ascii();
        assert_eq!(
            verdict.effect(),
            expected.effect(),
            "{}\n{shown}",
            url.escape_ascii()
        );
        assert_eq!(
            verdict.reason(),
            expected.reason(),
            "{}\n{shown}",
            url.escape_ascii()
        );
        asked += 1;
        named += usize::from(
            verdict
                .group()
                .is_some_and(|it| it.named_by == NamedBy::Token),
        );
    }
    assert!(asked > 500 && named > 100, "{asked} {named}");
}

#[test]
fn other_dialects_refuse_it_and_take_its_names_in_order() {
    let body = "User-agent: a\nDisallow: /x\n\nUser-agent: b\nDisallow: /y\n";
    let union = Crawler::union(["a", "b"], Dialect::Google).unwrap();
    assert!(union.is_union());
    for &dialect in Dialect::ALL {
        let target = TargetPath::new("/y", dialect).unwrap();
        let policy = RobotsTxt::parse(body, dialect).policy(&union);
        let merges = dialect == Dialect::Google;
        assert_eq!(policy.decide(&target).is_allowed(), !merges, "{dialect}");
        assert_eq!(Crawler::union(["a", "b"], dialect).is_ok(), merges);
    }
    let refused = Crawler::union(["a"], Dialect::Rfc9309).unwrap_err();
    assert!(refused.to_string().starts_with("in rfc9309 "), "{refused}");
}

#[test]
fn the_first_line_that_names_any_of_them_is_the_one_that_names_it() {
    let body =
        "User-agent: *\nDisallow: /\nUser-agent: x\nUser-agent: b\nAllow: /\nUser-agent: A\n";
    let robots = RobotsTxt::parse(body, Dialect::Google);
    let union = Crawler::union(["a", "b"], Dialect::Google).unwrap();
    let found = robots.groups_for(&union).unwrap();
    assert_eq!((found.groups().len(), found.line().get()), (2, 4));
    assert_eq!(
        (found.token().unwrap().as_str(), found.token_index()),
        ("b", Some(1))
    );
    let unnamed = Crawler::union([], Dialect::Google).unwrap();
    assert_eq!(
        robots.groups_for(&unnamed).unwrap().named_by(),
        NamedBy::Star
    );
}
