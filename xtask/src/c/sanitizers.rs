//! The random program and the threads under sanitizers of gcc and tools of valgrind.
//!
//! gcc's sanitizers see what the C side does and every block of memory; valgrind sees every
//! instruction, those of the library included.

use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use super::programs::{Linking, compile, run};
use crate::process::{self, words};

/// Runs everything, the random program for so many seconds under each tool.
pub(super) fn run_all(prefix: &Path, seconds: u32) -> Result<(), String> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let seed = since.map_or(1, |it| it.as_secs()).to_string();
    let seconds = seconds.to_string();
    println!("seed {seed}");
    let arguments = [seconds.as_str(), seed.as_str()];
    let address = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    println!("-- AddressSanitizer");
    run(prefix, "tests/contract_test.c", Linking::Archive, &address)?;
    let random = compile(prefix, "tests/random.c", Linking::Archive, &address)?;
    process::run(Command::new(random).args(arguments))?;
    println!("-- ThreadSanitizer");
    run(
        prefix,
        "tests/threads_test.c",
        Linking::Archive,
        &["-fsanitize=thread"],
    )?;
    println!("-- helgrind");
    let threads = compile(prefix, "tests/threads_test.c", Linking::Shared, &[])?;
    valgrind("--tool=helgrind", &threads, &["warm"])?;
    println!("-- memcheck");
    let random = compile(prefix, "tests/random.c", Linking::Shared, &[])?;
    // What is only possibly lost is what Rust keeps of a thread.
    let leaks = "--leak-check=full --errors-for-leak-kinds=definite";
    valgrind(leaks, &random, &arguments)
}

fn valgrind(flags: &str, program: &Path, arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--error-exitcode=1"]);
    process::run(command.args(words(flags)).arg(program).args(arguments))
}
