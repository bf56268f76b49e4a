use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// A program that leads its own process group. Dropping this ends the program.
pub(crate) struct ProcessGroup(u32);

impl ProcessGroup {
    pub(crate) fn of(leader: u32) -> Self {
        running().insert(leader);
        Self(leader)
    }

    /// Kills all its processes.
    pub(crate) fn kill(&self) {
        signal(self.0, Kind::Kill);
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        running().remove(&self.0);
    }
}

/// Asks running programs and their descendants to end. Call it when this process ends.
pub fn end_programs() {
    running()
        .iter()
        .for_each(|&leader| signal(leader, Kind::Terminate));
}

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Clone, Copy)]
enum Kind {
    Kill,
    Terminate,
}

/// Ignores errors, because a process that has ended needs no signal.
#[cfg(unix)]
fn signal(leader: u32, kind: Kind) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let signal = match kind {
        Kind::Kill => Signal::KILL,
        Kind::Terminate => Signal::TERM,
    };
    if let Some(leader) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(leader, signal);
    }
}

/// Does nothing. The child handle ends the program.
#[cfg(not(unix))]
fn signal(_leader: u32, _kind: Kind) {}
