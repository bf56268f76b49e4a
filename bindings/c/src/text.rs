//! Texts that come in, and texts that go out: a pointer and a length.

use std::borrow::Cow;
use std::ffi::c_char;

use crate::failure::Problem;
use crate::status::Status;

/// Bytes that belong to another: to the caller where they go in, to an object where they come out.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// The first byte; may be null where `len` is 0.
    pub data: *const c_char,
    /// How many there are.
    pub len: usize,
}

impl Text {
    pub(crate) const EMPTY: Self = Self {
        data: std::ptr::null(),
        len: 0,
    };

    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self {
            data: bytes.as_ptr().cast(),
            len: bytes.len(),
        }
    }
}

/// The bytes that a pointer and a length state.
///
/// # Safety
///
/// Where the length is neither 0 nor over `isize::MAX` and the pointer is not null, so many bytes
/// must be readable for `'a`, and nothing may write them meanwhile.
pub(crate) unsafe fn bytes<'a>(data: *const c_char, len: usize) -> Result<&'a [u8], Problem> {
    // SAFETY: the caller vouches for it.
    unsafe { slice(data.cast(), len) }
}

/// A copy of the bytes that a pointer and a length state, which may be too many for the memory that there is.
///
/// # Safety
///
/// As [`bytes`].
pub(crate) unsafe fn copied(data: *const c_char, len: usize) -> Result<Vec<u8>, Problem> {
    // SAFETY: the caller vouches for it.
    let bytes = unsafe { bytes(data, len) }?;
    let mut copy = Vec::new();
    copy.try_reserve_exact(bytes.len())
        .map_err(|error| Problem::new(Status::OutOfMemory, error))?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}

/// The values that a pointer and a number state; as [`bytes`].
///
/// # Safety
///
/// As [`bytes`], and the pointer is aligned for `T`.
pub(crate) unsafe fn slice<'a, T>(data: *const T, count: usize) -> Result<&'a [T], Problem> {
    if count == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        let message = format!("a null pointer has length {count}");
        return Err(Problem::new(Status::NullPointer, message));
    }
    if count > isize::MAX.cast_unsigned() / size_of::<T>() {
        let message = format!("length {count} is over PTRDIFF_MAX");
        return Err(Problem::new(Status::TooLong, message));
    }
    // SAFETY: the pointer is not null, the length is one that a slice may have, and the caller vouches
    // for the rest.
    Ok(unsafe { std::slice::from_raw_parts(data, count) })
}

/// The object that a pointer names.
///
/// # Safety
///
/// The pointer is null or names an object that lives for `'a` and does not change.
pub(crate) unsafe fn object<'a, T>(object: *const T) -> Result<&'a T, Problem> {
    // SAFETY: the caller vouches for it.
    unsafe { object.as_ref() }.ok_or_else(null)
}

/// Puts a result where a pointer says, whatever is there before.
///
/// # Safety
///
/// The pointer is null or valid for writes.
pub(crate) unsafe fn put<T>(place: *mut T, value: T) -> Result<(), Problem> {
    not_null(place)?;
    // SAFETY: it is not null, and the caller vouches for the rest.
    unsafe { place.write(value) };
    Ok(())
}

/// Whether there is a place: before a cursor moves, which then would lose what has none.
pub(crate) fn not_null<T>(place: *mut T) -> Result<(), Problem> {
    if place.is_null() { Err(null()) } else { Ok(()) }
}

/// The cursor that a pointer names.
///
/// # Safety
///
/// The pointer is null or names a value that lives for `'a` and that nothing else uses meanwhile.
pub(crate) unsafe fn exclusive<'a, T>(object: *mut T) -> Result<&'a mut T, Problem> {
    // SAFETY: the caller vouches for it.
    unsafe { object.as_mut() }.ok_or_else(null)
}

fn null() -> Problem {
    Problem::new(
        Status::NullPointer,
        "a required pointer is null",
    )
}

/// A name as the engine takes it. Bytes that are not UTF-8 are replaced by what no product token, and
/// no name in the registry, holds.
pub(crate) fn name(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
