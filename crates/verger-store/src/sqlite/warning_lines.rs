//! Warnings as text: the code of one warning per line.

use verger_access::Warning;

pub(crate) fn to_lines(warnings: &[Warning]) -> String {
    let mut lines = String::new();
    for warning in warnings {
        // Headers and tokens contain no line ends, but other texts might.
        lines.push_str(&warning.code().replace(['\r', '\n'], " "));
        lines.push('\n');
    }
    lines
}

/// Parses warnings, or returns `None` if a line is invalid.
pub(crate) fn of_lines(lines: &str) -> Option<Vec<Warning>> {
    lines.lines().map(|line| line.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_read_back_from_their_lines() {
        let warnings = vec![
            Warning::NotTextPlain {
                media_type: Some("text/html; charset=a\tb".to_owned()),
            },
            Warning::NotTextPlain { media_type: None },
            Warning::BodyCut,
        ];
        assert_eq!(of_lines(&to_lines(&warnings)), Some(warnings));
        assert_eq!(of_lines(""), Some(Vec::new()));
        assert_eq!(of_lines("body-cut\nbody-uncut\n"), None);
    }

    #[test]
    fn a_line_end_in_a_warning_becomes_a_space() {
        let token = "a\r\nbody-cut".to_owned();
        let lines = to_lines(&[Warning::TokenNotInUserAgent { token }]);
        let token = "a  body-cut".to_owned();
        let read = Some(vec![Warning::TokenNotInUserAgent { token }]);
        assert_eq!(of_lines(&lines), read);
    }
}
