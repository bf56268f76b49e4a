//! What a dialect does that an explanation has to know.

use verger::Dialect;

/// Whether the first rule that matches decides, and not the most specific one. K96-3.2.2-2.
pub(super) fn first_rule_decides(dialect: Dialect) -> bool {
    dialect == Dialect::Koster1996
}

/// Whether a blank line ends the record before it. K96-3.2-1.
pub(super) fn blank_line_ends_the_record(dialect: Dialect) -> bool {
    dialect == Dialect::Koster1996
}

/// Whether lines are read as Google's library reads them: with its misspellings, without colons,
/// to any length of the file.
pub(super) fn reads_lines_as_the_library(dialect: Dialect) -> bool {
    dialect == Dialect::Google
}
