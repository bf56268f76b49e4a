//! The cost of reading a page.

use std::hint::black_box;

use rustix::time::{ClockId, clock_gettime};

/// CPU time of a round in seconds.
const ROUND_SECONDS: f64 = 0.2;

pub(crate) type Reader = fn(&[u8]) -> usize;

/// CPU time of this thread in seconds.
pub(crate) fn seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    #[allow(clippy::cast_precision_loss)]
    let seconds = time.tv_sec as f64 + time.tv_nsec as f64 / 1e9;
    seconds
}

/// Returns the seconds of a call in one round.
pub(crate) fn round(read: Reader, page: &[u8]) -> f64 {
    let start = seconds();
    let mut calls = 0.0;
    loop {
        black_box(read(black_box(page)));
        calls += 1.0;
        let span = seconds() - start;
        if span > ROUND_SECONDS {
            return span / calls;
        }
    }
}

/// Peak resident memory of the process in KiB.
pub(crate) fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|it| it.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or(0)
}
