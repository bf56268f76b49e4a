//! The sites of `--sites`: their states, events, pages and metrics.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use axum::body::Body;
use http::Request;
use serde_json::Value;
use tokio::sync::oneshot::{Sender, channel};
use tokio::task::JoinHandle;
use verger_store::SqliteStore;
use vergerd::{Given, Server};

use crate::api::{Api, local};
use crate::inbox::within;
use crate::past_fetch::fetched_before;
use crate::site::Site;

const OPEN: &str = "User-agent: *\nDisallow: /cart\nSitemap: https://h.example/s.xml\n";
const CLOSED: &str = "# <script>alert(1)</script>\nUser-agent: *\nDisallow: /\n";

/// Waits until the state of a watched site is there, and returns the answer about it.
async fn looked_at(api: &Api, site: &Site) -> Value {
    shown(api, site, |answer| answer["state"].is_object()).await
}

/// Waits until the answer about a watched site is as expected, and returns it.
async fn shown(api: &Api, site: &Site, is_it: impl Fn(&Value) -> bool) -> Value {
    let path = format!("/v1/sites/{}", site.segment());
    let waiting = async {
        loop {
            let answer = api.get("/v1/sites/{authority}", &path).await;
            let answer: Value = serde_json::from_str(&answer.text).unwrap();
            if is_it(&answer) {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    within("the site is shown", waiting).await
}

/// A server that watches. It has no listeners.
struct Running {
    stop: Sender<()>,
    serving: JoinHandle<()>,
}

impl Running {
    fn of(server: &Server) -> Self {
        let (stop, stopped) = channel();
        let serving = tokio::spawn(server.clone().serve(Vec::new(), async {
            let _ = stopped.await;
        }));
        Self { stop, serving }
    }

    async fn end(self) {
        self.stop.send(()).unwrap();
        self.serving.await.unwrap();
    }
}

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[expect(clippy::too_many_lines, reason = "one run after the other")]
#[tokio::test(flavor = "multi_thread")]
async fn a_watched_site_has_a_state_events_pages_and_metrics() {
    let folder = tempfile::tempdir().unwrap();
    let (store, list) = (
        folder.path().join("store.db"),
        folder.path().join("sites.toml"),
    );
    let site = Site::with(CLOSED).await;
    fetched_before(&SqliteStore::open(&store).unwrap(), &site.url("/"), OPEN);
    std::fs::write(folder.path().join("own.txt"), OPEN).unwrap();
    let claims = "[[claim]]\ncrawlers = ['gptbot']\nallowed = ['/']\n";
    std::fs::write(folder.path().join("claims.toml"), claims).unwrap();
    let of_site = format!(
        "[[site]]\nurl = '{}'\nsame_meaning_as = 'own.txt'\nclaims = 'claims.toml'\n",
        site.url("/")
    );
    let text = format!(
        "own_addresses = ['127.0.0.0/8']\n{of_site}[[site]]\nurl = '{}/twice'\n",
        site.url("")
    );
    std::fs::write(&list, &text).unwrap();
    let given = Given {
        store: Some(store.to_str().unwrap().to_owned()),
        sites: Some(list.clone()),
        ..Given::default()
    };
    let server = Server::new(given.clone().settings()).unwrap();
    let running = Running::of(&server);
    let api = Api::of(&server);
    let segment = site.segment();
    let state = looked_at(&api, &site).await;
    let events = state["events"].as_array().unwrap();
    let told: Vec<_> = events
        .iter()
        .map(|it| (&it["event"], &it["severity"]))
        .collect();
    let [changed, differs, fails] = [
        ("changed", "critical"),
        ("differs_from_file", "warning"),
        ("claims_fail", "critical"),
    ]
    .map(|(event, severity)| (Value::from(event), Value::from(severity)));
    let expected = [&changed, &differs, &fails].map(|(event, severity)| (event, severity));
    assert_eq!(told, expected, "{state}");
    let of_site = &state["state"];
    assert_eq!(of_site["differs_from_file"], true);
    assert_eq!(of_site["claims_failed"].as_array().unwrap().len(), 1);
    assert!(
        of_site["search_closed"]
            .as_array()
            .unwrap()
            .contains(&"Googlebot".into())
    );

    let answer = api.get("/v1/sites", "/v1/sites").await;
    let [first, twice] = &lines(&answer.text)[..] else {
        panic!("{answer:?}");
    };
    assert_eq!(first["last_event"]["event"], "claims_fail");
    assert_eq!(twice["problem"], "line 6: line 2 lists the same site");
    let answer = api.get("/v1/sites", "/v1/sites?after=1&limit=1").await;
    assert_eq!(lines(&answer.text), std::slice::from_ref(twice));
    let answer = api.get("/v1/events", "/v1/events?since=1h").await;
    assert_eq!(&lines(&answer.text), events);
    let unknown = api
        .get("/v1/sites/{authority}", "/v1/sites/a.example")
        .await;
    assert_eq!(
        (unknown.status.as_u16(), unknown.status.is_success()),
        (404, false)
    );

    let label = format!("{{site=\"http://{}\"", site.address);
    for (path, uri) in [
        ("/metrics", "/metrics".to_owned()),
        ("/probe", format!("/probe?target=http://{}", site.address)),
        // A host means http if only that is watched.
        ("/probe", format!("/probe?target={}", site.address)),
    ] {
        let metrics = api.get(path, &uri).await.text;
        for line in [
            format!("verger_site_up{label}}} 1\n"),
            format!("verger_site_stance{label},stance=\"rules\"}} 1\n"),
            format!("verger_site_claims_failed{label}}} 1\n"),
            format!("verger_site_differs_from_file{label}}} 1\n"),
        ] {
            assert!(metrics.contains(&line), "{line}{metrics}");
        }
    }
    let other = api.get("/probe", "/probe?target=other.example").await;
    assert_eq!(other.status.as_u16(), 404);

    for (path, uri) in [
        ("/sites", "/sites".to_owned()),
        ("/sites/{authority}", format!("/sites/{segment}")),
        ("/sites/{authority}", format!("/sites/{}", site.address)),
        ("/events.atom", "/events.atom".to_owned()),
    ] {
        let page = api.get(path, &uri).await.text;
        assert!(page.contains("claims fail"), "{page}");
        assert!(!page.contains("<script"), "{page}");
    }

    // A list with a mistake leaves the old one in force, and a good one does not.
    std::fs::write(&list, "[[site]]\nurl = 'a.example'\nevry = '1h'\n").unwrap();
    let error = server.reload(&given).unwrap_err().to_string();
    assert!(error.contains("line 3: unknown key"), "{error}");
    assert_eq!(
        lines(&api.get("/v1/sites", "/v1/sites").await.text).len(),
        2
    );
    std::fs::write(&list, text.split("[[site]]\nurl = '").next().unwrap()).unwrap();
    server.reload(&given).unwrap();
    assert_eq!(api.get("/v1/sites", "/v1/sites").await.text, "");
    assert_eq!(site.requests(), 1, "a reload fetches nothing again");
    running.end().await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn an_expected_file_without_an_end_is_a_problem_of_its_site() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    let mut text = "own_addresses = ['127.0.0.0/8']\n".to_owned();
    let mut sites = Vec::new();
    for file in [fifo.to_str().unwrap(), "/dev/zero"] {
        let site = Site::with(OPEN).await;
        let url = site.url("/");
        writeln!(text, "[[site]]\nurl = '{url}'\nsame_meaning_as = '{file}'").unwrap();
        sites.push(site);
    }
    let list = folder.path().join("sites.toml");
    std::fs::write(&list, text).unwrap();
    let server = Server::new(watching(&list, None).settings()).unwrap();
    let running = Running::of(&server);
    let api = Api::of(&server);
    for site in &sites {
        let problems = looked_at(&api, site).await["state"]["problems"].to_string();
        assert!(problems.contains("not a regular file"), "{problems}");
    }
    running.end().await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_refuses_is_a_problem_of_the_site() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::with(OPEN).await;
    std::fs::write(folder.path().join("own.txt"), CLOSED).unwrap();
    let list = folder.path().join("sites.toml");
    let text = format!(
        "own_addresses = ['127.0.0.0/8']\n[[receiver]]\nname = 'ops'\nprogram = '/bin/false'\n\
         [[site]]\nurl = '{}'\nsame_meaning_as = 'own.txt'\n",
        site.url("/")
    );
    std::fs::write(&list, text).unwrap();
    let server = Server::new(watching(&list, None).settings()).unwrap();
    let running = Running::of(&server);
    let api = Api::of(&server);
    let answer = shown(&api, &site, |answer| answer["problem"].is_string()).await;
    let problem = answer["problem"].as_str().unwrap();
    let due = "an event is due to `ops`, `/bin/false`: it ended with exit status: 1";
    assert_eq!(problem, due);
    let page = api.get("/sites", "/sites").await.text;
    assert!(page.contains("an event is due to"), "{page}");
    running.end().await;
}

fn watching(list: &Path, tokens: Option<&Path>) -> Given {
    Given {
        store: Some(list.with_extension("db").to_str().unwrap().to_owned()),
        sites: Some(list.to_owned()),
        tokens: tokens.map(Into::into),
        ..local()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reload_keeps_listed_sites_and_shows_one_that_cannot_be_watched() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("sites.toml");
    let [kept, removed, added] = [
        Site::with(OPEN).await,
        Site::with(OPEN).await,
        Site::with(OPEN).await,
    ];
    let listing = |sites: &[&str]| {
        let sites = sites.iter().map(|url| format!("[[site]]\nurl = '{url}'\n"));
        let sites: String = sites.collect();
        std::fs::write(&list, format!("own_addresses = ['127.0.0.0/8']\n{sites}")).unwrap();
    };
    listing(&[&kept.url("/"), &removed.url("/")]);
    let given = watching(&list, None);
    let server = Server::new(given.clone().settings()).unwrap();
    let running = Running::of(&server);
    let api = Api::of(&server);
    let before = looked_at(&api, &kept).await;
    looked_at(&api, &removed).await;
    listing(&[&kept.url("/"), "https://", &added.url("/")]);
    server.reload(&given).unwrap();
    // The state of the kept site is there at once.
    assert_eq!(looked_at(&api, &kept).await["state"], before["state"]);
    looked_at(&api, &added).await;
    let rows = lines(&api.get("/v1/sites", "/v1/sites").await.text);
    let problems: Vec<bool> = rows.iter().map(|row| !row["problem"].is_null()).collect();
    assert_eq!(problems, [false, true, false], "{rows:?}");
    let gone = format!("/v1/sites/{}", removed.segment());
    let gone = api.get("/v1/sites/{authority}", &gone).await;
    gone.is_problem(404, "site");
    // Sites with problems come first, on the first page.
    let page = api.get("/sites", "/sites").await.is_ok().text.clone();
    let place = |text: &str| page.find(text).unwrap();
    assert!(page.contains("3 sites, 1 with problems"), "{page}");
    assert!(place("https://") < place(&kept.url("")), "{page}");
    let rest = api
        .get("/sites", "/sites?after=1")
        .await
        .is_ok()
        .text
        .clone();
    assert!(
        rest.contains(&kept.url("")) && !rest.contains("no host"),
        "{rest}"
    );
    assert_eq!([&kept, &removed, &added].map(Site::requests), [1; 3]);
    running.end().await;
}

#[tokio::test]
async fn a_list_that_cannot_be_used_does_not_hold_up_new_tokens() {
    let folder = tempfile::tempdir().unwrap();
    let (list, tokens) = (
        folder.path().join("sites.toml"),
        folder.path().join("tokens"),
    );
    std::fs::write(&list, "").unwrap();
    std::fs::write(&tokens, "ops a-token-of-16-characters\n").unwrap();
    let given = watching(&list, Some(&tokens));
    let server = Server::new(given.clone().settings()).unwrap();
    let api = Api::of(&server);
    std::fs::write(&list, "[[sites]]\n").unwrap();
    std::fs::write(&tokens, "ops another-token-for-ops\n").unwrap();
    assert!(server.reload(&given).is_err());
    for (token, status) in [
        ("a-token-of-16-characters", 401),
        ("another-token-for-ops", 200),
    ] {
        let request = Request::get("/v1/sites").header("authorization", format!("Bearer {token}"));
        let answer = api
            .send("/v1/sites", request.body(Body::empty()).unwrap())
            .await;
        assert_eq!(answer.status.as_u16(), status, "{token}");
    }
}

#[tokio::test]
async fn a_site_that_is_not_watched_is_probed_for_the_holder_of_a_token_only() {
    let folder = tempfile::tempdir().unwrap();
    let (list, tokens) = (
        folder.path().join("sites.toml"),
        folder.path().join("tokens"),
    );
    std::fs::write(&list, "").unwrap();
    std::fs::write(&tokens, "ops a-token-of-16-characters\n").unwrap();
    let (site, closed) = (Site::with(CLOSED).await, Site::with("").await);
    closed.reply("/robots.txt", "503 Service Unavailable", "");
    let target = format!("/probe?target={}", site.url(""));
    let open = Api::with(watching(&list, None));
    open.get("/probe", &target).await.is_problem(404, "site");
    let probe = async |given: Given, target: &str| {
        let request =
            Request::get(target).header("authorization", "Bearer a-token-of-16-characters");
        let request = request.body(Body::empty()).unwrap();
        Api::with(given)
            .send("/probe", request)
            .await
            .is_ok()
            .text
            .clone()
    };
    let api = Api::with(watching(&list, Some(&tokens)));
    api.get("/probe", &target).await.is_problem(401, "token");
    assert_eq!(site.requests(), 0);
    let metrics = probe(watching(&list, Some(&tokens)), &target).await;
    for line in [
        "probe_success 1\n",
        "verger_site_up 1\n",
        "verger_site_stance{stance=\"rules\"} 1\n",
    ] {
        assert!(metrics.contains(line), "{line}{metrics}");
    }
    assert!(
        !metrics.contains("\nverger_site_search_closed 0"),
        "{metrics}"
    );
    // An outage is a result of the probe.
    let target = format!("/probe?target={}", closed.url(""));
    let metrics = probe(watching(&list, Some(&tokens)), &target).await;
    assert!(metrics.contains("probe_success 1\n"), "{metrics}");
    assert!(metrics.contains("verger_site_up 0\n"), "{metrics}");
    assert!(
        !metrics.contains("\nverger_site_search_closed "),
        "{metrics}"
    );
    // A private address is refused, and nothing is said about it.
    let guarded = Given {
        allow_address: None,
        ..watching(&list, Some(&tokens))
    };
    let other = Site::with(OPEN).await;
    let metrics = probe(guarded, &format!("/probe?target={}", other.url(""))).await;
    assert!(metrics.starts_with("# HELP") && metrics.contains("probe_success 0\n"));
    assert!(!metrics.contains("\nverger_site_up "), "{metrics}");
    assert_eq!(other.requests(), 0);
}

#[tokio::test]
async fn a_server_without_a_list_watches_nothing() {
    let api = Api::local();
    for path in ["/v1/sites", "/v1/events", "/sites", "/events.atom"] {
        let answer = api.get(path, path).await;
        assert_eq!(answer.status.as_u16(), 404, "{answer:?}");
        assert!(answer.text.contains("--sites"), "{answer:?}");
    }
}

#[test]
fn a_list_that_cannot_be_used_is_said_at_the_start() {
    let sites = Some("missing.toml".into());
    let given = Given {
        sites,
        ..Given::default()
    };
    let error = Server::new(given.settings()).unwrap_err().to_string();
    assert!(
        error.starts_with("cannot watch the sites of `missing.toml`: "),
        "{error}"
    );
}
