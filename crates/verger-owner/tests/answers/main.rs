//! The answers of this crate as programs read them.

mod cases;
mod claims;
mod diff;
mod history;
#[path = "../../../verger-store/tests/store/past.rs"]
mod past;
mod server_maps;
mod sitemaps;
mod url_counts;
mod who;
