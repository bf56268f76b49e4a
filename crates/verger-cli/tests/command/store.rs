//! The store and its history.

mod file;
mod history;
mod jobs;
