//! The project's own development tasks.

mod api;
mod binding;
mod c;
mod case_lines;
mod chores;
mod citations;
mod clause_ids;
mod clauses;
mod conformance;
mod corpus;
mod crawlers;
mod differences;
mod fuzz;
mod generated;
mod interfaces;
mod js;
mod lints;
mod origin;
mod parallel;
mod process;
mod prose;
mod python;
mod question;
mod requirements;
mod ruby;
mod rust_item;
mod spark;
mod table;
mod test_citations;
mod test_run;
mod tidy;
mod usage;
mod workspace;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match chores::run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("xtask: {sentence}");
            ExitCode::FAILURE
        }
    }
}
