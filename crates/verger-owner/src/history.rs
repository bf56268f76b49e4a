//! The history of a site's robots.txt: its snapshots and the changes between them.

pub(crate) mod change_meaning;
pub(crate) mod history_entry;
pub(crate) mod history_line;
pub(crate) mod snapshot_change;
