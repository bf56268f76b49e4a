//! The body of a robots.txt as a line of JSON gives it: as text, in base64, or by the file's name.

use std::fmt;

use base64::alphabet;
use base64::engine::{DecodePaddingMode, Engine, GeneralPurpose, GeneralPurposeConfig};

use crate::input::{InputError, Source};

/// Base64 with the standard alphabet, padded or not.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A body, or where it is.
#[derive(Debug)]
pub(crate) enum GivenBody {
    /// It stands on the line.
    Here(Vec<u8>),
    /// It is in a file.
    In(Source),
}

impl GivenBody {
    /// The body that one of the keys `robots`, `robots_base64` and `robots_path` gives.
    ///
    /// # Errors
    ///
    /// Where none or several of them do, or where it is not base64.
    pub(crate) fn one_of(
        robots: Option<String>,
        robots_base64: Option<String>,
        robots_path: Option<String>,
    ) -> Result<Self, GivenBodyError> {
        match (robots, robots_base64, robots_path) {
            (Some(text), None, None) => Ok(Self::Here(text.into_bytes())),
            (None, Some(text), None) => match decode("robots_base64", &text) {
                Ok(octets) => Ok(Self::Here(octets)),
                Err(error) => Err(GivenBodyError::NotBase64(error)),
            },
            (None, None, Some(path)) => Ok(Self::In(Source::File(path.into()))),
            (None, None, None) => Err(GivenBodyError::None),
            _ => Err(GivenBodyError::Several),
        }
    }

    /// Its octets.
    ///
    /// # Errors
    ///
    /// Where its file cannot be read.
    pub(crate) fn read(self) -> Result<Vec<u8>, InputError> {
        match self {
            Self::Here(octets) => Ok(octets),
            Self::In(source) => source.read(),
        }
    }
}

/// The octets that the value of `key` holds in base64.
///
/// # Errors
///
/// Where it is not base64.
pub(crate) fn decode(key: &'static str, text: &str) -> Result<Vec<u8>, NotBase64> {
    BASE64
        .decode(text)
        .map_err(|error| NotBase64 { key, error })
}

/// A value is not base64.
#[derive(Debug)]
pub(crate) struct NotBase64 {
    key: &'static str,
    error: base64::DecodeError,
}

impl fmt::Display for NotBase64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not base64: {}", self.key, self.error)
    }
}

/// A line does not give one body.
#[derive(Debug)]
pub(crate) enum GivenBodyError {
    None,
    Several,
    NotBase64(NotBase64),
}

impl fmt::Display for GivenBodyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("no body: give one of robots, robots_base64, robots_path"),
            Self::Several => {
                f.write_str("several bodies: give only one of robots, robots_base64, robots_path")
            }
            Self::NotBase64(error) => error.fmt(f),
        }
    }
}
