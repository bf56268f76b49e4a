//! Bodies that are given by authority, and the rules made of them.
//!
//! | module | one line |
//! |---|---|
//! | `robots_directory`, `robots_list` | bodies by authority: in a directory, in JSON Lines |
//! | `policy_maker` | rules out of bodies, with warnings |
//! | `bodies` | either of them |

mod bodies;
mod policy_maker;
mod robots_directory;
mod robots_list;

pub(crate) use bodies::Bodies;
pub(crate) use policy_maker::PolicyMaker;
pub(crate) use robots_directory::RobotsDirectory;
pub(crate) use robots_list::{RobotsList, UNUSABLE_LINES};
