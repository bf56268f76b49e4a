//! WARC files as they should be, and as they are.

mod frames;
mod good;
mod histories;
mod laws;
mod malformed;
mod profiles;
mod revisits;
mod runs;
mod warc;
