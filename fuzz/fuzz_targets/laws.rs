//! Invariants of decisions: adding a rule that matches nothing changes nothing, other records never split a
//! group, and the case of keys and names and the kind of line end do not matter.
#![no_main]

use libfuzzer_sys::fuzz_target;
use verger::{Crawler, Dialect, Effect, Reading, RobotsTxt, TargetPath};
use verger_fuzz::{question, readings};

fn effect(robots: &[u8], name: &str, target: &TargetPath<'_>, reading: Reading) -> Effect {
    let crawler = Crawler::named(name, reading).unwrap();
    let policy = RobotsTxt::parse(robots, reading).policy(&crawler);
    policy.decide(target).effect()
}

/// Returns the body with `line` inserted after each of its lines.
fn with_line_after_each(body: &[u8], line: &[u8]) -> Vec<u8> {
    body.split_inclusive(|byte| *byte == b'\n')
        .flat_map(|one| [one, if one.ends_with(b"\n") { line } else { b"" }])
        .flatten()
        .copied()
        .collect()
}

fuzz_target!(|input: &[u8]| {
    let (body, name, url) = question(input);
    for reading in readings() {
        let Ok(target) = TargetPath::new(url, reading) else {
            continue;
        };
        let before = effect(body, &name, &target, reading);

        // In the draft of 1996, a rule ends the user-agent lines of a record.
        if reading.dialect() != Dialect::Koster1996 {
            let mut added = body.to_vec();
            added.extend_from_slice(b"\nDisallow: no-slash\nAllow: no-slash\n");
            assert_eq!(
                before,
                effect(&added, &name, &target, reading),
                "{reading:?}: added rules"
            );
        }

        let unknown = with_line_after_each(body, b"Crawl-delay: 5\n# comment\n");
        assert_eq!(
            before,
            effect(&unknown, &name, &target, reading),
            "{reading:?}: other records"
        );

        let other_case = name.to_ascii_uppercase();
        assert_eq!(
            before,
            effect(body, &other_case, &target, reading),
            "{reading:?}: case"
        );

        if !body.contains(&b'\r') {
            let with_cr: Vec<u8> = body
                .iter()
                .map(|&byte| if byte == b'\n' { b'\r' } else { byte })
                .collect();
            assert_eq!(
                before,
                effect(&with_cr, &name, &target, reading),
                "{reading:?}: line ends"
            );
        }
    }
});
