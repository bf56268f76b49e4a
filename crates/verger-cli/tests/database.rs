//! `--store postgres://...`: commands on a store in a database.
#![cfg(target_os = "linux")]

use std::process::{Command, Output};

use verger_testkit::postgres_server::PostgresServer;

fn verger(store: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_verger"))
        .args(arguments)
        // A busy machine answers late.
        .env("VERGER_STORE", format!("{store}?verger_deadline_ms=60000"))
        .output()
        .unwrap()
}

fn printed(store: &str, arguments: &[&str]) -> String {
    let output = verger(store, arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

fn refused(store: &str, arguments: &[&str]) -> String {
    let output = verger(store, arguments);
    assert!(!output.status.success(), "{arguments:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!said.contains("secret"), "{said}");
    said
}

#[test]
fn a_store_is_made_filled_swept_and_moved() {
    let Some(server) = PostgresServer::start(&["fsync=off"]) else {
        return;
    };
    let url = server
        .new_database("robots")
        .replace("verger@", "verger:secret@");
    let said = refused(&url, &["store", "stat"]);
    assert!(said.contains("verger store init"), "{said}");
    assert!(printed(&url, &["store", "init"]).starts_with("made: postgres://verger@"));
    assert!(printed(&url, &["store", "init"]).starts_with("ready: "));

    let lines = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/guide/example.com.jsonl"
    );
    let lines = std::fs::read_to_string(lines).unwrap();
    let directory = std::env::temp_dir().join(format!("verger-database-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let [export, file] =
        ["export.jsonl", "store.db"].map(|name| directory.join(name).to_str().unwrap().to_owned());
    std::fs::write(&export, &lines).unwrap();
    printed(&url, &["store", "import", &export]);
    assert_eq!(printed(&url, &["store", "export"]), lines);
    printed(&url, &["store", "import", &export, "--store", &file]);
    assert_eq!(printed(&url, &["store", "export", "--store", &file]), lines);
    std::fs::remove_dir_all(&directory).unwrap();

    assert!(printed(&url, &["store", "list"]).contains("https://example.com"));
    assert!(printed(&url, &["history", "example.com"]).contains("200"));
    let stat = printed(&url, &["store", "stat"]);
    assert!(
        stat.contains("postgres://verger@") && !stat.contains("secret"),
        "{stat}"
    );
    let said = refused(&url, &["store", "stat", "--check"]);
    assert!(said.contains("docs/guide/fleet.md"), "{said}");
    let said = refused(&url, &["store", "sweep", "--site-snapshots", "1"]);
    assert!(said.contains("docs/guide/fleet.md"), "{said}");
    assert!(printed(&url, &["store", "sweep", "--keep", "1d"]).starts_with("deleted: "));
}

/// Wrong use must not be mistaken for a database that is down, which would give the same answer.
#[test]
fn a_url_without_a_host_is_wrong_use_and_nothing_is_fetched() {
    for url in ["postgres://", "postgresql:///robots"] {
        let asked = ["check", "-a", "FooBot", "http://h.example/"];
        let output = verger(url, &asked);
        assert_eq!(output.status.code(), Some(2), "{url}");
        assert!(output.stdout.is_empty(), "{url}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("the host is missing"), "{said}");
        assert!(said.contains("postgres://USER@HOST/DATABASE"), "{said}");
    }
}
