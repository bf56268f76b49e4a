//! The project's own chores.

mod conformance;
mod corpus;
mod question;
mod table;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        ["conformance", dir] => conformance::run(Path::new(dir), false),
        ["conformance", dir, "--list"] => conformance::run(Path::new(dir), true),
        ["corpus", dir] => corpus::run(Path::new(dir)),
        _ => Err("usage".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("xtask: {sentence}");
            ExitCode::FAILURE
        }
    }
}
