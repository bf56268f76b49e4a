//! Pages to be read in a browser: one HTML file without scripts, which loads nothing.
//!
//! | module | one line |
//! |---|---|
//! | `text` | bytes as the text of a page, which no markup in them can leave |
//! | `frame` | the page around its parts |
//! | `table`, `drawing` | tables and drawings that fit any screen |

mod drawing;
mod frame;
mod table;
mod text;

pub(crate) use drawing::{begin_drawing, end_drawing};
#[cfg(feature = "audit")]
pub(crate) use frame::write_cut;
pub(crate) use frame::{write_page, write_part};
pub(crate) use table::Columns;
pub(crate) use text::{Text, start_of_line};
