//! Exports to JSON Lines, and imports.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::time::Duration;

use http::{HeaderMap, HeaderValue};
use verger_access::{Outcome, Timestamp, TransportFailure, Warning};
use verger_store::{
    Acquisition, Archive, ExportRange, Exported, History, ImportError, Imported, KeptHeaders,
    LineError, MemoryStore, SnapshotId, SqliteStore, Store, export, import,
};

use crate::scene::{
    MINUTE, absence_seen, at, authority, body_seen, facts, is_lost, knowledge, lease, new_file,
    put, remove, timeout_seen,
};

fn memory() -> MemoryStore {
    MemoryStore::new(1 << 30)
}

fn lines_of(store: &dyn Archive, range: &ExportRange) -> (String, Exported) {
    let mut bytes = Vec::new();
    let exported = export(store, &mut bytes, range).unwrap();
    (String::from_utf8(bytes).unwrap(), exported)
}

pub(crate) fn exported(store: &dyn Archive) -> String {
    lines_of(store, &ExportRange::default()).0
}

fn read(store: &dyn Archive, lines: &str) -> Result<Imported, ImportError> {
    import(store, &mut lines.as_bytes(), &|| at(1 << 30))
}

pub(crate) fn imported(store: &dyn Archive, lines: &str) -> Imported {
    read(store, lines).unwrap()
}

pub(crate) fn appended(appended: u64) -> Imported {
    Imported {
        appended,
        ..Imported::default()
    }
}

pub(crate) fn there(already_there: u64) -> Imported {
    Imported {
        already_there,
        ..Imported::default()
    }
}

/// Puts three authorities with everything that a snapshot may contain.
pub(crate) fn put_much(store: &dyn Archive) {
    let mut odd = body_seen("b.example", at(0), b"User-agent: *\nDisallow: /\xff\0\n");
    let mut headers = HeaderMap::new();
    headers.insert("server", HeaderValue::from_bytes(b"caf\xe9 \"x\"").unwrap());
    headers.insert("expires", HeaderValue::from_static(""));
    odd.headers = KeptHeaders::new(&headers);
    odd.profile = "one of ours".into();
    odd.peer = None;
    odd.fresh_until = Timestamp::from_unix_seconds(1 << 50);
    put(store, &odd);
    put(store, &body_seen("a.example", at(10), b"shared"));
    put(
        store,
        &timeout_seen("b.example", at(20), knowledge(store, "b.example")),
    );
    put(store, &body_seen("b.example", at(30), b"shared"));
    // The clock goes back.
    put(
        store,
        &absence_seen("b.example", at(5), knowledge(store, "b.example")),
    );
    put(store, &body_seen("b.example", at(40), b"shared"));
    put(
        store,
        &body_seen("b.example", at(50), b"User-agent: *\nDisallow: /\xff\0\n"),
    );
    put(store, &body_seen("a.b.example", at(60), b""));
}

#[test]
fn an_export_of_an_import_is_the_same_bytes() {
    let store = memory();
    put_much(&store);
    let lines = exported(&store);
    let path = new_file("import");
    let file = SqliteStore::open(&path).unwrap();
    assert_eq!(imported(&file, &lines), appended(8));
    assert_eq!(exported(&file), lines);
    let again = memory();
    assert_eq!(imported(&again, &exported(&file)), appended(8));
    assert_eq!(exported(&again), lines);
    for host in ["a.example", "b.example", "a.b.example"] {
        assert_eq!(knowledge(&file, host), knowledge(&store, host));
        assert_eq!(knowledge(&again, host), knowledge(&store, host));
    }
    assert_eq!(file.stat().unwrap().leases, 0);
    assert_eq!(file.stat().unwrap().bodies, store.stat().unwrap().bodies);
}

