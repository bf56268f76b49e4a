use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use verger_answer::text::legible;

use crate::process_group::ProcessGroup;
use crate::receiver::{NotTaken, Receiver};
use crate::receiver_name::{next_watch, stored_name};
use crate::watch_event::WatchEvent;

/// Maximum number of programs that run at once, each for a different site.
const AT_ONCE: usize = 4;

/// Shortest and longest pause between checks for the end of a program.
const PAUSE_MIN: Duration = Duration::from_millis(1);
const PAUSE_MAX: Duration = Duration::from_millis(50);

/// A receiver that runs a program for each change, with the change as JSON on standard input.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    /// The path of the program.
    pub path: &'a Path,
    /// The receiver's name in the store. By default it derives from the path.
    pub name: Option<&'a str>,
    /// Time limit for each run.
    pub limit: Duration,
}

impl Receiver for Program<'_> {
    fn name(&self) -> String {
        stored_name("program", self.name, || {
            let path = std::path::absolute(self.path).unwrap_or_else(|_| PathBuf::from(self.path));
            format!("program {}", path.display())
        })
    }

    fn in_words(&self) -> String {
        format!("`{}`", legible(self.path.to_string_lossy().as_bytes()))
    }

    fn next_watch(&self) -> String {
        next_watch(self.name, "program")
    }

    fn changes_at_once(&self) -> usize {
        AT_ONCE
    }

    fn attempts_once(&self) -> u32 {
        1
    }

    fn limit(&self) -> Duration {
        self.limit
    }

    fn take(&self, event: &WatchEvent<'_>) -> Result<(), NotTaken> {
        let line = verger_answer::json::to_string(event).map(|line| line + "\n");
        let line = line.map_err(|error| NotTaken::Failed(error.to_string()))?;
        self.run(line).map_err(NotTaken::Failed)
    }
}

impl Program<'_> {
    fn run(&self, line: String) -> Result<(), String> {
        let deadline = Instant::now() + self.limit;
        let mut command = Command::new(self.path);
        // Output of the program must not mix with the lines of changes.
        command.stdin(Stdio::piped()).stdout(io::stderr());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let group = ProcessGroup::of(child.id());
        if let Some(mut input) = child.stdin.take() {
            // A program may read its input slowly or not at all.
            thread::spawn(move || input.write_all(line.as_bytes()));
        }
        match wait(&mut child, deadline) {
            Ok(Some(status)) if status.success() => Ok(()),
            Ok(Some(status)) => Err(format!("it ended with {status}")),
            Ok(None) => {
                group.kill();
                // `group.kill` does nothing outside Unix. Killing an ended program fails, which is
                // fine.
                let _ = child.kill();
                let _ = child.wait();
                let limit = self.limit;
                Err(format!(
                    "it ran longer than {} s and was killed: end it sooner, or raise the `--exec-timeout` of `verger watch --exec`",
                    limit.as_secs_f64()
                ))
            }
            Err(error) => Err(error.to_string()),
        }
    }
}

/// Waits until a process ends, or returns `None` at the deadline. It polls because a
/// process that was not waited for keeps its id, so a signal cannot reach another one.
fn wait(child: &mut Child, deadline: Instant) -> io::Result<Option<ExitStatus>> {
    let mut pause = PAUSE_MIN;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        thread::sleep(pause.min(left));
        pause = (2 * pause).min(PAUSE_MAX);
    }
}
