//! A body becomes records, groups and a [`crate::RobotsTxt`].
//!
//! In reading order: `white_space`, `encoding`, `line` (the reference) and `line_text`, `line_starts` (the same,
//! many lines at a time), `record` (the reference) and `usual_key` (for a line that is written as most are),
//! `group` (a machine of two states), `kept_record`, `gathered`, `robots_txt`;
//! and two more views of a file that was read: `lines` and `parse_event`. `scan` finds lines in the same way.

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
