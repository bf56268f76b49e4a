//! `RulesArgument`: a robots.txt, and when it came into force.

use std::ffi::OsString;

use verger_access::Timestamp;
use verger_inputs::Source;
use verger_store::WrittenTimeError;

use crate::arguments::time::any_time;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RulesArgument {
    /// When it came into force, or 1970 if no time is given.
    pub(super) from: Timestamp,
    pub(super) file: Source,
}

impl RulesArgument {
    /// Reads `FILE` or `TIME=FILE`. If the text before `=` looks like a path, the `=` belongs to
    /// the file name.
    pub(super) fn read(text: &str) -> Result<Self, WrittenTimeError> {
        let of_file = |from, name: &str| Self {
            from,
            file: Source::from(OsString::from(name)),
        };
        match text.split_once('=') {
            Some((time, name)) if !time.contains(['/', '\\']) && !name.is_empty() => {
                Ok(of_file(any_time(time)?, name))
            }
            _ => Ok(of_file(Timestamp::from_unix_seconds(0), text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_may_come_before_the_file() {
        let argument = RulesArgument::read("2026-11-20=a/robots.txt").unwrap();
        assert_eq!(argument.from.to_string(), "2026-11-20T00:00:00Z");
        assert_eq!(argument.file, Source::File("a/robots.txt".into()));
        for name in ["robots.txt", "./a=b.txt"] {
            let argument = RulesArgument::read(name).unwrap();
            assert_eq!(argument.from, Timestamp::from_unix_seconds(0));
            assert_eq!(argument.file, Source::File(name.into()));
        }
        assert!(RulesArgument::read("sometime=robots.txt").is_err());
    }
}
