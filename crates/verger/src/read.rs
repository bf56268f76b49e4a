//! A body becomes records, groups and a [`crate::RobotsTxt`].
//!
//! In reading order: `white_space`, `encoding`, `line` (the reference) and `line_batch` (the same, many
//! lines at a time), `record` (the reference) and `line_window`, `usual_key`, `plain_value` (the same
//! for a line that is written as most are), `group` (a machine of two states), `kept_record`,
//! `invalid_lines`, `gathered`, `group_extent`, `robots_txt`; and two more views of a file that was
//! read: `lines` and `parse_event`.

pub(crate) mod encoding;
mod gathered;
pub(crate) mod group;
mod group_extent;
pub(crate) mod invalid_lines;
mod kept_record;
pub(crate) mod line;
mod line_batch;
mod line_window;
pub(crate) mod lines;
pub(crate) mod parse_event;
mod plain_value;
pub(crate) mod record;
pub(crate) mod robots_txt;
pub(crate) mod usual_key;
pub(crate) mod white_space;
