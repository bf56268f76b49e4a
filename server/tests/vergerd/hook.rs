//! `/v1/hooks/claude-code`, with events as Claude Code sends them (code.claude.com/docs/en/hooks, November 2026).

use serde_json::{Value, json};
use vergerd::Given;

use crate::api::{Api, local};
use crate::site::Site;

const ROUTE: &str = "/v1/hooks/claude-code";

fn event(url: &str) -> String {
    let input = json!({"url": url, "prompt": "sum up"});
    json!({"hook_event_name": "PreToolUse", "tool_name": "WebFetch", "tool_input": input})
        .to_string()
}

/// Returns the decision, or `None` if the hook says nothing.
pub(crate) async fn decision(api: &Api, query: &str, event: &str) -> Option<String> {
    let answer = api
        .post(
            &format!("{ROUTE}?{query}"),
            "application/json",
            event.to_owned(),
        )
        .await;
    let answer: Value = answer.is_ok().json();
    if answer == json!({}) {
        return None;
    }
    let own = &answer["hookSpecificOutput"];
    assert_eq!(own["hookEventName"], "PreToolUse");
    assert!(!own["permissionDecisionReason"].as_str().unwrap().is_empty());
    Some(own["permissionDecision"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_call_is_refused_asked_about_or_left_alone() {
    let (site, api) = (
        Site::with("User-agent: *\nDisallow: /private\n").await,
        Api::local(),
    );
    let private = event(&site.url("/private"));
    assert_eq!(
        decision(&api, "agent=x", &event(&site.url("/a"))).await,
        None
    );
    assert_eq!(
        decision(&api, "agent=x", &private).await.as_deref(),
        Some("deny")
    );
    assert_eq!(site.requests(), 1);
    site.reply("/robots.txt", "503 Service Unavailable", "");
    let down = Api::local();
    for (query, word) in [
        ("agent=x", "ask"),
        ("agent=x&deferred=ask", "ask"),
        ("agent=x&deferred=deny", "deny"),
    ] {
        assert_eq!(
            decision(&down, query, &private).await.as_deref(),
            Some(word),
            "{query}"
        );
    }
    // The address guard of the other routes holds.
    let guarded = Api::with(Given::default());
    assert_eq!(
        decision(&guarded, "agent=x", &private).await.as_deref(),
        Some("ask")
    );
}

#[tokio::test]
async fn a_call_that_cannot_be_judged_gets_no_empty_answer() {
    let api = Api::local();
    let url = "https://h.example/";
    let deep = format!(
        "{{\"tool_name\":\"x\",\"tool_input\":{}",
        "[".repeat(10_000)
    );
    let long = event(&format!("https://h.example/{}", "x".repeat(1 << 20)));
    for (query, event) in [
        ("agent=x", ""),
        ("agent=x", "{"),
        ("agent=x", &*deep),
        ("agent=x", &*long),
        ("agent=x", &*event("file:///etc/passwd")),
        ("", &*event(url)),
        ("agent=a%20b", &*event(url)),
        ("agent=x&profile=none", &*event(url)),
        ("agent=x&deferred=perhaps", &*event(url)),
    ] {
        let found = decision(&api, query, event).await;
        assert_eq!(found.as_deref(), Some("ask"), "{query} {event:.60}");
    }
    let other = json!({"tool_name": "Bash", "tool_input": {"command": "curl https://h.example/"}});
    assert_eq!(decision(&api, "agent=x", &other.to_string()).await, None);
    let site = Site::with("User-agent: *\nDisallow: /private\n").await;
    let urls = [
        site.url("/private"),
        "gopher:x".to_owned(),
        site.url("/public/../private"),
    ];
    let call = |urls: &[String]| {
        json!({"tool_name": "mcp__web__get", "tool_input": {"urls": urls}}).to_string()
    };
    for (urls, word) in [
        (&urls[..1], "deny"),
        (&urls[..2], "ask"),
        (&urls[2..], "deny"),
    ] {
        let found = decision(&api, "agent=x", &call(urls)).await;
        assert_eq!(found.as_deref(), Some(word), "{urls:?}");
    }
}

#[tokio::test]
async fn a_site_that_does_not_answer_in_time_is_asked_about() {
    let site = Site::with("").await;
    site.set_open(false);
    let api = Api::with(Given {
        timeout: Some(1),
        ..local()
    });
    let found = decision(&api, "agent=x", &event(&site.url("/"))).await;
    assert_eq!(found.as_deref(), Some("ask"));
}
