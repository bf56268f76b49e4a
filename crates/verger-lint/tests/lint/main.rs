//! The lints, as a user of the crate sees them.

mod examples;
mod fixes;
mod groups;
mod incidents;
mod owners;
mod pages;
mod platforms;
mod served;
mod totality;
mod tuned;
