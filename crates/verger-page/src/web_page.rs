//! The parts that all pages share.

mod bar;
mod fold;
mod frame;
mod table;
mod text;

pub(crate) use bar::{swatch, write_bar, write_legend};
pub(crate) use fold::{write_folded, write_names};
pub(crate) use frame::{Frame, write_cut, write_part};
pub(crate) use table::Columns;
pub(crate) use text::{Message, Text, joined, start_of_line};
