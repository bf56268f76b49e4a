//! The program: settings, inherited sockets, the static page.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Command, Stdio};

use axum::body::Body;
use http::Request;
use vergerd::{Given, Server};

use crate::api::{Api, local};

fn printed(arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_vergerd"))
        .args(arguments)
        .arg("--print-config")
        .env_clear()
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn flags_win_over_the_environment_which_wins_over_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("vergerd.toml");
    std::fs::write(
        &file,
        "rate = 1\nrequests-max = 20\ntimeout = 3\nallow-address = [\"10.0.0.0/8\"]\n\
         override = [\"h.example=open\"]\n",
    )
    .unwrap();
    let file = file.to_str().unwrap();
    let arguments = ["--config", file, "--rate", "7"];
    let text = printed(
        &arguments,
        &[("VERGERD_RATE", "5"), ("VERGERD_REQUESTS_MAX", "40")],
    );
    for line in [
        "rate = 7",
        "requests-max = 40",
        "waiting-max = 30",
        "timeout = 3",
        "allow-address = [\"10.0.0.0/8\"]",
        "override = [\"h.example=open\"]",
    ] {
        assert!(text.lines().any(|it| it == line), "{line} in {text}");
    }
    // The printed settings, read as a file, print the same.
    let again = folder.path().join("again.toml");
    std::fs::write(&again, &text).unwrap();
    assert_eq!(printed(&["--config", again.to_str().unwrap()], &[]), text);
}

#[test]
fn settings_that_cannot_be_used_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = folder.path().join("wrong.toml");
    std::fs::write(&wrong, "colour = 1\n").unwrap();
    let wrong = wrong.to_str().unwrap();
    for (arguments, what) in [
        (vec!["--config", wrong], "colour"),
        (vec!["--profile", "none"], "unknown profile `none`"),
        (vec!["--requests-max", "0"], "non-zero"),
        (vec!["--body-max", "18446744073709551615"], "too large"),
        (vec!["--store", "redis://h"], "unsupported store `redis:`"),
        (
            vec!["--store", "/nowhere/at/all.db"],
            "cannot open the store",
        ),
        (vec!["--tokens", "/nowhere"], "cannot read tokens"),
        (vec!["--page", wrong], "not a directory"),
        (vec!["--agent", "two words"], "invalid crawler"),
        (vec!["--user-agent", ""], "User-Agent"),
        (
            vec!["--override", "h=/nowhere"],
            "invalid override `h=/nowhere`",
        ),
        (vec!["--override", "open"], "write HOST=open"),
        (vec!["--site", "a b"], "neither a host nor a URL"),
        (
            vec!["--listen", "192.0.2.1:1"],
            "cannot listen on 192.0.2.1:1",
        ),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vergerd"));
        let output = command.args(&arguments).env_clear().output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(
            error.to_lowercase().contains(&what.to_lowercase()),
            "{arguments:?}: {error}"
        );
    }
}

/// Passes the socket as systemd does: as descriptor 3, with `LISTEN_PID` set.
#[cfg(unix)]
#[test]
fn a_socket_that_is_passed_is_served_and_a_signal_ends_it() {
    let script = "import os, socket, sys\n\
                  s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); print(s.getsockname()[1], flush=True)\n\
                  os.dup2(s.fileno(), 3); os.set_inheritable(3, True); os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))\n\
                  os.execv(sys.argv[1], sys.argv[1:])";
    let mut command = Command::new("python3");
    command.args([
        "-c",
        script,
        env!("CARGO_BIN_EXE_vergerd"),
        "--user-agent",
        "ExampleBot/1.0 (+https://example.com/bot)",
    ]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut port = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut port).unwrap();
    let mut stream =
        std::net::TcpStream::connect(("127.0.0.1", port.trim().parse::<u16>().unwrap())).unwrap();
    stream
        .write_all(b"GET /readyz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    let ended = Command::new("kill")
        .arg(child.id().to_string())
        .status()
        .unwrap();
    assert!(ended.success());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    for line in String::from_utf8(output.stderr).unwrap().lines() {
        let json: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(
            json["timestamp"].is_string() && json["level"] == "INFO",
            "{line}"
        );
    }
}

/// A server that is stopped when the test ends.
#[cfg(unix)]
struct Program {
    process: std::process::Child,
    lines: std::io::Lines<BufReader<std::process::ChildStderr>>,
    address: String,
}

#[cfg(unix)]
impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[cfg(unix)]
impl Program {
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vergerd"));
        command.args(["--listen", "127.0.0.1:0"]).args(arguments);
        let mut process = command.stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let mut program = Self {
            process,
            lines,
            address: String::new(),
        };
        let listening = program.logged("listening");
        listening["address"]
            .as_str()
            .unwrap()
            .clone_into(&mut program.address);
        program
    }

    /// Returns the next log entry with this message.
    fn logged(&mut self, message: &str) -> serde_json::Value {
        let entries = self.lines.by_ref().map(|line| line.unwrap());
        let mut entries =
            entries.map(|line| serde_json::from_str::<serde_json::Value>(&line).unwrap());
        let found = entries.find(|it| it["message"].as_str().unwrap().starts_with(message));
        found.unwrap_or_else(|| panic!("not logged: {message}"))
    }

    fn signal(&self, name: &str) {
        let mut command = Command::new("kill");
        command
            .arg(format!("-{name}"))
            .arg(self.process.id().to_string());
        assert!(command.status().unwrap().success());
    }

    fn request(&self, path: &str, headers: &str) -> std::net::TcpStream {
        let mut stream = std::net::TcpStream::connect(&self.address).unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n{headers}\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        stream
    }

    fn status(&self, path: &str, headers: &str) -> String {
        let mut response = String::new();
        self.request(path, headers)
            .read_to_string(&mut response)
            .unwrap();
        response.split(' ').nth(1).unwrap().to_owned()
    }
}

