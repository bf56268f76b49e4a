//! `check --page`, `--page-head` and `--page-file`: whether pages may be indexed.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::sync::mpsc;
use std::time::Duration;

use crate::server::{Server, new_store, on_web, reply};
use crate::verger::{Said, command, file, json_lines, verger_on};

const HTML: &str = "<!doctype html>\n<title>A</title>\n<meta name=googlebot content=noindex>\n";

/// A site whose robots.txt lets Verger fetch all but two directories.
fn site(robots: &'static str) -> Server {
    Server::answering(move |head| {
        let html = "Content-Type: text/html\r\n";
        let path = head.split(' ').nth(1).unwrap_or_default();
        match path {
            "/robots.txt" => reply("200 OK", "Content-Type: text/plain\r\n", robots),
            "/header" => reply(
                "200 OK",
                "X-Robots-Tag: bingbot: noindex, nofollow\r\nX-Robots-Tag: max-snippet: 50\r\n",
                "",
            ),
            "/moved" => reply("301 Moved", "Location: /header\r\n", ""),
            "/gone" => reply("410 Gone", html, HTML),
            "/down" => reply("503 Down", html, HTML),
            "/draft-header" => reply("200 OK", "Robots-Tag: *; noindex\r\n", ""),
            "/pdf" => reply("200 OK", "Content-Type: application/pdf\r\n", HTML),
            _ => reply("200 OK", html, HTML),
        }
        .into()
    })
}

const OPEN: &str = "User-agent: *\nDisallow: /hidden\n";

/// Returns the state and reason of each answer.
fn states(said: &Said) -> Vec<String> {
    let lines = json_lines(&said.stdout);
    let states = lines.iter().map(|line| {
        let page = &line["page"];
        format!("{} {} {}", line["allowed"], page["state"], page["reason"]).replace('"', "")
    });
    states.collect()
}

#[test]
fn a_page_is_fetched_once_for_all_crawlers() {
    let (site, store) = (site(OPEN), new_store("check-page"));
    let urls = ["/header", "/html"].map(|path| site.url(path));
    let said = on_web(
        &store,
        &format!(
            "check --page -a googlebot -a bingbot {} {}",
            urls[0], urls[1]
        ),
    );
    assert_eq!(said.code, 1);
    let lines: Vec<&str> = said.stdout.lines().collect();
    assert!(
        lines[0].starts_with("allowed     googlebot  http://"),
        "{}",
        said.stdout
    );
    let pages = [1, 3, 5, 7].map(|nth| lines[nth]);
    assert_eq!(
        pages,
        [
            "            indexable     no directive forbids it   (excerpts of at most 50 characters; AI answers: excerpt only)",
            "            not indexed   noindex (X-Robots-Tag for bingbot, line 2)   (excerpts of at most 50 characters)",
            "            not indexed   noindex (meta for googlebot, line 3)",
            "            indexable     no directive forbids it",
        ],
        "{}",
        said.stdout
    );
    let requests = site.requests();
    assert_eq!(requests.len(), 3, "{requests:?}");
    assert!(
        requests[1].starts_with("GET /header HTTP/1.1\r\n"),
        "{requests:?}"
    );
    assert!(
        requests[1].contains("\r\nuser-agent: Verger/"),
        "{requests:?}"
    );
}

#[test]
fn status_and_robots_txt_decide_before_directives() {
    let (site, store) = (site(OPEN), new_store("check-page-states"));
    for (path, code, expected) in [
        ("/pdf", 0, "true indexable no-directive"),
        ("/moved", 1, "true not-indexed redirect"),
        ("/gone", 1, "true not-indexed status"),
        ("/down", 3, "true unknown status"),
        ("/hidden", 1, "false unseen robots-txt"),
    ] {
        let said = on_web(
            &store,
            &format!("check --page --json -a googlebot {}", site.url(path)),
        );
        assert_eq!(
            (states(&said), said.code),
            (vec![expected.to_owned()], code),
            "{path}"
        );
    }
    // robots.txt, and every page but the hidden one.
    assert_eq!(site.requests().len(), 5);
}

