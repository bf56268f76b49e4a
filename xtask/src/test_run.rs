//! `cargo xtask test` and `cargo xtask bindings`: the tests of the workspace, and those of what other
//! languages call.

use std::thread;

use crate::process::succeeds;
use crate::{binding, c, python, ruby};

/// How the tests of the bindings are run, said where those of the workspace end.
const BINDINGS: &str = "
Ruby, Python and C are tested by one more command, JavaScript by another; each installs what it needs or leaves
it out and says so:   cargo xtask bindings   cargo xtask js";

/// The tests of the workspace, with nextest where it is installed. The output of the runners is theirs,
/// down to its closing lines.
///
/// # Errors
///
/// Where a test fails.
pub(crate) fn run() -> Result<(), String> {
    if succeeds(&binding::cargo(), &["nextest", "--version"]) {
        // They wait for servers and timeouts for much of their time.
        let threads = thread::available_parallelism().map_or(2, |it| 2 * it.get());
        let threads = threads.to_string();
        cargo(&["nextest", "run", "--workspace", "--test-threads", &threads])?;
        // Nextest runs no documentation tests.
        cargo(&["test", "--doc", "--workspace"])?;
    } else {
        cargo(&["test", "--workspace"])?;
    }
    println!("{BINDINGS}");
    Ok(())
}

/// The tests of all bindings, each to its end whatever becomes of the others.
///
/// # Errors
///
/// Which of them failed.
pub(crate) fn bindings() -> Result<(), String> {
    let results = [ruby::run(), python::run(), c::run(c::Extent::Usual)];
    let failed: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    if failed.is_empty() {
        return Ok(());
    }
    Err(failed.join("; "))
}

fn cargo(arguments: &[&str]) -> Result<(), String> {
    binding::run_in(".", &binding::cargo(), arguments)
}
