//! Converts a symbol to a dialect.

use magnus::value::ReprValue;
use magnus::{Error, Ruby, Symbol, Value};
use verger::Dialect;

use crate::exception::type_error;

/// Returns the dialect with this name.
pub(crate) fn dialect(ruby: &Ruby, name: Value) -> Result<Dialect, Error> {
    let symbol = Symbol::from_value(name).ok_or_else(|| type_error(ruby, name, "Symbol"))?;
    // A name that is not UTF-8 matches no dialect.
    let written = symbol.name().unwrap_or_default();
    written.parse().map_err(|error| {
        let message = format!("{error}, not {}", name.inspect());
        Error::new(ruby.exception_arg_error(), message)
    })
}
