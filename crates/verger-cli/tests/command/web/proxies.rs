//! Proxies that the environment names.

use crate::server::{Server, robots};
use crate::verger::{Said, command, run};

/// Runs a fetch of `url` with `variables`. Loopback and a documentation network are allowed.
fn fetch(url: &str, options: &[&str], variables: &[(&str, &str)]) -> Said {
    let mut command = command();
    command.args([
        "fetch",
        url,
        "--no-store",
        "--allow-address",
        "192.0.2.0/24",
    ]);
    command.args(["--allow-address", "127.0.0.0/8", "--timeout", "60s"]);
    command.args(options).envs(variables.iter().copied());
    run(&mut command, "")
}

#[test]
fn the_proxy_of_the_environment_is_used_and_noted() {
    let proxy = Server::saying(robots("User-agent: *\nDisallow: /\n"));
    let at = proxy.url("").replace("http://", "");
    let with_password = format!("user:pass@{at}");
    let said = fetch("http://192.0.2.1/", &[], &[("http_proxy", &with_password)]);
    assert_eq!(said.code, 0, "{said:?}");
    let note = format!("note: proxies of the environment: http through {at} (`http_proxy`)\n");
    assert_eq!(said.stderr, note);
    let requests = proxy.requests();
    let [request] = requests.as_slice() else {
        panic!("{requests:?}");
    };
    assert!(
        request.starts_with("GET http://192.0.2.1/robots.txt HTTP/1.1\r\n"),
        "{request}"
    );
    // "user:pass".
    assert!(request.contains("Basic dXNlcjpwYXNz\r\n"), "{request}");
}

#[test]
fn a_secure_request_goes_through_the_proxy_of_its_own() {
    let (http, https) = (
        Server::saying(robots("")),
        Server::saying("HTTP/1.1 403 Forbidden\r\n\r\n"),
    );
    let variables = [
        ("http_proxy", &*http.url("")),
        ("HTTPS_PROXY", &*https.url("")),
    ];
    let said = fetch("https://192.0.2.1/", &[], &variables);
    assert_eq!(said.code, 4, "{said:?}");
    assert_eq!(http.requests(), Vec::<String>::new());
    let requests = https.requests();
    assert!(
        !requests.is_empty()
            && requests
                .iter()
                .all(|it| it.starts_with("CONNECT 192.0.2.1:443 HTTP/1.1\r\n")),
        "{requests:?}"
    );
}

#[test]
fn a_host_in_no_proxy_is_asked_itself() {
    let (proxy, server) = (Server::saying(robots("")), Server::saying(robots("")));
    let variables = [
        ("all_proxy", &*proxy.url("")),
        ("NO_PROXY", "localhost,127.0.0.0/8"),
    ];
    let said = fetch(&server.url("/"), &[], &variables);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(
        said.stderr.contains("not to the hosts in `NO_PROXY`"),
        "{said:?}"
    );
    assert_eq!(proxy.requests(), Vec::<String>::new());
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn the_proxy_that_is_given_wins() {
    let (given, other) = (Server::saying(robots("")), Server::saying(robots("")));
    // Not even a value that cannot be used matters, and the exceptions are those of the others.
    let variables = [
        ("http_proxy", &*other.url("")),
        ("https_proxy", "socks5://192.0.2.2"),
        ("no_proxy", "*"),
    ];
    let said = fetch(
        "http://192.0.2.1/",
        &["--proxy", &given.url("")],
        &variables,
    );
    assert_eq!(said.code, 0, "{said:?}");
    assert_eq!(said.stderr, "");
    assert_eq!((given.requests().len(), other.requests().len()), (1, 0));
}

// Names of variables have no case there.
#[cfg(not(windows))]
#[test]
fn the_variable_that_a_request_to_a_web_server_can_set_is_not_read() {
    let (proxy, server) = (Server::saying(robots("")), Server::saying(robots("")));
    let said = fetch(&server.url("/"), &[], &[("HTTP_PROXY", &proxy.url(""))]);
    assert_eq!((said.stderr.as_str(), said.code), ("", 0));
    assert_eq!((proxy.requests().len(), server.requests().len()), (0, 1));
}

#[test]
fn a_variable_that_cannot_be_used_is_named() {
    for (name, value, expected) in [
        (
            "https_proxy",
            "socks5://u:secret@192.0.2.2",
            "`https_proxy`: `192.0.2.2` is not a proxy",
        ),
        (
            "ALL_PROXY",
            "http://",
            "`ALL_PROXY`: `http://` is not a proxy",
        ),
    ] {
        let refused = fetch("http://192.0.2.1/", &[], &[(name, value)]).refused();
        assert!(refused.contains(expected), "{refused}");
    }
    let variables = [("http_proxy", "192.0.2.2"), ("no_proxy", "a/b")];
    let refused = fetch("http://192.0.2.1/", &[], &variables).refused();
    assert!(
        refused.contains("`no_proxy`: `a/b` is not a host"),
        "{refused}"
    );
}
