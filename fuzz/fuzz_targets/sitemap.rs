//! Sitemaps: for any bytes, entries have no ASCII white space around them and respect the length limit, results
//! are deterministic, and each violation of the protocol is reported once.
#![no_main]

use libfuzzer_sys::fuzz_target;
use verger_owner::{SitemapEntry, read_sitemap};

fuzz_target!(|bytes: &[u8]| {
    let read = || {
        let mut entries = Vec::new();
        let problems = read_sitemap(bytes, |entry| {
            let (SitemapEntry::Url(text) | SitemapEntry::Sitemap(text)) = entry;
            assert_eq!(text, text.trim_ascii());
            assert!(!text.is_empty());
            entries.push(format!("{entry:?}"));
        });
        (entries, problems)
    };
    let (entries, problems) = read();
    assert_eq!((entries.clone(), problems.clone()), read());
    // A line or an element has at least some bytes.
    assert!(entries.len() <= bytes.len() || bytes.starts_with(&[0x1f, 0x8b]));
    for (nth, problem) in problems.iter().enumerate() {
        assert!(!problems[..nth].contains(problem), "{problem:?}");
    }
});
