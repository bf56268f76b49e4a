//! The language server, driven by a scripted editor.
#![allow(clippy::unwrap_used)]

mod lsp_client;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use verger::Dialect;
use verger_crawlers::{KnownCrawler, Registry};
use verger_lsp::End;

use lsp_client::{LspClient, at, change, in_line, open};

const URI: &str = "untitled:robots.txt";

const SWALLOWED: &str = "User-agent: *\nCrawl-delay: 10\n\nUser-agent: GPTBot\nDisallow: /\n";

/// Returns the capabilities of a recent editor.
fn capabilities(encodings: &[&str]) -> Value {
    json!({
        "general": { "positionEncodings": encodings },
        "workspace": {
            "workspaceEdit": { "documentChanges": true },
            "didChangeWatchedFiles": { "dynamicRegistration": true },
        },
        "textDocument": {
            "publishDiagnostics": { "relatedInformation": true },
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "hover": { "contentFormat": ["markdown", "plaintext"] },
        },
    })
}

fn codes(diagnostics: &[Value]) -> Vec<&str> {
    let codes = diagnostics.iter().map(|it| it["code"].as_str());
    codes.map(|code| code.unwrap_or("none")).collect()
}

fn actions(client: &mut LspClient, range: &Value, only: &Value) -> Vec<Value> {
    let params = json!({
        "textDocument": { "uri": URI },
        "range": range,
        "context": { "diagnostics": [], "only": only },
    });
    let actions = client.request("textDocument/codeAction", params);
    actions.as_array().unwrap().clone()
}

/// Converts the edits of an action to document changes.
fn changes(action: &Value) -> Value {
    let edit = &action["edit"];
    let edits = match &edit["documentChanges"] {
        Value::Null => &edit["changes"][URI],
        changes => {
            assert_eq!(changes[0]["textDocument"]["uri"], URI);
            &changes[0]["edits"]
        }
    };
    // Ranges refer to the original text, so the last edit is applied first.
    let edits = edits.as_array().unwrap().iter().rev();
    let changes = edits.map(|it| json!({ "range": it["range"], "text": it["newText"] }));
    changes.collect::<Vec<_>>().into()
}

fn hover(client: &mut LspClient, line: u64, character: u64) -> String {
    let answer = client.request("textDocument/hover", at(URI, line, character));
    let text = answer["contents"]["value"].as_str();
    text.unwrap_or("nothing").to_owned()
}

#[test]
fn a_finding_is_shown_fixed_and_gone() {
    let mut client = LspClient::with(&capabilities(&["utf-16"]));
    open(&mut client, URI, SWALLOWED);
    let found = client.diagnostics(1);
    let swallowed = &found[0];
    assert_eq!(swallowed["code"], "group-swallows-group");
    assert_eq!(swallowed["severity"], 1);
    assert_eq!(swallowed["range"]["start"]["line"], 3);
    let message = swallowed["message"].as_str().unwrap();
    assert!(message.contains("\nhelp: "), "{message}");
    let related = &swallowed["relatedInformation"];
    assert_eq!(related[0]["location"]["uri"], URI, "{related}");
    let offered = actions(&mut client, &in_line(3, 0, 0), &json!(["quickfix"]));
    let fix = offered
        .iter()
        .find(|it| it["diagnostics"][0] == *swallowed)
        .unwrap();
    let title = fix["title"].as_str().unwrap();
    assert!(title.ends_with(" (may change the meaning)"), "{title}");
    assert_eq!(fix["isPreferred"], false);
    let document = &fix["edit"]["documentChanges"][0]["textDocument"];
    assert_eq!(document["version"], 1);
    assert_eq!(
        actions(&mut client, &in_line(4, 0, 0), &json!(["quickfix"])),
        [Value::Null; 0]
    );
    change(&mut client, URI, 2, &changes(fix));
    let left = client.diagnostics(2);
    assert!(!codes(&left).contains(&"group-swallows-group"), "{left:?}");
    client.shut_down();
}

