//! `test --sitemap`: all that a sitemap lists is allowed, by the robots.txt of each URL's own site.

use std::fs;
use std::path::Path;

use crate::server::{Server, new_store, reply};
#[cfg(unix)]
use crate::verger::verger_with_short_files;
use crate::verger::{Said, command, empty_directory, json_lines, run};

/// Runs `verger test` there, loopback being allowed.
fn test(directory: &Path, arguments: &str) -> Said {
    let mut command = command();
    let store = new_store(directory.file_name().unwrap().to_str().unwrap());
    let arguments = format!("test {arguments} --allow-address 127.0.0.0/8");
    command
        .current_dir(directory)
        .args(arguments.split_whitespace());
    run(command.arg("--store").arg(store), "")
}

fn urlset(urls: &[&str]) -> String {
    let urls: Vec<String> = urls
        .iter()
        .map(|url| format!("<url><loc>{url}</loc></url>"))
        .collect();
    format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{}</urlset>",
        urls.concat()
    )
}

fn index(urls: &[&str]) -> String {
    let urls: Vec<String> = urls
        .iter()
        .map(|url| format!("<sitemap><loc>{url}</loc></sitemap>"))
        .collect();
    format!("<sitemapindex>{}</sitemapindex>", urls.concat())
}

const ROBOTS: &str = "User-agent: *\nDisallow: /cart\n\nUser-agent: Bingbot\nDisallow:\n";

#[test]
fn a_local_file_decides_about_a_local_sitemap_without_any_request() {
    let directory = empty_directory("sitemaps-local");
    fs::write(directory.join("robots.txt"), ROBOTS).unwrap();
    let urls = [
        "https://example.com/",
        "https://example.com/cart?a=1&amp;b=2",
    ];
    fs::write(directory.join("sitemap.xml"), urlset(&urls)).unwrap();
    let said = test(&directory, "--sitemap sitemap.xml").quietly(1);
    let expected = "fails for 2 crawlers: Googlebot, *\n       every URL in sitemap.xml is allowed\n       \
                    1 of 2 URLs are disallowed: https://example.com/cart?a=1&b=2 is disallowed by line 2, \
                    Disallow: /cart\n2 claims hold, 2 do not: robots.txt\n";
    assert_eq!(said, expected);
    let said = test(&directory, "--sitemap sitemap.xml --crawler bingbot").quietly(0);
    assert_eq!(said, "2 claims hold: robots.txt\n");
}

#[test]
fn every_url_is_held_to_the_file_of_its_own_site() {
    let other = Server::of_pages(&[("/robots.txt", "User-agent: *\nDisallow: /private\n")]);
    let listed = [
        "ORIGIN/open".to_owned(),
        "ORIGIN/cart".to_owned(),
        other.url("/open"),
        other.url("/private"),
    ];
    let listed: Vec<&str> = listed.iter().map(String::as_str).collect();
    let site = Server::of_pages(&[
        ("/robots.txt", "User-agent: *\nDisallow: /cart\n"),
        ("/sitemap.xml", "-> ORIGIN/moved.xml"),
        ("/moved.xml", &index(&["ORIGIN/1.xml", "ORIGIN/1.xml"])),
        ("/1.xml", &urlset(&listed)),
    ]);
    let directory = empty_directory("sitemaps-sites");
    let sitemap = site.url("/sitemap.xml");
    let said = test(&directory, &format!("--sitemap {sitemap} --crawler *")).quietly(1);
    let expected = format!(
        "fails  *: every URL in {sitemap} is allowed\n       2 of 4 URLs are disallowed: {} is disallowed by \
         line 2, Disallow: /cart; {} is disallowed by line 2, Disallow: /private\n1 claim holds, 1 does not: \
         the robots.txt of each site\n",
        site.url("/cart"),
        other.url("/private"),
    );
    assert_eq!(said, expected);
    let asked = |server: &Server| server.requests().len();
    assert_eq!((asked(&site), asked(&other)), (4, 1));
    // The local file is for the site that is named.
    fs::write(directory.join("robots.txt"), "User-agent: *\nAllow: /\n").unwrap();
    let named = format!("--sitemap {sitemap} --crawler * --site {}", other.url("/"));
    let said = test(&directory, &named).quietly(1);
    assert!(
        said.contains("1 of 4 URLs are disallowed: ") && said.contains("/cart"),
        "{said}"
    );
}

