//! The store.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use verger_client::{Clock as _, SystemClock};
use verger_store::{Acquisition, SqliteStore, Store as _};

use crate::past::{Past, day};
use crate::verger::{command, empty_directory, file, verger};

/// Returns a failure of `host` that many days after 15 January 2026, as a line of an export.
fn failure(host: &str, day: u64) -> String {
    let ended = 1_768_464_000 + day * 86_400;
    format!(
        r#"{{"schema":"verger.store/1","kind":"snapshot","authority":"https://{host}","profile":"rfc9309","ended_at":"@{ended}","outcome":"failed timeout","stated_lifetime":null,"retry_after":null,"hops":[{{"url":"https://{host}/robots.txt","reply":null}}],"headers":[],"warnings":[],"peer":null,"fresh_until":"@{ended}","body":null,"copy":null,"streak":{{"first_at":"@1768464000","failures":1,"jitter":0}}}}
"#
    )
}

/// Two failures of one host, one of another.
fn three() -> String {
    [
        failure("a.example", 0),
        failure("a.example", 1),
        failure("b.example", 2),
    ]
    .concat()
}

/// Makes a store with those three.
fn store_of_three(name: &str) -> String {
    let path = empty_directory(&format!("store-{name}")).join("store.db");
    let path = path.to_str().unwrap();
    let said = verger(["store", "import", "-", "--store", path], three()).quietly(0);
    let expected = "imported: 3 snapshots; there already: 0; skipped: 0\n";
    assert_eq!(said, expected);
    path.to_owned()
}

fn store(path: &str, arguments: &str) -> crate::verger::Said {
    let named = ["--store", path].map(OsStr::new);
    let words = arguments.split_whitespace().map(OsStr::new);
    verger(
        [OsStr::new("store")].into_iter().chain(words).chain(named),
        "",
    )
}

#[test]
fn a_store_is_made_with_its_folder_and_tells_how_much_it_has() {
    let path = store_of_three("stat");
    let said = store(&path, "stat --check").quietly(0);
    for line in [
        "authorities  2",
        "snapshots    3",
        "first put    2026-01-15T08:00:00Z",
        "last put     2026-01-17T08:00:00Z",
        "bodies       0 of 0 bytes",
        "leases       0",
        "check        the whole store was read: it is not damaged",
    ] {
        assert!(said.lines().any(|it| it == line), "{line}: {said}");
    }
    let json = store(&path, "stat --json").quietly(0);
    let start = r#"{"schema":"verger.store-stat/1","path":""#;
    assert!(json.starts_with(start), "{json}");
    let counts = r#","authorities":2,"snapshots":3,"bodies":0,"leases":0,"body_bytes":0,"bytes":"#;
    assert!(json.contains(counts), "{json}");
    let end = r#","first_ended_at":"2026-01-15T08:00:00Z","last_ended_at":"2026-01-17T08:00:00Z","checked":false,"damage":null}"#;
    assert!(json.trim_end().ends_with(end), "{json}");
}

#[test]
fn a_part_is_exported() {
    let path = store_of_three("part");
    let count = |arguments: &str| store(&path, arguments).quietly(0).lines().count();
    assert_eq!(count("export --authority a.example"), 2);
    let target = empty_directory("store-export-nothing");
    fs::create_dir_all(&target).unwrap();
    let target = target.join("lines");
    let export = format!("export {} --authority", target.display());
    for (arguments, what) in [
        ("http://b.example/x", "http://b.example/x"),
        ("c.example --authority d.example", "c.example, d.example"),
        ("a.example --until @1", "a.example at that time"),
    ] {
        let said = store(&path, &format!("{export} {arguments}"));
        assert_eq!((said.stdout.as_str(), said.code), ("", 3));
        let nothing = format!("error: the store has nothing about {what}\n");
        assert!(said.stderr.starts_with(&nothing), "{}", said.stderr);
        assert!(!target.exists());
    }
    assert_eq!(count("export --since 2026-01-16T10:00:01+02:00"), 1);
    assert_eq!(count("export --until @1768464001"), 1);
    let refused = store(&path, "export --authority file:///x").refused();
    assert!(
        refused.contains("`file:///x` is neither a host nor a URL"),
        "{refused}"
    );
    for (time, why) in [
        ("tomorrow", "help: write 2026-11-20T17:02:11Z, 2026-11-20"),
        ("9999-01-01", "the time is in the future"),
    ] {
        let refused = store(&path, &format!("export --since {time}")).refused();
        assert!(refused.contains(why), "{refused}");
    }
}

