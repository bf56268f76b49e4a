//! Turns a body into records, groups and a [`crate::RobotsTxt`].
//!
//! In reading order: `white_space`, `encoding`, `line` (the reference), `line_text` and
//! `line_starts` (fast versions), `record` (the reference), `usual_key` (a fast path for keys
//! spelled in the usual way), `group` (a machine with two states), `kept_record`, `gathered`,
//! `robots_txt`, and two more views of a parsed file: `lines` and `parse_event`. `scan` uses the
//! same line splitting.

pub(crate) mod encoding;
pub(crate) mod gathered;
pub(crate) mod group;
mod kept_record;
pub(crate) mod line;
pub(crate) mod line_starts;
pub(crate) mod line_text;
pub(crate) mod lines;
pub(crate) mod parse_event;
pub(crate) mod record;
pub(crate) mod robots_txt;
pub(crate) mod usual_key;
pub(crate) mod white_space;
