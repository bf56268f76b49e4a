//! Ruby's collector hears how much an object holds.

use magnus::Ruby;

/// Octets of the heap that an object holds where Ruby does not see them. The collector is notified when
/// they come and when they go; it would not run in time otherwise.
pub(crate) struct HeapCharge {
    octets: usize,
}

impl HeapCharge {
    pub(crate) fn new(ruby: &Ruby, octets: usize) -> Self {
        ruby.gc_adjust_memory_usage(octets.cast_signed());
        Self { octets }
    }

    pub(crate) fn octets(&self) -> usize {
        self.octets
    }
}

impl Drop for HeapCharge {
    fn drop(&mut self) {
        if let Ok(ruby) = Ruby::get() {
            ruby.gc_adjust_memory_usage(self.octets.cast_signed().wrapping_neg());
        }
    }
}
