//! The input texts.

use std::cell::RefCell;

/// Size above which the scratch buffer is not kept.
const KEPT_BYTES_MAX: usize = 4 << 20;

thread_local! {
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Returns the scratch buffer, with at least the given size. Only this function moves it.
#[unsafe(no_mangle)]
pub extern "C" fn scratch(bytes: usize) -> *mut u8 {
    SCRATCH.with_borrow_mut(|scratch| {
        if bytes <= KEPT_BYTES_MAX && scratch.len() > KEPT_BYTES_MAX {
            *scratch = Vec::new();
        }
        if scratch.len() < bytes {
            // Freed first, because the old bytes are not needed.
            *scratch = Vec::new();
            *scratch = vec![0; bytes.max(1 << 16)];
        }
        scratch.as_mut_ptr()
    })
}

/// Splits the scratch buffer into texts of the given lengths.
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
