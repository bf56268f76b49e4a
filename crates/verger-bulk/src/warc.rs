//! Reads WARC files (ISO 28500): records with their position, even in damaged files.
//!
//! | module | one line |
//! |---|---|
//! | `counted_input` | a buffered input with its position |
//! | `members` | decodes gzip members, Zstandard frames and plain bytes |
//! | `warc_head` | the named fields of a record |
//! | `warc_records` | reads record after record |
//! | `http_reply` | the HTTP response in a record |
//! | `content_coding` | decodes transfer and content codings, up to a limit |

pub(crate) mod content_coding;
mod counted_input;
pub(crate) mod http_reply;
pub(crate) mod members;
pub(crate) mod warc_head;
pub(crate) mod warc_records;