#[test]
fn a_page_that_verger_may_not_fetch_is_fetched_for_its_owner() {
    let site = site("User-agent: Verger\nDisallow: /\n");
    let (store, url) = (new_store("check-page-own"), site.url("/html"));
    let said = on_web(&store, &format!("check --page --json -a googlebot {url}"));
    assert_eq!(
        (states(&said), said.code),
        (vec!["true unknown not-fetched".to_owned()], 3)
    );
    assert!(said.stderr.contains("line 2 to Verger"), "{}", said.stderr);
    assert!(
        said.stderr
            .ends_with("help: add `--own-site` if the site is yours\n"),
        "{}",
        said.stderr
    );
    assert_eq!(site.requests().len(), 1);
    let said = on_web(
        &store,
        &format!("check --page --own-site --json -a googlebot {url}"),
    );
    assert_eq!(
        (states(&said), said.code),
        (vec!["true not-indexed directive".to_owned()], 1)
    );
}

#[test]
fn an_unreachable_robots_txt_is_not_a_question_of_ownership() {
    let site = Server::saying(reply("503 Down", "", ""));
    let url = site.url("/html");
    let said = on_web(
        &new_store("check-page-unreachable"),
        &format!("check --page --json -a googlebot {url}"),
    );
    let expected = vec!["false unknown robots-txt-unknown".to_owned()];
    assert_eq!((states(&said), said.code), (expected, 4));
    assert!(!said.stderr.contains("--own-site"), "{}", said.stderr);
}

#[test]
fn a_page_is_fetched_under_the_own_name_whoever_is_asked_about() {
    let site =
        site("User-agent: Googlebot\nDisallow: /hidden\n\nUser-agent: Verger\nDisallow: /html\n");
    let (store, agent) = (
        new_store("check-page-name"),
        "--send-user-agent Googlebot/2.1",
    );
    let urls = ["/header", "/html"].map(|path| site.url(path));
    let said = on_web(
        &store,
        &format!(
            "check --page --json {agent} -a googlebot {} {}",
            urls[0], urls[1]
        ),
    );
    let expected = ["true indexable no-directive", "true unknown not-fetched"];
    assert_eq!(states(&said), expected, "{}", said.stderr);
    let agents = site.requests().into_iter().map(|head| {
        let agent = head
            .lines()
            .find_map(|line| line.strip_prefix("user-agent: "));
        agent.unwrap().split([' ', '/']).next().unwrap().to_owned()
    });
    assert_eq!(agents.collect::<Vec<_>>(), ["Googlebot", "Verger"]);
}

#[test]
fn a_page_of_another_scheme_is_not_fetched() {
    // Nothing listens on this port.
    let said = on_web(
        &new_store("check-page-scheme"),
        "check --page --json -a googlebot ftp://127.0.0.1:1/a",
    );
    let expected = vec!["false unknown robots-txt-unknown".to_owned()];
    assert_eq!((states(&said), said.code), (expected, 4), "{}", said.stderr);
}

#[test]
fn the_answer_by_the_other_convention_is_named() {
    let site = site(OPEN);
    let said = on_web(
        &new_store("check-page-other"),
        &format!(
            "check --page -a googlebot -a bingbot {}",
            site.url("/draft-header")
        ),
    );
    let lines: Vec<&str> = said.stdout.lines().collect();
    assert_eq!(
        [lines[1], lines[3]],
        [
            "            indexable     no directive forbids it   (not indexed by draft-illyes-repext)",
            "            not indexed   noindex (Robots-Tag, line 2)   (indexable by Google)",
        ],
        "{}",
        said.stdout
    );
}

