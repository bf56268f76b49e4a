//! Bodies by authority, and the rules made from them.
//!
//! | module | one line |
//! |---|---|
//! | `robots_directory`, `robots_list` | bodies in a directory or in JSON Lines |
//! | `bodies` | either of the two |
//! | `body_rules` | makes rules from bodies |

mod bodies;
mod body_rules;
mod robots_directory;
mod robots_list;

pub use bodies::Bodies;
pub use body_rules::{BodyRules, GivenRules};
pub use robots_directory::RobotsDirectory;
pub use robots_list::{RobotsList, RobotsListError};
