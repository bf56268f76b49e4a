//! Child processes. A child can be killed, while a call in this process cannot be stopped, and some peers take
//! minutes over a hostile body. Its memory can be measured because it contains nothing else.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::options::Options;

pub(crate) enum Probed {
    Finished,
    Failed,
    TooSlow,
}

/// Makes one call of everything that `engine` offers for a job and an input.
pub(crate) fn probe(options: &Options, job: &str, input: &str, engine: &str) -> Probed {
    let spawn = || {
        Command::new(std::env::current_exe()?)
            .args(options.for_child())
            .arg(format!("--one={job}:{input}:{engine}:1"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
    };
    let Ok(mut child) = spawn() else {
        return Probed::Failed;
    };
    // Wall time, plus a second to generate the input. This decides only whether to measure at all.
    let deadline = Instant::now() + options.patience + Duration::from_secs(1);
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Probed::Finished,
            Ok(Some(_)) | Err(_) => return Probed::Failed,
            Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(2)),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Probed::TooSlow;
            }
        }
    }
}

/// Returns the output of a child process that runs `one` (see `--one`) successfully.
#[cfg(feature = "store")]
pub(crate) fn said(options: &Options, arguments: &[String], one: &str) -> Result<String, String> {
    let run = || {
        Command::new(std::env::current_exe()?)
            .args(options.for_child())
            .args(arguments)
            .arg(format!("--one={one}"))
            .stderr(Stdio::inherit())
            .output()
    };
    let output = run().map_err(|error| format!("--one {one}: {error}"))?;
    if !output.status.success() {
        return Err(format!("--one {one} ended with {}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
