//! WARC files (ISO 28500): records with their place in the file, whatever the file is like.
//!
//! | module | one line |
//! |---|---|
//! | `counted_input` | bytes of a file, and where they are |
//! | `members` | gzip members, Zstandard frames and plain bytes, decoded |
//! | `warc_head` | the named fields of a record |
//! | `warc_records` | one record after the other |
//! | `http_reply` | the HTTP response in a record |
//! | `content_coding` | transfer and content codings, undone under a cap |

pub(crate) mod content_coding;
mod counted_input;
pub(crate) mod http_reply;
pub(crate) mod members;
pub(crate) mod warc_head;
pub(crate) mod warc_records;
