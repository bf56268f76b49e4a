//! Lists what was in force about a site by a store, oldest first:
//!
//! ```console
//! $ verger fetch --store robots.db https://example.com
//! $ cargo run -p verger-store --example versions -- robots.db https://example.com
//! ```

use std::env;
use std::error::Error;
use std::path::Path;

use verger_access::{Authority, Profile, Timestamp};
use verger_store::{SqliteStore, in_force};

fn main() -> Result<(), Box<dyn Error>> {
    let [path, site] = [1, 2].map(|at| env::args().nth(at).unwrap_or_default());
    let store = SqliteStore::open_read_only(Path::new(&path))?;
    let site = Authority::from_url(&site)?;
    for period in in_force(&store, &site, &Profile::RFC9309, Timestamp::default()) {
        let period = period?;
        let bytes = period.answer.body().map_or(0, |body| body.len());
        println!("{}: {}, {bytes} bytes", period.from, period.answer.stance());
    }
    Ok(())
}