/// Makes a store with two bodies, in which `after` replaces the last occurrence of `before`.
fn damaged_store(name: &str, before: &[u8], after: &[u8]) -> PathBuf {
    let path = empty_directory(&format!("store-{name}")).join("store.db");
    let mut seen = Past::of("https://a.example", &path);
    seen.body(day(0), "Disallow: /first");
    seen.body(day(1), "Disallow: /other");
    drop(seen);
    let mut bytes = fs::read(&path).unwrap();
    // The schema has such words in its comments, too.
    let is_there =
        |place: &usize| bytes[*place..].starts_with(before) && !bytes[..*place].ends_with(b"-- ");
    let place = (0..bytes.len()).rev().find(is_there).unwrap();
    bytes[place..place + after.len()].copy_from_slice(after);
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn an_export_that_fails_leaves_no_part_of_itself() {
    let outcome = b"successful http 200";
    let path = damaged_store("export-fails", outcome, b"z");
    let part = path.with_file_name("part.jsonl");
    let path = path.to_str().unwrap();
    let refused = store(path, &format!("export {}", part.display())).refused();
    assert!(refused.contains("the store is damaged"), "{refused}");
    assert!(!part.exists());
    let said = store(path, "stat --check");
    assert_eq!(said.code, 2);
    let told = "the snapshot 1 cannot be read: https://a.example";
    assert!(said.stdout.contains(told), "{}", said.stdout);
}

#[test]
fn a_damaged_body_is_found_and_left_out_of_an_export() {
    let path = damaged_store("damaged-body", b"Disallow: /other", b"Disallow: /ether");
    let path = path.to_str().unwrap();
    let said = store(path, "stat --check");
    assert_eq!(said.code, 2);
    for told in ["1 finding:", "does not match its hash", "https://a.example"] {
        assert!(said.stdout.contains(told), "{}", said.stdout);
    }
    let said = store(path, "export");
    assert_eq!((said.code, said.stdout.lines().count()), (2, 2));
    let note = "note: 1 snapshot is left out:";
    assert!(said.stderr.starts_with(note), "{}", said.stderr);
}

#[cfg(unix)]
#[test]
fn what_the_command_makes_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for umask in ["000", "022"] {
        let folder = empty_directory(&format!("store-modes-{umask}"));
        let lines = file(&format!("modes-{umask}.jsonl"), three());
        let state = folder.join("new");
        let (path, export) = (state.join("verger/store.db"), state.join("export"));
        let script = format!(
            "umask {umask}; {0} store import {1} && {0} store export {2}",
            env!("CARGO_BIN_EXE_verger"),
            lines.display(),
            export.display()
        );
        let status = std::process::Command::new("sh")
            .args(["-c", &script])
            .env_remove("VERGER_STORE")
            .env("XDG_STATE_HOME", &state)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(status.unwrap().success());
        for (path, expected) in [
            (&state, 0o700),
            (&state.join("verger"), 0o700),
            (&path, 0o600),
            (&export, 0o600),
        ] {
            assert_eq!(mode(path), expected, "{umask}: {}", path.display());
        }
    }
}

/// Runs the command as a user without permission to write here.
#[cfg(unix)]
fn as_a_reader(path: &Path, arguments: &[&str]) -> (String, i32) {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::os::unix::process::CommandExt as _;
    let folder = path.parent().unwrap();
    let allow = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    allow(path, 0o444);
    allow(folder, 0o555);
    // Permissions do not hold the superuser back. Elsewhere they hold the owner back, too.
    let is_root = fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0);
    // The program itself may lie where only its owner may look.
    let program = std::env::temp_dir().join(format!("verger-reads-{}", std::process::id()));
    fs::copy(env!("CARGO_BIN_EXE_verger"), &program).unwrap();
    allow(&program, 0o755);
    let mut command = std::process::Command::new(&program);
    command
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null());
    if is_root {
        command.uid(65534).gid(65534);
    }
    let output = command.output().unwrap();
    allow(folder, 0o755);
    fs::remove_file(program).unwrap();
    let said = [output.stdout, output.stderr].concat();
    (
        String::from_utf8(said).unwrap(),
        output.status.code().unwrap(),
    )
}

