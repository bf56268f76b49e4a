//! Valid and malformed WARC files.

mod frames;
mod good;
mod histories;
mod laws;
mod malformed;
mod profiles;
mod revisits;
mod runs;
mod warc;
