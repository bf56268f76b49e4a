//! Dispatch of command lines to tasks.

use std::path::Path;

use crate::generated::Generated;
use crate::{
    api, c, case_lines, clauses, conformance, corpus, crawlers, differences, fuzz, generated,
    interfaces, js, lints, origin, prose, python, requirements, ruby, spark, test_run, tidy, usage,
};

/// Runs the task that `arguments` name. The error is a finding or the usage.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    match arguments {
        ["test"] => test_run::run(),
        ["bindings"] => test_run::bindings(),
        ["ruby"] => ruby::run(),
        ["python"] => python::run(),
        ["python", "--fuzz", seconds] => python::fuzz(seconds),
        ["spark"] => spark::run(),
        ["js"] => js::run(None),
        ["js", "--package"] => js::package(),
        ["js", "--corpus", dir, "--files", n] => js::run(Some((Path::new(dir), number(n)?))),
        ["c"] => c::run(c::Extent::Usual),
        ["c", "--all"] => c::run(c::Extent::Everything),
        ["c", "--header"] => generated::write(c::HEADER, &c::header_files()?),
        ["c", "--install", directory] => c::install(directory),
        ["c", "--sanitize", seconds] => c::sanitize(seconds),
        ["tidy"] => tidy::run(),
        ["clauses"] => clauses::run(),
        ["crawlers", "--stale", age] => crawlers::run(age),
        ["cases"] => case_lines::print(),
        ["fuzz", "--seconds", seconds] => fuzz::run("fuzz", seconds),
        ["fuzz", "--bulk", "--seconds", seconds] => fuzz::run("fuzz/bulk", seconds),
        ["conformance", dir] => conformance::run(Path::new(dir), false),
        ["conformance", dir, "--list"] => conformance::run(Path::new(dir), true),
        ["interfaces", dir] => interfaces::run(Path::new(dir), interfaces::FILES),
        ["interfaces", dir, "--files", files] => interfaces::run(Path::new(dir), number(files)?),
        ["corpus", dir] => corpus::run(Path::new(dir)),
        [command, options @ ..] => generated(command, options),
        [] => Err(usage::USAGE.to_owned()),
    }
}

fn number(written: &str) -> Result<usize, String> {
    written.parse().map_err(|_| usage::USAGE.to_owned())
}

/// Writes or checks the files that a command generates.
fn generated(command: &str, options: &[&str]) -> Result<(), String> {
    let files: fn() -> Result<Vec<Generated>, String> = match command {
        "api" => api::files,
        "crawlers" => crawlers::files,
        "requirements" => requirements::files,
        "differences" => differences::files,
        "origin" => origin::files,
        "prose" => prose::files,
        "lints" => || Ok(lints::files()),
        _ => return Err(usage::USAGE.to_owned()),
    };
    match options {
        [] => generated::write(command, &files()?),
        ["--check"] => generated::check(command, &files()?),
        _ => Err(usage::USAGE.to_owned()),
    }
}
