//! Questions about URLs.

mod batch;
mod corpus;
mod explain;
mod matrix;
mod preferences;
mod questions;
mod text;
mod warnings;
