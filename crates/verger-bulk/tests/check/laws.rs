//! Answers through captures equal those of the engine, in any order of URLs.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use verger::{Crawler, RobotsTxt, TargetPath};
use verger_access::Profile;
use verger_bulk::{Checker, When};
use verger_inputs::rulebook::authority_of;
use verger_testkit::generate::{Rng, agent, body, url_for};

use crate::captured::{Row, lines, rows, source};

/// Returns the engine's answer about a URL, or null if nothing is known about its authority.
fn expected(
    bodies: &BTreeMap<String, Vec<u8>>,
    name: &str,
    url: &[u8],
    profile: &Profile,
) -> Value {
    let unknown = |reason: &str| json!({"allowed": null, "reason": reason, "line": null});
    let Ok(authority) = authority_of(url) else {
        return unknown("not-a-url");
    };
    let Ok(target) = TargetPath::as_sent(url, profile.reading) else {
        return unknown("not-a-url");
    };
    let Some(body) = bodies.get(&authority) else {
        return unknown("no-body");
    };
    let crawler = Crawler::named(name, profile.reading).unwrap();
    let policy = RobotsTxt::parse(body.as_slice(), profile.reading).policy(&crawler);
    let verdict = policy.decide(&target);
    json!({
        "allowed": verdict.is_allowed(),
        "reason": verdict.reason().as_str(),
        "line": verdict.line().map(verger::LineNumber::get),
    })
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table, or one run after the other")]
fn sorted_and_unsorted_urls_have_the_answers_of_the_engine() {
    let profile: Profile = "rfc9309".parse().unwrap();
    let mut rng = Rng::new(15);
    let names = [agent(&mut rng), agent(&mut rng)];
    let is_token = |name: &&String| Crawler::named(name, profile.reading).is_ok();
    let names: Vec<&str> = names
        .iter()
        .filter(is_token)
        .map(String::as_str)
        .chain(["x"])
        .collect();
    let mut bodies = BTreeMap::new();
    let mut captures = Vec::new();
    let mut urls: Vec<Vec<u8>> = Vec::new();
    for number in 0..300 {
        let host = rng.below(100_000);
        let authority = format!("https://{}.host-{host}.example", "long".repeat(number % 4));
        let authority = authority.replace("https://.", "https://");
        let body = body(&mut rng);
        for _ in 0..5 {
            let path = url_for(&mut rng, &body);
            let start = path
                .iter()
                .position(|&byte| byte == b'/')
                .unwrap_or(path.len());
            let path = if path.starts_with(b"/") {
                &path[..]
            } else {
                &path[start..]
            };
            urls.push(
                [
                    authority.as_bytes(),
                    b"/",
                    path.strip_prefix(b"/").unwrap_or(path),
                ]
                .concat(),
            );
        }
        urls.push(format!("https://unknown-{number}.example/").into_bytes());
        if bodies.contains_key(&authority) {
            continue;
        }
        bodies.insert(authority.clone(), body.clone());
        captures.push(Row {
            authority,
            time: 1_790_000_000,
            outcome: "successful http 200",
            body: Some(body),
        });
    }
    let source = source(&captures, profile.clone(), &names, 7);
    let labels = names.iter().map(|&name| name.to_owned()).collect();
    let checker = Checker::new(&source, labels, profile.reading, When::Newest);
    let mut shuffled = urls.clone();
    for at in (1..shuffled.len()).rev() {
        shuffled.swap(at, rng.below(at + 1));
    }
    urls.sort();
    for order in [urls, shuffled] {
        let asked = rows(order.iter().map(|url| (url.as_slice(), None)));
        let said = lines(&checker, &asked);
        assert_eq!(said.len(), order.len() * names.len());
        for (nth, line) in said.iter().enumerate() {
            let (url, name) = (&order[nth / names.len()], names[nth % names.len()]);
            let expected = expected(&bodies, name, url, &profile);
            assert_eq!(line["crawler"], name);
            for key in ["allowed", "reason", "line"] {
                let shown = String::from_utf8_lossy(url);
                assert_eq!(line[key], expected[key], "{key} {name} {shown}");
            }
        }
    }
}
