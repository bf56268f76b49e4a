//! `audit`: access logs against the rules in force.

mod checks;
mod columns;
mod fields;
mod page;
mod requests;
