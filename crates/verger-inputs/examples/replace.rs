//! Writes standard input to a file, which appears whole or not at all:
//!
//! ```console
//! $ cargo run -p verger-inputs --features files --example replace -- robots.txt < new-robots.txt
//! ```

use std::{env, io};

use verger_inputs::{Links, WholeFile};

fn main() -> io::Result<()> {
    let path = env::args_os().nth(1).unwrap_or_default();
    let mut file = WholeFile::create(path.as_ref(), Links::Follow)?;
    io::copy(&mut io::stdin().lock(), &mut file)?;
    file.finish()
}
