//! Runs every fuzz target for a while, fed with the cases of `testdata/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use verger_testkit::case::{load_all, testdata_dir};

use crate::workspace;

/// Longest input that is tried, in octets: long enough for any rule, short enough for speed.
const INPUT_OCTETS_MAX: usize = 4096;

/// Runs each target for so many seconds.
///
/// # Errors
///
/// Names the target that found something, or says what keeps it from running.
pub(crate) fn run(seconds: &str) -> Result<(), String> {
    let seconds: u32 = seconds
        .parse()
        .map_err(|_| format!("`{seconds}` is not a number of seconds"))?;
    let fuzz = workspace::root().join("fuzz");
    for target in targets(&fuzz)? {
        seed(&fuzz.join("corpus").join(&target))?;
        println!("fuzzing {target} for {seconds} seconds");
        fuzz_one(&fuzz, &target, seconds)?;
    }
    Ok(())
}

/// The names of the targets, sorted.
fn targets(fuzz: &Path) -> Result<Vec<String>, String> {
    let dir = fuzz.join("fuzz_targets");
    let mut targets: Vec<String> = entries(&dir)?
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    targets.sort();
    Ok(targets)
}

fn entries(dir: &Path) -> Result<Vec<PathBuf>, String> {
    let unreadable = |error| format!("{}: {error}", dir.display());
    fs::read_dir(dir)
        .map_err(unreadable)?
        .map(|entry| entry.map(|entry| entry.path()).map_err(unreadable))
        .collect()
}

/// Writes each question of the cases as an input: the body, a line with the name, one with the
/// URL.
fn seed(dir: &Path) -> Result<(), String> {
    let unwritable = |error| format!("{}: {error}", dir.display());
    fs::create_dir_all(dir).map_err(unwritable)?;
    let corpus = load_all(&testdata_dir()).map_err(|error| error.to_string())?;
    for case in corpus
        .cases
        .iter()
        .filter(|case| case.robots.len() < INPUT_OCTETS_MAX)
    {
        for (nth, ask) in case.asks.iter().enumerate() {
            let name = ask.agents.first().map_or("*", String::as_str);
            let input = [&case.robots, name.as_bytes(), &ask.url].join(&b'\n');
            fs::write(dir.join(format!("{}-{nth}", case.id)), input).map_err(unwritable)?;
        }
    }
    Ok(())
}

fn fuzz_one(fuzz: &Path, target: &str, seconds: u32) -> Result<(), String> {
    let status = Command::new("cargo")
        .args(["+nightly", "fuzz", "run", target, "--"])
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-max_len={INPUT_OCTETS_MAX}"))
        .arg(format!("-dict={}", fuzz.join("robots.dict").display()))
        .args(["-print_final_stats=1", "-verbosity=0"])
        .current_dir(workspace::root())
        .status()
        .map_err(|error| format!("cargo fuzz does not run: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("fuzz target {target}: {status}"))
    }
}