#[test]
fn all_fixes_that_keep_the_meaning_are_put_in_at_once() {
    let mut client = LspClient::with(&json!({}));
    let body = "User-agent: GPTBot/2.0 # é\nDisallow: /a # é\nDisallow: /a\n";
    open(&mut client, URI, body);
    let found = client.diagnostics(1);
    assert_eq!(codes(&found), ["agent-with-version", "duplicate-rule"]);
    for kind in ["source.fixAll.verger", "source.fixAll", "source"] {
        assert_eq!(
            actions(&mut client, &in_line(0, 0, 0), &json!([kind])).len(),
            1
        );
    }
    let all = actions(&mut client, &in_line(2, 0, 0), &Value::Null);
    assert_eq!(all.len(), 2, "{all:?}");
    assert_eq!(all[0]["kind"], "quickfix");
    assert_eq!(all[0]["isPreferred"], true);
    let fix_all = &all[1];
    assert_eq!(fix_all["kind"], "source.fixAll.verger");
    change(&mut client, URI, 2, &changes(fix_all));
    let left = client.diagnostics(2);
    assert_eq!(left, [Value::Null; 0]);
    assert_eq!(
        actions(&mut client, &in_line(0, 0, 0), &json!(["source"])),
        [Value::Null; 0]
    );
    // Cursor moves do not request the combined fix.
    let params = json!({
        "textDocument": { "uri": URI },
        "range": in_line(0, 0, 0),
        "context": { "diagnostics": [], "triggerKind": 2 },
    });
    assert_eq!(client.request("textDocument/codeAction", params), json!([]));
    client.shut_down();
}

#[test]
fn changes_are_put_in_one_after_the_other() {
    let mut client = LspClient::with(&capabilities(&["utf-8", "utf-16"]));
    open(&mut client, URI, "");
    let whole = json!([{ "text": "User-agent: *\nDisalow: /é/a\n" }]);
    change(&mut client, URI, 2, &whole);
    // é has two units here.
    let parts = json!([
        { "range": in_line(1, 12, 13), "text": "b" },
        { "range": in_line(1, 0, 7), "text": "Disallow" },
        { "range": in_line(99, 0, 0), "text": "Allow: /é/b$/\n" },
    ]);
    change(&mut client, URI, 3, &parts);
    let found = client.diagnostics(3);
    assert_eq!(codes(&found), ["inner-dollar"]);
    assert_eq!(
        found[0]["range"]["start"],
        json!({ "line": 2, "character": 12 })
    );
    // After an unreadable change the text is unknown, and the editor's log says so.
    client.notify("textDocument/didChange", json!({ "textDocument": 1 }));
    let logged = client.wait_for(|it| it["method"] == "window/logMessage");
    let text = logged["params"]["message"].as_str().unwrap();
    assert!(text.starts_with("textDocument/didChange: "), "{text}");
    let is_gone = |client: &mut LspClient| {
        let gone =
            client.wait_for(|it| it["params"]["version"].is_null() && it["params"]["uri"] == URI);
        assert_eq!(gone["params"]["diagnostics"], json!([]));
        let hovered = client.request("textDocument/hover", at(URI, 0, 0));
        assert_eq!(hovered, Value::Null);
    };
    is_gone(&mut client);
    let part = json!([{ "range": in_line(0, 0, 0), "text": "#\n" }]);
    change(&mut client, URI, 5, &part);
    for ends in [
        "{",
        "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didClose\",\"params\":{\"textDocument\":{\"uri\":\"URI\"}}}",
    ] {
        open(&mut client, URI, "User-agent: *\n");
        client.send(&ends.replace("URI", URI));
        is_gone(&mut client);
    }
    client.shut_down();
}

#[test]
fn of_changes_that_wait_the_last_one_counts() {
    let mut client = LspClient::with(&json!({}));
    open(&mut client, URI, "User-agent: *\n");
    for version in 2..500 {
        let changes = json!([{ "range": in_line(version, 0, 0), "text": "Disallow: /x\n" }]);
        change(&mut client, URI, version, &changes);
    }
    let found = client.diagnostics(499);
    assert_eq!(codes(&found), ["duplicate-rule"; 497]);
    // Each set of diagnostics belongs to one version.
    for shown in &client.published {
        let version = shown["version"].as_u64().unwrap();
        let count = shown["diagnostics"].as_array().unwrap().len();
        assert_eq!(
            count as u64,
            version.saturating_sub(2).max(u64::from(version == 1))
        );
    }
    client.shut_down();
}

