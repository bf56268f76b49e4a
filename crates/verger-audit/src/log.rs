//! Reads access logs line by line.
//!
//! | module | one line |
//! |---|---|
//! | `log_lines` | lines, plain or compressed, in bounded memory |
//! | `escapes` | undoes the escapes of servers |
//! | `log_time` | parses times |
//! | `client_address` | parses the client address, alone or in a list |
//! | `raw_request` | the fields of a line, and the request that they describe |
//! | `template` | formats with the same separators in each line |
//! | `template_syntax` | parses the formats of nginx and Apache |
//! | `json_fields` | finds fields in lines of JSON |
//! | `w3c` | the W3C extended log format |
//! | `log_format` | a format by name, or detected |

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
