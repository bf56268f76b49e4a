//! The lints, as a user of the crate sees them.

mod about_pages;
mod examples;
mod fixes;
mod groups;
mod helps;
mod incidents;
mod losses;
mod owners;
mod pages;
mod platforms;
mod served;
mod totality;
mod tuned;
mod worth;
