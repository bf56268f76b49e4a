//! `KeyColumn`: keys that select bodies: text, bytes, or integers of any width.

use arrow_data::ArrayData;
use arrow_schema::DataType;

use crate::arrow::integer_column::IntegerColumn;
use crate::arrow::text_column::{Broken, TextColumn, is_text};

/// The kind of a key column. Only keys of the same kind can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyKind {
    Text,
    Integer,
    /// All keys are null, which is compatible with both kinds.
    Null,
}

pub(crate) enum KeyColumn {
    Text(TextColumn),
    Integer(IntegerColumn),
}

impl KeyKind {
    /// Returns the kind of a column of this type, or `None` if it cannot contain keys.
    pub(crate) fn of(data_type: &DataType) -> Option<Self> {
        if *data_type == DataType::Null {
            Some(Self::Null)
        } else if is_text(data_type) {
            Some(Self::Text)
        } else {
            data_type.is_integer().then_some(Self::Integer)
        }
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Integer => "integers",
            Self::Null => "no values",
        }
    }
}

impl KeyColumn {
    /// Reads the values of an array. Returns `None` if they cannot be keys.
    pub(crate) fn of(data: ArrayData) -> Option<Self> {
        match KeyKind::of(data.data_type())? {
            KeyKind::Text | KeyKind::Null => TextColumn::of(data).map(Self::Text),
            KeyKind::Integer => IntegerColumn::of(data).map(Self::Integer),
        }
    }

    /// Calls `read` with the bytes by which the value of an existing row is compared, or with
    /// `None` if it is null.
    pub(crate) fn with_bytes<R>(
        &self,
        row: usize,
        read: impl FnOnce(Option<&[u8]>) -> R,
    ) -> Result<R, Broken> {
        match self {
            Self::Text(column) => Ok(read(column.value(row)?)),
            Self::Integer(column) => {
                let bytes = column.value(row).map(i128::to_ne_bytes);
                Ok(read(bytes.as_ref().map(|bytes| &bytes[..])))
            }
        }
    }
}
