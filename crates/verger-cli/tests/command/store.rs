//! What was seen.

mod file;
mod history;
mod jobs;