#[test]
fn positions_are_counted_as_was_agreed() {
    // é and 😀 have two and four bytes, and one and two UTF-16 units.
    for (encodings, chosen, dollar_at) in [
        (&["utf-8", "utf-16"][..], "utf-8", 14),
        (&["utf-32", "utf-16"], "utf-16", 11),
        (&[], "utf-16", 11),
    ] {
        let mut client = LspClient::start();
        let params = json!({ "capabilities": capabilities(encodings) });
        let answer = client.request("initialize", params);
        assert_eq!(answer["capabilities"]["positionEncoding"], chosen);
        open(
            &mut client,
            URI,
            "User-agent: GPTBot\nAllow: /é😀$é\nUser-agent: b\n",
        );
        let found = client.diagnostics(1);
        let dollar = found
            .iter()
            .find(|it| it["code"] == "inner-dollar")
            .unwrap();
        let character = dollar["range"]["start"]["character"].as_u64().unwrap();
        assert_eq!(character, dollar_at);
        client.shut_down();
    }
}

#[test]
fn crawlers_and_keys_are_completed() {
    for (encoding, character) in [("utf-8", 11), ("utf-16", 7)] {
        let mut client = LspClient::with(&capabilities(&[encoding]));
        open(
            &mut client,
            URI,
            "User-agent: gp\nUser-agent:\nDis\n# 😀é: \n\u{feff}Dis\n",
        );
        let complete = |client: &mut LspClient, line, character| {
            let items = client.request("textDocument/completion", at(URI, line, character));
            items.as_array().unwrap().clone()
        };
        let crawlers = complete(&mut client, 0, 14);
        assert_eq!(crawlers[0]["label"], "*");
        let gptbot = crawlers.iter().find(|it| it["label"] == "GPTBot").unwrap();
        assert_eq!(gptbot["detail"], "OpenAI: ai-train");
        let edit = &gptbot["textEdit"];
        assert_eq!(
            *edit,
            json!({ "range": in_line(0, 12, 14), "newText": "GPTBot" })
        );
        let after_colon = complete(&mut client, 1, 11);
        assert_eq!(after_colon[0]["textEdit"]["newText"], " *");
        let keys = complete(&mut client, 2, 3);
        let disallow = keys.iter().find(|it| it["label"] == "Disallow").unwrap();
        let edit = json!({ "range": in_line(2, 0, 3), "newText": "Disallow: " });
        assert_eq!(disallow["textEdit"], edit);
        assert!(complete(&mut client, 3, character).is_empty());
        // A byte order mark is not part of a key. It has three bytes and one unit.
        let mark = if encoding == "utf-8" { 3 } else { 1 };
        let keys = complete(&mut client, 4, mark + 3);
        assert_eq!(keys[0]["textEdit"]["range"], in_line(4, mark, mark + 3));
        client.shut_down();
    }
}

#[test]
fn hover_says_what_a_rule_does() {
    let mut client = LspClient::with(&capabilities(&["utf-16"]));
    let body = "Disallow: /early\nUser-agent: GPTBot\nUser-agent: FooBot\nDisallow: /é/*\nAllow: /%C3%A9/*\n\
                Disallow: /é\n\nUser-agent: *\nDisallow: /x # why\nDisallow:\nSitemap: https://h/s\n";
    open(&mut client, URI, body);
    assert_eq!(
        hover(&mut client, 0, 3),
        "It applies to no crawler: there is no `User-agent` line before it."
    );
    assert_eq!(
        hover(&mut client, 3, 0),
        "It applies to 1 known crawler, GPTBot.\n\nIt never decides. Wherever it matches, one of these \
         takes precedence:\n- line 5: `Allow: /%C3%A9/*`"
    );
    let decides = hover(&mut client, 5, 12);
    assert!(
        decides.ends_with("It decides some URLs, such as `https://example.com/%C3%A9`."),
        "{decides}"
    );
    let star = hover(&mut client, 8, 10);
    assert!(
        star.starts_with("It applies to every crawler that no other group names: "),
        "{star}"
    );
    assert!(
        star.contains(" more.\n\nIt decides some URLs, such as `https://example.com/x`."),
        "{star}"
    );
    assert_eq!(hover(&mut client, 8, 14), "nothing");
    let empty = hover(&mut client, 9, 0);
    assert!(empty.ends_with("It matches no URL: its path is empty or does not start with `/`."));
    assert_eq!(hover(&mut client, 10, 0), "nothing");
    let gptbot = hover(&mut client, 1, 14);
    assert!(
        gptbot.starts_with("`GPTBot`: a crawler of OpenAI. Purposes: ai-train."),
        "{gptbot}"
    );
    assert_eq!(
        hover(&mut client, 2, 0),
        "No known crawler has the token `FooBot`."
    );
    let star = hover(&mut client, 7, 12);
    assert!(
        star.starts_with("It applies to every crawler that no group names"),
        "{star}"
    );
    assert_eq!(hover(&mut client, 999, 999), "nothing");
    client.shut_down();
}

