//! Lists the versions of a site's robots.txt in a store, oldest first:
//!
//! ```console
//! $ verger fetch --store robots.db https://example.com
//! $ cargo run -p verger-store --example versions -- robots.db https://example.com
//! ```

use std::env;
use std::error::Error;
use std::path::Path;

use verger_access::{Authority, Timestamp};
use verger_store::{SnapshotId, SqliteStore, Store};

fn main() -> Result<(), Box<dyn Error>> {
    let [path, site] = [1, 2].map(|at| env::args().nth(at).unwrap_or_default());
    let store = SqliteStore::open_read_only(Path::new(&path))?;
    let site = Authority::from_url(&site)?;
    let always = Timestamp::from_unix_seconds(0)..Timestamp::from_unix_seconds(u64::MAX);
    let mut last = SnapshotId::BEFORE_ALL;
    loop {
        let page = store.snapshots(&site, always.clone(), last, 100)?;
        let Some(newest) = page.last() else {
            return Ok(());
        };
        last = newest.id;
        for snapshot in page {
            let (at, bytes) = (snapshot.attempt.at, snapshot.body.map_or(0, |it| it.bytes));
            println!("{at}: {bytes} bytes");
        }
    }
}
