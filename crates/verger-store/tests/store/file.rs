//! Files that are opened as a store, and several connections to one file.

use std::path::Path;
use std::sync::Barrier;

use verger_store::{History, OpenError, SqliteStore, Store};

use crate::scene::{MINUTE, at, authority, body_seen, is_lost, lease, new_file, put};

fn refused(path: &Path) -> OpenError {
    match SqliteStore::open(path) {
        Ok(_) => panic!("{} was opened", path.display()),
        Err(error) => error,
    }
}

/// Opens a file that is not a store, and asserts that it stays unchanged.
fn refused_untouched(path: &Path) -> OpenError {
    let before = std::fs::read(path).unwrap();
    let error = refused(path);
    assert!(std::fs::read(path).unwrap() == before, "{error}");
    let name = path.file_name().unwrap().to_str().unwrap();
    assert!(error.to_string().contains(name), "{error}");
    error
}

#[test]
fn a_store_keeps_its_data_when_it_is_opened_again() {
    let path = new_file("again");
    let seen = body_seen("h.example", at(0), b"Disallow: /");
    let id = put(&SqliteStore::open(&path).unwrap(), &seen);
    let store = SqliteStore::open(&path).unwrap();
    let state = store.latest(&seen.authority).unwrap().unwrap();
    assert_eq!((state.snapshot.id, state.knowledge), (id, seen.knowledge));
    assert_eq!(store.check().unwrap(), []);
}

#[test]
fn an_empty_file_becomes_a_store() {
    let path = new_file("empty");
    std::fs::write(&path, b"").unwrap();
    SqliteStore::open(&path).unwrap();
    assert!(
        std::fs::read(&path)
            .unwrap()
            .starts_with(b"SQLite format 3\0")
    );
}

#[test]
fn a_file_that_is_no_store_is_refused_and_unchanged() {
    let path = new_file("text");
    std::fs::write(&path, "User-agent: *\nDisallow: /\n".repeat(100)).unwrap();
    let error = refused_untouched(&path);
    assert!(matches!(error, OpenError::Foreign(_)), "{error}");

    for bytes in [1, 2, 511, 512, 4096] {
        let path = new_file("short-text");
        std::fs::write(&path, "x".repeat(bytes)).unwrap();
        let error = refused_untouched(&path);
        assert!(matches!(error, OpenError::Foreign(_)), "{bytes}: {error}");
    }
}

/// Puts into such a file would be lost when the process ends.
#[cfg(unix)]
#[test]
fn a_file_that_is_removed_or_replaced_takes_no_more() {
    let path = new_file("removed");
    let store = SqliteStore::open(&path).unwrap();
    let seen = |seconds| body_seen("h.example", at(seconds), b"Disallow: /");
    put(&store, &seen(0));
    let refuses = |store: &SqliteStore| {
        let held = store.acquire(&authority("g.example"), "a", at(0), MINUTE);
        let error = held.unwrap_err().to_string();
        assert!(
            error.contains("was removed, renamed or replaced"),
            "{error}"
        );
    };
    std::fs::remove_file(&path).unwrap();
    refuses(&store);
    let another = SqliteStore::open(&path).unwrap();
    put(&another, &seen(1));
    refuses(&store);
    let moved = path.with_extension("moved");
    std::fs::rename(&path, &moved).unwrap();
    refuses(&another);
    std::fs::rename(&moved, &path).unwrap();
    put(&another, &seen(2));
}

/// `SQLite` would open them, and wait for data from the pipe.
#[cfg(unix)]
#[test]
fn a_pipe_and_a_device_are_refused() {
    let pipe = new_file("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for path in [pipe.as_path(), std::path::Path::new("/dev/null")] {
        for opened in [SqliteStore::open(path), SqliteStore::open_read_only(path)] {
            let error = opened.unwrap_err();
            assert!(matches!(error, OpenError::Foreign(_)), "{error}");
        }
    }
}

