//! Stores opened for reading only, and the permissions of a file.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use verger_store::{History, OpenError, SqliteStore, Store, StoreError};

use crate::scene::{at, authority, body_seen, knowledge, new_file, put, remove};

#[test]
fn a_read_only_store_sees_other_puts_and_writes_nothing() {
    let path = new_file("reading");
    let seen = body_seen("h.example", at(0), b"one");
    put(&SqliteStore::open(&path).unwrap(), &seen);
    let files = || -> BTreeSet<String> {
        let name = path.file_name().unwrap().to_str().unwrap();
        let entries = std::fs::read_dir(path.parent().unwrap()).unwrap();
        let names = entries.map(|it| it.unwrap().file_name().into_string().unwrap());
        names.filter(|it| it.starts_with(name)).collect()
    };
    let before = files();
    let reading = SqliteStore::open_read_only(&path).unwrap();
    assert!(reading.is_read_only());
    let body = || knowledge(&reading, "h.example").copy.unwrap().body;
    assert_eq!(body()[..], b"one"[..]);
    assert_eq!(files(), before);
    let now = at(9);
    let minute = Duration::from_secs(60);
    let refused = reading.acquire(&authority("h.example"), "test", now, minute);
    assert!(matches!(refused, Err(StoreError::ReadOnly)), "{refused:?}");
    assert!(matches!(reading.sweep(now, now), Err(StoreError::ReadOnly)));
    assert!(matches!(reading.compact(), Err(StoreError::ReadOnly)));
    // While a writer has the file open, there is a log. Closing moves the log into the file.
    let writing = SqliteStore::open(&path).unwrap();
    assert_eq!(body()[..], b"one"[..]);
    put(&writing, &body_seen("h.example", at(1), b"two"));
    assert_eq!(body()[..], b"two"[..]);
    drop(writing);
    assert_eq!(body()[..], b"two"[..]);
    let writing = SqliteStore::open(&path).unwrap();
    put(&writing, &body_seen("h.example", at(2), b"three"));
    drop(writing);
    assert_eq!(body()[..], b"three"[..]);
    drop(reading);
    remove(&path);
}

#[cfg(unix)]
#[test]
fn the_log_has_the_permissions_of_the_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let path = new_file("modes");
    let store = SqliteStore::open(&path).unwrap();
    put(&store, &body_seen("h.example", at(0), b"one"));
    for end in ["", "-wal", "-shm"] {
        let file = std::fs::metadata(format!("{}{end}", path.display()));
        let mode = file.unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{end}");
    }
    drop(store);
    remove(&path);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_store_that_is_being_written_is_read_with_its_log() {
    let (path, link) = (new_file("linked"), new_file("link"));
    let writing = SqliteStore::open(&path).unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    put(&writing, &body_seen("h.example", at(0), b"one"));
    let reading = SqliteStore::open_read_only(&link).unwrap();
    let body = knowledge(&reading, "h.example").copy.unwrap().body;
    assert_eq!(body[..], b"one"[..]);
    drop((reading, writing));
    std::fs::remove_file(&link).unwrap();
    remove(&path);
}

#[test]
fn a_read_only_store_reports_that_it_is_read_only() {
    let path = new_file("no-store");
    let opened = |path: &Path| SqliteStore::open_read_only(path).err();
    assert!(matches!(opened(&path), Some(OpenError::Inaccessible(..))));
    std::fs::write(&path, "User-agent: *\nDisallow: /\n".repeat(100)).unwrap();
    assert!(matches!(opened(&path), Some(OpenError::Foreign(_))));
    std::fs::write(&path, "").unwrap();
    let empty = SqliteStore::open_read_only(&path).unwrap();
    assert_eq!(empty.latest(&authority("h.example")).unwrap(), None);
    drop(empty);
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 0);
    let odd = new_file("a name?#%20 é");
    put(
        &SqliteStore::open(&odd).unwrap(),
        &body_seen("h.example", at(0), b"one"),
    );
    let store = SqliteStore::open_read_only(&odd).unwrap();
    assert_eq!(store.stat().unwrap().snapshots, 1);
    remove(&path);
    remove(&odd);
}

/// A reader concurrent with a busy writer reads only put data, in order.
#[test]
fn a_read_only_store_never_reads_a_half_written_file() {
    let path = new_file("misled");
    put(
        &SqliteStore::open(&path).unwrap(),
        &body_seen("h.example", at(0), &[0; 3000]),
    );
    let is_done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (path, is_done) = (&path, &is_done);
        scope.spawn(move || {
            for number in 1..60_u8 {
                // Open and close it each time, so the log is created and removed.
                let store = SqliteStore::open(path).unwrap();
                let body = vec![number; 3000];
                put(&store, &body_seen("h.example", at(number.into()), &body));
            }
            is_done.store(true, std::sync::atomic::Ordering::Release);
        });
        let reading = SqliteStore::open_read_only(path).unwrap();
        let mut last = 0;
        while !is_done.load(std::sync::atomic::Ordering::Acquire) {
            match reading.latest(&authority("h.example")) {
                Ok(state) => {
                    let body = state.unwrap().knowledge.copy.unwrap().body;
                    assert!(body[0] >= last);
                    last = body[0];
                }
                Err(error) => assert!(matches!(error, StoreError::Busy), "{error}"),
            }
        }
        assert_eq!(knowledge(&reading, "h.example").copy.unwrap().body[0], 59);
    });
    remove(&path);
}
