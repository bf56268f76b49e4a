//! `Shape`: whether URLs are a column or part of a table, and the positions of URLs and keys.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, make_array};
use arrow_buffer::NullBuffer;
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Fields};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::arrow::text_column::{TextColumn, is_text};
use crate::columns::key_column::{KeyColumn, KeyKind};

/// The positions of URLs and keys.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// The arrays are URLs.
    Column { name: String },
    /// The arrays are tables.
    Table { url: Place, key: Option<Place> },
}

#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) name: String,
    pub(crate) index: usize,
}

pub(crate) struct Piece {
    pub(crate) rows: usize,
    /// The number of its first row in the input array.
    pub(crate) first: usize,
    pub(crate) url: TextColumn,
    pub(crate) url_name: String,
    pub(crate) key: Option<KeyColumn>,
    pub(crate) key_name: String,
    /// All columns of a table, which are passed through.
    pub(crate) passed: Vec<ArrayRef>,
}

impl Shape {
    /// Finds the columns in arrays of this type. In a table they have these names.
    pub(crate) fn of(field: &Field, url: &str, by: Option<(&str, KeyKind)>) -> PyResult<Self> {
        let DataType::Struct(fields) = field.data_type() else {
            let name = match field.name().as_str() {
                "" => url,
                name => name,
            };
            expect_text(name, field.data_type())?;
            return match by {
                None => Ok(Self::Column {
                    name: name.to_owned(),
                }),
                Some((by, _)) => Err(PyTypeError::new_err(format!(
                    "by=`{by}` cannot be used with a column: pass a table with the columns `{url}` and `{by}`"
                ))),
            };
        };
        let url = column(fields, url)?;
        expect_text(&url.name, fields[url.index].data_type())?;
        let key = by.map(|(by, kind)| {
            let key = column(fields, by)?;
            let found = key_kind(&key.name, fields[key.index].data_type())?;
            if found == kind || [found, kind].contains(&KeyKind::Null) {
                Ok(key)
            } else {
                let (kind, found) = (kind.as_str(), found.as_str());
                Err(PyTypeError::new_err(format!(
                    "column `{by}` has {found} in the URLs but {kind} in the bodies: expected the same type"
                )))
            }
        });
        let key = key.transpose()?;
        Ok(Self::Table { url, key })
    }

    /// Reads the columns of rows of an array of this type. `first` is the number of the first row.
    pub(crate) fn read(&self, array: &ArrayRef, first: usize) -> Result<Piece, String> {
        let rows = array.len();
        match self {
            Self::Column { name } => Ok(Piece {
                rows,
                first,
                url: text(name, array.to_data())?,
                url_name: name.clone(),
                key: None,
                key_name: String::new(),
                passed: Vec::new(),
            }),
            Self::Table { url, key } => {
                let passed = columns_of(array)?;
                let data_of = |place: &Place| passed[place.index].to_data();
                let key_column = key.as_ref().map(|key| {
                    let column = KeyColumn::of(data_of(key));
                    column.ok_or_else(|| unusable(&key.name))
                });
                Ok(Piece {
                    rows,
                    first,
                    url: text(&url.name, data_of(url))?,
                    url_name: url.name.clone(),
                    key: key_column.transpose()?,
                    key_name: key
                        .as_ref()
                        .map_or_else(String::new, |key| key.name.clone()),
                    passed,
                })
            }
        }
    }
}

/// Finds the column with this name.
pub(crate) fn column(fields: &Fields, name: &str) -> PyResult<Place> {
    let mut found = fields
        .iter()
        .enumerate()
        .filter(|(_, it)| it.name() == name);
    match (found.next(), found.next()) {
        (Some((index, _)), None) => Ok(Place {
            name: name.to_owned(),
            index,
        }),
        (Some(_), Some(_)) => Err(PyValueError::new_err(format!(
            "the table has several columns `{name}`: rename or drop all but one"
        ))),
        (None, _) => {
            let names: Vec<String> = fields.iter().map(|it| format!("`{}`", it.name())).collect();
            let names = match names.as_slice() {
                [] => "(none)".to_owned(),
                names => names.join(", "),
            };
            Err(PyValueError::new_err(format!(
                "the table has no column `{name}`: the columns are {names}"
            )))
        }
    }
}

/// Returns `TypeError` if a column of this type does not contain text.
pub(crate) fn expect_text(name: &str, data_type: &DataType) -> PyResult<()> {
    if is_text(data_type) {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!(
        "column `{name}` has type {data_type}: expected strings or binary, plain or as a dictionary"
    )))
}

/// Returns the kind of a key column of this type, or `TypeError` if it cannot contain keys.
pub(crate) fn key_kind(name: &str, data_type: &DataType) -> PyResult<KeyKind> {
    KeyKind::of(data_type).ok_or_else(|| {
        PyTypeError::new_err(format!(
            "column `{name}` has type {data_type}: expected strings, binary or integers"
        ))
    })
}

/// Converts the data to an array.
pub(crate) fn array_of(data: ArrayData) -> Result<ArrayRef, String> {
    let rows = data.offset().saturating_add(data.len());
    let is_table = matches!(data.data_type(), DataType::Struct(_));
    if is_table && data.child_data().iter().any(|it| it.len() < rows) {
        return Err("a column of the Arrow table has fewer rows than the table".to_owned());
    }
    Ok(make_array(data))
}

/// Returns the columns of a table. Rows that are null in a struct column become null in its
/// columns.
pub(crate) fn columns_of(array: &ArrayRef) -> Result<Vec<ArrayRef>, String> {
    let Some(table) = array.as_struct_opt() else {
        return Err("an Arrow array does not have the type declared by its stream".to_owned());
    };
    let columns = table.columns();
    let Some(nulls) = table.nulls().filter(|nulls| nulls.null_count() > 0) else {
        return Ok(columns.to_vec());
    };
    columns.iter().map(|it| masked(it, nulls)).collect()
}

/// Adds these nulls to a column. A type without a validity bitmap is returned unchanged.
fn masked(column: &ArrayRef, nulls: &NullBuffer) -> Result<ArrayRef, String> {
    let has_no_nulls = matches!(
        column.data_type(),
        DataType::Null | DataType::Union(..) | DataType::RunEndEncoded(..)
    );
    if has_no_nulls {
        return Ok(ArrayRef::clone(column));
    }
    let nulls = NullBuffer::union(column.nulls(), Some(nulls));
    let data = column.to_data().into_builder().nulls(nulls).build();
    data.map(make_array).map_err(|error| error.to_string())
}

fn text(name: &str, data: ArrayData) -> Result<TextColumn, String> {
    TextColumn::of(data).ok_or_else(|| unusable(name))
}

fn unusable(name: &str) -> String {
    format!("column `{name}` does not have the type declared by its stream")
}
