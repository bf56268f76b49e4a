//! Whose robots.txt speaks for a URL.

use verger_access::Authority;

use crate::scenarios::corpus;

#[test]
fn every_location_is_found() {
    for location in &corpus().locations {
        let id = &location.id;
        let found = Authority::of(&location.url);
        match (&location.robots, found) {
            (Ok(robots), Ok(authority)) => {
                assert_eq!(authority.robots_url().as_str(), robots, "{id}");
                assert_eq!(
                    Authority::of_robots_url(robots),
                    Some(authority.clone()),
                    "{id}"
                );
                for url in &location.speaks_for {
                    assert!(authority.speaks_for(url), "{id}: {url}");
                }
                for url in &location.silent_for {
                    assert!(!authority.speaks_for(url), "{id}: {url}");
                }
            }
            (Err(start), Err(error)) => {
                assert!(error.to_string().starts_with(start), "{id}: {error}");
            }
            (_, found) => panic!("{id}: {found:?}"),
        }
    }
}

#[test]
fn a_file_in_a_folder_or_in_capitals_is_nobodys() {
    for url in [
        "https://example.com/folder/robots.txt",
        "https://example.com/ROBOTS.TXT",
        "https://example.com/robots.txt/",
        "https://example.com/robots.txt?x",
        "https://example.com/",
        "file:///robots.txt",
    ] {
        assert_eq!(Authority::of_robots_url(url), None, "{url}");
    }
}
