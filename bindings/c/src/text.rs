//! Borrowed texts: a pointer and a length.

use std::borrow::Cow;
use std::ffi::c_char;

use crate::failure::Problem;
use crate::status::Status;

/// Borrowed bytes. Inputs belong to the caller, outputs to an object.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// The first byte. May be null if `len` is 0.
    pub data: *const c_char,
    /// Number of bytes.
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

/// Returns the bytes behind a pointer and a length.
///
/// # Safety
///
/// If the pointer is not null and the length is between 1 and `isize::MAX`, that many bytes must be
/// readable for `'a`, and nothing may write to them meanwhile.
pub(crate) unsafe fn bytes<'a>(data: *const c_char, len: usize) -> Result<&'a [u8], Problem> {
    // SAFETY: guaranteed by the caller.
    unsafe { slice(data.cast(), len) }
}

/// Copies the bytes behind a pointer and a length, which may exceed the available memory.
///
/// # Safety
///
/// As [`bytes`].
pub(crate) unsafe fn copied(data: *const c_char, len: usize) -> Result<Vec<u8>, Problem> {
    // SAFETY: guaranteed by the caller.
    let bytes = unsafe { bytes(data, len) }?;
    let mut copy = Vec::new();
    copy.try_reserve_exact(bytes.len())
        .map_err(|error| Problem::new(Status::OutOfMemory, error))?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}

/// Returns the values behind a pointer and a count.
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
    // SAFETY: the pointer is not null, the length is valid for a slice, and the caller guarantees
    // the rest.
    Ok(unsafe { std::slice::from_raw_parts(data, count) })
}

/// Returns the object behind a pointer.
///
/// # Safety
///
/// The pointer is null, or names an object that lives for `'a` and does not change.
pub(crate) unsafe fn object<'a, T>(object: *const T) -> Result<&'a T, Problem> {
    // SAFETY: guaranteed by the caller.
    unsafe { object.as_ref() }.ok_or_else(null)
}

/// Writes a result without dropping the old value.
///
/// # Safety
///
/// The pointer is null or valid for writes.
pub(crate) unsafe fn put<T>(place: *mut T, value: T) -> Result<(), Problem> {
    not_null(place)?;
    // SAFETY: not null, and the caller guarantees the rest.
    unsafe { place.write(value) };
    Ok(())
}

/// Checks an output pointer before a cursor advances, so no item is lost.
pub(crate) fn not_null<T>(place: *mut T) -> Result<(), Problem> {
    if place.is_null() { Err(null()) } else { Ok(()) }
}

/// Returns the cursor behind a pointer.
///
/// # Safety
///
/// The pointer is null or names a value that lives for `'a` and that nothing else uses meanwhile.
pub(crate) unsafe fn exclusive<'a, T>(object: *mut T) -> Result<&'a mut T, Problem> {
    // SAFETY: guaranteed by the caller.
    unsafe { object.as_mut() }.ok_or_else(null)
}

fn null() -> Problem {
    Problem::new(Status::NullPointer, "a required pointer is null")
}

/// Decodes a name. Invalid UTF-8 is replaced by a character that no product token or registry name
/// contains.
pub(crate) fn name(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
