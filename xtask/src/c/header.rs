//! `include/verger/verger.h`, which cbindgen makes of the source.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::place::{CRATE, target};
use crate::{binding, process, workspace};

/// Whether the header that is checked in is that of the source.
pub(super) fn check() -> Result<(), String> {
    let path = path();
    let committed = fs::read_to_string(&path).unwrap_or_default();
    if committed == made()? {
        println!("the header is that of the source");
        return Ok(());
    }
    Err(format!(
        "{} is not that of the source; `cargo xtask c --header` writes it",
        path.display()
    ))
}

/// Writes it.
pub(super) fn write() -> Result<(), String> {
    let path = path();
    fs::write(&path, made()?).map_err(|error| format!("{}: {error}", path.display()))
}

fn path() -> PathBuf {
    workspace::root()
        .join(CRATE)
        .join("include/verger/verger.h")
}

fn made() -> Result<String, String> {
    process::output(
        Command::new(binding::cargo())
            .args(["run", "--quiet", "--locked", "--package", "verger-header"])
            .current_dir(workspace::root().join(CRATE))
            .env("CARGO_TARGET_DIR", target()),
    )
}
