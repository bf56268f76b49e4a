//! The words and the text of an answer.

use std::cell::{Cell, RefCell};

use crate::failure::Failure;

/// The result of a failed call. Other results are 0 and 1.
pub(crate) const FAILED: u32 = 2;

const WORDS: usize = 7;

thread_local! {
    static ANSWER: [Cell<u32>; WORDS] = const { [const { Cell::new(0) }; WORDS] };
    /// The text that the first words point to.
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Returns the address of the words of an answer: effect, reason, line, first line of the group,
/// how the group names the crawler, and the address and length of the pattern. After a call that
/// answers with text, the first two are its address and length.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u32 {
    ANSWER.with(|words| words.as_ptr().cast())
}

/// Returns 0, 1, or [`FAILED`] after storing the failure as text.
pub(crate) fn answered(result: Result<bool, Failure>) -> u32 {
    match result {
        Ok(answer) => u32::from(answer),
        Err(failure) => {
            put_text(failure.to_json().into_bytes());
            FAILED
        }
    }
}

/// Stores a text until the next one, and sets the first words to its address and length.
pub(crate) fn put_text(text: Vec<u8>) {
    put(kept(text));
}

/// Stores a text until the next one, and returns its address and length.
pub(crate) fn kept(text: Vec<u8>) -> [u32; 2] {
    TEXT.with_borrow_mut(|kept| {
        *kept = text;
        [place(kept), length(kept)]
    })
}

/// Sets the first words.
pub(crate) fn put<const N: usize>(values: [u32; N]) {
    ANSWER.with(|words| {
        for (word, value) in words.iter().zip(values) {
            word.set(value);
        }
    });
}

/// WebAssembly addresses and lengths have 32 bits.
#[expect(clippy::cast_possible_truncation, reason = "see above")]
fn place(bytes: &[u8]) -> u32 {
    bytes.as_ptr() as usize as u32
}

#[expect(clippy::cast_possible_truncation, reason = "see above")]
fn length(bytes: &[u8]) -> u32 {
    bytes.len() as u32
}