#[test]
fn what_cannot_be_read_is_not_decided() {
    let site = Server::of_pages(&[
        ("/loop", "-> ORIGIN/loop"),
        ("/mail", "-> mailto:a@example.com"),
    ]);
    let directory = empty_directory("sitemaps-unread");
    for (path, why) in [
        ("/absent.xml", "status 404"),
        ("/loop", "more than 5 redirects"),
        (
            "/mail",
            "status 302, a redirect that leads to no http or https URL",
        ),
    ] {
        let sitemap = site.url(path);
        let said = test(&directory, &format!("--sitemap {sitemap} --crawler *")).quietly(2);
        assert!(said.contains(&format!("{sitemap}: {why}\n")), "{said}");
        assert!(
            said.ends_with("0 claims hold, 2 do not: the robots.txt of each site\n"),
            "{said}"
        );
    }
    fs::write(directory.join("s.txt"), site.url("/x")).unwrap();
    fs::write(directory.join("robots.txt"), "").unwrap();
    // The guard refuses loopback unless it is allowed.
    for refused in [
        format!("test --no-store --sitemap {}", site.url("/absent.xml")),
        "test --no-store --sitemap s.txt --site https://example.com".to_owned(),
        format!(
            "diff robots.txt robots.txt --urls {}",
            site.url("/absent.xml")
        ),
    ] {
        let mut command = command();
        let command = command.current_dir(&directory).args(refused.split(' '));
        let said = run(command, "");
        assert_eq!(said.code, 2, "{refused}: {}", said.stderr);
        let help = "help: allow a private address with `--allow-address`, such as 127.0.0.0/8\n";
        let both = [&*said.stdout, &*said.stderr].concat();
        assert!(both.contains("loopback"), "{both}");
        assert_eq!(both.matches(help).count(), 1, "{refused}: {both}");
    }
    let said = test(&directory, "--sitemap nothing.xml").quietly(2);
    assert!(
        said.contains("cannot read `nothing.xml`: there is no such file"),
        "{said}"
    );
}

#[test]
fn mistakes_are_named() {
    let directory = empty_directory("sitemaps-mistakes");
    let sitemap =
        "<urlset><url><loc>no url</loc></url><url><loc>https://e.com/</loc></url></urlset>";
    fs::write(directory.join("s.xml"), sitemap).unwrap();
    fs::write(directory.join("page.html"), "<!doctype html><html>").unwrap();
    fs::write(directory.join("robots.txt"), "").unwrap();
    let said = test(&directory, "--sitemap s.xml --crawler *").quietly(1);
    assert!(
        said.contains("an entry is not an http or https URL\n"),
        "{said}"
    );
    let said = test(&directory, "--sitemap page.html --crawler *").quietly(2);
    assert!(
        said.contains("not a sitemap: the first element is `html`"),
        "{said}"
    );
    let said = test(&directory, "--sitemap ftp://example.com/s.xml").refused();
    assert!(said.contains("http:// or https://"), "{said}");
    let said = test(&directory, "--crawler googlebot").refused();
    assert!(said.contains("--sitemap"), "{said}");
    let said = test(&directory, "").refused();
    assert!(said.contains("robots.test.toml"), "{said}");
}

/// A site with a sitemap of two blog posts, a draft and a disallowed page.
fn site_of_pages() -> Server {
    Server::answering(|head| {
        let path = head.split(' ').nth(1).unwrap_or_default();
        let host = head.lines().find_map(|line| line.strip_prefix("host: "));
        let url = |path: &str| format!("http://{}{path}", host.unwrap());
        let listed = ["/blog/1", "/blog/2", "/draft", "/cart"].map(url);
        let sitemap = urlset(&listed.iter().map(String::as_str).collect::<Vec<_>>());
        match path {
            "/robots.txt" => reply("200 OK", "", "User-agent: *\nDisallow: /cart\n"),
            "/sitemap.xml" => reply("200 OK", "", &sitemap),
            "/draft" => reply("200 OK", "X-Robots-Tag: noindex\r\n", ""),
            "/down" => reply("503 Down", "", ""),
            _ => reply("200 OK", "", ""),
        }
        .into()
    })
}

#[test]
fn pages_of_a_sitemap_are_to_be_indexable() {
    let site = site_of_pages();
    let directory = empty_directory("sitemaps-indexable");
    let sitemap = site.url("/sitemap.xml");
    let said = test(
        &directory,
        &format!("--sitemap {sitemap} --indexable --crawler googlebot --crawler bingbot"),
    );
    let expected = format!(
        "fails for 2 crawlers: Googlebot, bingbot\n       every URL in {sitemap} is indexable\n       2 of 4 pages: \
         {} is not indexed: noindex (X-Robots-Tag, line 2) [noindex-in-sitemap]; {} is unseen: ",
        site.url("/draft"),
        site.url("/cart"),
    );
    assert!(said.stdout.contains(&expected), "{}", said.stdout);
    assert_eq!(said.code, 1);
    // Each page once, but the one that robots.txt disallows, and robots.txt twice: for the rules, and for Verger.
    let pages = site.requests();
    let pages = pages
        .iter()
        .filter(|it| !it.contains(".txt ") && !it.contains(".xml "));
    assert_eq!(pages.count(), 3);
}

