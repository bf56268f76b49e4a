use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, PrimitiveArray, StringViewArray};
use arrow_schema::{DataType, TimeUnit};

use super::time_text::TimeText;
use crate::check::KEPT_BYTES_MAX;

/// Microseconds since 1970.
pub(super) type Micros = PrimitiveArray<TimestampMicrosecondType>;

const DAY_MICROS: i64 = 24 * 60 * 60 * 1_000_000;

pub(super) fn time_type_is_read(of: &DataType) -> bool {
    matches!(
        of,
        DataType::Utf8View | DataType::Timestamp(_, _) | DataType::Date32
    ) || of.is_integer()
}

/// Converts a column to times. A date means its first second in UTC. Numbers are read as in text.
pub(super) fn micros(times: &ArrayRef) -> Option<Micros> {
    const MILLION: i64 = 1_000_000;
    let read = |text: &str| TimeText::read(text.as_bytes()).map(TimeText::micros);
    Some(match times.data_type() {
        DataType::Timestamp(TimeUnit::Second, _) => {
            let times = times.as_primitive_opt::<TimestampSecondType>()?;
            times.unary_opt(|time| time.checked_mul(MILLION))
        }
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            let times = times.as_primitive_opt::<TimestampMillisecondType>()?;
            times.unary_opt(|time| time.checked_mul(1000))
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            let times = times.as_primitive_opt::<TimestampMicrosecondType>()?;
            times.clone().with_timezone_opt(None::<Arc<str>>)
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            let times = times.as_primitive_opt::<TimestampNanosecondType>()?;
            times.unary_opt(|time| Some(time.div_euclid(1000)))
        }
        DataType::Date32 => {
            let dates = times.as_primitive_opt::<Date32Type>()?;
            dates.unary_opt(|day| i64::from(day).checked_mul(DAY_MICROS))
        }
        DataType::UInt64 => {
            let numbers = times.as_primitive_opt::<UInt64Type>()?;
            numbers.unary_opt(|number| read(&number.to_string()))
        }
        number if number.is_integer() => {
            let numbers = whole_numbers(times)?;
            numbers.unary_opt(|number| read(&number.to_string()))
        }
        _ => {
            let times = times.as_string_view_opt()?.iter();
            times.map(|text| text.and_then(read)).collect()
        }
    })
}

/// Returns `None` if the column cannot be kept.
pub(super) fn kept_type(of: &DataType) -> Option<DataType> {
    Some(match of {
        DataType::Utf8View | DataType::Boolean | DataType::Date32 => of.clone(),
        DataType::UInt64 => return None,
        number if number.is_integer() => DataType::Int64,
        DataType::Float32 | DataType::Float64 => DataType::Float64,
        DataType::Timestamp(_, _) => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        _ => return None,
    })
}

pub(super) fn kept_values(column: &ArrayRef) -> Option<ArrayRef> {
    Some(match column.data_type() {
        DataType::Utf8View => Arc::new(within_bound(column.as_string_view())),
        DataType::Boolean | DataType::Date32 | DataType::Float64 | DataType::Int64 => {
            Arc::clone(column)
        }
        DataType::Float32 => {
            let numbers = column.as_primitive_opt::<Float32Type>()?;
            Arc::new(numbers.unary::<_, Float64Type>(f64::from))
        }
        DataType::Timestamp(_, _) => Arc::new(micros(column)?.with_timezone("UTC")),
        _ => Arc::new(whole_numbers(column)?),
    })
}

/// Replaces texts longer than the maximum for URLs with null.
fn within_bound(texts: &StringViewArray) -> StringViewArray {
    let is_within = |text: &&str| text.len() <= KEPT_BYTES_MAX;
    if texts.iter().flatten().all(|text| is_within(&text)) {
        return texts.clone();
    }
    texts.iter().map(|text| text.filter(is_within)).collect()
}

fn whole_numbers(column: &ArrayRef) -> Option<PrimitiveArray<Int64Type>> {
    fn wide<T: ArrowPrimitiveType>(column: &ArrayRef) -> Option<PrimitiveArray<Int64Type>>
    where
        i64: From<T::Native>,
    {
        Some(column.as_primitive_opt::<T>()?.unary(i64::from))
    }
    match column.data_type() {
        DataType::Int8 => wide::<Int8Type>(column),
        DataType::Int16 => wide::<Int16Type>(column),
        DataType::Int32 => wide::<Int32Type>(column),
        DataType::Int64 => wide::<Int64Type>(column),
        DataType::UInt8 => wide::<UInt8Type>(column),
        DataType::UInt16 => wide::<UInt16Type>(column),
        DataType::UInt32 => wide::<UInt32Type>(column),
        _ => None,
    }
}
