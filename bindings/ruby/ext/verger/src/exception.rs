//! Exceptions of the gem, which `lib/verger/errors.rb` defines.

use std::fmt;

use magnus::value::ReprValue;
use magnus::{ArgList, Error, Exception, Module, RClass, RModule, Ruby, TryConvert, Value};

/// Creates the exception `Verger::CLASS.new(*arguments)`.
pub(crate) fn exception(ruby: &Ruby, class: &str, arguments: impl ArgList) -> Error {
    build(ruby, class, arguments).map_or_else(|error| error, Error::from)
}

fn build(ruby: &Ruby, class: &str, arguments: impl ArgList) -> Result<Exception, Error> {
    let verger: RModule = ruby.class_object().const_get("Verger")?;
    let class: RClass = verger.const_get(class)?;
    let exception: Value = class.funcall("new", arguments)?;
    Exception::try_convert(exception)
}

/// Creates a `Verger::InternalError` for a failure that should be impossible.
pub(crate) fn internal_error(ruby: &Ruby, error: &impl fmt::Display) -> Error {
    exception(ruby, "InternalError", (error.to_string(),))
}

/// Creates a `TypeError` for a value that does not have an `expected` type.
pub(crate) fn type_error(ruby: &Ruby, value: Value, expected: &str) -> Error {
    // Uses the wording of Ruby's own argument checks.
    let found = if value.is_nil() {
        "nil".to_owned()
    } else {
        value.class().inspect()
    };
    let message = format!("wrong argument type {found} (expected {expected})");
    Error::new(ruby.exception_type_error(), message)
}
