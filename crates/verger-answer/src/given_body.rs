use crate::text::{NotBase64, of_base64};

/// The body in a JSON line, or a reference to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenBody {
    /// The bytes, given as text or base64.
    Bytes(Vec<u8>),
    /// Path of a file. The caller decides whether it may be read.
    Path(String),
}

impl GivenBody {
    /// Returns the body from one of the keys `robots`, `robots_base64` and `robots_path`.
    ///
    /// # Errors
    ///
    /// Returns an error if not exactly one is given or the base64 is invalid.
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

/// A line does not have exactly one valid body.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GivenBodyError {
    /// No key has a value.
    #[error("no body: give one of robots, robots_base64, robots_path")]
    None,
    /// Several keys have a value.
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
