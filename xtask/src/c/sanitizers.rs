//! Runs the random program and the thread test under gcc's sanitizers and valgrind.
//!
//! gcc's sanitizers check the C code and all heap blocks. valgrind checks every instruction, including the library's.

use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use super::programs::{Linking, compile, run};
use crate::process::{self, words};

/// Runs everything. The random program runs for `seconds` under each tool.
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
    // Rust's per-thread state is reported as "possibly lost".
    let leaks = "--leak-check=full --errors-for-leak-kinds=definite";
    valgrind(leaks, &random, &arguments)
}

fn valgrind(flags: &str, program: &Path, arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--error-exitcode=1"]);
    process::run(command.args(words(flags)).arg(program).args(arguments))
}
