//! Counts this thread's use of the system allocator on request.
//!
//! Outside of [`count`] it costs one predictable branch per call, the same for every Rust engine. Engines in other
//! languages do not use it, so their heap is not measured.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HeapUse {
    pub(crate) allocations: u64,
    /// Bytes allocated and not freed at the end.
    pub(crate) live: i64,
    /// Maximum number of bytes held at once.
    pub(crate) peak: i64,
}

thread_local! {
    static COUNTED: Cell<Option<HeapUse>> = const { Cell::new(None) };
}

/// Runs `call`, and returns its result and its heap use, measured while the result is alive.
pub(crate) fn count<T>(call: impl FnOnce() -> T) -> (T, HeapUse) {
    COUNTED.set(Some(HeapUse::default()));
    let result = call();
    (result, COUNTED.take().unwrap_or_default())
}

fn note(allocations: u64, bytes: i64) {
    if let Some(mut counted) = COUNTED.get() {
        counted.allocations += allocations;
        counted.live += bytes;
        counted.peak = counted.peak.max(counted.live);
        COUNTED.set(Some(counted));
    }
}

fn bytes(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

/// The system allocator with counters.
pub(crate) struct CountingAllocator;

// SAFETY: every call goes to `System` unchanged and returns its result unchanged. The counters are `Cell`s of plain
// numbers without a destructor, so updating them never allocates.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(1, bytes(layout.size()));
        // SAFETY: the caller upholds the contract of `GlobalAlloc::alloc`, which `System` shares.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(1, bytes(layout.size()));
        // SAFETY: as in `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        note(0, -bytes(layout.size()));
        // SAFETY: `block` came from `System` with this layout, because all blocks do.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(1, bytes(size) - bytes(layout.size()));
        // SAFETY: as in `dealloc`. The caller upholds the contract for `size`.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[cfg(test)]
mod tests {
    use super::{HeapUse, count};

    #[test]
    fn counts_what_a_call_does() {
        let (held, used) = count(|| {
            drop(vec![0_u8; 100]);
            vec![0_u8; 10]
        });
        assert_eq!(held.len(), 10);
        let expected = HeapUse {
            allocations: 2,
            live: 10,
            peak: 100,
        };
        assert_eq!(used, expected);
    }

    #[test]
    fn counts_nothing_where_nothing_happens() {
        assert_eq!(count(|| 1 + 1).1, HeapUse::default());
    }
}
