//! Deterministic generators: adversarial bodies, matching agents and URLs, and all short strings
//! over an alphabet.
//!
//! The vocabularies are small, so agents are named, rules match and rules collide.

mod body;
mod exhaustive;
mod path;
mod question;
mod rng;

pub use body::{body, body_at_limit};
pub use exhaustive::exhaustive;
pub use question::{agent, url_for};
pub use rng::Rng;
