//! Entry point of `cargo xtask`. Cargo compiles a package named on the command line with other dependency features
//! than the whole workspace. So this package has no dependencies, and builds the tasks as part of the workspace with
//! the features of the tests, which then find their dependencies compiled.

use std::env;
use std::process::{Command, ExitCode, ExitStatus};

/// Build settings of the tasks and the whole workspace, unless these variables are set. Incremental output would take
/// a fifth of the time and two thirds of the disk space, and each codegen unit part of the time.
const BUILDS: [(&str, &str); 2] = [
    ("CARGO_INCREMENTAL", "0"),
    ("CARGO_PROFILE_DEV_CODEGEN_UNITS", "2"),
];

fn main() -> ExitCode {
    match run() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        // The failed step has printed its reason.
        Ok(_) => ExitCode::FAILURE,
        Err(sentence) => {
            eprintln!("xtask: {sentence}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the tasks and runs them with this process's arguments. Returns the status of the first failure.
fn run() -> Result<ExitStatus, String> {
    let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let is_not_set = |(name, _): &(&str, &str)| env::var_os(name).is_none();
    let builds: Vec<_> = BUILDS.into_iter().filter(is_not_set).collect();
    let mut build = Command::new(&cargo);
    // Cargo includes the features of tests only if an example is named.
    build
        .args(["build", "--quiet", "--workspace", "--bin", "xtask"])
        .args(["--example", "check_json"])
        .envs(builds.clone())
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    let status = build
        .status()
        .map_err(|error| format!("cannot run {cargo}: {error}"))?;
    if !status.success() {
        return Ok(status);
    }
    // Both are built into the same directory.
    let here = env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let tasks = here.with_file_name(format!("xtask{}", env::consts::EXE_SUFFIX));
    let mut tasks = Command::new(tasks);
    tasks
        .args(env::args_os().skip(1))
        .envs(builds)
        .status()
        .map_err(|error| format!("cannot run the tasks: {error}"))
}
