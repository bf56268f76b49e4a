//! `FieldText`: a header on a line of an export.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};

use crate::kept_headers::KeptHeaders;
use crate::transfer::line_error::LineError;

#[derive(Deserialize, Serialize)]
pub(crate) struct FieldText {
    name: String,
    value: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value_base64: Option<String>,
}

impl FieldText {
    pub(crate) fn of((name, value): (&HeaderName, &HeaderValue)) -> Self {
        let (value, value_base64) = text_of(value);
        Self {
            name: name.as_str().to_owned(),
            value,
            value_base64,
        }
    }
}

/// Returns a header value as text, and also in base64 if it is not UTF-8.
pub(crate) fn text_of(value: &HeaderValue) -> (String, Option<String>) {
    match std::str::from_utf8(value.as_bytes()) {
        Ok(text) => (text.to_owned(), None),
        Err(_) => (
            String::from_utf8_lossy(value.as_bytes()).into_owned(),
            Some(BASE64_STANDARD.encode(value)),
        ),
    }
}

pub(crate) fn value_of(
    text: &str,
    base64: Option<&String>,
    key: &'static str,
) -> Result<HeaderValue, LineError> {
    let bytes = match base64 {
        Some(base64) => BASE64_STANDARD.decode(base64).ok(),
        None => Some(text.as_bytes().to_vec()),
    };
    let value = bytes.and_then(|bytes| HeaderValue::from_bytes(&bytes).ok());
    value.ok_or(LineError::InvalidValue(key))
}

pub(crate) fn headers(fields: &[FieldText]) -> Result<KeptHeaders, LineError> {
    let mut headers = HeaderMap::new();
    for field in fields {
        let name = HeaderName::from_bytes(field.name.as_bytes());
        let name = name.map_err(|_| LineError::InvalidValue("headers.name"))?;
        let value = value_of(&field.value, field.value_base64.as_ref(), "headers.value")?;
        let appended = headers.try_append(name, value);
        appended.map_err(|_| LineError::InvalidValue("headers"))?;
    }
    Ok(KeptHeaders::new(&headers))
}