#[test]
fn a_page_of_the_limit_is_whole() {
    let page = |bytes: usize| {
        let start = "<!doctype html><head><!--";
        format!("{start}{}-->", "x".repeat(bytes - start.len() - 3))
    };
    let limit = 1 << 20;
    let site = Server::answering(move |head| {
        let html = "Content-Type: text/html\r\n";
        match head.split(' ').nth(1).unwrap_or_default() {
            "/robots.txt" => reply("404 Missing", "", ""),
            "/limit" => reply("200 OK", html, &page(limit)),
            _ => reply("200 OK", html, &page(limit + 1)),
        }
        .into()
    });
    let store = new_store("check-page-limit");
    for (path, bytes, expected) in [
        ("/limit", limit, "true indexable no-directive"),
        ("/longer", limit + 1, "true unknown page-cut"),
    ] {
        let url = site.url(path);
        let said = on_web(&store, &format!("check --page --json -a googlebot {url}"));
        assert_eq!(states(&said), [expected], "{}", said.stderr);
        file("page-limit.html", page(bytes));
        let arguments = "check --robots - -a googlebot --json --page-file page-limit.html /a";
        assert_eq!(states(&verger_on("", arguments)), [expected]);
    }
}

#[test]
fn an_answer_is_written_before_the_next_page_is_fetched() {
    let (go_on, waits) = mpsc::channel();
    let site = Server::answering(move |head| {
        if head.starts_with("GET /second") {
            // Only a failing test waits so long.
            let _ = waits.recv_timeout(Duration::from_secs(60));
        }
        reply("200 OK", "X-Robots-Tag: noindex\r\n", "").into()
    });
    let mut command = command();
    command.args([
        "check",
        "--page",
        "--json",
        "--allow-address",
        "127.0.0.0/8",
    ]);
    command.args([site.url("/first"), site.url("/second")]);
    command.arg("--store").arg(new_store("check-page-flush"));
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    assert!(first.contains("/first"), "{first}");
    go_on.send(()).unwrap();
    let second = lines.next().unwrap().unwrap();
    assert!(second.contains("/second"), "{second}");
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn a_page_is_read_from_files() {
    let head = "HTTP/2 200\r\ncontent-type: text/html\r\nx-robots-tag: nosnippet\r\n\r\n";
    file("page-head.txt", head);
    file("page-both.txt", format!("{head}{HTML}"));
    file("page.html", HTML);
    let check = |page: &str| {
        let arguments = format!("check --robots - -a googlebot --json {page} /a");
        let said = verger_on("User-agent: *\nDisallow:\n", &arguments);
        let [line] = &json_lines(&said.stdout)[..] else {
            panic!("{}", said.stderr)
        };
        let names = line["page"]["directives"].as_array().unwrap().iter();
        let names: Vec<_> = names
            .map(|it| it["name"].as_str().unwrap().to_owned())
            .collect();
        (said.code, names.join(" "))
    };
    let expected = |code: i32, names: &str| (code, names.to_owned());
    // The HTML, which is not given, may have a directive.
    assert_eq!(check("--page-head page-head.txt"), expected(3, "nosnippet"));
    assert_eq!(
        check("--page-head page-both.txt"),
        expected(1, "nosnippet noindex")
    );
    assert_eq!(check("--page-file page.html"), expected(1, "noindex"));
    assert_eq!(
        check("--page-head page-head.txt --page-file page.html"),
        expected(1, "nosnippet noindex")
    );
}

#[test]
fn mistakes_about_pages_have_help() {
    file("no-head.txt", HTML);
    for (arguments, what) in [
        (
            "check --page --robots no-head.txt /a",
            "help: give the page with `--page-head` or `--page-file`",
        ),
        (
            "check --page --offline https://h.example/",
            "help: give the page with `--page-head` or `--page-file`",
        ),
        (
            "check --page-head no-head.txt https://h.example/ https://h.example/a",
            "help: give one URL as an argument",
        ),
        (
            "check --page-head no-head.txt --robots - /a",
            "expected a status line such as `HTTP/1.1 200 OK`",
        ),
        (
            "check --page-head - --robots - /a",
            "`--robots -` and `--page-head -` both read standard input",
        ),
        (
            "check --page-head a --page https://h.example/",
            "cannot be used with",
        ),
        ("check --own-site https://h.example/", "--page"),
        (
            "check --page --matrix https://h.example/",
            "cannot be used with",
        ),
        ("check --page --format csv https://h.example/", "`--page`"),
        ("check --page --batch -", "cannot be used with"),
    ] {
        let said = verger_on("", arguments).refused();
        assert!(said.contains(what), "{arguments}: {said}");
    }
}
