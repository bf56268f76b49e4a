//! Access logs, read line by line.
//!
//! | module | one line |
//! |---|---|
//! | `log_lines` | lines, plain or compressed, in bounded memory |
//! | `escapes` | escapes that servers write |
//! | `log_time` | times in every form |
//! | `client_address` | the address of a client, alone or in a list |
//! | `raw_request` | the fields of a line, and the request that they are |
//! | `template` | the same fields between the same bytes in each line |
//! | `template_syntax` | formats as nginx and Apache write them |
//! | `json_fields` | lines of JSON |
//! | `w3c` | W3C's extended format |
//! | `log_format` | one of these, by its name or detected |

mod client_address;
mod escapes;
mod json_fields;
mod log_format;
mod log_lines;
mod log_time;
mod raw_request;
mod template;
mod template_syntax;
mod w3c;

pub use json_fields::{JsonField, JsonFieldError, JsonFields};
pub use log_format::{LogFormat, LogReader, LoggedRequest};
pub use log_lines::{LINE_BYTES_MAX, LogLine, LogLines};
pub use raw_request::{LineProblem, LogRequest};
pub use template_syntax::FormatError;
