//! Describes a `Difference` in a sentence, with its clause.

use std::fmt;

use verger::{Clause, Dialect};

use crate::explanation::difference::Difference;

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CannotBeAsked(why) => write!(f, "the question is invalid: {why}"),
            Self::OrdinaryPath(_) => f.write_str("`/robots.txt` is an ordinary path"),
            Self::ExemptPath(_) => f.write_str("`/robots.txt` is always allowed"),
            Self::Target { there } => write!(f, "compares `{there}`"),
            Self::LineRead {
                line, here, there, ..
            } => write!(f, "line {line} is read as {there}, not as {here}"),
            Self::BodyCut { line, there: true } => {
                write!(f, "line {line} is beyond the size limit")
            }
            Self::BodyCut { line, there: false } => {
                write!(f, "line {line} is read, because there is no size limit")
            }
            Self::AgentValue {
                line,
                applies_there: true,
                ..
            } => write!(f, "the group at line {line} applies to this crawler"),
            Self::AgentValue { line, .. } => {
                write!(f, "the group at line {line} does not apply to this crawler")
            }
            Self::FirstGroupOnly { there: true, .. } => {
                f.write_str("only the first of several groups applies")
            }
            Self::FirstGroupOnly { there: false, .. } => f.write_str("several groups are merged"),
            Self::GroupWithoutRules { line, there: true } => {
                write!(
                    f,
                    "the group at line {line} applies, although it has no rules"
                )
            }
            Self::GroupWithoutRules { line, there: false } => {
                write!(
                    f,
                    "the group at line {line} has no rules and does not apply"
                )
            }
            Self::BlankLine { line, there: true } => {
                write!(f, "line {line} is blank and ends the record")
            }
            Self::BlankLine { line, there: false } => {
                write!(f, "line {line} is blank and does not end the record")
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
                there: (decides, bytes),
                here: (loses, fewer),
                ..
            } => {
                write!(
                    f,
                    "line {decides} has {bytes} bytes, line {loses} has {fewer}"
                )
            }
            Self::DecidedBy { here, there } => write!(f, "{there}, but here {here}"),
        }
    }
}

impl Difference {
    /// Returns the clause behind the difference, if a document has one.
    #[must_use]
    pub fn clause(&self) -> Option<Clause> {
        let id = match self {
            Self::CannotBeAsked(_) | Self::DecidedBy { .. } => return None,
            Self::Target { .. } => "GL-url-1",
            Self::ExemptPath(dialect) => match dialect {
                Dialect::Rfc9309 => "R9309-2.2.2-8",
                Dialect::Draft2019 => "D00-2.2.2-7",
                // The text of November 1996 is silent. The Internet-Draft of December has it.
                Dialect::Koster1996 | Dialect::Google => "V-39",
            },
            Self::OrdinaryPath(_) => "GL-rank-3",
            Self::Comparison { dialect, .. } => match dialect {
                Dialect::Google => "GL-value-1",
                Dialect::Rfc9309 => "R9309-2.2.2-11",
                Dialect::Draft2019 => "D00-2.2.2-10",
                Dialect::Koster1996 => "K96-3.2.2-5",
            },
            Self::Specificity { dialect, .. } => match dialect {
                Dialect::Google => "GL-rank-1",
                Dialect::Rfc9309 => "R9309-2.2.2-4",
                Dialect::Draft2019 => "D00-2.2.2-4",
                Dialect::Koster1996 => "K96-3.2.2-2",
            },
            Self::LineRead { dialect, .. } => match dialect {
                Dialect::Google => "GL-key-3",
                Dialect::Rfc9309 => "R9309-2.2-5",
                Dialect::Draft2019 => "D00-2.2-5",
                Dialect::Koster1996 => "K96-3.3-2",
            },
            Self::AgentValue { dialect, .. } => match dialect {
                Dialect::Google => "GL-agent-1",
                Dialect::Rfc9309 => "R9309-2.2.1-6",
                Dialect::Draft2019 => "D00-2.2.1-6",
                Dialect::Koster1996 => "K96-3.2.1-4",
            },
            Self::FirstGroupOnly { dialect, .. } => match dialect {
                Dialect::Google => "G-prec-4",
                Dialect::Rfc9309 => "R9309-2.2.1-7",
                Dialect::Draft2019 => "D00-2.2.1-9",
                Dialect::Koster1996 => "V-9",
            },
            Self::BodyCut { .. } => "R9309-2.5-1",
            Self::GroupWithoutRules { .. } => "K96-3.3-2",
            Self::BlankLine { .. } => "K96-3.2-1",
            Self::FirstRule { .. } => "K96-3.2.2-2",
        };
        Clause::from_id(id)
    }
}
