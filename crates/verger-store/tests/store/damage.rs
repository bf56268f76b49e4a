//! Damaged files: the findings of a check, and the answers of the store.

use std::path::Path;

use rusqlite::Connection;
use verger_access::{Profile, RestOfSite, Stance};
use verger_store::{
    Archive, BodyHash, DamageKind, ExportRange, SnapshotId, SqliteStore, Store, export, in_force,
    in_force_at, knowledge_under,
};

use crate::scene::{
    at, authority, body_seen, facts, knowledge, new_file, put, remove, timeout_seen,
};

fn damage(path: &Path) {
    let sql = "UPDATE body SET octets = CAST('Allow: /' AS BLOB)";
    Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

/// Returns the stance at a time, on which the knowledge, the state then and the periods agree.
fn stance(store: &dyn Archive, profile: &Profile, seconds: u64) -> Stance {
    let (site, time) = (authority("h.example"), at(seconds));
    let state = knowledge_under(store, &site, profile, time);
    let knowledge = state.unwrap().unwrap().knowledge;
    let answer = knowledge.answer(profile, time, RestOfSite::default());
    let then = in_force_at(store, &site, profile, time).unwrap().unwrap();
    assert_eq!(then.answer, answer);
    for since in [at(0), time] {
        let mut periods = in_force(store, &site, profile, since).map(Result::unwrap);
        let period = periods.find(|it| it.from <= time && time < it.until);
        let period = period.unwrap().answer;
        assert_eq!(
            (period.stance(), period.body()),
            (answer.stance(), answer.body())
        );
    }
    answer.stance()
}

#[test]
fn a_damaged_body_is_never_returned_and_a_put_repairs_it() {
    let path = new_file("body");
    let store = SqliteStore::open(&path).unwrap();
    let seen = body_seen("h.example", at(0), b"Disallow: /secret");
    put(&store, &seen);
    assert_eq!(stance(&store, &Profile::RFC9309, 1), Stance::Rules);
    damage(&path);
    let hash = BodyHash::new(b"Disallow: /secret");
    assert_eq!(store.body(hash).unwrap(), None);
    let found = store.check().unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].kind, DamageKind::Body(hash));
    assert_eq!(found[0].authorities, [authority("h.example")]);
    let counted = export(&store, &mut Vec::new(), &ExportRange::default()).unwrap();
    assert_eq!((counted.snapshots, counted.left_out), (0, 1));
    // No profile allows anything, and the file is to be fetched immediately, without conditions.
    for profile in [&Profile::RFC9309, &Profile::DRAFT2019, &Profile::CAUTIOUS] {
        assert_eq!(stance(&store, profile, 1), Stance::Defer);
    }
    assert_eq!(knowledge(&store, "h.example").copy, None);
    put(&store, &body_seen("h.example", at(2), b"Disallow: /secret"));
    assert_eq!(stance(&store, &Profile::RFC9309, 3), Stance::Rules);
    assert_eq!(store.check().unwrap(), []);
    remove(&path);
}

#[test]
fn damaged_facts_are_found_and_nothing_else_is_lost() {
    let path = new_file("damaged-facts");
    let store = SqliteStore::open(&path).unwrap();
    let id = put(&store, &body_seen("h.example", at(0), b"Disallow: /secret"));
    let sql = "UPDATE snapshot SET facts = substr(facts, 1, length(facts) - 1)";
    Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    let found = store.check().unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].kind, DamageKind::Facts(id));
    assert_eq!(found[0].authorities, [authority("h.example")]);
    assert_eq!(facts(&store, "h.example")[0].1.hops(), None);
    assert_eq!(stance(&store, &Profile::RFC9309, 1), Stance::Rules);
    let counted = export(&store, &mut Vec::new(), &ExportRange::default()).unwrap();
    assert_eq!((counted.snapshots, counted.left_out), (1, 0));
    remove(&path);
}

#[test]
fn a_failure_whose_copy_is_lost_never_allows_anything() {
    let path = new_file("lost-copy");
    let store = SqliteStore::open(&path).unwrap();
    put(&store, &body_seen("h.example", at(0), b"Disallow: /"));
    let before = knowledge(&store, "h.example");
    put(&store, &timeout_seen("h.example", at(60), before));
    damage(&path);
    for days in [1, 29, 31, 400] {
        for profile in [&Profile::RFC9309, &Profile::GOOGLE] {
            let stance = stance(&store, profile, days * 86_400);
            assert_ne!(stance, Stance::Open, "{days} {}", profile.name);
        }
    }
    remove(&path);
}

#[test]
fn a_check_finds_references_rows_and_totals() {
    let path = new_file("check");
    let store = SqliteStore::open(&path).unwrap();
    put(&store, &body_seen("h.example", at(0), b"a"));
    put(&store, &body_seen("i.example", at(0), b"b"));
    for (sql, kind) in [
        (
            "UPDATE total SET snapshots = 7",
            DamageKind::Total("snapshots".to_owned()),
        ),
        (
            "UPDATE total SET body_octets = body_octets + 1",
            DamageKind::Total("body bytes".to_owned()),
        ),
        (
            "UPDATE snapshot SET outcome = 'odd' WHERE id = 2",
            DamageKind::Snapshot(SnapshotId(2)),
        ),
        (
            "PRAGMA foreign_keys = OFF; UPDATE snapshot SET body = 99 WHERE id = 1",
            DamageKind::Reference {
                table: "snapshot".to_owned(),
            },
        ),
    ] {
        let before = store.check().unwrap().len();
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let found = store.check().unwrap();
        assert_eq!(found.len(), before + 1, "{found:?}");
        assert!(found.iter().any(|it| it.kind == kind), "{found:?}");
    }
    remove(&path);
}

#[test]
fn a_check_names_authorities_with_a_wrong_number_of_snapshots() {
    let path = new_file("check-noted");
    let store = SqliteStore::open(&path).unwrap();
    put(&store, &body_seen("h.example", at(0), b"a"));
    put(&store, &body_seen("i.example", at(0), b"b"));
    assert_eq!(store.check().unwrap(), []);
    let sql = "UPDATE authority SET snapshots = 2 WHERE name LIKE '%h.example'";
    Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    let found = store.check().unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].kind, DamageKind::Total("snapshots".to_owned()));
    assert_eq!(found[0].authorities, [authority("h.example")]);
    remove(&path);
}
