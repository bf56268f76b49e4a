//! `verger-growth COMMAND`: how the cost of the command at that path grows with the input. Needs valgrind.

mod growth;
mod inputs;

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(command) = env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: verger-growth COMMAND");
        return ExitCode::FAILURE;
    };
    match growth::run(&command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("verger-growth: {sentence}");
            ExitCode::FAILURE
        }
    }
}
