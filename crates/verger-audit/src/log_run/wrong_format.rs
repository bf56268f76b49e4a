use verger_answer::HumanCountOf;

use crate::log::LogFormat;

/// A log has another format, or lacks a required field.
#[derive(Debug, thiserror::Error)]
pub(super) enum WrongFormat {
    /// The format could not be detected.
    #[error("cannot detect the format of {log}: name it with `--log-format`")]
    Unknown { log: String },
    #[error(
        "no line of {log} matches the format `{format}` ({}): name another one with `--log-format`",
        HumanCountOf(*lines, "line", "lines")
    )]
    NoLine {
        log: String,
        format: LogFormat,
        lines: u64,
    },
    #[error(
        "no line of {log} in the format `{format}` has a User-Agent header, so crawlers cannot be recognized: {}",
        header_remedy(&format.to_string())
    )]
    NoUserAgent { log: String, format: LogFormat },
    /// No line of a crawler has both a time and a target, and neither has any other line.
    #[error(
        "no line of a known crawler in {log}, in the format `{format}`, has {}, so none can be judged ({}): {}",
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

/// Tells how to log the header.
fn header_remedy(format: &str) -> &'static str {
    match format {
        "json" => "name its field with `--json-field user_agent=PATH`",
        "w3c" => "add the field cs(User-Agent) to the server's log",
        "common" => "use the format `combined` on the server",
        _ => "the field is empty or `-` in all of them",
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct UnreadRequests {
    pub(super) without_time: u64,
    pub(super) without_target: u64,
}

impl UnreadRequests {
    pub(super) fn total(self) -> u64 {
        self.without_time + self.without_target
    }

    fn missing(self) -> &'static str {
        match (self.without_time, self.without_target) {
            (_, 0) => "a readable time",
            (0, _) => "a URL or a path",
            _ => "a readable time and path",
        }
    }

    /// Tells how to log the missing fields.
    fn remedy(self, format: &str) -> &'static str {
        match (format, self.without_target) {
            ("json", 0) => "name its field with `--json-field time=PATH`",
            ("json", _) if self.without_time == 0 => {
                "name its field with `--json-field target=PATH`"
            }
            ("json", _) => "name their fields with `--json-field`",
            ("w3c", 0) => "add the fields date and time to the server's log",
            ("w3c", _) => "add the fields date, time and cs-uri-stem to the server's log",
            _ => "name the fields with `--log-format`, as in the server's configuration",
        }
    }
}
