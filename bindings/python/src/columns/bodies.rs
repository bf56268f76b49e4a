//! `Bodies`: bodies by authority or by id. They are not copied out of the table.

use std::collections::HashMap;

use arrow_array::Array;
use arrow_data::ArrayData;
use verger_inputs::rulebook::named_authority;

use crate::arrow::text_column::TextColumn;
use crate::columns::key_column::KeyColumn;
use crate::columns::table::{Place, array_of, columns_of};

#[derive(Default)]
pub(crate) struct Bodies {
    batches: Vec<TextColumn>,
    places: HashMap<Box<[u8]>, BodyPlace>,
}

#[derive(Clone, Copy)]
struct BodyPlace {
    batch: usize,
    row: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyForm {
    /// Keys are authorities, in any spelling.
    Authority,
    /// Keys are compared byte by byte.
    Exact,
}

pub(crate) struct BodyColumns {
    pub(crate) key: Place,
    pub(crate) form: KeyForm,
    pub(crate) robots: Place,
}

impl Bodies {
    /// Adds the rows of a table. If several bodies have the same key, the last is used. Rows
    /// without a key or a body are skipped.
    pub(crate) fn add(&mut self, data: ArrayData, columns: &BodyColumns) -> Result<(), String> {
        let rows = data.len();
        let arrays = columns_of(&array_of(data)?)?;
        let broken =
            |place: &Place| format!("column `{}` does not have its declared type", place.name);
        let keys = KeyColumn::of(arrays[columns.key.index].to_data());
        let keys = keys.ok_or_else(|| broken(&columns.key))?;
        let robots = TextColumn::of(arrays[columns.robots.index].to_data());
        let robots = robots.ok_or_else(|| broken(&columns.robots))?;
        let batch = self.batches.len();
        for row in 0..rows {
            let body = robots.value(row);
            if body
                .map_err(|it| it.at(&columns.robots.name, row))?
                .is_none()
            {
                continue;
            }
            let key = keys.with_bytes(row, |key| key.map(|key| columns.form.form_of(key)));
            let name = &columns.key.name;
            let key = key.map_err(|it| it.at(name, row))?.transpose();
            let key = key.map_err(|error| format!("column `{name}`, row {row}: {error}"))?;
            if let Some(key) = key {
                self.places.insert(key, BodyPlace { batch, row });
            }
        }
        self.batches.push(robots);
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    pub(crate) fn body(&self, key: &[u8]) -> Option<&[u8]> {
        let place = self.places.get(key)?;
        // It was read before, so reading it cannot fail.
        self.batches[place.batch].value(place.row).ok().flatten()
    }
}

impl KeyForm {
    fn form_of(self, key: &[u8]) -> Result<Box<[u8]>, String> {
        match self {
            Self::Exact => Ok(key.into()),
            Self::Authority => match named_authority(key) {
                Ok(authority) => Ok(authority.into_bytes().into()),
                Err(error) => Err(error.to_string()),
            },
        }
    }
}
