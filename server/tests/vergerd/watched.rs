//! The sites of `--sites`: their states, events, pages and metrics.

use serde_json::Value;
use verger_store::SqliteStore;
use vergerd::{Given, Server};

use crate::api::Api;
use crate::past_fetch::fetched_before;
use crate::site::Site;

const OPEN: &str = "User-agent: *\nDisallow: /cart\nSitemap: https://h.example/s.xml\n";
const CLOSED: &str = "# <script>alert(1)</script>\nUser-agent: *\nDisallow: /\n";

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
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(server.clone().serve(Vec::new(), async {
        let _ = stopped.await;
    }));
    let api = Api::of(&server);
    // The look at the site is over when its state is there.
    let segment = site.segment();
    let path = format!("/v1/sites/{segment}");
    let state = loop {
        let answer = api.get("/v1/sites/{authority}", &path).await;
        let answer: Value = serde_json::from_str(&answer.text).unwrap();
        if !answer["state"].is_null() {
            break answer;
        }
        tokio::task::yield_now().await;
    };
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
    let answer = api.get("/v1/sites", "/v1/sites?after=2&limit=1").await;
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
        ("/events.atom", "/events.atom".to_owned()),
    ] {
        let page = api.get(path, &uri).await.text;
        assert!(page.contains("claims fail"), "{page}");
        assert!(!page.contains("<script"), "{page}");
    }

    // A list with a mistake changes nothing, and a good one does.
    std::fs::write(&list, &text).unwrap();
    let error = server.reload(&given).unwrap_err().to_string();
    assert!(
        error.contains("line 6: line 2 lists the same site"),
        "{error}"
    );
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
    stop.send(()).unwrap();
    running.await.unwrap();
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
