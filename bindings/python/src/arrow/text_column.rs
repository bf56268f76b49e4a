//! `TextColumn`: the values of text and binary columns as bytes, in any Arrow layout.
//!
//! Offsets, views and UTF-8 are checked, because the producer is not trusted.

use std::sync::Arc;

use arrow_array::types::{
    BinaryType, BinaryViewType, ByteArrayType, ByteViewType, LargeBinaryType, LargeUtf8Type,
    StringViewType, Utf8Type,
};
use arrow_array::{FixedSizeBinaryArray, GenericByteArray, GenericByteViewArray};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_data::ArrayData;
use arrow_schema::DataType;

use crate::arrow::integer_column::IntegerColumn;

#[derive(Clone)]
pub(crate) struct TextColumn {
    layout: Layout,
    nulls: Option<NullBuffer>,
    content: Content,
}

#[derive(Clone)]
enum Layout {
    Nothing,
    Offsets32(OffsetBuffer<i32>, Buffer),
    Offsets64(OffsetBuffer<i64>, Buffer),
    Views(ScalarBuffer<u128>, Arc<[Buffer]>),
    Fixed(usize, Buffer),
    Dictionary(Arc<IntegerColumn>, Arc<TextColumn>, usize),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Bytes,
    Utf8,
}

/// Maximum size of a value stored inside its view, in bytes.
const INLINE_BYTES_MAX: usize = 12;
const VIEW_BYTES: usize = size_of::<u128>();

/// Returns whether [`TextColumn`] supports this type: text, binary, dictionaries of these, and
/// nulls.
pub(crate) fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => {
            is_text(values) && !matches!(**values, DataType::Dictionary(..))
        }
        _ => matches!(
            data_type,
            DataType::Null
                | DataType::Utf8
                | DataType::LargeUtf8
                | DataType::Utf8View
                | DataType::Binary
                | DataType::LargeBinary
                | DataType::BinaryView
                | DataType::FixedSizeBinary(_)
        ),
    }
}

impl TextColumn {
    /// Reads the values of an array. Returns `None` if it [is not text](is_text).
    pub(crate) fn of(data: ArrayData) -> Option<Self> {
        let column = match data.data_type() {
            DataType::Null => Self {
                layout: Layout::Nothing,
                nulls: None,
                content: Content::Bytes,
            },
            DataType::Utf8 => bytes::<Utf8Type>(data, Layout::Offsets32, Content::Utf8),
            DataType::LargeUtf8 => bytes::<LargeUtf8Type>(data, Layout::Offsets64, Content::Utf8),
            DataType::Binary => bytes::<BinaryType>(data, Layout::Offsets32, Content::Bytes),
            DataType::LargeBinary => {
                bytes::<LargeBinaryType>(data, Layout::Offsets64, Content::Bytes)
            }
            DataType::Utf8View => views::<StringViewType>(data, Content::Utf8),
            DataType::BinaryView => views::<BinaryViewType>(data, Content::Bytes),
            DataType::FixedSizeBinary(_) => {
                let array = FixedSizeBinaryArray::from(data);
                let width = array.value_size();
                let (_, values, nulls) = array.into_parts();
                Self {
                    layout: Layout::Fixed(width, values),
                    nulls,
                    content: Content::Bytes,
                }
            }
            DataType::Dictionary(keys, _) => {
                let keys = keys_of(&data, keys);
                let nulls = data.nulls().cloned();
                let values = data.child_data().first()?.clone();
                let count = values.len();
                let values = Self::of(values)?;
                Self {
                    layout: Layout::Dictionary(Arc::new(keys?), Arc::new(values), count),
                    nulls,
                    content: Content::Bytes,
                }
            }
            _ => return None,
        };
        Some(column)
    }

