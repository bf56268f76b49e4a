//! Watching: the events of sites and their receivers.

mod changes;
mod processes;
mod scene;
