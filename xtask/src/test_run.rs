//! `cargo xtask test` and `cargo xtask bindings`: the tests of the workspace and of the bindings.

use std::thread;

use crate::process::succeeds;
use crate::{binding, c, python, ruby};

/// A hint about binding tests, printed after the workspace tests.
const BINDINGS: &str = "
To test the bindings too: `cargo xtask bindings` (Ruby, Python, C) and `cargo xtask js`. Both install missing
tools if they can, and otherwise report what they skip.";

/// Runs the tests of the workspace, with nextest if installed.
pub(crate) fn run() -> Result<(), String> {
    if succeeds(&binding::cargo(), &["nextest", "--version"]) {
        // Tests spend much of their time waiting for servers and timeouts.
        let threads = thread::available_parallelism().map_or(2, |it| 2 * it.get());
        let threads = threads.to_string();
        cargo(&["nextest", "run", "--workspace", "--test-threads", &threads])?;
        // Nextest does not run documentation tests.
        cargo(&["test", "--doc", "--workspace"])?;
    } else {
        cargo(&["test", "--workspace"])?;
    }
    println!("{BINDINGS}");
    Ok(())
}

/// Tests every binding even if another fails. The error names the failed ones.
pub(crate) fn bindings() -> Result<(), String> {
    let results = [ruby::run(), python::run(), c::run(c::Extent::Usual)];
    let failed: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    if failed.is_empty() {
        return Ok(());
    }
    Err(failed.join("\n"))
}

fn cargo(arguments: &[&str]) -> Result<(), String> {
    binding::run_in(".", &binding::cargo(), arguments)
}
