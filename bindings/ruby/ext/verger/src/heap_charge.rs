//! Ruby's collector hears how much an object holds.

use std::sync::atomic::{AtomicUsize, Ordering};

use magnus::Ruby;

/// Bytes of the heap that an object holds where Ruby does not see them. The collector is notified when
/// they come and when they go; it would not run in time otherwise.
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

    /// Notifies the collector that the object holds so many bytes from now on, where it held fewer.
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
