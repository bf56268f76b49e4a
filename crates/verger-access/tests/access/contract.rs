//! The table of profiles that people read is that of the profiles that decide.

use verger_access::{Profile, ProfileTable};

const PAGE: &str = include_str!("../../../../docs/profiles.md");

#[test]
fn the_page_shows_the_table_of_the_profiles() {
    let table = ProfileTable::of(&Profile::ALL).to_string();
    assert!(
        PAGE.contains(&table),
        "docs/profiles.md should hold:\n{table}"
    );
}
