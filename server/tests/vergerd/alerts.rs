//! The alerts of watched sites in the Prometheus and Alertmanager of Debian.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tokio::net::TcpStream;
use verger_store::SqliteStore;
use verger_testkit::free_port;
use vergerd::{Given, Server};

use crate::inbox::{Inbox, within};
use crate::load::{request, response};
use crate::past_fetch::fetched_before;
use crate::proxies::{Proxy, program};
use crate::site::Site;

const OPEN: &str = "User-agent: *\nDisallow: /cart\n";
const CLOSED: &str = "User-agent: *\nDisallow: /\n";

fn packaging() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging")
}

/// Starts a program that reads a configuration, and waits until it accepts connections.
async fn started(
    program: &str,
    folder: &Path,
    configuration: &str,
    data: &str,
) -> (Proxy, SocketAddr) {
    let name = Path::new(program).file_name().unwrap().to_str().unwrap();
    let file = folder.join(format!("{name}.yml"));
    std::fs::write(&file, configuration).unwrap();
    let address = SocketAddr::from(([127, 0, 0, 1], free_port()));
    let mut command = Command::new(program);
    command
        .arg(format!("--config.file={}", file.display()))
        .arg(format!("--web.listen-address={address}"))
        .arg(format!("--{data}={}", folder.join(name).display()))
        .stderr(Stdio::null());
    if name == "prometheus-alertmanager" {
        command.arg("--cluster.listen-address=");
    }
    let process = Proxy(command.spawn().unwrap());
    let starting = async {
        loop {
            if TcpStream::connect(address).await.is_ok() {
                let ready = response(request(address, "/-/ready").await).await;
                if ready.starts_with("HTTP/1.1 200") {
                    return;
                }
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    within("the program is ready", starting).await;
    (process, address)
}

/// Waits for a letter of Alertmanager in which an alert has this status.
async fn alert(inbox: &mut Inbox, name: &str, status: &str) -> Value {
    loop {
        let letter = inbox.next().await;
        let alerts = letter["alerts"].as_array().unwrap();
        let is_it = |it: &&Value| it["labels"]["alertname"] == name && it["status"] == status;
        if let Some(found) = alerts.iter().find(is_it) {
            return found.clone();
        }
    }
}

/// Waits until Prometheus has a sample of a watched site.
async fn is_scraped(address: SocketAddr) {
    let scraping = async {
        let query = "/api/v1/query?query=verger_site_search_closed";
        while !response(request(address, query).await)
            .await
            .contains("\"value\"")
        {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    within("there is a sample", scraping).await;
}

#[test]
fn the_rules_pass_their_tests() {
    let Some(promtool) = program("promtool") else {
        return;
    };
    for arguments in [
        ["check", "rules", "alerts.yml"],
        ["test", "rules", "alerts.test.yml"],
    ] {
        let mut command = Command::new(&promtool);
        let output = command.args(arguments).current_dir(packaging()).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{output:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_alert_fires_when_a_site_is_closed_and_is_resolved_when_it_is_open_again() {
    let programs = ["prometheus", "prometheus-alertmanager"].map(program);
    let [Some(prometheus), Some(alertmanager)] = programs else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (path, list) = (folder.join("store.db"), folder.join("sites.toml"));
    let site = Site::with(OPEN).await;
    let text = format!(
        "own_addresses = ['127.0.0.0/8']\n[[site]]\nurl = '{}'\nevery = '5m'\n",
        site.url("/")
    );
    std::fs::write(&list, text).unwrap();
    let given = Given {
        store: Some(path.to_str().unwrap().to_owned()),
        listen: Some(vec!["127.0.0.1:0".parse().unwrap()]),
        sites: Some(list),
        ..Given::default()
    };
    let server = Server::new(given.clone().settings()).unwrap();
    let listeners = server.listeners().await.unwrap();
    let target = listeners[0].local_addr().unwrap();
    // A failed test drops the sender, which ends the server as well.
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(server.clone().serve(listeners, async {
        let _ = stopped.await;
    }));

    let mut inbox = Inbox::open().await;
    let configuration = format!(
        "route: {{receiver: test, group_wait: 0s, group_interval: 100ms}}\n\
         receivers: [{{name: test, webhook_configs: [{{url: '{}'}}]}}]\n",
        inbox.url()
    );
    let (_alertmanager, address) =
        started(&alertmanager, folder, &configuration, "storage.path").await;
    let configuration = format!(
        "global: {{scrape_interval: 200ms, evaluation_interval: 200ms}}\n\
         rule_files: ['{}']\n\
         alerting: {{alertmanagers: [{{static_configs: [{{targets: ['{address}']}}]}}]}}\n\
         scrape_configs: [{{job_name: vergerd, static_configs: [{{targets: ['{target}']}}]}}]\n",
        packaging().join("alerts.yml").display()
    );
    let (_prometheus, address) =
        started(&prometheus, folder, &configuration, "storage.tsdb.path").await;
    // The rule compares with samples of the last days.
    is_scraped(address).await;

    // The interval is over at once, because the last fetch in the store is two hours old.
    let again = |body: &str| {
        fetched_before(&SqliteStore::open(&path).unwrap(), &site.url("/"), body);
        server.reload(&given).unwrap();
    };
    site.reply("/robots.txt", "200 OK", CLOSED);
    again(OPEN);
    let fires = alert(&mut inbox, "VergerSearchLost", "firing").await;
    assert_eq!(fires["labels"]["severity"], "critical");
    assert_eq!(fires["labels"]["site"], format!("http://{}", site.address));
    let summary = fires["annotations"]["summary"].as_str().unwrap();
    assert!(summary.ends_with("is closed to more search engines than before"));
    site.reply("/robots.txt", "200 OK", OPEN);
    again(CLOSED);
    let resolved = alert(&mut inbox, "VergerSearchLost", "resolved").await;
    assert_eq!(resolved["fingerprint"], fires["fingerprint"]);
    assert_eq!(site.requests(), 3);
    stop.send(()).unwrap();
    running.await.unwrap();
}