#[test]
fn hover_judges_known_crawlers_as_their_operators_read() {
    let mut client = LspClient::with(&capabilities(&["utf-16"]));
    let body = "User-agent: Googlebot\nDisallow: /a b\nDisalow: /c\nDisallow /d\n\nUser-agent: *\n\
                Disallow: /x y\nDisallow: /z\nAllow: /x%20\n";
    open(&mut client, URI, body);
    let in_googles_group = [
        (
            1,
            "it matches no URL: crawlers send spaces and other characters escaped.",
        ),
        (2, "it decides some URLs, such as `https://example.com/c`."),
        (3, "it decides some URLs, such as `https://example.com/d`."),
    ];
    for (line, expected) in in_googles_group {
        let text = hover(&mut client, line, 2);
        assert!(text.starts_with("It applies to "), "{text}");
        assert!(text.contains(", Googlebot, "), "{text}");
        let expected = format!("\n\nAs Google reads it, {expected}");
        assert!(text.ends_with(&expected), "{text}");
    }
    let both = hover(&mut client, 6, 2);
    let expected = "It decides some URLs, such as `https://example.com/x%20y`.\n\n\
                    As Google reads it, it matches no URL: crawlers send spaces and other characters escaped.";
    assert!(both.ends_with(expected), "{both}");
    let same = hover(&mut client, 7, 2);
    assert!(
        same.ends_with(".\n\nIt decides some URLs, such as `https://example.com/z`."),
        "{same}"
    );
    client.shut_down();
}

#[test]
fn hover_says_why_a_rule_applies_to_no_crawler() {
    let mut client = LspClient::with(&capabilities(&["utf-16"]));
    let only_google = "It applies to no crawler: only Google reads it as a rule of this group, and the group is for \
                       none of Google's crawlers.";
    let no_name = "It applies to no crawler: its group names none.";
    let known = Registry::bundled().iter();
    let of_google = known.filter(|it| it.dialect() == Dialect::Google);
    let named = of_google.flat_map(KnownCrawler::tokens);
    let named: Vec<_> = named.map(|it| format!("User-agent: {it}\n")).collect();
    let in_others = format!(
        "User-agent: *\nDisalow: /c\n\n{}Disallow: /d\n",
        named.concat()
    );
    for (body, line, expected) in [
        (
            "User-agent: FooBot\nDisalow: /c\nDisallow: /d",
            1,
            only_google,
        ),
        (
            "User-agent: FooBot\nDisallow /c\nDisallow: /d",
            1,
            only_google,
        ),
        ("Useragent: FooBot\nDisallow: /c", 1, only_google),
        (in_others.as_str(), 1, only_google),
        ("User-agent:\nDisallow: /c", 1, no_name),
        ("User-agent: /x\nDisalow: /c", 1, no_name),
        // Google reads `Useragent` as well, so the rule is not in the first group.
        (
            "User-agent: Googlebot-Image\nDisallow: /a\nUseragent: FooBot\nDisallow: /b",
            3,
            "It applies to no known crawler.",
        ),
    ] {
        open(&mut client, URI, body);
        assert_eq!(hover(&mut client, line, 0), expected, "{body}");
    }
    open(&mut client, URI, "Useragent: Googlebot\nDisallow: /c");
    let googlebot = hover(&mut client, 1, 0);
    assert!(googlebot.starts_with("It applies to "), "{googlebot}");
    assert!(googlebot.contains(", Googlebot"), "{googlebot}");
    client.shut_down();
}

