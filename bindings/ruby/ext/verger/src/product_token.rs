//! `Verger::ProductToken`.

use magnus::typed_data::Obj;
use magnus::value::ReprValue;
use magnus::{DataTypeFunctions, Error, RArray, RString, Ruby, TypedData, Value};

use crate::bytes::{frozen_string, string, text, with_bytes};
use crate::exception::exception;
use crate::guard::guarded;

#[derive(DataTypeFunctions, TypedData)]
#[magnus(class = "Verger::ProductToken", free_immediately, frozen_shareable)]
pub(crate) struct ProductToken {
    token: verger::ProductToken,
}

impl ProductToken {
    pub(crate) fn new(ruby: &Ruby, token: Value) -> Result<Obj<Self>, Error> {
        let given = string(ruby, token)?;
        guarded(ruby, || {
            let token = verger::ProductToken::new(&text(given));
            let token = token.map_err(|error| token_error(ruby, &error, given.as_value()))?;
            Ok(Self::wrap(ruby, token))
        })
    }

    pub(crate) fn wrap(ruby: &Ruby, token: verger::ProductToken) -> Obj<Self> {
        let object = ruby.obj_wrap(Self { token });
        object.freeze();
        object
    }

    pub(crate) fn token(&self) -> &verger::ProductToken {
        &self.token
    }

    pub(crate) fn to_s(ruby: &Ruby, token: &Self) -> RString {
        frozen_string(ruby, token.token.as_str().as_bytes())
    }

    pub(crate) fn is_identifier(&self) -> bool {
        self.token.is_identifier()
    }
}

/// Creates a `Verger::ProductTokenError` with the message of the engine. `given` is a string or an
/// array. The text of the error has the bytes of the original string.
pub(crate) fn token_error(ruby: &Ruby, error: &verger::ProductTokenError, given: Value) -> Error {
    let strings = match RArray::from_value(given) {
        Some(array) => array.into_iter().filter_map(RString::from_value).collect(),
        None => Vec::from_iter(RString::from_value(given)),
    };
    let named = strings.into_iter().find(|it| text(*it) == error.text());
    let bytes = named.map(|it| with_bytes([it], |[bytes]| bytes.to_vec()));
    let bytes = bytes.unwrap_or_else(|| error.text().into());
    let arguments = (
        error.to_string(),
        frozen_string(ruby, &bytes),
        error.likely(),
    );
    exception(ruby, "ProductTokenError", arguments)
}
