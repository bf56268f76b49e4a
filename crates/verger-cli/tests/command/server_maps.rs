//! `who --format nginx`, `caddy` and `haproxy`: crawlers with everything disallowed, by their headers.
//!
//! The fragments are checked by the servers themselves where these are installed; a test that finds none
//! says so on standard error, and compares the text alone.

use std::io::ErrorKind;
use std::process::Command;

use crate::verger::{file, verger_on};

const FILE: &str = "\
User-agent: GPTBot
User-agent: Kangaroo
User-agent: Google-Extended
User-agent: Mozilla
User-agent: BadBot.x
Disallow: /

User-agent: *
Disallow: /x
";

/// The name at `^`, not in a longer word, not behind a `/`.
const BEFORE: &str = "(^|[^a-zA-Z0-9_./-])";
const AFTER: &str = "([.]?$|[.]?[^a-zA-Z0-9_.-])";

fn fragment(format: &str) -> String {
    let arguments = format!("who --format {format} -");
    verger_on(FILE, &arguments).quietly(0)
}

/// The lines that are no comments.
fn lines(fragment: &str) -> Vec<String> {
    let lines = fragment.lines().filter(|line| !line.starts_with('#'));
    let named = |line: &str| line.replace(BEFORE, "<").replace(AFTER, ">");
    lines.map(named).collect()
}

#[test]
fn each_server_has_its_syntax() {
    assert_eq!(
        lines(&fragment("nginx")),
        [
            "map $http_user_agent $crawler_disallowed {",
            "    default 0;",
            "    \"~*<BadBot[.]x>\" 1;",
            "    \"~*<GPTBot>\" 1;",
            "    \"~*<Kangaroo Bot>\" 1;",
            "}",
        ]
    );
    assert_eq!(
        lines(&fragment("caddy")),
        [
            "map {header.User-Agent} {crawler_disallowed} {",
            "    \"~(?i)<BadBot[.]x>\" 1",
            "    \"~(?i)<GPTBot>\" 1",
            "    \"~(?i)<Kangaroo Bot>\" 1",
            "    default 0",
            "}",
        ]
    );
    assert_eq!(
        lines(&fragment("haproxy")),
        ["<badbot[.]x> 1", "<gptbot> 1", "<kangaroo[[:space:]]bot> 1",]
    );
}

#[test]
fn comments_say_of_what_it_was_made_and_what_is_absent() {
    let fragment = fragment("nginx");
    let version = env!("CARGO_PKG_VERSION");
    let made =
        format!("# Made by verger {version} (who --format nginx) of standard input,\n# SHA-256 ");
    assert!(fragment.contains(&made), "{fragment}");
    assert!(fragment.contains(", read as rfc9309.\n"), "{fragment}");
    for absent in [
        "no header has:\n#   google-extended\n",
        "have it, too:\n#   Mozilla\n",
    ] {
        assert!(fragment.contains(absent), "{fragment}");
    }
    assert!(!fragment.contains("# Any other crawler"), "{fragment}");
    let all = verger_on("User-agent: *\nDisallow: /\n", "who --format haproxy -").quietly(0);
    assert!(
        all.contains("# Any other crawler has everything disallowed"),
        "{all}"
    );
    assert!(all.contains("\n(^|[^a-zA-Z0-9_./-])googlebot("), "{all}");
    // The same file makes the same text.
    assert_eq!(fragment, self::fragment("nginx"));
}

#[test]
fn a_name_cannot_end_a_comment() {
    let body = "User-agent: a\u{85}map\nUser-agent: b\u{1b}[31m\nDisallow: /\n";
    for dialect in ["rfc9309", "google", "draft2019", "koster1996"] {
        let arguments = format!("who --format haproxy -d {dialect} -");
        let fragment = verger_on(body, &arguments).quietly(0);
        let odd = fragment.lines().filter(|line| !line.starts_with("# "));
        for line in odd {
            assert!(
                line == "#" || (line.starts_with('(') && line.ends_with(" 1")),
                "{line}"
            );
        }
        assert!(!fragment.contains(['\u{1b}', '\u{85}']), "{fragment}");
    }
}

#[test]
fn nothing_disallowed_is_an_empty_map() {
    let body = "User-agent: *\nAllow: /\n";
    let said = verger_on(body, "who --format nginx -").quietly(0);
    assert_eq!(lines(&said).len(), 3, "{said}");
    let said = verger_on(body, "who --format haproxy -").quietly(0);
    assert!(lines(&said).is_empty(), "{said}");
}

#[test]
fn nginx_reads_it() {
    let map = file("server-map.nginx", fragment("nginx"));
    let map = map.display();
    let text = format!(
        "pid /dev/null;\nerror_log stderr;\nevents {{}}\nhttp {{\n  access_log off;\n  include {map};\n  \
         server {{ location / {{ if ($crawler_disallowed) {{ return 403; }} }} }}\n}}\n"
    );
    let settings = file("server-map.nginx.conf", text);
    let settings = settings.to_str().unwrap();
    check("nginx", &["-t", "-e", "stderr", "-c", settings]);
}

#[test]
fn caddy_reads_it() {
    let map = file("server-map.caddy", fragment("caddy"));
    let map = map.display();
    let text = format!(
        "http://127.0.0.1:9 {{\n\timport {map}\n\t@disallowed {{\n\t\tnot path /robots.txt\n\t\t\
         vars {{crawler_disallowed}} 1\n\t}}\n\trespond @disallowed 403\n}}\n"
    );
    let settings = file("server-map.caddyfile", text);
    let settings = settings.to_str().unwrap();
    let arguments = ["validate", "--adapter", "caddyfile", "--config", settings];
    check("caddy", &arguments);
}

#[test]
fn haproxy_reads_it() {
    let map = file("server-map.haproxy", fragment("haproxy"));
    let map = map.display();
    let text = format!(
        "defaults\n  mode http\n  timeout client 5s\n  timeout server 5s\n  timeout connect 5s\n\
         frontend f\n  bind 127.0.0.1:9\n  \
         http-request set-var(txn.crawler_disallowed) req.fhdr(User-Agent),lower,map_reg_int({map},0)\n  \
         http-request deny deny_status 403 if {{ var(txn.crawler_disallowed) -m int 1 }} !{{ path /robots.txt }}\n"
    );
    let settings = file("server-map.haproxy.cfg", text);
    check("haproxy", &["-c", "-f", settings.to_str().unwrap()]);
}

/// Runs a server's own check, where it is installed.
#[track_caller]
fn check(server: &str, arguments: &[&str]) {
    match Command::new(server).args(arguments).output() {
        Ok(output) => assert!(output.status.success(), "{server}: {output:?}"),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            eprintln!("skipped: {server} is not installed");
        }
        Err(error) => panic!("{server}: {error}"),
    }
}