#[test]
fn claims_about_pages_are_held_to_sitemaps_and_to_single_urls() {
    let site = site_of_pages();
    let directory = empty_directory("sitemaps-claims");
    let claims = format!(
        "robots = \"{}\"\n[[claim]]\ncrawlers = [\"googlebot\"]\nindexable = [\"/blog/**\", \"/\"]\n\
         not_indexed = [\"/draft\", \"/cart\", \"{}\", \"/internal/**\"]\n",
        site.url("/"),
        site.url("/down"),
    );
    fs::write(directory.join("robots.test.toml"), claims).unwrap();
    let said = test(
        &directory,
        &format!(
            "--sitemap {} --crawler * --format json",
            site.url("/sitemap.xml")
        ),
    );
    let lines = json_lines(&said.stdout);
    let holds = |statement: &str| {
        let line = lines
            .iter()
            .find(|it| it["claim"].as_str().unwrap().contains(statement));
        let line = line.unwrap_or_else(|| panic!("{statement}: {}", said.stdout));
        (line["holds"].as_bool(), line["pages"].as_u64().unwrap())
    };
    assert_eq!(
        holds("every URL in sitemaps that /blog/** matches is indexable"),
        (Some(true), 2)
    );
    assert_eq!(holds("googlebot: / is indexable"), (Some(true), 1));
    assert_eq!(holds("googlebot: /draft is not indexed"), (Some(true), 1));
    assert_eq!(holds("googlebot: /cart is not indexed"), (Some(false), 1));
    assert_eq!(holds("/down is not indexed"), (None, 1));
    assert_eq!(holds("/internal/** matches is not indexed"), (None, 0));
    for (claim, why) in [
        (
            "indexable = [\"https://h.example/*\"]",
            "write the path-pattern alone, such as /blog/**",
        ),
        ("not_indexed = [\"blog\"]", "`blog` "),
        (
            "allowed = [\"/\"]",
            "`--own-site` has no effect: no claim is about pages",
        ),
    ] {
        fs::write(
            directory.join("robots.test.toml"),
            format!("[[claim]]\n{claim}\n"),
        )
        .unwrap();
        let said = test(&directory, "--own-site").refused();
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn a_test_of_pages_goes_on_where_it_ended() {
    let site = site_of_pages();
    let directory = empty_directory("sitemaps-resume");
    let arguments = format!(
        "--sitemap {} --indexable --crawler googlebot --resume pages.jsonl",
        site.url("/sitemap.xml")
    );
    let first = test(&directory, &arguments);
    let pages = |site: &Server| {
        let requests = site.requests();
        requests
            .iter()
            .filter(|it| !it.contains(".txt ") && !it.contains(".xml "))
            .count()
    };
    assert_eq!((first.code, pages(&site)), (1, 3));
    let file = directory.join("pages.jsonl");
    let kept = fs::read_to_string(&file).unwrap();
    assert_eq!(kept.lines().count(), 4);
    // The last line as a killed run leaves it, with half a character.
    let cut = &kept[..kept.trim_end().rfind('\n').unwrap() + 9];
    let cut = [cut.as_bytes(), b"\xc3"].concat();
    fs::write(&file, &cut).unwrap();
    assert_eq!((test(&directory, &arguments), pages(&site)), (first, 4));
    let kept_again = fs::read(&file).unwrap();
    assert!(kept_again.starts_with(&cut));
    assert_eq!(String::from_utf8_lossy(&kept_again).lines().count(), 5);
    // A page of an earlier year is fetched again.
    let old = kept.replace("\"at\":", "\"at\":1,\"was\":");
    fs::write(&file, old).unwrap();
    test(&directory, &arguments);
    assert_eq!(pages(&site), 7);
    for other in ["User-agent: *\n", "half a line", "{\"url\":"] {
        fs::write(directory.join("other.txt"), other).unwrap();
        let said = test(&directory, &arguments.replace("pages.jsonl", "other.txt")).refused();
        let expected = "cannot use `other.txt`: it does not have pages of an earlier run\nhelp: name a new file";
        assert!(said.contains(expected), "{said}");
        assert_eq!(
            fs::read_to_string(directory.join("other.txt")).unwrap(),
            other
        );
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_once_and_changes_no_result() {
    let site = site_of_pages();
    let directory = empty_directory("sitemaps-full-disk");
    fs::write(directory.join("robots.txt"), "").unwrap();
    let file = directory.join("pages.jsonl");
    let (file, sitemap) = (file.to_str().unwrap(), site.url("/sitemap.xml"));
    let said = verger_with_short_files(
        1,
        &format!(
            "test --no-store --allow-address 127.0.0.0/8 --sitemap {sitemap} --indexable \
             --crawler googlebot --resume {file}"
        ),
    );
    assert!(said.stdout.contains("2 of 4 pages: "), "{}", said.stdout);
    let warnings = said
        .stderr
        .matches("cannot write to the file of `--resume`");
    assert_eq!((warnings.count(), said.code), (1, 1), "{}", said.stderr);
}

/// Returns the message and the number of pages of the only claim about pages.
fn pages_claim(said: &Said) -> (String, u64) {
    let lines = json_lines(&said.stdout);
    let claim = lines.iter().find(|it| it["pages"].is_u64());
    let claim = claim.unwrap_or_else(|| panic!("{}{}", said.stdout, said.stderr));
    let message = claim["message"].as_str().unwrap_or_default();
    (message.to_owned(), claim["pages"].as_u64().unwrap())
}

#[test]
fn a_page_counts_once_and_an_unread_sitemap_does_not() {
    let listed = ["ORIGIN/a", "ORIGIN/a#part", "ORIGIN/b/../a", "ORIGIN/b"];
    let site = Server::of_pages(&[
        ("/robots.txt", ""),
        (
            "/index.xml",
            &index(&["ORIGIN/1.xml", "ORIGIN/2.xml", "ORIGIN/gone.xml"]),
        ),
        ("/1.xml", &urlset(&listed)),
        ("/2.xml", &urlset(&["ORIGIN/a"])),
        ("/a", "A"),
        ("/b", "B"),
    ]);
    let directory = empty_directory("sitemaps-once");
    let arguments = format!(
        "--sitemap {} --indexable --crawler googlebot --format json",
        site.url("/index.xml")
    );
    let (message, pages) = pages_claim(&test(&directory, &arguments));
    let unread = format!("{}: status 404", site.url("/gone.xml"));
    assert_eq!((message, pages), (unread, 2));
    let requests = site.requests();
    let fetched = requests
        .iter()
        .filter(|it| it.starts_with("GET /a ") || it.starts_with("GET /b "));
    assert_eq!(fetched.count(), 2, "{requests:?}");
}

#[test]
fn a_local_file_is_not_for_the_site_of_a_single_page() {
    let site = site_of_pages();
    let directory = empty_directory("sitemaps-single-page");
    fs::write(directory.join("robots.txt"), "User-agent: *\nDisallow: /\n").unwrap();
    let claims = format!(
        "[[claim]]\ncrawlers = [\"googlebot\"]\nindexable = [\"{}\"]\n",
        site.url("/blog/1")
    );
    fs::write(directory.join("robots.test.toml"), claims).unwrap();
    let said = test(&directory, "").quietly(0);
    assert_eq!(said, "1 claim holds: robots.txt\n");
}

#[test]
fn a_claim_about_a_path_without_a_site_is_shown_safely() {
    let directory = empty_directory("sitemaps-no-site");
    fs::write(directory.join("robots.txt"), "").unwrap();
    let claims = "[[claim]]\ncrawlers = [\"googlebot\"]\nindexable = [\"/a\\u001b[31m\"]\n";
    fs::write(directory.join("robots.test.toml"), claims).unwrap();
    let said = test(&directory, "").quietly(2);
    assert!(said.contains("the site of /a"), "{said}");
    assert!(!said.contains('\u{1b}'), "{said}");
}

#[test]
fn the_delay_of_a_site_is_bounded() {
    let site = Server::of_pages(&[
        ("/robots.txt", "User-agent: *\nCrawl-delay: 86400\n"),
        ("/s.xml", &urlset(&["ORIGIN/a", "ORIGIN/b"])),
        ("/a", "A"),
        ("/b", "B"),
    ]);
    let directory = empty_directory("sitemaps-delay");
    let sitemap = site.url("/s.xml");
    let arguments = format!("--sitemap {sitemap} --indexable --crawler googlebot --max-delay 10ms");
    test(&directory, &arguments).quietly(0);
    let arguments = format!("--sitemap {sitemap} --max-delay 10ms");
    let said = test(&directory, &arguments).refused();
    assert!(
        said.contains("`--max-delay` has no effect: no claim is about pages"),
        "{said}"
    );
}
