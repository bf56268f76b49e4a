use serde::Serialize;
use verger::{Dialect, Effect};

use crate::text::base64;
use crate::verdict_keys::VerdictKeys;

/// The URL as given, in base64 if it is not UTF-8.
#[derive(Debug, Serialize)]
pub(crate) enum UrlKey<'a> {
    #[serde(rename = "url")]
    Text(&'a str),
    #[serde(rename = "url_base64")]
    Base64(String),
}

/// The keys of a decision, from any source.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ResultKeys<'a> {
    Rules(VerdictKeys<'a>),
    WithoutRules {
        allowed: Option<bool>,
        reason: &'static str,
        line: (),
        rule: (),
        group: (),
        dialect: &'static str,
    },
}

impl<'a> UrlKey<'a> {
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text),
            Err(_) => Self::Base64(base64(bytes)),
        }
    }
}

impl ResultKeys<'_> {
    pub(crate) fn without_rules(
        effect: Option<Effect>,
        reason: &'static str,
        dialect: Dialect,
    ) -> Self {
        Self::WithoutRules {
            allowed: effect.map(|effect| effect == Effect::Allow),
            reason,
            line: (),
            rule: (),
            group: (),
            dialect: dialect.as_str(),
        }
    }
}
