//! Histories as JSON Lines: `export` writes a store, and `import` reads one.
//!
//! | module | content |
//! |---|---|
//! | `store_line`, `field_text` | one line, and the headers in it |
//! | `line_error` | the defects of a line |
//! | `import_lines` | reads lines on a separate thread |
//! | `read_bodies` | a cache of bodies |

pub(crate) mod export;
mod field_text;
pub(crate) mod import;
mod import_lines;
pub(crate) mod line_error;
mod read_bodies;
pub(crate) mod store_line;
