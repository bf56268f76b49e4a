//! Bodies that are given by authority, and the rules made of them.
//!
//! | module | one line |
//! |---|---|
//! | `robots_directory`, `robots_list` | bodies by authority: in a directory, in JSON Lines |
//! | `bodies` | either of them |
//! | `body_rules` | rules out of bodies |

mod bodies;
mod body_rules;
mod robots_directory;
mod robots_list;

pub use bodies::Bodies;
pub use body_rules::{BodyRules, GivenRules};
pub use robots_directory::RobotsDirectory;
pub use robots_list::{RobotsList, RobotsListError};
