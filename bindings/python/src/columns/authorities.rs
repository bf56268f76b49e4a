//! The authority of each URL.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::StringBuilder;
use arrow_schema::{DataType, Field};
use verger_inputs::rulebook::UrlAuthority;

use crate::columns::table::Piece;

/// Maximum size of a string column, given by its 32-bit offsets.
const BYTES_MAX: usize = i32::MAX as usize;

pub(crate) fn field() -> Field {
    Field::new("authority", DataType::Utf8, true)
}

/// Returns the authorities of a piece. Null if a URL is null or has no authority.
pub(crate) fn authorities(last: &mut UrlAuthority, piece: &Piece) -> Result<ArrayRef, String> {
    // A name has about twenty bytes.
    let mut names = StringBuilder::with_capacity(piece.rows, piece.rows * 24);
    let mut bytes = 0_usize;
    for row in 0..piece.rows {
        let url = piece.url.value(row);
        let url = url.map_err(|broken| broken.at(&piece.url_name, piece.first + row))?;
        match url.map(|url| last.read(url)) {
            Some(Ok(_)) => {
                bytes = bytes.saturating_add(last.name().len());
                if bytes > BYTES_MAX {
                    return Err("the authorities of one batch take more than 2 GiB".to_owned());
                }
                names.append_value(last.name());
            }
            Some(Err(_)) | None => names.append_null(),
        }
    }
    Ok(Arc::new(names.finish()))
}