#[test]
fn a_database_of_another_program_is_refused_and_unchanged() {
    for (name, statement) in [
        ("tables", "CREATE TABLE mine (id INTEGER)"),
        (
            "version",
            "PRAGMA user_version = 7; CREATE TABLE a (b); DROP TABLE a",
        ),
        (
            "application",
            "PRAGMA application_id = 7; CREATE TABLE a (b); DROP TABLE a",
        ),
    ] {
        let path = new_file(name);
        let theirs = rusqlite::Connection::open(&path).unwrap();
        theirs.execute_batch(statement).unwrap();
        drop(theirs);
        let error = refused_untouched(&path);
        assert!(matches!(error, OpenError::Foreign(_)), "{error}");
    }
}

#[test]
fn a_database_of_another_program_keeps_its_log() {
    let path = new_file("theirs");
    let theirs = rusqlite::Connection::open(&path).unwrap();
    let log = "PRAGMA journal_mode = WAL; CREATE TABLE mine (id INTEGER)";
    theirs.execute_batch(log).unwrap();
    let error = refused_untouched(&path);
    assert!(matches!(error, OpenError::Foreign(_)), "{error}");
    let rows = theirs.query_row("SELECT count(*) FROM mine", (), |row| row.get::<_, i64>(0));
    assert_eq!(rows.unwrap(), 0);
}

#[test]
fn a_newer_store_is_refused_and_unchanged() {
    let path = new_file("newer");
    drop(SqliteStore::open(&path).unwrap());
    let newer = rusqlite::Connection::open(&path).unwrap();
    newer.pragma_update(None, "user_version", 99).unwrap();
    drop(newer);
    let error = refused_untouched(&path);
    assert!(
        matches!(error, OpenError::Newer { found: 99, .. }),
        "{error}"
    );
}

/// A view can be read forever, and a trigger can change put data.
#[test]
fn a_store_with_what_no_store_has_is_refused_and_unchanged() {
    let endless = "WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) \
                   SELECT id, 'a' AS name, 1 AS snapshots, 1 AS octets FROM n";
    for (name, statements) in [
        (
            "authority",
            format!("ALTER TABLE authority RENAME TO other; CREATE VIEW authority AS {endless}"),
        ),
        ("extra", format!("CREATE VIEW extra AS {endless}")),
        (
            "zealous",
            "CREATE TRIGGER zealous AFTER INSERT ON body BEGIN \
             UPDATE body SET octets = x''; END"
                .to_owned(),
        ),
        ("lease", "DROP TABLE lease".to_owned()),
        ("more", "CREATE TABLE more (a)".to_owned()),
        (
            "body_heals",
            "DROP TRIGGER body_heals; CREATE TRIGGER body_heals AFTER UPDATE OF octets ON body \
             BEGIN UPDATE total SET body_octets = 0; END"
                .to_owned(),
        ),
    ] {
        let path = new_file(&format!("altered-{name}"));
        put(
            &SqliteStore::open(&path).unwrap(),
            &body_seen("h.example", at(0), b"Disallow: /"),
        );
        let made = rusqlite::Connection::open(&path).unwrap();
        made.execute_batch(&statements).unwrap();
        drop(made);
        let error = refused_untouched(&path);
        assert!(
            matches!(&error, OpenError::Altered { name: found, .. } if found == name),
            "{name}: {error}"
        );
        let error = SqliteStore::open_read_only(&path).unwrap_err();
        assert!(error.to_string().contains(&format!("`{name}`")), "{error}");
    }
}

#[test]
fn a_damaged_header_is_refused_and_unchanged() {
    let path = new_file("head");
    put(
        &SqliteStore::open(&path).unwrap(),
        &body_seen("h.example", at(0), b"Disallow: /"),
    );
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[100..4096].fill(0xff);
    std::fs::write(&path, &bytes).unwrap();
    let error = refused_untouched(&path);
    assert!(matches!(error, OpenError::Damaged(..)), "{error}");
    assert!(error.to_string().contains("restore it from a backup"));
}

#[test]
fn a_truncated_file_is_an_error() {
    let path = new_file("short");
    let store = SqliteStore::open(&path).unwrap();
    for number in 0..50 {
        let host = format!("h{number}.example");
        put(&store, &body_seen(&host, at(0), &[number; 4000]));
    }
    drop(store);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let is_error = match SqliteStore::open(&path) {
        Ok(store) => !store.check().unwrap().is_empty(),
        Err(error) => matches!(error, OpenError::Damaged(..)),
    };
    assert!(is_error);
    assert!(std::fs::read(&path).unwrap() == bytes[..bytes.len() / 2]);
}

