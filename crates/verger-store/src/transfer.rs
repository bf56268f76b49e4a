//! Histories as JSON Lines: out of a store (`export`) and into one (`import`).
//!
//! `store_line` is one line (`field_text`: its headers), `line_error` what may be wrong with it; `import_lines` reads lines on a
//! thread of its own, `read_bodies` caches bodies that were read, and `history_import` decides which
//! snapshots of an authority to append.

pub(crate) mod export;
mod field_text;
pub(crate) mod history_import;
pub(crate) mod import;
mod import_lines;
pub(crate) mod line_error;
mod read_bodies;
pub(crate) mod store_line;
