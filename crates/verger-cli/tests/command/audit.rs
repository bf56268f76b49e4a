//! `audit`: access logs held to the rules that were in force.

mod checks;
mod columns;
mod fields;
mod page;
mod requests;
