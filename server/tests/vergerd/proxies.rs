//! `authz` behind the nginx and Caddy of Debian.

use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use verger_testkit::free_port;
use vergerd::{Given, Server};

use crate::api::local;
use crate::site::Site;

/// A process that ends with its test.
pub(crate) struct Proxy(pub(crate) Child);

impl Drop for Proxy {
    fn drop(&mut self) {
        // A terminated nginx master ends its workers. A killed one does not.
        let _ = Command::new("kill").arg(self.0.id().to_string()).status();
        let _ = self.0.wait();
    }
}

/// Returns the program, or `None` if it is not installed, which fails in CI.
pub(crate) fn program(name: &str) -> Option<String> {
    let found =
        ["/usr/sbin", "/usr/bin", "/usr/local/bin"].map(|folder| format!("{folder}/{name}"));
    let found = found.into_iter().find(|path| Path::new(path).exists());
    if found.is_none() {
        assert!(
            std::env::var_os("CI").is_none(),
            "there is no {name}: apt-get install {name}"
        );
        eprintln!("not tested: there is no {name}");
    }
    found
}

/// Returns the status of a request with this User-Agent, or 0 if the connection fails.
async fn status(port: u16, path: &str, agent: &str) -> u16 {
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)).await else {
        return 0;
    };
    let head = format!(
        "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUser-Agent: {agent}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response).await;
    let text = String::from_utf8_lossy(&response);
    text.split(' ')
        .nth(1)
        .and_then(|it| it.parse().ok())
        .unwrap_or(0)
}

/// Starts a proxy with `command` and sends requests through it. The configuration gets three ports: of the proxy, the
/// server and the site.
async fn holds_crawlers_to_robots_txt(
    configuration: impl Fn([u16; 3]) -> String,
    command: impl Fn(&Path) -> Command,
) {
    let site = Site::with("User-agent: gptbot\nDisallow: /private\n").await;
    site.reply("/page", "200 OK", "page");
    site.reply("/private/a", "200 OK", "private");
    let port = free_port();
    let given = Given {
        site: Some(vec![format!("http://127.0.0.1:{port}")]),
        listen: Some(vec!["127.0.0.1:0".parse().unwrap()]),
        ..local()
    };
    let server = Server::new(given.settings()).unwrap();
    let listeners = server.listeners().await.unwrap();
    let of_server = listeners[0].local_addr().unwrap().port();
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(server.serve(listeners, async {
        let _ = stopped.await;
    }));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("configuration");
    std::fs::write(&file, configuration([port, of_server, site.address.port()])).unwrap();
    let _proxy = Proxy(command(&file).stdout(Stdio::null()).spawn().unwrap());
    while status(port, "/page", "x").await == 0 {
        tokio::task::yield_now().await;
    }
    let gptbot = "Mozilla/5.0 (compatible; GPTBot/1.2)";
    for (path, agent, expected) in [
        ("/private/a", gptbot, 403),
        ("/private/a?b=c", gptbot, 403),
        ("/page", gptbot, 200),
        ("/robots.txt", gptbot, 200),
        ("/private/a", "Mozilla/5.0 Firefox/140.0", 200),
        ("/private/a", "Mozilla/5.0 (compatible; bingbot/2.0)", 200),
    ] {
        assert_eq!(status(port, path, agent).await, expected, "{path} {agent}");
    }
    // A client cannot hide the URL or its name.
    for forged in [
        format!("{gptbot}\r\nX-Original-URL: http://127.0.0.1:{port}/page"),
        format!("{gptbot}\r\nX-Forwarded-Uri: /page"),
        format!("{gptbot}\r\nConnection: User-Agent, X-Forwarded-Uri, X-Original-URL"),
    ] {
        let found = status(port, "/private/a", &forged).await;
        assert_eq!(found, 403, "{forged}");
    }
    // Without an answer, everyone passes. A stopped server has closed its connections, an aborted one is still about to.
    stop.send(()).unwrap();
    serving.await.unwrap();
    assert_eq!(status(port, "/private/a", gptbot).await, 200);
    let silent = tokio::net::TcpListener::bind(("127.0.0.1", of_server)).await;
    let silent = silent.unwrap();
    assert_eq!(status(port, "/private/a", gptbot).await, 200);
    // Any answer other than 403 is none.
    drop(silent);
    let stranger = Server::new(
        Given {
            site: Some(vec!["other.example".to_owned()]),
            listen: Some(vec![SocketAddr::from(([127, 0, 0, 1], of_server))]),
            ..local()
        }
        .settings(),
    );
    let stranger = stranger.unwrap();
    let listeners = stranger.listeners().await.unwrap();
    let serving = tokio::spawn(stranger.serve(listeners, std::future::pending()));
    assert_eq!(status(port, "/private/a", gptbot).await, 200);
    serving.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nginx_asks_before_each_request() {
    let Some(nginx) = program("nginx") else {
        return;
    };
    let text = include_str!("../../packaging/nginx.conf");
    let configuration = |ports: [u16; 3]| {
        let [own, server, site] = ports.map(|port| format!("127.0.0.1:{port}"));
        let servers = text.replace("listen 80;", &format!("listen {own};"));
        let servers = servers
            .replace("127.0.0.1:7309", &server)
            .replace("127.0.0.1:8080", &site);
        format!(
            "daemon off; error_log stderr crit; pid pid; events {{}}\n\
             http {{ access_log off; client_body_temp_path a; proxy_temp_path b; fastcgi_temp_path c; \
             uwsgi_temp_path d; scgi_temp_path e;\n{servers}\n}}\n"
        )
    };
    holds_crawlers_to_robots_txt(configuration, |file| {
        let mut command = Command::new(&nginx);
        command
            .arg("-p")
            .arg(file.parent().unwrap())
            .arg("-c")
            .arg(file);
        command
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn caddy_asks_before_each_request() {
    let Some(caddy) = program("caddy") else {
        return;
    };
    let text = include_str!("../../packaging/Caddyfile");
    let configuration = |ports: [u16; 3]| {
        let [own, server, site] = ports.map(|port| format!("127.0.0.1:{port}"));
        let sites = text.replace("example.com {", &format!("http://{own} {{"));
        let sites = sites
            .replace("127.0.0.1:7309", &server)
            .replace("127.0.0.1:8080", &site);
        format!("{{\n\tadmin off\n\tlog {{\n\t\tlevel ERROR\n\t}}\n}}\n{sites}")
    };
    holds_crawlers_to_robots_txt(configuration, |file| {
        let mut command = Command::new(&caddy);
        let folder = file.parent().unwrap();
        command
            .env("XDG_DATA_HOME", folder)
            .env("XDG_CONFIG_HOME", folder)
            .env("HOME", folder);
        command
            .args(["run", "--adapter", "caddyfile", "--config"])
            .arg(file);
        command
    })
    .await;
}