#[test]
fn facts_of_hops_are_exported_and_imported() {
    let [first, second] = ["facts-from", "facts-to"].map(new_file);
    let from = SqliteStore::open(&first).unwrap();
    put_much(&from);
    let lines = exported(&from);
    assert!(
        lines.contains("X-Robots-Tag: noai") && !lines.contains("secret"),
        "{lines}"
    );
    // A store without facts writes the same lines as before facts existed.
    let memory = memory();
    assert_eq!(imported(&memory, &lines), appended(8));
    let without = exported(&memory);
    assert!(!without.contains("facts"), "{without}");
    // The snapshot is the same with and without facts.
    assert_eq!(imported(&from, &without), there(8));
    let to = SqliteStore::open(&second).unwrap();
    assert_eq!(imported(&to, &lines), appended(8));
    assert_eq!(exported(&to), lines);
    assert_eq!(imported(&to, &lines), there(8));
    for host in ["a.example", "b.example"] {
        let of = |store: &SqliteStore| {
            facts(store, host)
                .into_iter()
                .map(|it| it.1)
                .collect::<Vec<_>>()
        };
        assert_eq!(of(&to), of(&from));
    }
    drop((from, to));
    for path in [first, second] {
        remove(&path);
    }
}

#[test]
fn a_body_stands_once_before_the_first_snapshot_of_its_authority() {
    let store = memory();
    put_much(&store);
    let (lines, exported) = lines_of(&store, &ExportRange::default());
    let kinds: Vec<&str> = lines
        .lines()
        .map(|line| {
            let is_body =
                line.starts_with(r#"{"schema":"verger.store/1","kind":"body","sha256":""#);
            let start = r#"{"schema":"verger.store/1","kind":"snapshot","authority":"https://"#;
            match line.strip_prefix(start) {
                Some(rest) => rest.split('"').next().unwrap(),
                None if is_body => "body",
                None => panic!("{line}"),
            }
        })
        .collect();
    let b = "b.example";
    let expected = [
        "body",
        "a.b.example",
        "body",
        "a.example",
        "body",
        b,
        b,
        "body",
        b,
        b,
        b,
        b,
    ];
    assert_eq!(kinds, expected);
    let counted = Exported {
        authorities: 3,
        snapshots: 8,
        bodies: 4,
        left_out: 0,
    };
    assert_eq!(exported, counted);
}

#[test]
fn importing_twice_adds_nothing() {
    let (from, to) = (memory(), memory());
    put_much(&from);
    let lines = exported(&from);
    assert_eq!(imported(&to, &lines), appended(8));
    assert_eq!(imported(&to, &lines), there(8));
    assert_eq!(imported(&from, &lines), there(8));
    // This also holds if the input contains the export twice.
    let twice = memory();
    let both = [lines.as_str(), "\n", &lines].concat();
    let and_again = Imported {
        already_there: 8,
        ..appended(8)
    };
    assert_eq!(imported(&twice, &both), and_again);
    assert_eq!(exported(&twice), lines);
}

#[test]
fn equal_snapshots_are_imported_as_often_as_they_were_exported() {
    let (from, to) = (memory(), memory());
    for _ in 0..3 {
        put(&from, &body_seen("h.example", at(0), b""));
    }
    let lines = exported(&from);
    assert_eq!(imported(&to, &lines), appended(3));
    assert_eq!(imported(&to, &lines), there(3));
    assert_eq!(exported(&to), lines);
}

/// A file that changes and changes back within one second has changed twice.
#[test]
fn a_change_back_within_a_second_is_imported() {
    let (from, to) = (memory(), memory());
    for body in [&b"a"[..], b"b", b"a"] {
        put(&from, &body_seen("h.example", at(0), body));
    }
    let lines = exported(&from);
    assert_eq!(imported(&to, &lines), appended(3));
    assert_eq!(imported(&to, &lines), there(3));
    assert_eq!(exported(&to), lines);
}

#[test]
fn the_largest_numbers_are_recognised_when_imported_again() {
    let from = memory();
    let mut seen = body_seen("h.example", at(0), b"");
    let longest = Some(Duration::from_secs(u64::MAX));
    seen.attempt.last.stated_lifetime = longest;
    seen.attempt.last.retry_after = longest;
    seen.fresh_until = Timestamp::from_unix_seconds(u64::MAX);
    if let Some(copy) = &mut seen.knowledge.copy {
        copy.stated_lifetime = longest;
        copy.validated_at = Timestamp::from_unix_seconds(u64::MAX);
    }
    put(&from, &seen);
    let mut last = body_seen("h.example", at(0), b"");
    last.attempt.last.at = Timestamp::from_unix_seconds((1 << 63) - 2);
    put(&from, &last);
    let lines = exported(&from);
    let path = new_file("large-numbers");
    let to: [Box<dyn Archive>; 2] = [
        Box::new(SqliteStore::open(&path).unwrap()),
        Box::new(memory()),
    ];
    for to in to {
        assert_eq!(imported(&*to, &lines), appended(2));
        assert_eq!(imported(&*to, &lines), there(2));
        assert_eq!(exported(&*to), lines);
    }
    assert_eq!(imported(&from, &lines), there(2));
    remove(&path);
}

#[test]
fn a_hop_without_a_host_is_exported_and_imported() {
    let from = memory();
    put(&from, &body_seen("h.example", at(0), b""));
    let lines = exported(&from).replace("http://h.example/robots.txt", "mailto:a b");
    let path = new_file("odd-hop");
    let to = SqliteStore::open(&path).unwrap();
    assert_eq!(imported(&to, &lines), appended(1));
    assert_eq!(exported(&to), lines);
    drop(to);
    remove(&path);
}

#[test]
fn an_interrupted_import_continues() {
    let from = memory();
    put_much(&from);
    let lines = exported(&from);
    let count = lines.lines().count();
    for kept in 0..=count {
        let to = memory();
        let part: String = lines.split_inclusive('\n').take(kept).collect();
        let first = imported(&to, &part);
        assert_eq!(first, appended(first.appended), "{kept}");
        let second = imported(&to, &lines);
        assert_eq!(second.already_there, first.appended, "{kept}");
        assert_eq!((second.appended, second.skipped), (8 - first.appended, 0));
        assert_eq!(exported(&to), lines);
    }
}

#[test]
fn an_import_never_replaces_newer_snapshots() {
    let (from, to) = (memory(), memory());
    for time in [10, 20, 30] {
        put(&from, &body_seen("h.example", at(time), b"theirs"));
    }
    put(&from, &body_seen("new.example", at(10), b"theirs"));
    put(&to, &body_seen("h.example", at(20), b"ours"));
    let skipped = Imported {
        skipped: 2,
        skipped_of: vec![authority("h.example")],
        ..appended(2)
    };
    assert_eq!(imported(&to, &exported(&from)), skipped);
    let all = to.snapshots_before(&authority("h.example"), SnapshotId::AFTER_ALL, 9);
    let times: Vec<_> = all.unwrap().iter().map(|it| it.attempt.at).collect();
    assert_eq!(times, [at(30), at(20)]);

    let newest = memory();
    put(&newest, &body_seen("h.example", at(31), b"ours"));
    assert_eq!(imported(&newest, &exported(&from)).skipped, 3);
    let copy = knowledge(&newest, "h.example").copy.unwrap();
    assert_eq!(copy.body[..], b"ours"[..]);
}

#[test]
fn the_first_ten_authorities_with_skipped_snapshots_are_named() {
    let (from, to) = (memory(), memory());
    let hosts: Vec<String> = (0..12)
        .map(|number| format!("h{number:02}.example"))
        .collect();
    for host in &hosts {
        put(&from, &body_seen(host, at(10), b"theirs"));
        put(&to, &body_seen(host, at(20), b"ours"));
    }
    let skipped = imported(&to, &exported(&from));
    assert_eq!((skipped.appended, skipped.skipped), (0, 12));
    let named: Vec<_> = hosts[..10].iter().map(|host| authority(host)).collect();
    assert_eq!(skipped.skipped_of, named);
}

#[test]
fn an_import_does_not_bring_back_what_was_swept() {
    let store = memory();
    for time in [10, 20, 30] {
        put(&store, &body_seen("h.example", at(time), &[7; 9]));
    }
    let lines = exported(&store);
    store.sweep(at(20), at(40)).unwrap();
    let imported = imported(&store, &lines);
    assert_eq!((imported.already_there, imported.skipped), (2, 1));
}

/// Creates both stores. Returns the path of the file as well.
fn both(name: &str) -> ([Box<dyn Archive>; 2], std::path::PathBuf) {
    let path = new_file(name);
    let file = SqliteStore::open(&path).unwrap();
    ([Box::new(file), Box::new(memory())], path)
}

#[test]
fn an_authority_that_is_being_fetched_is_skipped() {
    let from = memory();
    put(&from, &body_seen("h.example", at(10), b"theirs"));
    put(&from, &body_seen("i.example", at(10), b"theirs"));
    let (stores, path) = both("import-held");
    for to in &stores {
        let held = lease(&**to, "h.example", at(1 << 30));
        let imported = imported(&**to, &exported(&from));
        assert_eq!((imported.appended, imported.skipped), (1, 1));
        assert_eq!(imported.held, 1);
        assert_eq!(imported.skipped_of, [authority("h.example")]);
        to.put(&body_seen("h.example", at(20), b"ours"), &held)
            .unwrap();
    }
    remove(&path);
}

#[test]
fn what_was_skipped_for_a_lease_can_be_imported_when_that_has_ended() {
    let from = memory();
    // This needs more than one batch.
    let body = vec![b'#'; 400 << 10];
    for second in 0..30 {
        put(&from, &body_seen("h.example", at(second), &body));
    }
    let lines = exported(&from);
    let (stores, path) = both("import-held-long");
    for to in &stores {
        lease(&**to, "h.example", at(1 << 30));
        // The lease expires between the batches.
        let now = RefCell::new([at(1 << 30)].into_iter());
        let now = || now.borrow_mut().next().unwrap_or(at(1 << 31));
        let first = import(&**to, &mut lines.as_bytes(), &now).unwrap();
        assert_eq!((first.appended, first.held), (0, 30));
        let again = import(&**to, &mut lines.as_bytes(), &|| at(1 << 31)).unwrap();
        assert_eq!(again, appended(30));
    }
    remove(&path);
}

#[test]
fn an_import_renews_its_lease_while_it_reads_a_long_history() {
    let (from, to) = (memory(), memory());
    for second in 0..200 {
        put(&from, &body_seen("h.example", at(second), b"a"));
    }
    assert_eq!(imported(&to, &exported(&from)), appended(200));
    put(&from, &body_seen("h.example", at(200), b"b"));
    let lines = exported(&from);
    // Between two pages another process could take an expired lease.
    let calls = Cell::new(0);
    let now = || {
        let now = at(1000 + 10 * calls.replace(calls.get() + 1));
        if calls.get() > 1 {
            let taken = to.acquire(&authority("h.example"), "another", now, MINUTE);
            assert!(matches!(taken, Ok(Acquisition::HeldUntil { .. })));
        }
        now
    };
    let found = import(&to, &mut lines.as_bytes(), &now).unwrap();
    assert_eq!((found.appended, found.already_there), (1, 200));
    assert!(calls.get() > 3, "{}", calls.get());
}

#[test]
fn an_import_ends_an_expired_lease() {
    let from = memory();
    put(&from, &body_seen("h.example", at(10), b"theirs"));
    let (stores, path) = both("import-expired");
    for to in &stores {
        let expired = lease(&**to, "h.example", at(0));
        assert_eq!(imported(&**to, &exported(&from)), appended(1));
        let late = to.put(&body_seen("h.example", at(5), b"ours"), &expired);
        assert!(is_lost(&late), "{late:?}");
    }
    remove(&path);
}

#[test]
fn an_import_is_a_few_transactions_and_recognises_stored_snapshots() {
    let from = memory();
    for number in 0..1100_u32 {
        // A few bodies repeat again and again.
        let body = [(number % 7) as u8];
        put(
            &from,
            &body_seen(&format!("h{number}.example"), at(0), &body),
        );
    }
    for number in 0..20 {
        put(&from, &body_seen("long.example", at(number), b"long"));
    }
    let lines = exported(&from);
    let path = new_file("import-many");
    let to = SqliteStore::open(&path).unwrap();
    let batches = std::cell::Cell::new(0);
    let now = || {
        batches.set(batches.get() + 1);
        at(1 << 30)
    };
    let imported = import(&to, &mut lines.as_bytes(), &now).unwrap();
    assert_eq!(imported, appended(1120));
    assert!(batches.get() <= 3, "{}", batches.get());
    assert!(exported(&to) == lines);
    assert_eq!(read(&to, &lines).unwrap(), there(1120));
    assert_eq!(to.stat().unwrap().leases, 0);
    assert_eq!(to.check().unwrap(), []);
    drop(to);
    remove(&path);
}

#[test]
fn a_range_is_exported_and_imported() {
    let store = memory();
    put_much(&store);
    let mut range = ExportRange::default();
    range.authorities = BTreeSet::from([authority("b.example"), authority("never.example")]);
    range.during = at(20)..at(40);
    let (lines, exported) = lines_of(&store, &range);
    assert_eq!((exported.authorities, exported.snapshots), (1, 2));
    let to = memory();
    assert_eq!(imported(&to, &lines), appended(2));
    // The timeout still has the copy of a snapshot that was not exported.
    let state = to.state_at(&authority("b.example"), at(20)).unwrap();
    assert!(state.unwrap().knowledge.copy.is_some());
}

#[test]
fn a_long_history_is_exported_in_pages_and_bodies_are_repeated() {
    let (from, to) = (memory(), memory());
    for number in 0..150_u64 {
        // One in four bodies is large, and each large one returns after 33 others.
        let bytes = if number % 4 == 0 { 500_000 } else { 0 };
        let mut body = vec![b'#'; bytes];
        body.extend((number % 136).to_be_bytes());
        put(&from, &body_seen("h.example", at(number), &body));
    }
    let (lines, counted) = lines_of(&from, &ExportRange::default());
    // The bodies have 17 MB, and those that return after more than 16 MiB are written again.
    assert_eq!((counted.snapshots, counted.bodies), (150, 150));
    assert_eq!(from.stat().unwrap().bodies, 136);
    assert_eq!(imported(&to, &lines), appended(150));
    assert!(exported(&to) == lines);
}

#[track_caller]
fn wrong(store: &dyn Archive, lines: &str, line: u64) -> LineError {
    match read(store, lines) {
        Err(ImportError::Line { number, error }) => {
            assert_eq!(number, line, "{error}");
            error
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_wrong_line_is_named_and_those_before_it_are_imported() {
    let from = memory();
    put_much(&from);
    let lines = exported(&from);
    let part: String = lines.split_inclusive('\n').take(7).collect();
    for wrong_line in [
        "{}",
        "not JSON",
        r#"{"schema":"verger.store/2","kind":"body"}"#,
        r#"{"schema":"verger.store/1","kind":"soul"}"#,
        r#"{"schema":"verger.store/1","kind":"body","sha256":"","bytes_base64":""}"#,
        r#"{"schema":"verger.store/1","kind":"body","sha256":"00","bytes_base64":"!"}"#,
        r#"{"schema":"verger.store/1","kind":"snapshot","authority":"https://a.example"}"#,
    ] {
        let to = memory();
        let error = wrong(&to, &format!("\n{part}{wrong_line}\n{lines}"), 9);
        assert!(!matches!(error, LineError::TooLong));
        assert_eq!(to.stat().unwrap().snapshots, 4, "{wrong_line}");
        assert_eq!(to.stat().unwrap().leases, 0);
        assert_eq!(imported(&to, &lines).already_there, 4);
    }
}

#[test]
fn every_value_that_no_store_writes_is_refused() {
    let from = memory();
    put(&from, &body_seen("h.example", at(0), b"b"));
    let before = knowledge(&from, "h.example");
    put(&from, &timeout_seen("h.example", at(60), before));
    let lines = exported(&from);
    for (right, bad, key) in [
        ("\"https://h.example\"", "\"mailto:a\"", "authority"),
        ("2027-01-15T08:00:00Z", "yesterday", "ended_at"),
        ("2027-01-15T08:00:00Z", "@9223372036854775807", "ended_at"),
        ("successful http 200", "splendid", "outcome"),
        ("\"http 301\"", "\"http\"", "hops.reply"),
        ("http://h.example/robots.txt", "/robots.txt", "hops.url"),
        ("\"etag\"", "\"e tag\"", "headers.name"),
        ("\\\"v1\\\"", "\\n", "headers.value"),
        ("not-utf8", "not-utf9", "warnings"),
        ("text/html", "a\\nbody-cut", "warnings"),
        ("2001:db8::1", "2001", "peer"),
        ("ImNhZuki", "Cg==", "copy.entity_tag"),
        (
            "\"first_at\":\"2027",
            "\"first_at\":\"x2027",
            "streak.first_at",
        ),
    ] {
        assert!(lines.contains(right), "{right}");
        match read(&memory(), &lines.replacen(right, bad, 1)) {
            Err(ImportError::Line {
                error: LineError::InvalidValue(named),
                ..
            }) => assert_eq!(named, key),
            other => panic!("{key}: {other:?}"),
        }
    }
}

#[test]
fn a_body_with_a_wrong_hash_is_refused() {
    let from = memory();
    put(&from, &body_seen("h.example", at(0), b"Disallow: /"));
    let lines = exported(&from);
    let opened = lines.replacen("RGlzYWxsb3c6IC8=", "RGlzYWxsb3c6ICM=", 1);
    assert_ne!(opened, lines);
    let error = wrong(&memory(), &opened, 1);
    assert!(matches!(error, LineError::OtherHash(_)), "{error}");
}

#[test]
fn a_missing_body_is_an_error() {
    let from = memory();
    put(&from, &body_seen("h.example", at(0), b"Disallow: /"));
    let lines = exported(&from);
    let snapshot = lines.lines().last().unwrap();
    let to = memory();
    let error = wrong(&to, snapshot, 1);
    assert!(matches!(error, LineError::BodyMissing(_)), "{error}");
    // A body that the store has may be missing from the export.
    put(&to, &body_seen("other.example", at(0), b"Disallow: /"));
    assert_eq!(imported(&to, snapshot), appended(1));
}

#[test]
fn several_exports_may_follow_each_other_but_authorities_must_be_in_order() {
    let store = memory();
    put_much(&store);
    let lines = exported(&store);
    let into = memory();
    assert!(imported(&into, &lines.repeat(64)).already_there > 0);
    assert_eq!(exported(&into), lines);

    let only = |name: &str| {
        let mut range = ExportRange::default();
        range.authorities = BTreeSet::from([authority(name)]);
        lines_of(&store, &range).0
    };
    let turns = [only("a.example"), only("b.example")].concat().repeat(65);
    let error = wrong(
        &memory(),
        &turns,
        (turns.lines().count() / 65 * 64 + 2) as u64,
    );
    assert!(matches!(error, LineError::OutOfOrder), "{error}");
}

#[test]
fn a_line_without_end_is_refused() {
    let mut endless = std::io::BufReader::new(std::io::repeat(b'a'));
    let read = import(&memory(), &mut endless, &|| at(0));
    let too_long = matches!(
        read,
        Err(ImportError::Line {
            number: 1,
            error: LineError::TooLong
        })
    );
    assert!(too_long);
}

#[test]
fn batches_of_long_lines_are_bounded() {
    let from = memory();
    for number in 0..4 {
        let mut seen = body_seen("h.example", at(number), b"");
        let token = "a".repeat(5 << 20);
        seen.attempt.warnings = vec![Warning::TokenNotInUserAgent { token }];
        put(&from, &seen);
    }
    let to = memory();
    let stored = RefCell::new(Vec::new());
    let now = || {
        stored.borrow_mut().push(to.stat().unwrap().snapshots);
        at(1 << 30)
    };
    let lines = exported(&from);
    assert_eq!(
        import(&to, &mut lines.as_bytes(), &now).unwrap(),
        appended(4)
    );
    // The time is queried before each batch, the last of which is empty.
    assert_eq!(*stored.borrow(), [0, 2, 4]);
}

#[test]
fn a_full_store_is_an_error_and_keeps_no_lease() {
    let from = memory();
    put(&from, &body_seen("h.example", at(0), &[b'#'; 5000]));
    let tiny = MemoryStore::new(5000);
    let full = read(&tiny, &exported(&from));
    assert!(matches!(full, Err(ImportError::Store(_))), "{full:?}");
    assert_eq!(tiny.stat().unwrap(), MemoryStore::new(0).stat().unwrap());
}

#[test]
fn an_import_leaves_out_refused_addresses() {
    let store = memory();
    put(&store, &body_seen("a.example", at(0), b"User-agent: *"));
    let mut refused = timeout_seen("a.example", at(10), knowledge(&store, "a.example"));
    refused.attempt.last.outcome = Outcome::Failed(TransportFailure::AddressRefused);
    put(&store, &refused);
    put(&store, &body_seen("a.example", at(20), b"User-agent: a"));
    let other = memory();
    let expected = Imported {
        appended: 2,
        skipped: 1,
        skipped_of: vec![authority("a.example")],
        ..Imported::default()
    };
    assert_eq!(imported(&other, &exported(&store)), expected);
    assert!(!exported(&other).contains("address-refused"));
}
