//! CPU time of this thread. Wall time is meaningless on a shared machine.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

#[derive(Clone, Copy)]
pub(crate) struct CpuInstant(Duration);

impl CpuInstant {
    pub(crate) fn now() -> Self {
        Self(time(ClockId::ThreadCPUTime))
    }

    pub(crate) fn elapsed(self) -> Duration {
        Self::now().0.saturating_sub(self.0)
    }
}

/// Returns the cost of reading the clock, a system call. Short spans subtract it.
pub(crate) fn overhead() -> Duration {
    let mut spans: Vec<Duration> = (0..2001).map(|_| CpuInstant::now().elapsed()).collect();
    spans.sort_unstable();
    spans[spans.len() / 2]
}

/// Returns the CPU time of this thread since its start.
#[cfg(feature = "client")]
pub(crate) fn thread_time() -> Duration {
    time(ClockId::ThreadCPUTime)
}

/// Returns the CPU time of all threads of this process since its start.
#[cfg(feature = "client")]
pub(crate) fn process_time() -> Duration {
    time(ClockId::ProcessCPUTime)
}

fn time(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or(0);
    Duration::new(seconds, nanoseconds)
}
