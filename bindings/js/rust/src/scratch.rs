//! The texts that come in.

use std::cell::RefCell;

/// A scratch buffer that is larger is not kept.
const KEPT_BYTES_MAX: usize = 4 << 20;

thread_local! {
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The scratch buffer, of that many bytes at least. Its place changes in this function only.
#[unsafe(no_mangle)]
pub extern "C" fn scratch(bytes: usize) -> *mut u8 {
    SCRATCH.with_borrow_mut(|scratch| {
        if bytes <= KEPT_BYTES_MAX && scratch.len() > KEPT_BYTES_MAX {
            *scratch = Vec::new();
        }
        if scratch.len() < bytes {
            // The old bytes are not copied, and go first.
            *scratch = Vec::new();
            *scratch = vec![0; bytes.max(1 << 16)];
        }
        scratch.as_mut_ptr()
    })
}

/// The texts of a call, by their lengths: the first begins where the scratch buffer does.
pub(crate) fn with_texts<const N: usize, R>(
    lengths: [usize; N],
    ask: impl FnOnce([&[u8]; N]) -> R,
) -> R {
    SCRATCH.with_borrow(|scratch| {
        let mut rest = scratch.as_slice();
        ask(lengths.map(|length| {
            let (text, after) = rest.split_at(length);
            rest = after;
            text
        }))
    })
}
