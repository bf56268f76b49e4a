//! `RunSet`: a set of runs of four bytes as tables for vector look-ups, which find the positions of a
//! text at which one of them may start.

/// A set of runs of four bytes, the last two of which may be any.
///
/// Runs are distributed to eight buckets. A bucket has, for each of the four bytes, the low halves and
/// the high halves of its runs; where a text has such halves in all four bytes, a run of the bucket may
/// start. There are no false negatives, and few false positives as long as the runs of a bucket are
/// similar: pass them in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSet {
    /// By byte of a run: by its low half, then by its high half, the bits of the buckets.
    pub(crate) rows: [[[u8; 16]; 2]; 4],
}

impl RunSet {
    /// Makes the set of these runs, distributed to buckets in the given order. A run of fewer than four bytes is
    /// found whatever follows it, of a longer one only the first four count.
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
