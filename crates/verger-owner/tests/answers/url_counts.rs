//! `UrlCounts`: how many URLs an old and a new file disallow.

use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use verger_answer::ReadError;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use verger::{Dialect, RobotsTxt};
use verger_access::Authority;
use verger_answer::ResolvedCrawler;
use verger_owner::{
    FileQuestion, SitemapReader, SitemapSource, UrlCounts, crawlers_of, write_url_count_lines,
};

/// Finds only `shop.xml` for any index.
struct Beside;

impl SitemapReader for Beside {
    fn sitemap(&mut self, source: &SitemapSource, _: bool) -> Result<Vec<u8>, ReadError> {
        match source {
            SitemapSource::File(_) => Ok(urlset(["/shop/2", "/"]).into()),
            SitemapSource::Url(_) => Err("status 404".into()),
        }
    }

    fn beside(&self, _: &Path, path: &Path) -> Option<PathBuf> {
        (path == Path::new("shop.xml")).then(|| path.to_owned())
    }

    fn robots(&mut self, _: &Authority) -> Result<Vec<u8>, ReadError> {
        Err("no robots.txt is asked for".into())
    }
}

fn urlset<const N: usize>(urls: [&str; N]) -> String {
    let urls = urls.map(|url| format!("<url><loc>https://e.example{url}</loc></url>"));
    format!("<urlset>{}</urlset>", urls.concat())
}

fn parse(body: &str) -> RobotsTxt {
    RobotsTxt::parse(body, Dialect::Rfc9309)
}

fn gzip(text: &str) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

/// Returns the JSON lines for `input` and the crawlers `a` and `b`. `b` may never fetch anything.
fn lines(input: impl Read) -> io::Result<Vec<Value>> {
    let closed = "User-agent: b\nDisallow: /\n\nUser-agent: *\n";
    let old = parse(&format!("{closed}Disallow: /cart\nDisallow: /old\n"));
    let new = parse(&format!("{closed}Disallow: /cart\nDisallow: /shop\n"));
    let crawlers =
        ["a", "b"].map(|name| ResolvedCrawler::from_token(name, *old.reading()).unwrap());
    let mut counts = UrlCounts::new(old, new, &crawlers);
    counts.add_all(&SitemapSource::File("list".into()), input, &mut Beside)?;
    let mut written = Vec::new();
    write_url_count_lines(&mut written, &counts)?;
    let written = String::from_utf8(written).unwrap();
    Ok(written
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect())
}

#[test]
fn both_counts_and_both_ways_are_in_the_json() {
    let list =
        "https://e.example/cart\n/shop/1\n/shop/2?q\n/shop/3\n/shop/4\n/old\n/\n/robots.txt\n";
    for input in [list.as_bytes(), &gzip(list)] {
        let lines = lines(input).unwrap();
        let [a, b, whole] = &lines[..] else {
            panic!("{lines:?}");
        };
        assert_eq!(a["schema"], "verger.diff-urls/1");
        assert_eq!(a["crawlers"], json!(["a"]));
        assert_eq!(
            (&a["disallowed_before"], &a["disallowed_after"]),
            (&json!(2), &json!(5))
        );
        let newly = &a["newly_disallowed"];
        assert_eq!(newly["count"], 4);
        let examples = newly["examples"].as_array().unwrap();
        let urls: Vec<_> = examples.iter().map(|it| &it["url"]).collect();
        assert_eq!(urls, ["/shop/1", "/shop/2?q", "/shop/3"]);
        assert_eq!(examples[0]["before"]["reason"], "no-rule");
        assert_eq!(examples[0]["after"]["rule"], "Disallow: /shop");
        let newly = &a["newly_allowed"];
        assert_eq!(newly["count"], 1);
        assert_eq!(newly["examples"][0]["before"]["line"], 6);
        let nothing = json!({"count": 0, "examples": []});
        assert_eq!(
            (&b["newly_disallowed"], &b["newly_allowed"]),
            (&nothing, &nothing)
        );
        assert_eq!(
            (&b["disallowed_before"], &b["disallowed_after"]),
            (&json!(7), &json!(7))
        );
        assert_eq!(
            whole,
            &json!({
                "schema": "verger.diff-urls/1", "same": false, "urls": 8, "not_counted": 0,
                "not_compared": 0, "problems": [],
            })
        );
    }
}