#[cfg(unix)]
#[test]
fn a_hangup_reloads_tokens_and_sites_unless_a_file_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (tokens, settings) = (path("tokens"), path("settings"));
    let write = |file: &str, text: &str| std::fs::write(file, text).unwrap();
    write(&tokens, "fleet 0123456789abcdef\n");
    write(&settings, "site = [\"a.example\"]\n");
    let mut program = Program::start(&["--tokens", &tokens, "--config", &settings]);
    let status = |program: &Program, token: &str, site: &str| {
        let headers =
            format!("Authorization: Bearer {token}\r\nX-Original-URL: https://{site}/\r\n");
        program.status("/v1/authz", &headers)
    };
    let (old, new) = ("0123456789abcdef", "fedcba9876543210");
    assert_eq!(status(&program, old, "a.example"), "204");
    assert_eq!(status(&program, old, "b.example"), "404");
    assert_eq!(status(&program, new, "a.example"), "401");

    write(&tokens, &format!("fleet {new}\n"));
    write(&settings, "site = [\"b.example\"]\n");
    program.signal("HUP");
    program.logged("reloaded");
    assert_eq!(status(&program, new, "b.example"), "204");
    assert_eq!(status(&program, new, "a.example"), "404");
    assert_eq!(status(&program, old, "b.example"), "401");

    for (file, text) in [
        (&settings, "site = [\"a b\"]"),
        (&settings, "colour = 1"),
        (&tokens, "fleet short"),
    ] {
        let before = std::fs::read_to_string(file).unwrap();
        write(file, text);
        program.signal("HUP");
        let error = program.logged("cannot reload");
        assert_eq!(error["level"], "ERROR", "{error}");
        write(file, &before);
        assert_eq!(status(&program, new, "b.example"), "204");
    }
}

#[cfg(unix)]
#[test]
fn the_usual_user_agent_is_a_warning() {
    for (arguments, is_warned) in [
        (&[][..], true),
        (
            &["--user-agent", "ExampleBot/1.0 (+https://example.com/bot)"],
            false,
        ),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vergerd"));
        command
            .args(["--listen", "192.0.2.1:1"])
            .args(arguments)
            .env_clear();
        let log = String::from_utf8(command.output().unwrap().stderr).unwrap();
        assert_eq!(log.contains("\"WARN\""), is_warned, "{log}");
        assert_eq!(log.contains("--user-agent"), is_warned, "{log}");
    }
}

#[cfg(unix)]
#[test]
fn a_page_has_no_hidden_files_links_that_lead_out_or_pipes() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let (page, outside) = (folder.path().join("page"), folder.path().join("outside"));
    for directory in [
        &page,
        &outside,
        &page.join(".well-known"),
        &page.join("linked"),
    ] {
        std::fs::create_dir(directory).unwrap();
    }
    for file in [
        "index.html",
        ".hidden",
        ".well-known/x.txt",
        "../outside/x.txt",
    ] {
        std::fs::write(page.join(file), "x").unwrap();
    }
    symlink(outside.join("x.txt"), page.join("out.txt")).unwrap();
    symlink(&outside, page.join("out")).unwrap();
    symlink(outside.join("x.txt"), page.join("linked/index.html")).unwrap();
    symlink(page.join("index.html"), page.join("in.html")).unwrap();
    let pipe = page.join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let program = Program::start(&["--page", page.to_str().unwrap(), "--stop-timeout", "0"]);
    for (path, status) in [
        ("/", "200"),
        ("/index.html", "200"),
        ("/in.html", "200"),
        ("/.well-known/x.txt", "200"),
        ("/.hidden", "404"),
        ("/%2Ehidden", "404"),
        ("/out.txt", "404"),
        ("/out/x.txt", "404"),
        ("/linked/", "404"),
        ("/pipe", "404"),
        ("/../outside/x.txt", "404"),
        ("/..%2foutside/x.txt", "404"),
        ("//index.html", "200"),
    ] {
        assert_eq!(program.status(path, ""), status, "{path}");
    }
    // A link may be the directory itself, as in deployments that exchange it.
    let link = folder.path().join("current");
    symlink(&page, &link).unwrap();
    let linked = Program::start(&["--page", link.to_str().unwrap()]);
    assert_eq!(linked.status("/index.html", ""), "200");
}

#[tokio::test]
async fn a_page_is_served_where_one_is_given_and_hides_no_route() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "<p>page</p>").unwrap();
    let api = Api::with(Given {
        page: Some(folder.path().to_owned()),
        ..local()
    });
    for (path, status, media_type) in [
        ("/", 200, "text/html"),
        ("/index.html", 200, "text/html"),
        ("/../Cargo.toml", 404, "application/problem+json"),
        ("/none", 404, "application/problem+json"),
        ("/healthz", 200, "text/plain; charset=utf-8"),
    ] {
        let response = api
            .raw(Request::get(path).body(Body::empty()).unwrap())
            .await;
        assert_eq!(response.status(), status, "{path}");
        assert_eq!(response.headers()["content-type"], media_type, "{path}");
    }
    let none = Given {
        page: Some("/nowhere".into()),
        ..local()
    };
    assert!(Server::new(none.settings()).is_err());
}
