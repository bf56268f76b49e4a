//! The file of the store (named, default or none), and the list of its sites.

use std::fs;

use serde_json::Value;

use crate::server::{Server, new_store, on_store, on_web, reply, robots};
use crate::verger::{command, run, verger};

const BODY: &str = "User-agent: *\nDisallow: /x\n";

const LOOPBACK: [&str; 2] = ["--allow-address", "127.0.0.0/8"];

#[test]
fn a_mistyped_directory_is_not_made() {
    let store = new_store("mistyped");
    let directory = store.parent().unwrap().join("no-such");
    let path = directory.join("store.db");
    let path = path.to_str().unwrap();
    let why = format!(
        "there is no directory `{}` for the store",
        directory.display()
    );
    for arguments in [
        &["check", "http://127.0.0.1:1/x"][..],
        &["fetch", "http://127.0.0.1:1/"],
        &["store", "import", "-"],
    ] {
        let said = verger(arguments.iter().chain(&["--store", path]), "").refused();
        assert!(said.contains(&why), "{said}");
        assert!(!directory.exists(), "{arguments:?}");
    }
}

#[test]
fn without_a_store_nothing_is_kept() {
    let server = Server::saying(robots(BODY));
    let state = new_store("kept-nowhere").with_file_name("state");
    let on_no_store = |arguments: &[&str]| {
        let mut command = command();
        command.env("XDG_STATE_HOME", &state).args(arguments);
        run(command.arg("--no-store").args(LOOPBACK), "")
    };
    let (x, y) = (server.url("/x"), server.url("/y"));
    let said = on_no_store(&["check", &x, &y]).quietly(1);
    assert!(said.contains("line 2: Disallow: /x"), "{said}");
    assert_eq!(server.requests().len(), 1);
    let said: Value =
        serde_json::from_str(&on_no_store(&["fetch", "--json", &x]).quietly(0)).unwrap();
    assert_eq!(
        (&said["store"], &said["stance"]),
        (&Value::Null, &"rules".into())
    );
    let said = on_no_store(&["fetch", &x]).quietly(0);
    assert!(!said.contains("snapshot "), "{said}");
    assert_eq!(server.requests().len(), 3);
    assert!(!state.exists());
    let refused = on_no_store(&["check", "--offline", &x]).refused();
    assert!(refused.contains("they answer from the store"), "{refused}");
}

#[cfg(unix)]
#[test]
fn without_a_home_directory_answers_come_from_memory_and_a_note_says_so() {
    let server = Server::saying(robots(BODY));
    let x = server.url("/x");
    let mut command = command();
    let homeless = command
        .env_remove("XDG_STATE_HOME")
        .env("HOME", "/dev/null/home");
    let said = run(homeless.args(["check", &x]).args(LOOPBACK), "");
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.stdout.contains("line 2: Disallow: /x"), "{said:?}");
    let note = "note: results are not stored: cannot create the directory `/dev/null/home/";
    assert!(said.stderr.starts_with(note), "{said:?}");
    assert_eq!(said.stderr.lines().count(), 1, "{said:?}");
}

#[test]
fn an_import_that_fails_leaves_no_new_store() {
    let store = new_store("failed-import");
    let path = store.to_str().unwrap();
    let import = |lines: &str| verger(["store", "import", "-", "--store", path], lines);
    let refused = import("{}\n").refused();
    assert!(refused.contains("line 1: "), "{refused}");
    let left = fs::read_dir(store.parent().unwrap()).unwrap().count();
    assert_eq!(left, 0);
    assert!(import("").quietly(0).starts_with("imported: 0 snapshots;"));
    assert!(store.exists());
    import("{}\n").refused();
    assert!(store.exists());
}

#[test]
fn sites_are_listed_with_what_happened_last() {
    let store = new_store("list");
    let servers = [
        Server::saying(robots(BODY)),
        Server::saying(reply("503 Service Unavailable", "", "later")),
    ];
    let [whole, failing] = [0, 1].map(|nth: usize| servers[nth].url(""));
    on_web(&store, &format!("fetch {whole}")).quietly(0);
    on_web(&store, &format!("fetch {failing}")).quietly(4);
    let listed = on_store(&store, "store list").quietly(0);
    assert_eq!(listed.lines().count(), 2, "{listed}");
    let line = |url: &str| listed.lines().find(|line| line.starts_with(url)).unwrap();
    assert!(
        line(&whole).contains("successful (status 200), "),
        "{listed}"
    );
    // A second may pass between fetch and list.
    let in_a_day = ["in 23h)", "in 24h)"].map(|next| line(&whole).contains(next));
    assert!(in_a_day.contains(&true), "{listed}");
    assert!(
        line(&failing).contains("unreachable (status 503), "),
        "{listed}"
    );
    let only = on_store(&store, "store list --failing --json").quietly(0);
    let only: Value = serde_json::from_str(&only).unwrap();
    for (key, value) in [
        ("schema", "verger.store-list/1"),
        ("authority", &failing),
        ("profile", "rfc9309"),
        ("stance", "closed"),
    ] {
        assert_eq!(only[key], value, "{key}");
    }
    assert_eq!(only["access_result"]["result"], "unreachable");
    on_web(&store, &format!("fetch --profile google {failing}")).quietly(4);
    let other = on_store(&store, "store list --profile koster1996").quietly(0);
    assert_eq!(other.lines().count(), 2, "{other}");
}
