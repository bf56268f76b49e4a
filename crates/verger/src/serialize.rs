//! Verdicts as serde values, with the keys of `verger.check/1` in `docs/json.md`.

use alloc::string::String;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::span::LineNumber;
use crate::verdict::{AppliedGroup, BodyVerdict, Effect, NamedBy, Reason, Verdict};

impl Serialize for LineNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.get())
    }
}

impl Serialize for Effect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Serialize for AppliedGroup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut group = serializer.serialize_struct("AppliedGroup", 2)?;
        group.serialize_field("line", &self.line)?;
        group.serialize_field("named", &(self.named_by == NamedBy::Token))?;
        group.end()
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut verdict = serializer.serialize_struct("Verdict", 4)?;
        verdict.serialize_field("allowed", &self.is_allowed())?;
        verdict.serialize_field("reason", &self.reason())?;
        verdict.serialize_field("line", &self.line())?;
        verdict.serialize_field("group", &self.group())?;
        verdict.end()
    }
}

impl Serialize for BodyVerdict<'_> {
    /// Adds the key `pattern`, in which invalid UTF-8 is replaced.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut verdict = serializer.serialize_struct("BodyVerdict", 5)?;
        verdict.serialize_field("allowed", &self.is_allowed())?;
        verdict.serialize_field("reason", &self.reason())?;
        verdict.serialize_field("line", &self.line())?;
        verdict.serialize_field("pattern", &self.pattern().map(String::from_utf8_lossy))?;
        verdict.serialize_field("group", &self.group())?;
        verdict.end()
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use crate::Crawler;
    use crate::dialect::Dialect;
    use crate::policy::Policy;

    #[test]
    fn a_verdict_has_the_keys_of_the_command() {
        let body = "User-agent: *\nDisallow: /private\n";
        let policy = Policy::read(body, &Crawler::unnamed(), Dialect::Rfc9309);
        let verdict = policy.decide_url("/private/x").unwrap();
        assert_eq!(
            serde_json::to_string(&verdict).unwrap(),
            r#"{"allowed":false,"reason":"rule","line":2,"group":{"line":1,"named":false}}"#
        );
        let of_body = crate::verdict(body, "ExampleBot", "/").unwrap();
        assert_eq!(
            serde_json::to_string(&of_body).unwrap(),
            r#"{"allowed":true,"reason":"no-rule","line":null,"pattern":null,"group":{"line":1,"named":false}}"#
        );
    }
}
