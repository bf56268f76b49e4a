//! `ServerMap`: header maps for nginx, Caddy and `HAProxy`.
//!
//! If a server is installed, it checks its fragment. If not, the test says so on standard error and
//! compares only the text.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use verger::{Dialect, RobotsTxt};
use verger_compare::Budget;
use verger_owner::{Server, ServerMap, crawlers_of, who};
use verger_store::BodyHash;

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

/// Matches at the start or after a byte that cannot be part of a name or path.
const BEFORE: &str = "(^|[^a-zA-Z0-9_./-])";
const AFTER: &str = "([.]?$|[.]?[^a-zA-Z0-9_.-])";

fn map(server: Server, body: &str, dialect: Dialect) -> String {
    let robots = RobotsTxt::parse(body, dialect);
    let crawlers = crawlers_of([&robots], (*robots.reading()).into());
    let rows = who(robots, &crawlers, Budget::default());
    let hash = BodyHash::new(body.as_bytes());
    ServerMap::new(&rows, server, "standard input", hash, dialect).to_string()
}

fn fragment(server: Server) -> String {
    map(server, FILE, Dialect::Rfc9309)
}

/// Writes a file. Names must differ between tests.
fn file(name: &str, text: String) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Returns the lines that are not comments.
fn lines(fragment: &str) -> Vec<String> {
    let lines = fragment.lines().filter(|line| !line.starts_with('#'));
    let named = |line: &str| line.replace(BEFORE, "<").replace(AFTER, ">");
    lines.map(named).collect()
}

#[test]
fn each_server_has_its_syntax() {
    assert_eq!(
        lines(&fragment(Server::Nginx)),
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
        lines(&fragment(Server::Caddy)),
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
        lines(&fragment(Server::Haproxy)),
        ["<badbot[.]x> 1", "<gptbot> 1", "<kangaroo[[:space:]]bot> 1",]
    );
}

#[test]
fn comments_say_of_what_it_was_made_and_what_is_absent() {
    let fragment = fragment(Server::Nginx);
    let version = env!("CARGO_PKG_VERSION");
    let made =
        format!("# Made by verger {version} (who --format nginx) of standard input,\n# SHA-256 ");
    assert!(fragment.contains(&made), "{fragment}");
    assert!(fragment.contains(", read as rfc9309.\n"), "{fragment}");
    for absent in [
        "appear in no header:\n#   google-extended\n",
        "headers of browsers or others:\n#   Mozilla\n",
    ] {
        assert!(fragment.contains(absent), "{fragment}");
    }
    assert!(!fragment.contains("# No other crawler"), "{fragment}");
    let all = map(
        Server::Haproxy,
        "User-agent: *\nDisallow: /\n",
        Dialect::Rfc9309,
    );
    assert!(
        all.contains("# No other crawler may fetch anything"),
        "{all}"
    );
    assert!(all.contains("\n(^|[^a-zA-Z0-9_./-])googlebot("), "{all}");
    // The output is deterministic.
    assert_eq!(fragment, self::fragment(Server::Nginx));
}

#[test]
fn a_name_cannot_end_a_comment() {
    let body = "User-agent: a\u{85}map\nUser-agent: b\u{1b}[31m\nDisallow: /\n";
    for &dialect in Dialect::ALL {
        let fragment = map(Server::Haproxy, body, dialect);
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
    let said = map(Server::Nginx, body, Dialect::Rfc9309);
    assert_eq!(lines(&said).len(), 3, "{said}");
    let said = map(Server::Haproxy, body, Dialect::Rfc9309);
    assert!(lines(&said).is_empty(), "{said}");
}

#[test]
fn nginx_reads_it() {
    let map = file("server-map.nginx", fragment(Server::Nginx));
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
    let map = file("server-map.caddy", fragment(Server::Caddy));
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
    let map = file("server-map.haproxy", fragment(Server::Haproxy));
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

/// Runs a server's own check if the server is installed.
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
