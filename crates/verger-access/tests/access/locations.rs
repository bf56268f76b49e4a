//! The robots.txt that applies to a URL.

use verger_access::Authority;

use crate::scenarios::corpus;

#[test]
fn every_url_of_the_test_data_has_its_authority() {
    for location in &corpus().locations {
        let id = &location.id;
        let found = Authority::from_url(&location.url);
        match (&location.robots, &location.error, found) {
            (Some(robots), None, Ok(authority)) => {
                assert_eq!(authority.robots_url().as_str(), robots, "{id}");
                assert_eq!(
                    Authority::from_robots_url(robots),
                    Some(authority.clone()),
                    "{id}"
                );
                for url in &location.applies_to {
                    assert!(authority.applies_to(url), "{id}: {url}");
                }
                for url in &location.not_applied_to {
                    assert!(!authority.applies_to(url), "{id}: {url}");
                }
            }
            (None, Some(start), Err(error)) => {
                assert!(error.to_string().starts_with(start), "{id}: {error}");
            }
            (.., found) => panic!("{id}: {found:?}"),
        }
    }
}

#[test]
fn a_file_in_a_subdirectory_or_with_capitals_is_no_robots_txt() {
    for url in [
        "https://example.com/folder/robots.txt",
        "https://example.com/ROBOTS.TXT",
        "https://example.com/robots.txt/",
        "https://example.com/robots.txt?x",
        "https://example.com/",
        "file:///robots.txt",
    ] {
        assert_eq!(Authority::from_robots_url(url), None, "{url}");
    }
}
