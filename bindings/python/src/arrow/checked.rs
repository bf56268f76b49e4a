//! What a producer gives, taken over without trust in its numbers.
#![allow(unsafe_code)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field};

/// More rows than any memory holds: what a length below zero looks like, and sums of lengths that overflow.
const ROWS_MAX: usize = 1 << 48;

/// More columns than a table has.
const COLUMNS_MAX: usize = 1 << 20;

/// How deep arrays may be in each other.
const DEPTH_MAX: usize = 64;

/// The name and the type that a schema says.
///
/// # Errors
///
/// Where it is not known here, or makes its reader panic.
pub(crate) fn field_of(schema: &FFI_ArrowSchema) -> Result<Field, String> {
    let field = catch_unwind(AssertUnwindSafe(|| Field::try_from(schema)));
    match field {
        Ok(field) => field.map_err(|error| error.to_string()),
        Err(_) => Err("the Arrow schema is broken".to_owned()),
    }
}

/// The array of a producer.
///
/// # Errors
///
/// Where its numbers cannot be those of an array in memory.
///
/// # Safety
///
/// The producer has to vouch that the array is of that type.
pub(crate) unsafe fn data_of(
    array: FFI_ArrowArray,
    data_type: &DataType,
) -> Result<ArrayData, String> {
    let take = move || {
        if !is_possible(&array, DEPTH_MAX) {
            return Err("the Arrow array says a length or an offset that no array has".to_owned());
        }
        // SAFETY: as the caller says.
        let data = unsafe { from_ffi_and_data_type(array, data_type.clone()) };
        data.map_err(|error| error.to_string())
    };
    match catch_unwind(AssertUnwindSafe(take)) {
        Ok(data) => data,
        Err(_) => Err("the Arrow array is not of the type that its producer has said".to_owned()),
    }
}

/// Whether an array and those in it have lengths and offsets that arrays have.
fn is_possible(array: &FFI_ArrowArray, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    array.len() <= ROWS_MAX
        && array.offset() <= ROWS_MAX
        && array.num_children() <= COLUMNS_MAX
        && (0..array.num_children()).all(|child| is_possible(array.child(child), depth))
        && array
            .dictionary()
            .is_none_or(|dictionary| is_possible(dictionary, depth))
}
