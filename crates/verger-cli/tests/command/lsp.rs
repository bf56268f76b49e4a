//! `lsp`: the end of a session, and which lints apply.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::verger::{Said, verger_on};

/// Runs a session in which the editor sends only these messages.
fn session(messages: &[Value]) -> Said {
    let initialize = json!({ "id": 1, "method": "initialize", "params": { "capabilities": {} } });
    let messages = [&initialize].into_iter().chain(messages);
    let sent = messages.map(|message| {
        let mut message = message.clone();
        message["jsonrpc"] = "2.0".into();
        let content = message.to_string();
        format!("Content-Length: {}\r\n\r\n{content}", content.len())
    });
    verger_on(sent.collect::<String>(), "lsp --stdio")
}

#[test]
fn the_exit_code_says_how_the_editor_left() {
    let (shutdown, exit) = (
        json!({ "id": 2, "method": "shutdown" }),
        json!({ "method": "exit" }),
    );
    let said = session(&[shutdown, exit.clone()]).quietly(0);
    assert!(
        said.contains("\"serverInfo\":{\"name\":\"verger\""),
        "{said}"
    );
    assert_eq!(session(&[exit]).code, 1);
    assert_eq!(session(&[]).code, 1);
    let said = verger_on("no header\r\n\r\n", "lsp");
    assert_eq!(said.code, 2);
    assert!(said.stdout.contains("-32700"), "{said:?}");
    assert!(said.stderr.starts_with("error: "), "{said:?}");
}

#[test]
fn settings_are_those_beside_the_file() {
    for (name, settings, has_fix) in [
        ("lsp-fix", "", true),
        (
            "lsp-no-fix",
            "[lint]\nallow = [\"duplicate-rule\"]\n",
            false,
        ),
    ] {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("verger.toml"), settings).unwrap();
        let uri = url::Url::from_file_path(directory.join("robots.txt")).unwrap();
        let text = "User-agent: *\nDisallow: /a\nDisallow: /a\n";
        let document =
            json!({ "uri": uri.as_str(), "languageId": "robots-txt", "version": 1, "text": text });
        let open =
            json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } });
        let start = json!({ "line": 0, "character": 0 });
        let fix = json!({ "id": 3, "method": "textDocument/codeAction", "params": {
            "textDocument": document, "range": { "start": start, "end": start },
            "context": { "diagnostics": [], "only": ["source"] },
        }});
        let said = session(&[open, fix]).stdout;
        assert!(said.contains("{\"id\":3,"), "{said}");
        assert_eq!(!said.contains("\"result\":[]"), has_fix, "{said}");
    }
}
