//! The server gives the expected answers about the hostile origin.

use serde_json::json;
use verger_origin::Origin;
use verger_testkit::origin_file::Wire;
use vergerd::Given;

use crate::api::{Api, local};
use crate::hook::decision;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_behaviour_in_the_clear_has_its_stance() {
    let origin = Origin::start().unwrap();
    let given = Given {
        allow_address: Some(vec![
            "127.0.0.0/8".parse().unwrap(),
            "::1/128".parse().unwrap(),
        ]),
        ..local()
    };
    let api = Api::with(given);
    let behaviours: Vec<_> = origin
        .behaviours()
        .filter(|it| !matches!(it.wire, Wire::Hangs | Wire::Drips))
        .filter(|it| origin.url(&it.name).starts_with("http://"))
        .collect();
    assert!(behaviours.len() > 60, "{}", behaviours.len());
    let asked = behaviours.iter().map(|it| {
        let url = origin.url(&it.name).replace("/robots.txt", "/page");
        json!({"url": url}).to_string()
    });
    let asked: Vec<String> = asked.collect();
    let answer = api
        .post("/v1/check", "application/x-ndjson", asked.join("\n"))
        .await;
    let mut compared = 0;
    for (behaviour, line) in behaviours.iter().zip(answer.is_ok().lines()) {
        // On a busy machine a reply may arrive after its timeout, with any client.
        if line["access_result"]["what"] == "the request timed out" {
            continue;
        }
        compared += 1;
        let expected = &behaviour.expected["rfc9309"].answer;
        assert_eq!(
            line["stance"], expected.stance,
            "{}: {line}",
            behaviour.name
        );
        let result = line["access_result"]["result"].as_str();
        assert_eq!(
            result,
            expected.result.as_deref(),
            "{}: {line}",
            behaviour.name
        );
        let call = json!({"tool_name": "WebFetch", "tool_input": {"url": line["url"]}});
        let found = decision(&api, "agent=*", &call.to_string()).await;
        assert_eq!(found.is_none(), line["allowed"] == true, "{line} {found:?}");
    }
    assert!(compared > 40, "{compared} replies came in time");
}
