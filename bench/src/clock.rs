//! CPU time of this thread: on a shared machine wall time says little.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// A point in this thread's CPU time.
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

/// What a look at the clock costs: it is a system call, and short spans subtract it.
pub(crate) fn overhead() -> Duration {
    let mut spans: Vec<Duration> = (0..2001).map(|_| CpuInstant::now().elapsed()).collect();
    spans.sort_unstable();
    spans[spans.len() / 2]
}

/// The CPU time of this thread since it began.
#[cfg(feature = "client")]
pub(crate) fn thread_time() -> Duration {
    time(ClockId::ThreadCPUTime)
}

/// The CPU time of all threads of this process since it began.
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