#[test]
fn hover_says_why_a_rule_that_nothing_overrules_never_decides() {
    let mut client = LspClient::with(&capabilities(&["utf-16"]));
    open(
        &mut client,
        URI,
        "User-agent: *\nDisallow: /robots.txt$\nDisallow: /a\tb\n",
    );
    let itself = hover(&mut client, 1, 0);
    assert!(
        itself.contains("\n\nIt never decides: `/robots.txt` may always be fetched.\n\nAs Google reads it, it decides"),
        "{itself}"
    );
    let tab = hover(&mut client, 2, 0);
    assert!(
        tab.ends_with("As Google reads it, it matches no URL: crawlers send spaces and other characters escaped."),
        "{tab}"
    );
    client.shut_down();
}

#[test]
fn of_plain_texts_those_named_so_are_looked_at() {
    let mut client = LspClient::with(&json!({}));
    for (uri, language) in [
        ("file:///notes.txt", "plaintext"),
        ("file:///robots/a.txt", "text"),
        ("file:///a/robots.staging.txt", "plaintext"),
        ("file:///a", "robots"),
    ] {
        let document = json!({
            "uri": uri, "languageId": language, "version": 1, "text": "Disallow: /",
        });
        client.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }
    let of = |uri| json!({ "textDocument": { "uri": uri } });
    for (uri, is_looked_at) in [
        ("file:///notes.txt", false),
        ("file:///robots/a.txt", false),
        ("file:///a/robots.staging.txt", true),
        ("file:///a", true),
    ] {
        let folds = client.request("textDocument/foldingRange", of(uri));
        assert_eq!(!folds.is_null(), is_looked_at, "{uri}");
    }
    client.shut_down();
}

#[test]
fn groups_and_sitemaps_are_symbols() {
    let body = "Sitemap: https://h/é\nUser-agent: a\nUser-agent: b\nDisallow: /\n\nUser-agent: *\n";
    let mut client = LspClient::with(&capabilities(&["utf-16"]));
    open(&mut client, URI, body);
    let document = json!({ "textDocument": { "uri": URI } });
    let symbols = client.request("textDocument/documentSymbol", document.clone());
    let names = symbols.as_array().unwrap().iter().map(|it| &it["name"]);
    assert_eq!(names.collect::<Vec<_>>(), ["https://h/é", "a, b", "*"]);
    assert_eq!(
        symbols[1]["range"]["end"],
        json!({ "line": 3, "character": 11 })
    );
    assert_eq!(symbols[1]["selectionRange"], in_line(1, 0, 13));
    let folds = client.request("textDocument/foldingRange", document.clone());
    assert_eq!(
        folds,
        json!([{ "startLine": 1, "endLine": 3, "kind": "region" }])
    );
    client.shut_down();
    let mut client = LspClient::with(&json!({}));
    open(&mut client, URI, body);
    let symbols = client.request("textDocument/documentSymbol", document);
    assert_eq!(
        symbols[0]["location"],
        json!({ "uri": URI, "range": in_line(0, 0, 20) })
    );
    client.shut_down();
}

#[test]
fn settings_are_those_beside_the_file() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lsp é");
    fs::create_dir_all(&directory).unwrap();
    let settings = directory.join("verger.toml");
    fs::write(&settings, "[lint]\nallow = [\"inner-dollar\"]\n").unwrap();
    let path = directory.join("robots.txt");
    let uri = url::Url::from_file_path(&path).unwrap().to_string();
    let mut client = LspClient::with(&capabilities(&[]));
    let asked = client.wait_for(|it| it["method"] == "client/registerCapability");
    let watched = asked["params"].to_string();
    assert!(watched.contains("**/verger.toml"), "{watched}");
    client.send(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": null }).to_string());
    open(&mut client, &uri, "User-agent: *\nDisallow: /a$/\n");
    assert_eq!(client.diagnostics(1), [Value::Null; 0]);
    fs::write(&settings, "[lint]\nnote = [\"inner-dollar\"]\n").unwrap();
    client.published.clear();
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    let found = client.diagnostics(1);
    assert_eq!(
        (codes(&found), &found[0]["severity"]),
        (vec!["inner-dollar"], &json!(3))
    );
    fs::write(&settings, "[lint]\nnote = 1\n").unwrap();
    client.published.clear();
    client.notify(
        "textDocument/didSave",
        json!({ "textDocument": { "uri": uri } }),
    );
    let found = client.diagnostics(1);
    assert_eq!(codes(&found), ["none", "inner-dollar"]);
    let message = found[0]["message"].as_str().unwrap();
    assert!(
        message.starts_with("cannot use the lint settings: "),
        "{message}"
    );
    client.shut_down();
}

