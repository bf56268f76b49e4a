//! Which task the arguments name.

use std::path::Path;

use crate::fuzz::Targets;
use crate::{
    api, c, case_lines, clauses, conformance, corpus, crawlers, differences, fuzz, growth,
    interfaces, lints, origin, python, requirements, ruby, spark, test_run, tidy, usage,
};

/// Runs the task that `arguments` name.
///
/// # Errors
///
/// A sentence: what the task found, or how tasks are named.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    match arguments {
        ["test"] => test_run::run(),
        ["bindings"] => test_run::bindings(),
        ["ruby"] => ruby::run(),
        ["python"] => python::run(),
        ["python", "--fuzz", seconds] => python::fuzz(seconds),
        ["spark"] => spark::run(),
        ["c"] => c::run(c::Extent::Usual),
        ["c", "--all"] => c::run(c::Extent::Everything),
        ["c", "--header"] => c::write_header(),
        ["c", "--install", directory] => c::install(directory),
        ["c", "--sanitize", seconds] => c::sanitize(seconds),
        ["tidy"] => tidy::run(),
        ["clauses"] => clauses::run(),
        ["api"] => api::write(),
        ["api", "--check"] => api::check(),
        ["crawlers", "--stale", age] => crawlers::run(age),
        ["requirements"] => requirements::write(),
        ["requirements", "--check"] => requirements::check(),
        ["cases"] => case_lines::print(),
        ["differences"] => differences::write(),
        ["differences", "--check"] => differences::check(),
        ["origin"] => origin::write(),
        ["origin", "--check"] => origin::check(),
        ["lints"] => lints::write(),
        ["lints", "--check"] => lints::check(),
        ["fuzz", "--seconds", seconds] => fuzz::run(Targets::Usual, seconds),
        ["fuzz", "--bulk", "--seconds", seconds] => fuzz::run(Targets::Bulk, seconds),
        ["growth"] => growth::run(),
        ["conformance", dir] => conformance::run(Path::new(dir), false),
        ["conformance", dir, "--list"] => conformance::run(Path::new(dir), true),
        ["interfaces", dir] => interfaces::run(Path::new(dir), interfaces::FILES),
        ["interfaces", dir, "--files", files] => {
            let files = files.parse().map_err(|_| usage::USAGE.to_owned())?;
            interfaces::run(Path::new(dir), files)
        }
        ["corpus", dir] => corpus::run(Path::new(dir)),
        _ => Err(usage::USAGE.to_owned()),
    }
}
