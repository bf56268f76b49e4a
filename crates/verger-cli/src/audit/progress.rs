//! `LogProgress`: how far it is, and what is odd about logs.

use std::error::Error;
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::HumanBytes;
use verger_answer::HumanCountOf;
use verger_audit::LogObserver;

use crate::notice;
use crate::progress::Progress;

/// A line with what was read so far, and what is odd about logs on standard error.
pub(super) struct LogProgress {
    /// The lines and the octets.
    read: Arc<[AtomicU64; 2]>,
    _progress: Progress,
}

impl LogProgress {
    pub(super) fn start() -> Self {
        let read = Arc::new([const { AtomicU64::new(0) }; 2]);
        let shown = Arc::clone(&read);
        let progress = Progress::alone(move |elapsed| {
            let [lines, octets] = [0, 1].map(|nth| shown[nth].load(Ordering::Relaxed));
            let lines = HumanCountOf(lines, "line", "lines");
            let octets = HumanBytes(octets / elapsed.as_secs().max(1));
            format!("{lines}, {octets} a second")
        });
        Self {
            read,
            _progress: progress,
        }
    }
}

impl LogObserver for LogProgress {
    fn read(&self, lines: u64, octets: u64) {
        self.read[0].store(lines, Ordering::Relaxed);
        self.read[1].store(octets, Ordering::Relaxed);
    }

    fn error(&self, error: &dyn Error) {
        notice::error(error);
    }

    fn warning(&self, warning: &dyn Display) {
        notice::warning(warning);
    }
}