#[test]
fn errors_are_answered() {
    let mut client = LspClient::start();
    assert_eq!(client.refusal("textDocument/hover", at(URI, 0, 0)), -32_002);
    open(&mut client, URI, "ignored");
    client.request("initialize", json!({ "capabilities": {} }));
    assert_eq!(
        client.request("textDocument/hover", at(URI, 0, 0)),
        Value::Null
    );
    assert_eq!(client.refusal("initialize", json!({})), -32_600);
    assert_eq!(client.refusal("textDocument/rename", json!({})), -32_601);
    assert_eq!(client.refusal("$/unknown", json!({})), -32_601);
    assert_eq!(client.refusal("textDocument/hover", json!([])), -32_602);
    let negative =
        json!({ "textDocument": { "uri": URI }, "position": { "line": -1, "character": 0 } });
    assert_eq!(client.refusal("textDocument/hover", negative), -32_602);
    for (content, code) in [
        ("{", -32_700),
        ("[]", -32_600),
        ("{\"id\":9}", -32_600),
        ("", -32_700),
    ] {
        client.send(content);
        let answer = client.wait_for(|it| !it["error"].is_null());
        assert_eq!(answer["error"]["code"], code, "{content}");
    }
    client.notify("$/unknown", Value::Null);
    client.notify("no/such", json!(1));
    assert_eq!(client.request("shutdown", Value::Null), Value::Null);
    assert_eq!(client.refusal("textDocument/hover", at(URI, 0, 0)), -32_600);
    client.notify("exit", Value::Null);
    assert_eq!(client.receive(), None);
    assert!(matches!(client.end(), End::AfterShutdown));
}

#[test]
fn the_server_ends_with_its_editor() {
    assert!(matches!(LspClient::start().end(), End::WithoutShutdown));
    let client = LspClient::with(&json!({}));
    assert!(matches!(client.end(), End::WithoutShutdown));
    let mut client = LspClient::with(&json!({}));
    client.notify("exit", Value::Null);
    assert!(matches!(client.end(), End::WithoutShutdown));
    let mut client = LspClient::with(&json!({}));
    client.request("shutdown", Value::Null);
    assert!(matches!(client.end(), End::AfterShutdown));
    let mut client = LspClient::with(&json!({}));
    client.send_bytes(b"no header\r\n\r\n");
    let answer = client.receive().unwrap();
    assert_eq!(answer["error"]["code"], -32_700, "{answer}");
    assert!(matches!(client.end(), End::Unreadable(_)));
}

#[test]
fn a_large_document_is_served() {
    let mut client = LspClient::with(&json!({}));
    let rules = (0..5_000).map(|it| format!("Disallow: /é/{it}$/\n"));
    let rules = rules.collect::<Vec<_>>().concat();
    open(&mut client, URI, &format!("User-agent: *\n{rules}"));
    let changes: Vec<Value> = (1..2_000)
        .rev()
        .map(|line| json!({ "range": in_line(line, 0, 8), "text": "Allow" }))
        .collect();
    change(&mut client, URI, 2, &changes.into());
    let found = client.diagnostics(2);
    assert_eq!(found.len(), 1_001);
    let last = found[1_000]["message"].as_str().unwrap();
    assert!(
        last.ends_with("more findings are not shown: `verger lint` prints them all"),
        "{last}"
    );
    let hovered = hover(&mut client, 4_001, 0);
    assert!(
        hovered.contains("It decides some URLs, such as `https://example.com/%C3%A9/4000$/`."),
        "{hovered}"
    );
    client.shut_down();
}
