//! `IntegerColumn`: the values of integer columns, such as ids and dictionary keys.

use arrow_array::PrimitiveArray;
use arrow_array::types::{
    ArrowPrimitiveType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_buffer::{NullBuffer, ScalarBuffer};
use arrow_data::ArrayData;
use arrow_schema::DataType;

pub(crate) struct IntegerColumn {
    values: Values,
    nulls: Option<NullBuffer>,
}

enum Values {
    Int8(ScalarBuffer<i8>),
    Int16(ScalarBuffer<i16>),
    Int32(ScalarBuffer<i32>),
    Int64(ScalarBuffer<i64>),
    UInt8(ScalarBuffer<u8>),
    UInt16(ScalarBuffer<u16>),
    UInt32(ScalarBuffer<u32>),
    UInt64(ScalarBuffer<u64>),
}

impl IntegerColumn {
    /// Reads the values of an array. Returns `None` if they are not integers.
    pub(crate) fn of(data: ArrayData) -> Option<Self> {
        let (values, nulls) = match data.data_type() {
            DataType::Int8 => parts::<Int8Type>(data, Values::Int8),
            DataType::Int16 => parts::<Int16Type>(data, Values::Int16),
            DataType::Int32 => parts::<Int32Type>(data, Values::Int32),
            DataType::Int64 => parts::<Int64Type>(data, Values::Int64),
            DataType::UInt8 => parts::<UInt8Type>(data, Values::UInt8),
            DataType::UInt16 => parts::<UInt16Type>(data, Values::UInt16),
            DataType::UInt32 => parts::<UInt32Type>(data, Values::UInt32),
            DataType::UInt64 => parts::<UInt64Type>(data, Values::UInt64),
            _ => return None,
        };
        Some(Self { values, nulls })
    }

    /// Returns the value of an existing row, or `None` if it is null.
    pub(crate) fn value(&self, row: usize) -> Option<i128> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return None;
        }
        Some(match &self.values {
            Values::Int8(values) => values[row].into(),
            Values::Int16(values) => values[row].into(),
            Values::Int32(values) => values[row].into(),
            Values::Int64(values) => values[row].into(),
            Values::UInt8(values) => values[row].into(),
            Values::UInt16(values) => values[row].into(),
            Values::UInt32(values) => values[row].into(),
            Values::UInt64(values) => values[row].into(),
        })
    }
}

fn parts<T: ArrowPrimitiveType>(
    data: ArrayData,
    values: impl FnOnce(ScalarBuffer<T::Native>) -> Values,
) -> (Values, Option<NullBuffer>) {
    let (_, buffer, nulls) = PrimitiveArray::<T>::from(data).into_parts();
    (values(buffer), nulls)
}
