use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder as _, StringViewBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BooleanArray, PrimitiveArray, StringViewArray,
};
use arrow_schema::{DataType, Field};

/// Maximum size of a kept text in bytes, the same as for URLs.
pub(crate) const KEPT_BYTES_MAX: usize = 256 << 10;

/// The position of rows in their list, and its columns that are kept with the answers.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowOrigin {
    pub(crate) input: Arc<str>,
    /// The number of the first row, from 1.
    pub(crate) first_row: i64,
    /// The kept columns, with a value for each row.
    pub(crate) kept: Vec<(Field, ArrayRef)>,
}

impl RowOrigin {
    pub(super) fn slice(&self, start: usize, rows: usize) -> Self {
        let kept = self.kept.iter();
        Self {
            input: Arc::clone(&self.input),
            first_row: self.first_row + i64::try_from(start).unwrap_or(0),
            kept: kept
                .map(|(field, column)| (field.clone(), column.slice(start, rows)))
                .collect(),
        }
    }

    pub(super) fn text_bytes(&self, row: usize) -> usize {
        let texts = self
            .kept
            .iter()
            .filter_map(|(_, it)| it.as_string_view_opt());
        texts.map(|texts| texts.value(row).len()).sum()
    }
}

/// Columns of text, filled row by row.
#[derive(Debug, Default)]
pub(crate) struct KeptTexts {
    columns: Vec<(Field, StringViewBuilder)>,
    bytes: usize,
}

impl KeptTexts {
    pub(crate) fn of(fields: &[Field]) -> Self {
        let columns = fields
            .iter()
            .map(|field| (field.clone(), StringViewBuilder::new()));
        Self {
            columns: columns.collect(),
            bytes: 0,
        }
    }

    /// Returns false and adds null if the value is too long.
    pub(crate) fn push(&mut self, column: usize, value: Option<&[u8]>) -> bool {
        let (_, texts) = &mut self.columns[column];
        let kept = value.filter(|value| value.len() <= KEPT_BYTES_MAX);
        texts.append_option(kept.map(String::from_utf8_lossy));
        self.bytes += kept.map_or(0, <[u8]>::len);
        kept.is_some() == value.is_some()
    }

    pub(crate) fn fill(&mut self, rows: usize) {
        for (_, texts) in &mut self.columns {
            while texts.len() < rows {
                texts.append_null();
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn finish(self) -> Vec<(Field, ArrayRef)> {
        let columns = self.columns.into_iter();
        columns
            .map(|(field, mut texts)| (field, Arc::new(texts.finish()) as ArrayRef))
            .collect()
    }
}

pub(crate) fn text_field(name: &str) -> Field {
    Field::new(name, DataType::Utf8View, true)
}

/// Returns `None` for a type that cannot be kept.
pub(super) fn repeated(column: &ArrayRef, times: usize) -> Option<ArrayRef> {
    fn each<T: ArrowPrimitiveType>(column: &ArrayRef, times: usize) -> Option<ArrayRef> {
        let values = column.as_primitive_opt::<T>()?;
        let repeated = values
            .iter()
            .flat_map(|value| std::iter::repeat_n(value, times));
        let repeated: PrimitiveArray<T> = repeated.collect();
        Some(Arc::new(
            repeated.with_data_type(column.data_type().clone()),
        ))
    }
    if times == 1 {
        return Some(Arc::clone(column));
    }
    match column.data_type() {
        DataType::Utf8View => Some(repeated_texts(column.as_string_view(), times)),
        DataType::Boolean => {
            let values = column.as_boolean().iter();
            let repeated = values.flat_map(|value| std::iter::repeat_n(value, times));
            Some(Arc::new(repeated.collect::<BooleanArray>()))
        }
        DataType::Int64 => each::<Int64Type>(column, times),
        DataType::Float64 => each::<Float64Type>(column, times),
        DataType::Date32 => each::<Date32Type>(column, times),
        DataType::Timestamp(_, _) => each::<TimestampMicrosecondType>(column, times),
        _ => None,
    }
}

/// Does not copy the texts themselves.
pub(super) fn repeated_texts(texts: &StringViewArray, times: usize) -> ArrayRef {
    if times == 1 {
        return Arc::new(texts.clone());
    }
    let mut repeated = StringViewBuilder::with_capacity(texts.len() * times);
    let blocks = texts
        .data_buffers()
        .iter()
        .map(|buffer| repeated.append_block(buffer.clone()));
    let blocks: Vec<u32> = blocks.collect();
    for (row, &view) in texts.views().iter().enumerate() {
        // A view of more than twelve bytes contains a buffer number and an offset.
        let length = u32::try_from(view & u128::from(u32::MAX)).unwrap_or(0);
        let block = usize::try_from((view >> 64) & u128::from(u32::MAX)).unwrap_or(usize::MAX);
        let offset = u32::try_from(view >> 96).unwrap_or(0);
        for _ in 0..times {
            let viewed = match blocks.get(block) {
                _ if texts.is_null(row) => {
                    repeated.append_null();
                    true
                }
                Some(&block) if length > 12 => {
                    repeated.try_append_view(block, offset, length).is_ok()
                }
                _ => false,
            };
            if !viewed {
                repeated.append_value(texts.value(row));
            }
        }
    }
    Arc::new(repeated.finish())
}