    /// Returns the bytes of an existing row, or `None` if it is null.
    pub(crate) fn value(&self, row: usize) -> Result<Option<&[u8]>, Broken> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return Ok(None);
        }
        let bytes = match &self.layout {
            Layout::Nothing => return Ok(None),
            Layout::Offsets32(offsets, values) => {
                let range = (offsets[row].try_into(), offsets[row + 1].try_into());
                range
                    .0
                    .ok()
                    .zip(range.1.ok())
                    .and_then(|(a, b): (usize, usize)| values.get(a..b))
            }
            Layout::Offsets64(offsets, values) => {
                let range = (offsets[row].try_into(), offsets[row + 1].try_into());
                range
                    .0
                    .ok()
                    .zip(range.1.ok())
                    .and_then(|(a, b): (usize, usize)| values.get(a..b))
            }
            Layout::Views(views, buffers) => in_view(views, buffers, row),
            Layout::Fixed(width, values) => values.get(row * width..(row + 1) * width),
            Layout::Dictionary(keys, values, count) => {
                let Some(key) = keys.value(row) else {
                    return Ok(None);
                };
                let key = usize::try_from(key).ok().filter(|key| key < count);
                return values.value(key.ok_or(Broken::Outside)?);
            }
        };
        let bytes = bytes.ok_or(Broken::Outside)?;
        if self.content == Content::Utf8 && std::str::from_utf8(bytes).is_err() {
            return Err(Broken::NotUtf8);
        }
        Ok(Some(bytes))
    }
}

/// How a column contradicts its declared type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    /// A string is not UTF-8.
    NotUtf8,
    /// A value lies outside the column.
    Outside,
}

impl Broken {
    /// Formats a message about a row, counted from 0.
    pub(crate) fn at(self, column: &str, row: usize) -> String {
        match self {
            Self::NotUtf8 => format!(
                "column `{column}`, row {row}: the string is not UTF-8. Use a binary column for arbitrary bytes"
            ),
            Self::Outside => {
                format!("column `{column}`, row {row}: the value lies outside the Arrow array")
            }
        }
    }
}

fn bytes<T: ByteArrayType>(
    data: ArrayData,
    layout: impl FnOnce(OffsetBuffer<T::Offset>, Buffer) -> Layout,
    content: Content,
) -> TextColumn {
    let (offsets, values, nulls) = GenericByteArray::<T>::from(data).into_parts();
    TextColumn {
        layout: layout(offsets, values),
        nulls,
        content,
    }
}

fn views<T: ByteViewType + ?Sized>(data: ArrayData, content: Content) -> TextColumn {
    let (views, buffers, nulls) = GenericByteViewArray::<T>::from(data).into_parts();
    TextColumn {
        layout: Layout::Views(views, buffers),
        nulls,
        content,
    }
}

/// Returns the keys of a dictionary array, which are in its own buffer.
fn keys_of(data: &ArrayData, key_type: &DataType) -> Option<IntegerColumn> {
    let keys = ArrayData::builder(key_type.clone())
        .len(data.len())
        .offset(data.offset())
        .buffers(data.buffers().to_vec());
    IntegerColumn::of(keys.build().ok()?)
}

/// Returns the bytes that a view contains or refers to.
///
/// A view starts with the number of bytes. It continues with all bytes, or with four of them, a
/// buffer index and an offset. Each number has 32 bits.
fn in_view<'v>(
    views: &'v ScalarBuffer<u128>,
    buffers: &'v [Buffer],
    row: usize,
) -> Option<&'v [u8]> {
    let view = views
        .inner()
        .get(row * VIEW_BYTES..(row + 1) * VIEW_BYTES)?;
    let number = |at: usize| {
        let bytes = view.get(at..at + 4)?.try_into().ok()?;
        usize::try_from(u32::from_ne_bytes(bytes)).ok()
    };
    let bytes = number(0)?;
    if bytes <= INLINE_BYTES_MAX {
        return view.get(4..4 + bytes);
    }
    let start = number(12)?;
    buffers
        .get(number(8)?)?
        .get(start..start.checked_add(bytes)?)
}
