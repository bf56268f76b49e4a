//! What the answers of this crate say, as programs read them.

mod cases;
mod claims;
mod diff;
mod server_maps;
mod sitemaps;
mod who;
