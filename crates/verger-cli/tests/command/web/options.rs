//! Options of `check`, `fetch` and `history`, against servers on loopback.

use crate::server::{Server, new_store, on_store, on_web, robots};
use crate::verger::verger_on;

#[test]
fn the_options_of_reading_count_for_what_is_fetched_and_for_what_is_kept() {
    let utf16: Vec<u8> = "\u{FEFF}User-agent: b\nDisallow: /\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", utf16.len());
    let bodies: [(&str, Vec<u8>); 3] = [
        (
            "--reading bridge-encodings",
            [head.into_bytes(), utf16].concat(),
        ),
        (
            "--reading ignore-allow",
            robots("User-agent: b\nAllow: /x\nDisallow: /\n").into(),
        ),
        (
            "--reading comma-agents",
            robots("User-agent: a, b\nDisallow: /\n").into(),
        ),
    ];
    for (option, reply) in bodies {
        let (server, store) = (
            Server::saying(reply),
            new_store(option.trim_start_matches("--reading ")),
        );
        let x = server.url("/x");
        // The same is known, with the option and without it.
        for profile in ["rfc9309", "google", "koster1996"] {
            let check = format!("check -a b --profile {profile} {x}");
            let said = on_web(&store, &check);
            assert_eq!(said.code, 0, "{option} {profile} {}", said.stdout);
            for more in ["", "--explain", "--offline"] {
                let said = on_web(&store, &format!("{check} {option} {more}"));
                assert_eq!(said.code, 1, "{option} {profile} {more} {}", said.stdout);
            }
        }
        assert_eq!(server.requests().len(), 1);
        let url = server.url("/");
        let said = on_web(&store, &format!("fetch {option} {url}"));
        assert_eq!(said.code, 0, "{}", said.stderr);
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table, or one run after the other")]
fn options_that_do_not_go_together_are_refused() {
    for (arguments, said) in [
        (
            "check -r - /x --offline",
            "`--offline` cannot be used with `--robots`",
        ),
        (
            "check -r - /x --profile google",
            "`--profile` cannot be used with `--robots`",
        ),
        (
            "check --batch - --refresh",
            "`--refresh` cannot be used with `--batch`",
        ),
        (
            "check https://h.example/ --refresh --offline",
            "cannot be used with",
        ),
        (
            "check https://h.example/ --refresh --at @1",
            "cannot be used with",
        ),
        (
            "check https://h.example/ --at tomorrow",
            "help: write 2026-11-20T17:02:11Z, ",
        ),
        (
            "check https://h.example/ --at 2999-12-31",
            "the time is in the future",
        ),
        (
            "check https://h.example/ --timeout 0s",
            "write a time between 1ms and 1h",
        ),
        (
            "check https://h.example/ --allow-address h.example",
            "write a network as",
        ),
        (
            "check https://h.example/ --profile rfc9390",
            ": it takes rfc9309, ",
        ),
        ("fetch /x", "is neither a host nor a URL"),
        ("fetch file:///a", "is neither a host nor a URL"),
        ("fetch gopher://a", "nothing is fetched over `gopher`"),
        (
            "history h.example --since x",
            "help: write 2026-11-20T17:02:11Z, ",
        ),
    ] {
        let refused = verger_on("", arguments).refused();
        assert!(refused.contains(said), "{arguments}: {refused}");
    }
    let store = new_store("wrong");
    for (arguments, said) in [
        (
            "fetch h.example --proxy nowhere",
            "`nowhere` is not a proxy",
        ),
        (
            "fetch h.example --name-server dns.example",
            "write an address, as",
        ),
        ("fetch h.example --resolver mdns", ": it takes dns, system"),
        (
            "fetch h.example --resolver system --name-server 192.0.2.1",
            "cannot be used with",
        ),
        ("fetch h.example --nat64-prefix fd00::/33", "32, 40, 48"),
        (
            "fetch h.example --ca-file no-such.pem",
            "cannot read `no-such.pem`",
        ),
    ] {
        let refused = on_store(&store, arguments).refused();
        assert!(refused.contains(said), "{arguments}: {refused}");
    }
}
