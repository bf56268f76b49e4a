//! `WrongKey`: finds the repeated or mistyped key of a line that could not be parsed.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A key that makes a line invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrongKey {
    /// The key appears twice.
    Twice(&'static str),
    /// The value has the wrong type.
    Shape(&'static str, Shape),
}

/// The required type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Any,
    Text,
    Texts,
    List,
}

const KEYS: [(&str, Shape); 10] = [
    ("id", Shape::Any),
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

/// Returns the first repeated or mistyped key, if the text is an object.
pub(crate) fn wrong_key(object: &str) -> Option<WrongKey> {
    let Entries(entries) = serde_json::from_str(object).ok()?;
    KEYS.into_iter().find_map(|(key, shape)| {
        let mut values = entries.iter().filter(|(name, _)| name == key);
        let (_, value) = values.next()?;
        if values.next().is_some() {
            Some(WrongKey::Twice(key))
        } else {
            (!shape.fits(value)).then_some(WrongKey::Shape(key, shape))
        }
    })
}

/// The keys and values of an object, including repeated keys.
struct Entries<'t>(Vec<(String, &'t RawValue)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesVisitor;

        impl<'de> Visitor<'de> for EntriesVisitor {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Entries<'de>, M::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(EntriesVisitor)
    }
}

impl Shape {
    fn fits(self, value: &RawValue) -> bool {
        let value = value.get();
        match self {
            Self::Any => true,
            Self::Text => serde_json::from_str::<Option<String>>(value).is_ok(),
            Self::Texts => serde_json::from_str::<Option<Vec<String>>>(value).is_ok(),
            Self::List => serde_json::from_str::<Option<Vec<&RawValue>>>(value).is_ok(),
        }
    }
}

impl fmt::Display for WrongKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Twice(key) => write!(f, "the key `{key}` appears twice"),
            Self::Shape(key, shape) => write!(f, "{key} must be {shape}"),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Any => "a value",
            Self::Text => "a string",
            Self::Texts => "a list of strings",
            Self::List => "a list of objects",
        })
    }
}
