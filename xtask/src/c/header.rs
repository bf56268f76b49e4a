//! `include/verger/verger.h`, which cbindgen makes of the source.

use std::process::Command;

use super::place::CRATE;
use crate::generated::Generated;
use crate::workspace::{self, target};
use crate::{binding, process};

/// The header.
pub(crate) fn files() -> Result<Vec<Generated>, String> {
    let header = process::output(
        Command::new(binding::cargo())
            .args(["run", "--quiet", "--locked", "--package", "verger-header"])
            .current_dir(workspace::root().join(CRATE))
            .env("CARGO_TARGET_DIR", target()),
    )?;
    let path = format!("{CRATE}/include/verger/verger.h");
    Ok(vec![Generated::whole(path, header)])
}
