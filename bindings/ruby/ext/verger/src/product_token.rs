//! `Verger::ProductToken`.

use magnus::typed_data::Obj;
use magnus::value::ReprValue;
use magnus::{DataTypeFunctions, Error, RString, Ruby, TypedData, Value};

use crate::exception::exception;
use crate::guard::guarded;
use crate::octets::{frozen_string, string, text};

/// A product token, wrapped.
#[derive(DataTypeFunctions, TypedData)]
#[magnus(class = "Verger::ProductToken", free_immediately, frozen_shareable)]
pub(crate) struct ProductToken {
    token: verger::ProductToken,
}

impl ProductToken {
    /// `ProductToken.new(text)`.
    pub(crate) fn new(ruby: &Ruby, token: Value) -> Result<Obj<Self>, Error> {
        let token = text(string(ruby, token)?);
        guarded(ruby, || {
            let token =
                verger::ProductToken::new(&token).map_err(|error| token_error(ruby, &error))?;
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

    /// `#to_s`.
    pub(crate) fn to_s(ruby: &Ruby, token: &Self) -> RString {
        frozen_string(ruby, token.token.as_str().as_bytes())
    }

    /// `#identifier?`.
    pub(crate) fn is_identifier(&self) -> bool {
        self.token.is_identifier()
    }
}

/// The `Verger::ProductTokenError` that says what the engine says.
pub(crate) fn token_error(ruby: &Ruby, error: &verger::ProductTokenError) -> Error {
    let arguments = (error.to_string(), error.text(), error.likely());
    exception(ruby, "ProductTokenError", arguments)
}
