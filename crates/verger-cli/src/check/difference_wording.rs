//! A difference as a sentence, and what it rests on.

use std::fmt;

use verger::Dialect;

use super::difference::Difference;

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CannotBeAsked(why) => write!(f, "cannot be asked: {why}"),
            Self::OrdinaryPath(_) => f.write_str("`/robots.txt` is an ordinary path"),
            Self::ExemptPath(_) => f.write_str("`/robots.txt` is always allowed"),
            Self::Target { there } => write!(f, "asks about `{there}`"),
            Self::LineRead {
                line, here, there, ..
            } => write!(f, "line {line} is read as {there}, not as {here}"),
            Self::BodyCut { line, there: true } => {
                write!(f, "line {line} stands behind what is read of the file")
            }
            Self::BodyCut { line, there: false } => {
                write!(f, "line {line} is read, however long the file is")
            }
            Self::AgentValue {
                line,
                speaks_there: true,
                ..
            } => write!(f, "the group at line {line} speaks to it"),
            Self::AgentValue { line, .. } => {
                write!(f, "the group at line {line} does not speak to it")
            }
            Self::FirstGroupOnly { there: true, .. } => {
                f.write_str("of several groups only the first counts")
            }
            Self::FirstGroupOnly { there: false, .. } => f.write_str("several groups count as one"),
            Self::GroupWithoutRules { line, there: true } => {
                write!(f, "the group at line {line} counts, though it has no rule")
            }
            Self::GroupWithoutRules { line, there: false } => {
                write!(f, "the group at line {line} has no rule and does not count")
            }
            Self::BlankLine { line, there: true } => {
                write!(f, "line {line} is blank and ends the record")
            }
            Self::BlankLine { line, there: false } => {
                write!(f, "line {line} is blank and ends nothing")
            }
            Self::Comparison {
                line,
                matches_there: true,
                ..
            } => write!(f, "line {line} matches"),
            Self::Comparison { line, .. } => write!(f, "line {line} does not match"),
            Self::FirstRule { line, there: true } => {
                write!(f, "line {line} is the first rule that matches")
            }
            Self::FirstRule { there: false, .. } => {
                f.write_str("the most specific rule decides, not the first")
            }
            Self::Specificity {
                there: (decides, octets),
                here: (loses, fewer),
                ..
            } => {
                write!(
                    f,
                    "line {decides} counts {octets} octets, line {loses} {fewer}"
                )
            }
            Self::DecidedBy { here, there } => write!(f, "{there}; here {here}"),
        }
    }
}

impl Difference {
    /// What the difference rests on.
    pub(super) fn clause(&self) -> Option<&'static str> {
        match self {
            Self::CannotBeAsked(_) | Self::DecidedBy { .. } => None,
            Self::Target { .. } => Some("google/robotstxt robots.cc"),
            Self::ExemptPath(dialect) => Some(clause_about_robots_txt_itself(*dialect)),
            Self::OrdinaryPath(dialect)
            | Self::Comparison { dialect, .. }
            | Self::Specificity { dialect, .. } => Some(clause_about_rules(*dialect)),
            Self::LineRead { dialect, .. } => Some(match dialect {
                Dialect::Google => "google/robotstxt robots.cc",
                Dialect::Rfc9309 => "RFC 9309 2.2",
                Dialect::Draft2019 => "draft-koster-rep-00 2.2",
                Dialect::Koster1996 => "Koster 1996 3.3",
            }),
            Self::AgentValue { dialect, .. } | Self::FirstGroupOnly { dialect, .. } => {
                Some(match dialect {
                    Dialect::Google => "google/robotstxt robots.cc",
                    Dialect::Rfc9309 => "RFC 9309 2.2.1",
                    Dialect::Draft2019 => "draft-koster-rep-00 2.2.1",
                    Dialect::Koster1996 => "Koster 1996 3.2.1",
                })
            }
            Self::BodyCut { .. } => Some("RFC 9309 2.5"),
            Self::GroupWithoutRules { .. } => Some("Koster 1996 3.3"),
            Self::BlankLine { .. } => Some("Koster 1996 3.2"),
            Self::FirstRule { .. } => Some("Koster 1996 3.2.2"),
        }
    }
}

fn clause_about_rules(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Google => "google/robotstxt robots.cc",
        Dialect::Rfc9309 => "RFC 9309 2.2.2",
        Dialect::Draft2019 => "draft-koster-rep-00 2.2.2",
        Dialect::Koster1996 => "Koster 1996 3.2.2",
    }
}

fn clause_about_robots_txt_itself(dialect: Dialect) -> &'static str {
    match dialect {
        // The text of November 1996, by which the dialect goes, says nothing about it; the
        // Internet-Draft of December does: "The /robots.txt URL is always allowed".
        Dialect::Koster1996 => "draft-koster-robots-00 3.2.2; Koster's first text is silent",
        other => clause_about_rules(other),
    }
}
