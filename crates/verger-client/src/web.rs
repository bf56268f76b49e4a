//! Requests for files other than robots.txt, for programs that block.

pub(crate) mod json_poster;
pub(crate) mod web_error;
pub(crate) mod web_reader;
