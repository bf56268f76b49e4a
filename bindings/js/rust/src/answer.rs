//! The words and the text that go out.

use std::cell::{Cell, RefCell};

use crate::failure::Failure;

/// What a function returns that failed. 0 and 1 are its answers.
pub(crate) const FAILED: u32 = 2;

const WORDS: usize = 7;

thread_local! {
    static ANSWER: [Cell<u32>; WORDS] = const { [const { Cell::new(0) }; WORDS] };
    /// Where the first words point after a call that answered with a text.
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Where the words of an answer are: effect, reason, line, first line of the group, how the group names the
/// crawler, and the place and length of the pattern; or the place and length of a text.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u32 {
    ANSWER.with(|words| words.as_ptr().cast())
}

/// What the caller gets: 0 or 1; a failure is a text, and the number says so.
pub(crate) fn answered(result: Result<bool, Failure>) -> u32 {
    match result {
        Ok(answer) => u32::from(answer),
        Err(failure) => {
            put_text(failure.to_json().into_bytes());
            FAILED
        }
    }
}

/// Keeps a text until the next one, and puts its place and its length into the first words.
pub(crate) fn put_text(text: Vec<u8>) {
    put(kept(text));
}

/// Keeps a text until the next one, and returns its place and its length.
pub(crate) fn kept(text: Vec<u8>) -> [u32; 2] {
    TEXT.with_borrow_mut(|kept| {
        *kept = text;
        [place(kept), length(kept)]
    })
}

/// Puts the first words.
pub(crate) fn put<const N: usize>(values: [u32; N]) {
    ANSWER.with(|words| {
        for (word, value) in words.iter().zip(values) {
            word.set(value);
        }
    });
}

/// Addresses and lengths have 32 bits in WebAssembly.
#[expect(clippy::cast_possible_truncation, reason = "see above")]
fn place(bytes: &[u8]) -> u32 {
    bytes.as_ptr() as usize as u32
}

#[expect(clippy::cast_possible_truncation, reason = "see above")]
fn length(bytes: &[u8]) -> u32 {
    bytes.len() as u32
}
