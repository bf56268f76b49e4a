//! `GivenBody`: the body of a robots.txt as a line of JSON gives it.

use crate::text::{NotBase64, of_base64};

/// A body, or the file that holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenBody {
    /// The line has the bytes, as text or in base64.
    Bytes(Vec<u8>),
    /// The name of a file. Whether it may be read is for the caller to decide.
    Path(String),
}

impl GivenBody {
    /// The body that one of the keys `robots`, `robots_base64` and `robots_path` gives.
    ///
    /// # Errors
    ///
    /// Where none or several of them do, or where it is not base64.
    pub fn one_of(
        robots: Option<String>,
        robots_base64: Option<String>,
        robots_path: Option<String>,
    ) -> Result<Self, GivenBodyError> {
        match (robots, robots_base64, robots_path) {
            (Some(text), None, None) => Ok(Self::Bytes(text.into_bytes())),
            (None, Some(text), None) => match of_base64("robots_base64", &text) {
                Ok(bytes) => Ok(Self::Bytes(bytes)),
                Err(error) => Err(GivenBodyError::NotBase64(error)),
            },
            (None, None, Some(path)) => Ok(Self::Path(path)),
            (None, None, None) => Err(GivenBodyError::None),
            _ => Err(GivenBodyError::Several),
        }
    }
}

/// A line does not give one body.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GivenBodyError {
    /// None of the three keys has a value.
    #[error("no body: give one of robots, robots_base64, robots_path")]
    None,
    /// More than one of them has.
    #[error("several bodies: give only one of robots, robots_base64, robots_path")]
    Several,
    /// The value of `robots_base64` is not base64.
    #[error("{0}")]
    NotBase64(NotBase64),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_one_key_gives_the_body() {
        let given = |robots: Option<&str>, base64: Option<&str>, path: Option<&str>| {
            let [robots, base64, path] = [robots, base64, path].map(|it| it.map(str::to_owned));
            GivenBody::one_of(robots, base64, path)
        };
        let bytes = |bytes: &[u8]| Ok(GivenBody::Bytes(bytes.to_vec()));
        assert_eq!(given(Some("a"), None, None), bytes(b"a"));
        assert_eq!(given(None, Some("L+k"), None), bytes(b"/\xe9"));
        let path = Ok(GivenBody::Path("p".to_owned()));
        assert_eq!(given(None, None, Some("p")), path);
        assert_eq!(given(None, None, None), Err(GivenBodyError::None));
        let several = Err(GivenBodyError::Several);
        assert_eq!(given(Some(""), Some(""), None), several);
        assert_eq!(given(None, Some(""), Some("")), several);
        let not_base64 = given(None, Some("?"), None);
        assert!(matches!(not_base64, Err(GivenBodyError::NotBase64(_))));
    }
}