#[test]
fn an_open_error_says_what_is_needed() {
    let folder = new_file("no-such-folder").join("store.db");
    let error = refused(&folder);
    assert!(matches!(error, OpenError::Inaccessible(..)), "{error}");
    let text = error.to_string();
    let wanted = "in an existing directory with write permission";
    assert!(text.contains(wanted), "{text}");
}

#[test]
fn two_connections_see_each_other() {
    let path = new_file("two");
    let (one, two) = (
        SqliteStore::open(&path).unwrap(),
        SqliteStore::open(&path).unwrap(),
    );
    let held = lease(&one, "h.example", at(0));
    let answer = two.acquire(&authority("h.example"), "two", at(59), MINUTE);
    assert!(matches!(
        answer,
        Ok(verger_store::Acquisition::HeldUntil { .. })
    ));
    let taken = lease(&two, "h.example", at(60));
    assert!(held.token < taken.token);
    assert!(is_lost(
        &one.put(&body_seen("h.example", at(61), b"old"), &held)
    ));
    let id = two
        .put(&body_seen("h.example", at(61), b"new"), &taken)
        .unwrap();
    let state = one.latest(&authority("h.example")).unwrap().unwrap();
    assert_eq!(state.snapshot.id, id);
    let body = body_seen("other.example", at(61), b"new");
    put(&one, &body);
    assert_eq!(two.stat().unwrap().bodies, 1);
}

#[test]
fn many_open_and_write_one_new_file_at_once() {
    let path = new_file("many");
    let together = Barrier::new(8);
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let (path, together) = (&path, &together);
            scope.spawn(move || {
                together.wait();
                let store = SqliteStore::open(path).unwrap();
                for number in 0..25 {
                    let host = format!("h{writer}-{number}.example");
                    put(&store, &body_seen(&host, at(number), b"one body"));
                }
            });
        }
    });
    let stat = SqliteStore::open(&path).unwrap().stat().unwrap();
    assert_eq!(
        (stat.snapshots, stat.authorities, stat.bodies),
        (200, 200, 1)
    );
}

#[test]
fn a_reader_does_not_wait_for_a_writer() {
    let path = new_file("reader");
    let store = SqliteStore::open(&path).unwrap();
    let seen = body_seen("h.example", at(0), b"Disallow: /");
    put(&store, &seen);
    let other = rusqlite::Connection::open(&path).unwrap();
    other
        .execute_batch("BEGIN IMMEDIATE; DELETE FROM snapshot")
        .unwrap();
    assert!(store.latest(&seen.authority).unwrap().is_some());
    other.execute_batch("ROLLBACK").unwrap();
}

#[test]
fn an_unfinished_migration_is_rolled_back_and_done_again() {
    let (before, path) = (new_file("journal-before"), new_file("journal"));
    let maker = rusqlite::Connection::open(&before).unwrap();
    // The small cache forces the unfinished change to the disk, with its rollback journal.
    let unfinished = "PRAGMA cache_size = 1; BEGIN; PRAGMA application_id = 7; \
                      CREATE TABLE half (made); \
                      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 99) \
                      INSERT INTO half SELECT randomblob(5000) FROM n";
    maker.execute_batch(unfinished).unwrap();
    for end in ["", "-journal"] {
        let from = format!("{}{end}", before.display());
        assert!(std::fs::metadata(&from).unwrap().len() > 0, "{from}");
        std::fs::copy(from, format!("{}{end}", path.display())).unwrap();
    }
    // A reader cannot roll it back.
    let unfinished = SqliteStore::open_read_only(&path).unwrap_err();
    assert!(
        matches!(unfinished, OpenError::Unfinished(_)),
        "{unfinished}"
    );
    let store = SqliteStore::open(&path).unwrap();
    assert_eq!(store.check().unwrap(), []);
    assert_eq!(store.stat().unwrap().snapshots, 0);
    let debug = format!("{store:?}");
    let name = path.file_name().unwrap().to_str().unwrap();
    assert!(debug.contains(name) && debug.contains("is_read_only: false"));
}
