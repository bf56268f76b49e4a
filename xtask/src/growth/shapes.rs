//! The shapes of bodies and of questions that are doubled.

use std::fmt::Write as _;

use serde_json::json;

/// Names and contents of the files that a command reads.
pub(super) type Files = Vec<(&'static str, String)>;

/// A shape of input.
pub(super) struct Shape {
    pub(super) name: &'static str,
    /// What the command is called with.
    pub(super) arguments: &'static str,
    /// The smallest size.
    pub(super) size: usize,
    /// The input of a size.
    pub(super) files: fn(usize) -> Files,
}

const fn shape(
    name: &'static str,
    arguments: &'static str,
    size: usize,
    files: fn(usize) -> Files,
) -> Shape {
    Shape {
        name,
        arguments,
        size,
        files,
    }
}

const CHECK: &str = "check -r robots.txt -a examplebot /aaaa/b";
const EXPLAIN: &str = "check -e -r robots.txt -a examplebot /aaaa/b";
const EXPLAIN_JSON: &str = "check -e --json -r robots.txt -a examplebot /aaaa/b";
const PARSE: &str = "parse -d google robots.txt";
const PARSE_JSON: &str = "parse --json -d google robots.txt";
const REPORT: &str = "parse --report robots.txt";
const PAGE: &str = "report robots.txt -o page.html";
const FILTER: &str = "filter --threads 1 -u urls.txt -r robots.txt -a examplebot";
const FILTER_MANY: &str = "filter --threads 1 -u urls.txt --bodies bodies.jsonl";
const BATCH: &str = "check --batch batch.jsonl";

pub(super) const SHAPES: &[Shape] = &[
    shape("check: a long group", CHECK, 1000, long_group),
    shape("check: groups of other crawlers", CHECK, 1000, named_groups),
    shape("check: groups of one crawler", CHECK, 500, same_groups),
    shape(
        "check: user-agent lines of one group",
        CHECK,
        1000,
        many_names,
    ),
    shape("check: wildcards", CHECK, 500, wildcards),
    shape("check: one long line", CHECK, 10_000, long_line),
    shape(
        "check: a list of URLs",
        "check -r robots.txt --urls urls.txt",
        300,
        urls,
    ),
    shape("check -e: a long group", EXPLAIN, 500, long_group),
    shape(
        "check -e: rules that all match",
        EXPLAIN,
        200,
        matching_rules,
    ),
    shape(
        "check -e: groups of other crawlers",
        EXPLAIN,
        300,
        named_groups,
    ),
    shape("check -e: groups of one crawler", EXPLAIN, 200, same_groups),
    shape("check -e: groups for *", EXPLAIN, 200, star_groups),
    shape("check -e: blank lines", EXPLAIN, 500, blank_lines),
    shape(
        "check -e --json: rules that all match",
        EXPLAIN_JSON,
        300,
        matching_rules,
    ),
    shape(
        "check -e --json: groups of one crawler",
        EXPLAIN_JSON,
        300,
        same_groups,
    ),
    shape("parse: groups", PARSE, 300, named_groups),
    shape("parse: invalid lines", PARSE, 300, invalid_lines),
    shape("parse: blank lines", PARSE, 2000, blank_lines),
    shape(
        "parse: values",
        "parse robots.txt -a examplebot",
        100,
        values,
    ),
    shape("parse --json: groups", PARSE_JSON, 200, named_groups),
    shape("parse --json: a long group", PARSE_JSON, 300, long_group),
    shape(
        "parse --json: invalid lines",
        PARSE_JSON,
        300,
        invalid_lines,
    ),
    shape("parse --json: sitemaps", PARSE_JSON, 300, sitemaps),
    shape(
        "parse --json: in 1996",
        "parse --json -d koster1996 robots.txt",
        200,
        blank_lines,
    ),
    shape(
        "parse --json: values",
        "parse --json robots.txt -a examplebot",
        100,
        values,
    ),
    shape("parse --report: invalid lines", REPORT, 500, invalid_lines),
    shape("parse --report: blank lines", REPORT, 2000, blank_lines),
    shape(
        "parse --report --json: groups",
        "parse --report --json robots.txt",
        300,
        named_groups,
    ),
    shape("report: groups of other crawlers", PAGE, 300, named_groups),
    shape("report: groups for *", PAGE, 300, star_groups),
    shape(
        "report: user-agent lines of one group",
        PAGE,
        500,
        many_names,
    ),
    shape("report: invalid lines", PAGE, 300, invalid_lines),
    shape("report: blank lines", PAGE, 2000, blank_lines),
    shape("report: one long line", PAGE, 5000, long_line),
    shape("filter: URLs and rules", FILTER, 300, urls),
    shape("filter: hosts in disorder", FILTER_MANY, 100, hosts),
    shape(
        "filter: hosts, without a cache",
        "filter --threads 1 -u urls.txt --bodies bodies.jsonl --cache 0",
        100,
        hosts,
    ),
    shape(
        "batch: crawlers and groups",
        BATCH,
        200,
        crawlers_and_groups,
    ),
    shape(
        "batch: crawlers and groups for *",
        BATCH,
        200,
        crawlers_and_star_groups,
    ),
    shape(
        "batch: crawlers of one group",
        BATCH,
        200,
        crawlers_of_one_group,
    ),
    shape("batch: URLs and rules", BATCH, 300, questions_and_rules),
    shape("batch: lines", BATCH, 200, lines),
];

/// A file of so many parts.
fn repeated(size: usize, start: &str, part: impl Fn(usize) -> String) -> String {
    let parts = (0..size).map(part);
    [start.to_owned()].into_iter().chain(parts).collect()
}

fn robots(body: String) -> Files {
    vec![("robots.txt", body)]
}

/// A name without digits: Google's names have none.
fn name(number: usize) -> String {
    let digit = |power: u32| char::from(b"abcdefghij"[number / 10_usize.pow(power) % 10]);
    (0..6).map(digit).collect()
}

/// Numbers below `size` in disorder: `size` must not be a multiple of the prime.
fn disorder(number: usize, size: usize) -> usize {
    number * 7919 % size
}

fn long_group(size: usize) -> Files {
    let rule = |number| format!("Disallow: /{}/x\n", name(number));
    robots(repeated(size, "User-agent: *\n", rule))
}

fn matching_rules(size: usize) -> Files {
    robots(repeated(size, "User-agent: *\n", |_| {
        "Disallow: /a\n".to_owned()
    }))
}

fn wildcards(size: usize) -> Files {
    let rule = |number| format!("Disallow: /*{}*x$\n", name(number));
    robots(repeated(size, "User-agent: *\n", rule))
}

fn named_groups(size: usize) -> Files {
    let group = |number| format!("User-agent: {}\nDisallow: /a\n\n", name(number));
    robots(repeated(size, "", group))
}

fn same_groups(size: usize) -> Files {
    let group = |number| format!("User-agent: examplebot\nDisallow: /{}\n", name(number));
    robots(repeated(size, "", group))
}

fn star_groups(size: usize) -> Files {
    let group = |_| "User-agent: *\nDisallow: /aaaa\n".to_owned();
    robots(repeated(size, "", group))
}

fn many_names(size: usize) -> Files {
    let line = |number| format!("User-agent: {}\n", name(number));
    let body = repeated(size, "", line);
    robots(body + "User-agent: examplebot\nDisallow: /\n")
}

fn long_line(size: usize) -> Files {
    robots(repeated(size, "User-agent: *\nDisallow: /", |_| {
        "a*".to_owned()
    }))
}

fn blank_lines(size: usize) -> Files {
    let part = |_| "\nUser-agent: *\n\n# x\nDisallow: /a\n".to_owned();
    robots(repeated(size / 4, "", part))
}

fn invalid_lines(size: usize) -> Files {
    let part = |_| "no colon\nDissalow: /a\n<p>\u{1}:\nAllow: x # y\n".to_owned();
    robots(repeated(size / 2, "", part))
}

fn sitemaps(size: usize) -> Files {
    let line = |number| format!("Sitemap: https://a.example/{}\n", name(number));
    robots(repeated(size, "", line))
}

fn values(size: usize) -> Files {
    let group = |number: usize| {
        let path = name(number);
        let mut group = format!("User-agent: *\nCrawl-delay: {number}\nNoindex: /{path}\n");
        group += "Request-rate: 1/5\nContent-signal: search=yes, ai-train=no\n";
        // Writing to a string cannot fail.
        let _ = writeln!(group, "Content-usage: /{path} train-ai=n\nAllow: /");
        group
    };
    robots(repeated(size, "", group))
}

fn urls(size: usize) -> Files {
    let url = |number| format!("https://a.example/{}/x\n", name(disorder(number, size)));
    let mut files = long_group(size);
    files.push(("urls.txt", repeated(size, "", url)));
    files
}

fn hosts(size: usize) -> Files {
    let host = |number| format!("https://{}.example", name(number));
    let entry = |number| {
        let body = "User-agent: *\nDisallow: /a\nAllow: /a/b\n";
        format!("{}\n", json!({ "authority": host(number), "robots": body }))
    };
    let urls = |round: usize| {
        repeated(size, "", |number| {
            format!("{}/a/{round}\n", host(disorder(number + round, size)))
        })
    };
    vec![
        ("bodies.jsonl", repeated(size, "", entry)),
        ("urls.txt", repeated(4, "", urls)),
    ]
}

/// A line of a batch: a body, and questions about it.
fn batch(body: &str, size: usize, question: impl Fn(usize) -> (String, String)) -> Files {
    let queries = (0..size).map(|number| {
        let (agent, url) = question(number);
        json!({ "agent": agent, "url": url })
    });
    let queries: Vec<_> = queries.collect();
    let line = json!({ "robots": body, "queries": queries });
    vec![("batch.jsonl", format!("{line}\n"))]
}

fn body_of(files: Files) -> String {
    files.into_iter().map(|(_, body)| body).collect()
}

fn crawlers_and_groups(size: usize) -> Files {
    let body = body_of(named_groups(size));
    batch(&body, size, |number| {
        (name(disorder(number, size)), "/a".to_owned())
    })
}

fn crawlers_and_star_groups(size: usize) -> Files {
    let body = body_of(star_groups(size));
    batch(&body, size, |number| (name(number), "/a".to_owned()))
}

fn crawlers_of_one_group(size: usize) -> Files {
    let rules = body_of(long_group(size));
    let names = repeated(size, "", |number| format!("User-agent: {}\n", name(number)));
    batch(&(names + &rules), size, |number| {
        (name(number), format!("/{}/x", name(number)))
    })
}

fn questions_and_rules(size: usize) -> Files {
    let body = body_of(long_group(size));
    batch(&body, size, |number| {
        let path = name(disorder(number, size));
        ("examplebot".to_owned(), format!("/{path}/x"))
    })
}

fn lines(size: usize) -> Files {
    let line = |number| {
        let body = "User-agent: *\nDisallow: /a\n";
        format!(
            "{}\n",
            json!({ "id": number, "robots": body, "agent": "a", "url": "/a" })
        )
    };
    vec![("batch.jsonl", repeated(size, "", line))]
}
