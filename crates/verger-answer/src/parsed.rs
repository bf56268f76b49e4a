//! The contents of a file, and the parts that were ignored.
//!
//! | module | one line |
//! |---|---|
//! | `values` | the values of the other records |
//! | `listing` | the records, group by group, and where each belongs |
//! | `diagnostic_place` | line and column of a diagnostic |
//! | `file_name` | the name of a file in JSON |
//! | `walked` | a list in JSON whose items are made as they are written |
//! | `document` | a listing as JSON |
//! | `report` | a line for each line, as Google's parsing report has it |

mod diagnostic_place;
mod document;
mod file_name;
mod listing;
mod report;
mod values;
mod walked;

pub use diagnostic_place::{Place, placed};
pub use document::ParsedFile;
pub use file_name::FileName;
pub use listing::{Listing, Scope};
pub use report::{Directives, Report, ReportInFile, ReportedLine};
pub use values::Value;
