//! `WrongFormat`: errors about the format of a log.

use verger_answer::HumanCountOf;

use crate::log::LogFormat;

/// A log has another format, or lacks a required field.
#[derive(Debug, thiserror::Error)]
pub(super) enum WrongFormat {
    /// The format could not be detected.
    #[error("the first lines of {log} have no format that is known: name it with `--log-format`")]
    Unknown { log: String },
    /// No line matches the given format.
    #[error(
        "no line of {log} can be read as the format `{format}` ({}): name its own with `--log-format`",
        HumanCountOf(*lines, "line", "lines")
    )]
    NoLine {
        log: String,
        format: LogFormat,
        lines: u64,
    },
    /// No line has a `User-Agent` header.
    #[error(
        "no line of {log}, read as the format `{format}`, has a User-Agent header, so that no crawler can be found: {}",
        header_remedy(&format.to_string())
    )]
    NoUserAgent { log: String, format: LogFormat },
    /// No line of a crawler has both a time and a target, and neither has any other line.
    #[error(
        "no line of a known crawler in {log}, read as the format `{format}`, has {}, so that none can be judged ({}): {}",
        unread.missing(),
        HumanCountOf(unread.total(), "line", "lines"),
        unread.remedy(&format.to_string())
    )]
    NoRequest {
        log: String,
        format: LogFormat,
        unread: UnreadRequests,
    },
}

/// Returns how to get the header in logs of this format.
fn header_remedy(format: &str) -> &'static str {
    match format {
        "json" => "`--json-field user_agent=PATH` says where it is",
        "w3c" => "let the server log the field cs(User-Agent)",
        "common" => "let the server log it, as the format `combined` does",
        _ => "each has nothing, or `-`, in its place",
    }
}

/// Lines of known crawlers that cannot be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnreadRequests {
    pub(super) without_time: u64,
    pub(super) without_target: u64,
}

impl UnreadRequests {
    pub(super) fn total(self) -> u64 {
        self.without_time + self.without_target
    }

    /// Returns the missing fields.
    fn missing(self) -> &'static str {
        match (self.without_time, self.without_target) {
            (_, 0) => "a time that can be read",
            (0, _) => "a URL or a path",
            _ => "a time and a path that can be read",
        }
    }

    /// Returns how to get the missing fields in logs of this format.
    fn remedy(self, format: &str) -> &'static str {
        match (format, self.without_target) {
            ("json", 0) => "`--json-field time=PATH` says where it is",
            ("json", _) if self.without_time == 0 => "`--json-field target=PATH` says where it is",
            ("json", _) => "`--json-field` says where they are",
            ("w3c", 0) => "let the server log the fields date and time",
            ("w3c", _) => "let the server log the fields date, time and cs-uri-stem",
            _ => "name the fields with `--log-format` as the server's configuration does",
        }
    }
}
