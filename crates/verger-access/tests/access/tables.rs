//! The published table matches the profiles in the code, and their clauses exist.

use verger_access::{Profile, ProfileTable, UnknownProfile};
use verger_testkit::case::{load_all, testdata_dir, unknown_citation};
use verger_testkit::scenario::PROFILES;

const PAGE: &str = include_str!("../../../../docs/profiles.md");

#[test]
fn the_page_has_the_table_of_the_profiles() {
    let table = ProfileTable::new(Profile::ALL).to_string();
    assert!(
        PAGE.contains(&table),
        "docs/profiles.md should hold:\n{table}"
    );
}

#[test]
fn a_profile_is_found_by_its_name_and_no_other() {
    for (profile, name) in Profile::ALL.iter().zip(PROFILES) {
        assert_eq!(profile.name, name);
        assert_eq!(name.parse().as_ref(), Ok(profile));
    }
    assert_eq!("Google".parse::<Profile>(), Err(UnknownProfile));
}

#[test]
fn every_clause_of_a_profile_is_one_of_the_documents_or_a_choice() {
    let corpus = load_all(&testdata_dir()).unwrap();
    for profile in Profile::ALL {
        let of_table = ProfileTable::clauses(profile);
        let clauses: Vec<String> = of_table
            .iter()
            .chain([&profile.freshness.clause_before_first_fetch])
            .map(|clause| clause.id().to_owned())
            .collect();
        assert!(clauses.len() > 15, "{}", profile.name);
        assert_eq!(
            unknown_citation(&corpus.clauses, &clauses),
            None,
            "{}",
            profile.name
        );
    }
}
