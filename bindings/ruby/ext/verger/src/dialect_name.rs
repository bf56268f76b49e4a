//! A symbol as a dialect.

use magnus::value::ReprValue;
use magnus::{Error, Ruby, Symbol, Value};
use verger::Dialect;

use crate::exception::type_error;

/// The dialect of that name.
///
/// # Errors
///
/// `TypeError` where it is no symbol, `ArgumentError` where no dialect is named so.
pub(crate) fn dialect(ruby: &Ruby, name: Value) -> Result<Dialect, Error> {
    let symbol = Symbol::from_value(name).ok_or_else(|| type_error(ruby, name, "Symbol"))?;
    // A name that is not UTF-8 is none.
    let written = symbol.name().unwrap_or_default();
    written.parse().map_err(|error| {
        let message = format!("{error}, not {}", name.inspect());
        Error::new(ruby.exception_arg_error(), message)
    })
}