#[test]
fn wrong_lines_are_counted_and_the_first_ten_named() {
    let lines_of = |list: &str| lines(list.as_bytes()).unwrap();
    let list = format!(
        "/cart\nwww.e.example/x\n{}https://e.example:99999/\n",
        "cart\n".repeat(9)
    );
    let lines = lines_of(&list);
    let whole = lines.last().unwrap();
    assert_eq!(
        (&whole["urls"], &whole["not_counted"]),
        (&json!(1), &json!(11))
    );
    // URLs that were not counted may change.
    assert_eq!(whole["same"], Value::Null);
    let both_ways = lines_of("/shop/1\n/old\n");
    assert_eq!(both_ways.last().unwrap()["same"], false);
    let problems = whole["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 10);
    let first = problems[0].as_str().unwrap();
    assert!(first.starts_with("line 2: "), "{first}");
}

#[test]
fn an_index_is_followed_and_what_is_missing_is_named() {
    let index = "<sitemapindex><sitemap><loc>https://e.example/shop.xml</loc></sitemap>\
                 <sitemap><loc>https://e.example/gone.xml</loc></sitemap></sitemapindex>";
    for input in [index.as_bytes(), &gzip(index)] {
        let lines = lines(input).unwrap();
        assert_eq!(
            lines[0]["newly_disallowed"]["examples"][0]["url"],
            "https://e.example/shop/2"
        );
        let whole = lines.last().unwrap();
        assert_eq!(
            (&whole["urls"], &whole["not_counted"]),
            (&json!(2), &json!(0))
        );
        assert_eq!(
            whole["problems"],
            json!(["https://e.example/gone.xml: status 404"])
        );
    }
}

#[test]
fn a_list_that_ends_amid_a_gzip_member_is_an_error() {
    let list = gzip(&"/cart\n".repeat(1_000));
    let error = lines(&list[..list.len() - 9]).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
}

#[test]
fn crawlers_of_the_same_rules_are_counted_once() {
    let old = parse("User-agent: *\nDisallow: /a\n");
    let new = parse("User-agent: *\nDisallow: /a*\n");
    let crawlers = crawlers_of([&old, &new], (*old.reading()).into());
    let mut counts = UrlCounts::new(old, new, &crawlers);
    assert_eq!(counts.is_same(), Some(true));
    counts.add_lines("/a/1\n/b\n".as_bytes()).unwrap();
    assert_eq!((counts.is_same(), counts.urls()), (Some(true), 2));
    let named: usize = counts.counts().iter().map(|it| it.crawlers().len()).sum();
    assert_eq!(named, crawlers.len());
    let shown: Vec<String> = counts.counts().iter().map(ToString::to_string).collect();
    // Some crawlers ignore groups for `*`.
    assert_eq!(
        shown,
        [
            "1 URL disallowed before, 1 after",
            "0 URLs disallowed before, 0 after"
        ]
    );
}

#[test]
fn a_question_about_whole_files_counts_urls_too() {
    let mut question = FileQuestion::default();
    question.crawlers.push("gptbot".parse().unwrap());
    let (old, new) = ("", "User-agent: GPTBot\nDisallow: /a\n");
    let lines = question.diff_urls_json(b"/a\n/b\n", old, new).unwrap();
    let (count, whole) = lines.split_once('\n').unwrap();
    let of_one = r#"{"schema":"verger.diff-urls/1","crawlers":["gptbot"],"dialect":"rfc9309","disallowed_before":0,"disallowed_after":1"#;
    assert!(count.starts_with(of_one), "{lines}");
    assert!(whole.contains(r#""same":false,"urls":2"#), "{lines}");
}
