//! Ruby's collector hears how much an object holds.

use std::sync::atomic::{AtomicUsize, Ordering};

use magnus::Ruby;

/// Octets of the heap that an object holds where Ruby does not see them. The collector is notified when
/// they come and when they go; it would not run in time otherwise.
pub(crate) struct HeapCharge {
    octets: AtomicUsize,
}

impl HeapCharge {
    pub(crate) fn new(ruby: &Ruby, octets: usize) -> Self {
        ruby.gc_adjust_memory_usage(octets.cast_signed());
        Self {
            octets: octets.into(),
        }
    }

    /// Notifies the collector that the object holds so many octets from now on, where it held fewer.
    pub(crate) fn raise_to(&self, ruby: &Ruby, octets: usize) {
        let before = self.octets.fetch_max(octets, Ordering::Relaxed);
        ruby.gc_adjust_memory_usage(octets.saturating_sub(before).cast_signed());
    }

    pub(crate) fn octets(&self) -> usize {
        self.octets.load(Ordering::Relaxed)
    }
}

impl Drop for HeapCharge {
    fn drop(&mut self) {
        if let Ok(ruby) = Ruby::get() {
            ruby.gc_adjust_memory_usage(self.octets().cast_signed().wrapping_neg());
        }
    }
}
