//! A sweep deletes exactly what its preview shows.

use std::fs;
use std::path::Path;

use verger_access::Timestamp;
use verger_store::{Deliveries, Delivery, History, SqliteStore, Store, StoreSettings, Swept};

use crate::scene::{
    absence_seen, at, authority, body_seen, knowledge, lease, new_file, put, remove, timeout_seen,
};

/// Puts a long history, short ones that share bodies, copies older than the retention, and two leases.
fn fill(path: &Path) {
    let store = SqliteStore::open(path).unwrap();
    let mut long = Vec::new();
    for number in 0..2195 {
        long.push(timeout_seen(
            "long.example",
            at(number),
            knowledge(&store, "long.example"),
        ));
    }
    let held = lease(&store, "long.example", at(0));
    store.append(&long, &held).unwrap();
    store.release(&held).unwrap();
    for (host, first) in [("a.example", 0), ("b.example", 3), ("c.example", 6)] {
        for number in first..first + 6 {
            let body = vec![b'#'; 1000 + usize::try_from(number).unwrap()];
            put(&store, &body_seen(host, at(number), &body));
            let before = knowledge(&store, host);
            put(&store, &timeout_seen(host, at(number), before));
        }
    }
    let before = knowledge(&store, "c.example");
    put(&store, &absence_seen("c.example", at(20), before));
    lease(&store, "a.example", at(0));
    lease(&store, "b.example", at(100_000));
    for (host, told) in [("long.example", 2), ("a.example", 9), ("gone.example", 5)] {
        let delivery = Delivery {
            event: "1".to_owned(),
            at: at(told),
            state: "rules".to_owned(),
            body: None,
        };
        let put = store.put_delivery(&authority(host), "stdout", &delivery);
        put.unwrap();
    }
}

fn sweep(store: &SqliteStore, keep_from: Option<Timestamp>, quota: &StoreSettings) -> Swept {
    let mut swept = Swept::default();
    if let Some(keep_from) = keep_from {
        swept = store.sweep(keep_from, at(100_001)).unwrap();
    }
    let beyond = store.enforce(quota).unwrap();
    swept.snapshots += beyond.snapshots;
    swept.bodies += beyond.bodies;
    swept
}

#[test]
fn a_preview_deletes_nothing_and_a_sweep_deletes_what_it_says() {
    let path = new_file("preview");
    let copy = new_file("preview-swept");
    fill(&path);
    let before = fs::read(&path).unwrap();
    let mut deleted = Vec::new();
    for keep_from in [None, Some(0), Some(4), Some(8), Some(2194), Some(99_999)] {
        for (snapshots_max, bytes_max) in [
            (None, None),
            (Some(0), None),
            (Some(5), None),
            (Some(100), None),
            (Some(1100), None),
            (None, Some(0)),
            (None, Some(4500)),
            (None, Some(100_000)),
            (Some(7), Some(6000)),
        ] {
            let keep_from = keep_from.map(at);
            let mut quota = StoreSettings::default();
            quota.authority_snapshots_max = snapshots_max;
            quota.authority_bytes_max = bytes_max;
            let reader = SqliteStore::open_read_only(&path).unwrap();
            let preview = reader
                .preview_sweep(keep_from, &quota, at(100_001))
                .unwrap();
            drop(reader);
            assert!(fs::read(&path).unwrap() == before);
            remove(&copy);
            fs::write(&copy, &before).unwrap();
            let store = SqliteStore::open(&copy).unwrap();
            // The preview is the same while the file is open for writing, and when it is repeated.
            let beside = store.preview_sweep(keep_from, &quota, at(100_001)).unwrap();
            let stat = store.stat().unwrap();
            let swept = sweep(&store, keep_from, &quota);
            let case = (keep_from, snapshots_max, bytes_max);
            assert_eq!((preview, beside), (swept, swept), "{case:?}");
            let after = store.stat().unwrap();
            assert_eq!(
                stat.snapshots - after.snapshots,
                preview.snapshots,
                "{case:?}"
            );
            assert_eq!(stat.bodies - after.bodies, preview.bodies, "{case:?}");
            assert_eq!(stat.leases - after.leases, preview.leases, "{case:?}");
            deleted.push(preview);
        }
    }
    let most = |count: fn(&Swept) -> u64| deleted.iter().map(count).max().unwrap();
    // Everything except the latest snapshot of each of three authorities (a fourth never answered), all bodies except the last copies of two (a
    // status 404 ends a copy), and the expired lease.
    assert_eq!(most(|it| it.snapshots), 2195 + 3 * 12 + 1 - 3);
    assert_eq!(most(|it| it.bodies), 12 - 2);
    assert_eq!(most(|it| it.leases), 1);
    assert_eq!(most(|it| it.deliveries), 3);
    assert_eq!(deleted[0], Swept::default());
    let reader = SqliteStore::open_read_only(&path).unwrap();
    assert!(reader.latest(&authority("a.example")).unwrap().is_some());
    remove(&copy);
    remove(&path);
}
