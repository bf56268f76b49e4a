//! What was seen of a site's robots.txt, snapshot by snapshot, and what changed.
//!
//! | module | one line |
//! |---|---|
//! | `snapshot_change` | what changed from one snapshot to the next |
//! | `history_entry` | one snapshot, and what changed with it; those of a site |
//! | `change_meaning` | what a change of the body means for crawlers |
//! | `history_line` | an entry as JSON |

pub(crate) mod change_meaning;
pub(crate) mod history_entry;
pub(crate) mod history_line;
pub(crate) mod snapshot_change;
