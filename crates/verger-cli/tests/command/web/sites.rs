//! Overrides, headers and logins for single sites. V-89.

use crate::server::{Server, new_store, on_web, reply, robots};
use crate::verger::{Said, command, file, json_lines, run};

const CLOSES: &str = "User-agent: *\nDisallow: /\n";

fn on_web_with(store: &std::path::Path, arguments: &[&str]) -> Said {
    let store = store.to_str().unwrap();
    let usual = ["--allow-address", "127.0.0.0/8", "--store", store];
    run(command().args(arguments).args(usual), "")
}

#[test]
fn an_override_answers_without_a_request_and_is_named() {
    let server = Server::saying(robots(CLOSES));
    let store = new_store("override");
    let host = server.url("").replace("http://", "");
    let rules = file("override-rules.txt", "User-agent: *\nDisallow: /private\n");
    let url = server.url("/private/x");
    for (given, code, says) in [
        (
            "open".to_owned(),
            0,
            "an override: open by Verger's choice 89",
        ),
        (
            "closed".to_owned(),
            1,
            "an override: closed by Verger's choice 89",
        ),
        (rules.display().to_string(), 1, "rules of an override"),
    ] {
        let given = format!("{host}={given}");
        let said = on_web_with(&store, &["check", "--override", &given, &url]);
        assert_eq!(said.code, code, "{}{}", said.stdout, said.stderr);
        assert!(said.stdout.contains(says), "{}", said.stdout);
        let said = on_web_with(&store, &["check", "--explain", "--override", &given, &url]);
        assert!(said.stdout.contains("  not fetched "), "{}", said.stdout);
        assert!(
            said.stdout.contains(" by an override until "),
            "{}",
            said.stdout
        );
        let said = on_web_with(&store, &["check", "--json", "--override", &given, &url]);
        let line = &json_lines(&said.stdout)[0];
        assert_eq!(line["overridden"], true);
        assert_eq!(line["access_result"], serde_json::Value::Null);
        assert_eq!(line["seen_at"], serde_json::Value::Null);
        let said = on_web_with(&store, &["fetch", "--override", &given, &url]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        let none = "access result   none, because an override answers (Verger's choice 89)";
        assert!(said.stdout.contains(none), "{}", said.stdout);
        assert!(!said.stdout.contains("snapshot"), "{}", said.stdout);
    }
    let given = format!("{}={}", server.url(""), rules.display());
    let said = on_web_with(&store, &["fetch", "--body", "--override", &given, &url]);
    assert_eq!(said.stdout, "User-agent: *\nDisallow: /private\n");
    let said = on_web_with(&store, &["who", "--override", &given, &server.url("")]);
    assert!(
        said.stderr.contains("an override applies"),
        "{}",
        said.stderr
    );
    assert_eq!(server.requests(), [""; 0]);
    // Nothing is stored, and the site itself answers without the override.
    let said = on_web_with(&store, &["check", "--json", &url]);
    assert_eq!((said.code, server.requests().len()), (1, 1));
    assert_eq!(json_lines(&said.stdout)[0]["overridden"], false);
}

#[test]
fn commands_about_what_is_served_refuse_an_override() {
    let store = new_store("override-refused");
    for arguments in [
        &["lint", "http://127.0.0.1:9"][..],
        &["watch", "--once", "127.0.0.1:9"],
        &["check", "--offline", "http://127.0.0.1:9/"],
    ] {
        let given = ["--override", "127.0.0.1:9=open"];
        let said = on_web_with(&store, &[arguments, &given].concat());
        assert_eq!(said.code, 2, "{arguments:?}");
        assert!(
            said.stderr.contains("`--override` cannot be used here: "),
            "{}",
            said.stderr
        );
    }
    for given in ["open", "h.example/x=open", "h.example=no-such-file"] {
        let said = on_web_with(&store, &["check", "--override", given, "http://h.example/"]);
        assert_eq!(said.code, 2, "{given}");
        assert!(said.stderr.contains("--override"), "{}", said.stderr);
    }
}

/// A server that sends its file only to who logs in.
fn locked() -> Server {
    Server::answering(|head| {
        let head = head.to_lowercase();
        if head.contains("authorization: basic yjy6yw==") || head.contains("x-key: c2vjcmv0") {
            robots(CLOSES).into_bytes()
        } else {
            reply("401 Unauthorized", "", "").into_bytes()
        }
    })
}

#[test]
fn a_header_or_a_login_opens_a_locked_file_and_is_not_stored() {
    let server = locked();
    let host = server.url("").replace("http://", "");
    let netrc = file("netrc", "machine 127.0.0.1 login b6 password c\n");
    let netrc = format!("--netrc={}", netrc.display());
    let named = format!("{host}=X-Key: c2VjcmV0");
    for (nth, options) in [
        &["--header", "X-Key: c2VjcmV0"][..],
        &["--header", &named],
        &[&*netrc],
    ]
    .into_iter()
    .enumerate()
    {
        let store = new_store(&format!("header-{nth}"));
        let url = server.url("/x");
        let check = [&["check", "--explain", &url], options].concat();
        let said = on_web_with(&store, &check);
        assert_eq!(said.code, 1, "{}{}", said.stdout, said.stderr);
        assert!(!said.stderr.contains("note"), "{}", said.stderr);
        let fetched = on_web_with(&store, &[&["fetch", "--json", &url], options].concat());
        let history = [
            "history",
            "--facts",
            "--json",
            &url,
            "--store",
            store.to_str().unwrap(),
        ];
        let history = run(command().args(history), "");
        assert_eq!(history.code, 0, "{}", history.stderr);
        for said in [said, fetched, history] {
            let said = said.stdout + &said.stderr;
            assert!(!said.to_lowercase().contains("c2vjcmv0"), "{said}");
            assert!(!said.contains("YjY6Yw"), "{said}");
        }
    }
}

#[test]
fn a_header_without_a_host_needs_a_single_site() {
    let (server, store) = (locked(), new_store("header-hosts"));
    let (a, b) = (server.url("/a"), "http://127.0.0.1:9/".to_owned());
    let urls = file("header-urls.txt", "");
    for arguments in [
        &["check", &a, &b][..],
        &["check", &a, "--urls", urls.to_str().unwrap()],
        &["watch", "--once", &a, &b],
        &["lint", &a, &b],
    ] {
        let said = on_web_with(
            &store,
            &[arguments, &["--header", "X-Key: c2VjcmV0"]].concat(),
        );
        assert_eq!(said.code, 2, "{arguments:?}");
        let says = "`--header 'x-key: …'` names no host, and several sites are asked\n\
                    help: write `--header 'example.com=x-key: …'`";
        assert!(said.stderr.contains(says), "{arguments:?}: {}", said.stderr);
        assert!(!said.stderr.contains("c2V"), "{}", said.stderr);
    }
    for header in ["c2VjcmV0", "Host: c2VjcmV0"] {
        let said = on_web_with(&store, &["fetch", &a, "--header", header]);
        assert_eq!(said.code, 2, "{header}");
        assert!(!said.stderr.contains("c2V"), "{}", said.stderr);
    }
}

#[test]
fn lint_with_credentials_asks_no_other_name() {
    let (server, store) = (locked(), new_store("header-lint"));
    let url = server.url("").replace("127.0.0.1", "localhost");
    let named = format!("{}=X-Key: c2VjcmV0", url.replace("http://", ""));
    let said = on_web_with(&store, &["lint", "--json", &url, "--header", &named]);
    assert!(
        said.stdout.contains("\"variants\":[]"),
        "{}{}",
        said.stdout,
        said.stderr
    );
}

#[test]
fn a_refusal_of_the_own_user_agent_is_noted_once() {
    let server = Server::saying(reply("403 Forbidden", "", ""));
    let url = server.url("/x");
    let help = "help: send your crawler's header with `--send-user-agent`";
    for (arguments, is_noted) in [
        (&["check", &url][..], true),
        (&["fetch", &url], true),
        (&["lint", &url], true),
        (&["lint", &url, "--as", "gptbot"], true),
        (
            &[
                "check",
                &url,
                "--send-user-agent",
                "MyBot/1.0 (+https://example.com)",
            ],
            false,
        ),
    ] {
        let store = new_store(&format!("refusal-{}", arguments.len()));
        let said = on_web_with(&store, arguments);
        let noted = said.stderr.matches(help).count();
        assert_eq!(
            noted,
            usize::from(is_noted),
            "{arguments:?}: {}",
            said.stderr
        );
        let _ = std::fs::remove_file(store);
    }
    server.say(reply("404 Not Found", "", ""));
    let said = on_web(&new_store("refusal-404"), &format!("check {url}"));
    assert!(
        !said.stderr.contains("--send-user-agent"),
        "{}",
        said.stderr
    );
}

#[test]
fn a_file_is_also_fetched_with_any_user_agent() {
    let server = Server::answering(|head| {
        let is_mine = head.contains("MyBot/1.0 (like Gecko, +https://example.com/bot)");
        let reply = if is_mine {
            reply("403 Forbidden", "", "")
        } else {
            robots(CLOSES)
        };
        reply.into_bytes()
    });
    let store = new_store("lint-as-header");
    let header = "MyBot/1.0 (like Gecko, +https://example.com/bot)";
    let said = on_web_with(
        &store,
        &["lint", "--as", header, "--as", "gptbot", &server.url("")],
    );
    let says = format!("a request with the User-Agent of `{header}` gets status 403");
    assert!(
        said.stdout.contains(&says),
        "{}{}",
        said.stdout,
        said.stderr
    );
    assert_eq!(server.requests().len(), 3);
}
