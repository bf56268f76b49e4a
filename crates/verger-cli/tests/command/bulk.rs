//! URLs and captures by the million.

mod captures;
mod check;
mod classes;
mod lists;
