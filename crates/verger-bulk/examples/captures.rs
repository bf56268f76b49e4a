//! Converts WARC files with robots.txt captures to a single Parquet file:
//!
//! ```console
//! $ cargo run -p verger-bulk --example captures -- captures.parquet a.warc.gz b.warc.gz
//! ```

use std::env;
use std::error::Error;
use std::num::NonZero;
use std::path::Path;

use verger_bulk::{CaptureInput, CaptureObserver, CaptureRun, CaptureTally, Damage};

struct Report;

impl CaptureObserver for Report {
    fn file_read(&self, input: &CaptureInput, tally: &CaptureTally, damage: Option<&Damage>) {
        let name = input.path().unwrap_or(Path::new("standard input"));
        println!("{}: {} captures", name.display(), tally.rows);
        if let Some(damage) = damage {
            println!("damaged at offset {}: {}", damage.offset, damage.problem);
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut names = env::args_os().skip(1);
    let output = names.next().unwrap_or_default();
    let inputs: Vec<CaptureInput> = names.map(|name| CaptureInput::new(&name)).collect();
    CaptureRun::new(&inputs, NonZero::<usize>::MIN, &Report).to_file(Path::new(&output))?;
    Ok(())
}
