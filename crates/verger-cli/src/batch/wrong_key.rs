//! Which key of a line is not of its type: asked only where a line could not be read.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::value::RawValue;

/// A key with a value of another type than it has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WrongKey {
    key: &'static str,
    shape: Shape,
}

/// What the value of a key has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Text,
    Texts,
    List,
}

const KEYS: [(&str, Shape); 9] = [
    ("agent", Shape::Text),
    ("agents", Shape::Texts),
    ("url", Shape::Text),
    ("url_base64", Shape::Text),
    ("dialect", Shape::Text),
    ("robots", Shape::Text),
    ("robots_base64", Shape::Text),
    ("robots_path", Shape::Text),
    ("queries", Shape::List),
];

/// The first key of the object whose value is not what it has to be, if the object can be read.
pub(super) fn wrong_key(object: &str) -> Option<WrongKey> {
    let values: BTreeMap<String, &RawValue> = serde_json::from_str(object).ok()?;
    KEYS.into_iter()
        .find(|(key, shape)| values.get(*key).is_some_and(|value| !shape.fits(value)))
        .map(|(key, shape)| WrongKey { key, shape })
}

impl Shape {
    fn fits(self, value: &RawValue) -> bool {
        let value = value.get();
        match self {
            Self::Text => serde_json::from_str::<Option<String>>(value).is_ok(),
            Self::Texts => serde_json::from_str::<Option<Vec<String>>>(value).is_ok(),
            Self::List => serde_json::from_str::<Option<Vec<&RawValue>>>(value).is_ok(),
        }
    }
}

impl fmt::Display for WrongKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = match self.shape {
            Shape::Text => "a string",
            Shape::Texts => "a list of strings",
            Shape::List => "a list of objects",
        };
        write!(f, "{} must be {shape}", self.key)
    }
}
