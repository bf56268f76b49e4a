//! Questions about URLs.

mod batch;
mod corpus;
mod explain;
mod matrix;
mod page;
mod preferences;
mod questions;
mod text;
mod warnings;
