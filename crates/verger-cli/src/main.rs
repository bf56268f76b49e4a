//! The binary `verger`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(verger_cli::run(std::env::args_os()))
}
