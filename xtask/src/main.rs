//! The project's own chores.

mod api;
mod case_lines;
mod clauses;
mod conformance;
mod corpus;
mod deny;
mod differences;
mod fuzz;
mod generated_page;
mod origin;
mod question;
mod requirements;
mod ruby;
mod table;
mod test_run;
mod tidy;
mod usage;
mod workspace;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        ["test"] => test_run::run(),
        ["ruby"] => ruby::run(),
        ["tidy"] => tidy::run(),
        ["clauses"] => clauses::run(false),
        ["clauses", "--waiting"] => clauses::run(true),
        ["api"] => api::write(),
        ["api", "--check"] => api::check(),
        ["deny"] => deny::run(),
        ["requirements"] => requirements::write(),
        ["requirements", "--check"] => requirements::check(),
        ["cases"] => case_lines::print(),
        ["differences"] => differences::write(),
        ["differences", "--check"] => differences::check(),
        ["origin"] => origin::write(),
        ["origin", "--check"] => origin::check(),
        ["fuzz", "--seconds", seconds] => fuzz::run(seconds),
        ["conformance", dir] => conformance::run(Path::new(dir), false),
        ["conformance", dir, "--list"] => conformance::run(Path::new(dir), true),
        ["corpus", dir] => corpus::run(Path::new(dir)),
        _ => Err(usage::USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("xtask: {sentence}");
            ExitCode::FAILURE
        }
    }
}