#[cfg(unix)]
#[test]
fn a_store_that_may_not_be_written_to_is_read() {
    // A folder that all users may look into, unlike those of some builds.
    let folder = std::env::temp_dir().join(format!("verger-read-only-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("store.db");
    let mut seen = Past::of("https://a.example", &path);
    seen.body(day(0), "User-agent: *\nDisallow: /other\n");
    drop(seen);
    let at = format!("@{}", day(0) + 60);
    for (arguments, code, told) in [
        (&["store", "stat", "--check"][..], 0, "it is not damaged"),
        (&["history", "a.example"], 0, "200"),
        (&["store", "export"], 0, "verger.store/1"),
        (
            &["check", "--at", &at, "https://a.example/other"],
            1,
            "disallow",
        ),
        (
            &["check", "--offline", "https://a.example/other"],
            4,
            "disallowed",
        ),
        (&["store", "sweep", "--keep", "1d"], 2, "cannot write to"),
    ] {
        let named = [arguments, &["--store", "store.db"]].concat();
        let (said, found) = as_a_reader(&path, &named);
        assert_eq!(found, code, "{arguments:?}: {said}");
        assert!(said.contains(told), "{arguments:?}: {said}");
        let files = fs::read_dir(&folder).unwrap().count();
        assert_eq!(files, 1, "{arguments:?}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_export_never_writes_over_a_file() {
    let path = store_of_three("over");
    let before = fs::read(&path).unwrap();
    let refused = store(&path, &format!("export {path}")).refused();
    assert!(refused.contains("it already exists\n"), "{refused}");
    assert!(fs::read(&path).unwrap() == before);
    let new = empty_directory("store-over-new");
    fs::create_dir_all(&new).unwrap();
    let new = new.join("lines.jsonl");
    let said = store(&path, &format!("export {}", new.display()));
    assert_eq!((said.stdout.as_str(), said.code), ("", 0));
    assert_eq!(
        said.stderr,
        "note: exported 3 snapshots of 2 sites, 0 files\n"
    );
    assert_eq!(
        fs::read_to_string(new).unwrap(),
        store(&path, "export").stdout
    );
}

#[test]
fn a_sweep_says_what_it_gave_up() {
    let path = store_of_three("sweep");
    // Those are days that come after the first one in force, whatever day it is now.
    let said = store(&path, "sweep --keep 999999d").quietly(0);
    assert_eq!(
        said,
        "deleted: 0 snapshots, 0 bodies and 0 expired leases\n"
    );
    let old = empty_directory("store-sweep-old").join("store.db");
    let old = old.to_str().unwrap();
    let long_ago = three().replace("@18", "@8");
    verger(["store", "import", "-", "--store", old], long_ago).quietly(0);
    let before = fs::read(old).unwrap();
    let said = store(old, "sweep --keep 1d --dry-run").quietly(0);
    assert_eq!(
        said,
        "would be deleted: 3 snapshots, 0 bodies and 0 expired leases\n"
    );
    assert!(fs::read(old).unwrap() == before);
    let said = store(old, "sweep --keep 1d").quietly(0);
    assert_eq!(
        said,
        "deleted: 3 snapshots, 0 bodies and 0 expired leases\n"
    );
    let said = store(old, "sweep --keep 1d --dry-run").quietly(0);
    assert_eq!(
        said,
        "would be deleted: 0 snapshots, 0 bodies and 0 expired leases\n"
    );
    assert!(store(&path, "sweep").stderr.contains("--keep <LENGTH>"));
    let refused = store(&path, "sweep --keep 1month").refused();
    assert!(
        refused.contains("such as 400d, 2w, 12h or 90m"),
        "{refused}"
    );
}

#[cfg(unix)]
#[test]
fn an_export_that_is_killed_leaves_no_part_of_itself() {
    let folder = empty_directory("store-export-killed");
    let (path, part) = (folder.join("store.db"), folder.join("part.jsonl"));
    let hosts = (1000..1400).map(|host| failure(&format!("h{host}.example"), 1));
    let lines = hosts.collect::<String>();
    verger(
        ["store", "import", "-", "--store", path.to_str().unwrap()],
        lines,
    )
    .quietly(0);
    // The system kills what writes so many blocks into one file.
    let script = format!(
        "ulimit -f 80 && exec {} store export {} --store {}",
        env!("CARGO_BIN_EXE_verger"),
        part.display(),
        path.display()
    );
    let status = std::process::Command::new("sh")
        .args(["-c", &script])
        .status();
    assert_eq!(status.unwrap().code(), None);
    assert!(!part.exists());
    store(
        path.to_str().unwrap(),
        &format!("export {}", part.display()),
    );
    assert_eq!(fs::read_to_string(&part).unwrap().lines().count(), 400);
}

#[test]
fn a_url_that_is_no_database_is_not_repeated() {
    for arguments in ["stat", "export", "import -", "init"] {
        let refused = store("mysql://u:secret@h/x", arguments).refused();
        assert!(!refused.contains("secret"), "{refused}");
        assert!(
            refused.contains("postgres://USER@HOST/DATABASE"),
            "{refused}"
        );
    }
}

#[test]
fn what_is_held_by_another_is_an_error() {
    let path = empty_directory("store-held").join("store.db");
    let held = SqliteStore::open(&path).unwrap();
    let (b, now) = ("https://b.example".parse().unwrap(), SystemClock.now());
    let lease = held.acquire(&b, "test", now, Duration::from_secs(1 << 30));
    assert!(matches!(lease, Ok(Acquisition::Granted(_))));
    let path = path.to_str().unwrap();
    let said = verger(
        ["store", "import", "-", "--store", path],
        failure("b.example", 1),
    );
    let expected = "imported: 0 snapshots; there already: 0; skipped: 1\n";
    assert_eq!((said.stdout.as_str(), said.code), (expected, 2));
    assert!(said.stderr.contains("import again"), "{}", said.stderr);
}

#[test]
fn what_is_skipped_is_told() {
    let path = store_of_three("skipped");
    let older = failure("b.example", 1);
    let said = verger(["store", "import", "-", "--store", &path], older);
    let expected = "imported: 0 snapshots; there already: 0; skipped: 1\n";
    assert_eq!((said.stdout.as_str(), said.code), (expected, 0));
    assert!(
        said.stderr
            .starts_with("note: snapshots of https://b.example are skipped:"),
        "{}",
        said.stderr
    );
}

#[test]
fn a_wrong_line_is_named() {
    let path = empty_directory("store-wrong").join("store.db");
    let lines = file(
        "wrong.jsonl",
        [&failure("a.example", 0), "\n", "{}\n"].concat(),
    );
    let lines = lines.to_str().unwrap();
    let said = verger(
        ["store", "import", lines, "--store", path.to_str().unwrap()],
        "",
    );
    let refused = said.refused();
    assert!(
        refused.contains("wrong.jsonl`, line 3: not a line of an export: missing field `schema`")
    );
    let stat = store(path.to_str().unwrap(), "stat").quietly(0);
    assert!(stat.contains("snapshots    1\n"), "{stat}");
}

#[test]
fn a_store_that_is_not_there_is_not_made_by_looking() {
    let path = empty_directory("store-none").join("store.db");
    let path = path.to_str().unwrap();
    for arguments in ["stat", "sweep --keep 1d", "export"] {
        let refused = store(path, arguments).refused();
        assert!(
            refused.starts_with("error: there is no store `"),
            "{refused}"
        );
        assert!(
            refused.contains("with `--store` or `VERGER_STORE`"),
            "{refused}"
        );
    }
    let refused = store(path, "import no-such-file.jsonl").refused();
    assert!(refused.contains("there is no such file"), "{refused}");
    let folder = Path::new(path).parent().unwrap();
    assert_eq!(fs::read_dir(folder).unwrap().count(), 0);
}

#[test]
fn what_is_no_store_is_told_and_left_as_it_is() {
    let text = file(
        "not-a-store.txt",
        "User-agent: *\nDisallow: /\n".repeat(100),
    );
    let path = text.to_str().unwrap();
    for arguments in ["stat", "sweep --keep 1d", "export", "import -"] {
        let refused = store(path, arguments).refused();
        assert!(refused.contains("is not a Verger store"), "{refused}");
    }
    let path = store_of_three("damaged");
    let mut bytes = fs::read(&path).unwrap();
    bytes[100..4096].fill(0xff);
    fs::write(&path, &bytes).unwrap();
    let refused = store(&path, "stat").refused();
    assert!(refused.contains("restore it from a backup"), "{refused}");
    assert!(fs::read(&path).unwrap() == bytes);
}

#[test]
fn the_environment_names_the_store() {
    let path = store_of_three("environment");
    let home = empty_directory("store-home");
    let stat = |name: &str, value: &str| {
        let output = command()
            .args(["store", "stat", "--json"])
            .env_remove("XDG_STATE_HOME")
            .env("HOME", &home)
            .env(name, value)
            .stdin(Stdio::null())
            .output();
        let output = output.unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    assert!(stat("VERGER_STORE", &path).contains(r#""snapshots":3"#));
    let state = empty_directory("store-state");
    fs::create_dir_all(state.join("verger")).unwrap();
    fs::copy(&path, state.join("verger/store.db")).unwrap();
    let found = stat("VERGER_STORE", "");
    assert!(
        found.contains("no store `") && found.contains("verger"),
        "{found}"
    );
    if cfg!(target_os = "linux") {
        assert!(found.contains(".local/state/verger/store.db"), "{found}");
        let found = stat("XDG_STATE_HOME", state.to_str().unwrap());
        assert!(found.contains(r#""snapshots":3"#), "{found}");
    }
}
