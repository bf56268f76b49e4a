//! The contents of a file, and the parts that were ignored.

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
