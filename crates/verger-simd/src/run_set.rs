//! `RunSet`: a set of runs of four bytes as tables for vector look-ups, which find the positions of
//! a text at which a run may start.

/// A set of runs of four bytes. The last two may match any byte.
///
/// Runs are distributed to eight buckets. For each of the four bytes, a bucket has the low and the
/// high halves of its runs. If a text has such halves in all four bytes, a run of the bucket may
/// start there. There are no false negatives, and few false positives if the runs of a bucket are
/// similar, so pass them in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSet {
    /// The buckets for each byte of a run: by its low half, then by its high half.
    pub(crate) rows: [[[u8; 16]; 2]; 4],
}

impl RunSet {
    /// Makes the set of these runs, distributed to buckets in the given order. After a run of fewer
    /// than four bytes anything may follow. Only the first four bytes of a longer run are used.
    #[must_use]
    pub fn of<'r>(runs: impl ExactSizeIterator<Item = &'r [u8]>) -> Self {
        let mut rows = [[[0; 16]; 2]; 4];
        let count = runs.len();
        for (nth, run) in runs.enumerate() {
            let bucket = 1 << (nth * 8 / count);
            for (at, [by_low_half, by_high_half]) in rows.iter_mut().enumerate() {
                match run.get(at) {
                    Some(byte) => {
                        by_low_half[usize::from(byte & 15)] |= bucket;
                        by_high_half[usize::from(byte >> 4)] |= bucket;
                    }
                    None => {
                        for half in by_low_half.iter_mut().chain(by_high_half) {
                            *half |= bucket;
                        }
                    }
                }
            }
        }
        Self { rows }
    }
}
