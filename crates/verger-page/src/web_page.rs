//! The parts that all pages share.

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
