//! Takes over data from a producer without trusting its numbers.
#![allow(unsafe_code)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field};

/// Limit on the number of rows, more than fit in any memory. Rejects negative lengths and
/// overflowing sums.
const ROWS_MAX: usize = 1 << 48;

/// Limit on the number of columns of a table.
const COLUMNS_MAX: usize = 1 << 20;

/// Maximum nesting depth of arrays.
const DEPTH_MAX: usize = 64;

/// Returns the name and type in a schema.
pub(crate) fn field_of(schema: &FFI_ArrowSchema) -> Result<Field, String> {
    let field = catch_unwind(AssertUnwindSafe(|| Field::try_from(schema)));
    match field {
        Ok(field) => field.map_err(|error| error.to_string()),
        Err(_) => Err("the Arrow schema is malformed".to_owned()),
    }
}

/// Converts the array of a producer.
///
/// # Safety
///
/// The producer must guarantee that the array has this type.
pub(crate) unsafe fn data_of(
    array: FFI_ArrowArray,
    data_type: &DataType,
) -> Result<ArrayData, String> {
    let take = move || {
        if !is_possible(&array, DEPTH_MAX) {
            return Err("the Arrow array has an impossible length or offset".to_owned());
        }
        // SAFETY: guaranteed by the caller.
        let data = unsafe { from_ffi_and_data_type(array, data_type.clone()) };
        data.map_err(|error| error.to_string())
    };
    match catch_unwind(AssertUnwindSafe(take)) {
        Ok(data) => data,
        Err(_) => Err("the Arrow array does not have the type declared by its producer".to_owned()),
    }
}

/// Returns whether an array and its children have plausible lengths and offsets.
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
