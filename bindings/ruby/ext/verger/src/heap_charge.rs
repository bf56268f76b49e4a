//! Reports the memory of objects to Ruby's garbage collector.

use std::sync::atomic::{AtomicUsize, Ordering};

use magnus::Ruby;

/// Heap memory of an object that Ruby cannot see, in bytes. The collector is notified when it is
/// allocated and freed, because otherwise it would not run in time.
pub(crate) struct HeapCharge {
    bytes: AtomicUsize,
}

impl HeapCharge {
    pub(crate) fn new(ruby: &Ruby, bytes: usize) -> Self {
        ruby.gc_adjust_memory_usage(bytes.cast_signed());
        Self {
            bytes: bytes.into(),
        }
    }

    /// Reports that the object now uses `bytes` bytes, if it used fewer before.
    pub(crate) fn raise_to(&self, ruby: &Ruby, bytes: usize) {
        let before = self.bytes.fetch_max(bytes, Ordering::Relaxed);
        ruby.gc_adjust_memory_usage(bytes.saturating_sub(before).cast_signed());
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }
}

impl Drop for HeapCharge {
    fn drop(&mut self) {
        if let Ok(ruby) = Ruby::get() {
            ruby.gc_adjust_memory_usage(self.bytes().cast_signed().wrapping_neg());
        }
    }
}
