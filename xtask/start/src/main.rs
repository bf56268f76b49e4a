//! What `cargo xtask` runs. Cargo compiles a package that is named with other features of its dependencies than the
//! workspace; so this one depends on nothing, and builds the tasks as a part of the workspace. The tests, which are
//! built with the same features, find their dependencies compiled.

use std::env;
use std::process::{Command, ExitCode, ExitStatus};

/// How the tasks build, where these variables are not set: the whole workspace. What an incremental build keeps would take
/// a fifth of the time and two thirds of the disk, and each part into which a crate is divided a part of the time.
const BUILDS: [(&str, &str); 2] = [
    ("CARGO_INCREMENTAL", "0"),
    ("CARGO_PROFILE_DEV_CODEGEN_UNITS", "2"),
];

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
    let is_not_set = |(name, _): &(&str, &str)| env::var_os(name).is_none();
    let builds: Vec<_> = BUILDS.into_iter().filter(is_not_set).collect();
    let mut build = Command::new(&cargo);
    // Only where an example is named, too, does Cargo count the features in that tests need.
    build
        .args(["build", "--quiet", "--workspace", "--bin", "xtask"])
        .args(["--example", "check_json"])
        .envs(builds.clone())
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
        .envs(builds)
        .status()
        .map_err(|error| format!("the tasks cannot be run: {error}"))
}
