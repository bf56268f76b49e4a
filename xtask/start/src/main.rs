//! What `cargo xtask` runs. Cargo compiles a package that is named with other features of its dependencies than the
//! workspace; so this one depends on nothing, and builds the tasks as a part of the workspace. The tests, which are
//! built with the same features, find their dependencies compiled. What an incremental build keeps is left out: the whole
//! workspace is built by the tasks, where it takes a fifth of the time and two thirds of the disk.

use std::env;
use std::process::{Command, ExitCode, ExitStatus};

fn main() -> ExitCode {
    match run() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        // What failed has said why.
        Ok(_) => ExitCode::FAILURE,
        Err(sentence) => {
            eprintln!("xtask: {sentence}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the tasks, and runs them with the arguments of this process. The status is that of the first that fails.
fn run() -> Result<ExitStatus, String> {
    let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let incremental = env::var("CARGO_INCREMENTAL").unwrap_or_else(|_| "0".to_owned());
    let mut build = Command::new(&cargo);
    // Only where an example is named, too, does Cargo count the features in that tests need.
    build
        .args(["build", "--quiet", "--workspace", "--bin", "xtask"])
        .args(["--example", "check_json"])
        .env("CARGO_INCREMENTAL", &incremental)
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    let status = build
        .status()
        .map_err(|error| format!("{cargo}: {error}"))?;
    if !status.success() {
        return Ok(status);
    }
    // Both are built into one directory.
    let here = env::current_exe().map_err(|error| format!("its own path: {error}"))?;
    let tasks = here.with_file_name(format!("xtask{}", env::consts::EXE_SUFFIX));
    let mut tasks = Command::new(tasks);
    tasks
        .args(env::args_os().skip(1))
        .env("CARGO_INCREMENTAL", &incremental)
        .status()
        .map_err(|error| format!("the tasks cannot be run: {error}"))
}
