//! The heap sizes that trees and policies report equal what they take from the allocator. This is
//! the only test of its program, because other threads must not allocate.

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use verger::{Crawler, Dialect, RobotsTxt};

#[global_allocator]
static HEAP: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Maximum overhead of the allocator for each piece.
const PIECE_BYTES: usize = 32;

/// Bodies whose rules are stored in every way: texts, compiled patterns, keys, n-grams, rows,
/// triples.
fn bodies() -> Vec<String> {
    let rules = |count: usize, rule: &dyn Fn(usize) -> String| {
        let rules = (0..count).map(|number| format!("Disallow: {}\n", rule(number)));
        format!("User-agent: *\n{}", rules.collect::<String>())
    };
    let mut bodies = vec![String::new(), "User-agent: *\n".to_owned()];
    for count in [1, 5, 17, 100, 3000] {
        bodies.extend([
            rules(count, &|number| format!("/directory/{number}/page")),
            rules(count, &|number| format!("/*section{number}*page{number}$")),
            rules(count, &|number| format!("/caf%c3%a9/{number}%2F%7e")),
            rules(count, &|number| format!("/*{number}")),
            rules(count, &|number| format!("/same/{}*", number % 3)),
        ]);
    }
    bodies
}

/// Asserts that `said` is the size of the pieces allocated since the start of `region`.
#[track_caller]
fn assert_counted(region: &Region<'_, System>, said: usize, what: &str) {
    let taken = region.change();
    let bytes = taken.bytes_allocated - taken.bytes_deallocated;
    // A piece that grew counts as one.
    let pieces = taken.allocations - taken.deallocations;
    let most = bytes + pieces * PIECE_BYTES;
    assert!(
        (bytes..=most).contains(&said),
        "{what}: {said} of {bytes} in {pieces}"
    );
}

#[test]
fn heap_bytes_are_what_the_allocator_gave() {
    let crawler = Crawler::unnamed();
    for body in bodies() {
        for &dialect in Dialect::ALL {
            let what = format!("{dialect:?}, {}", body.get(14..80).unwrap_or(&body));
            let region = Region::new(HEAP);
            let robots = RobotsTxt::parse(body.as_str(), dialect);
            assert_counted(&region, robots.heap_bytes(), &what);
            let region = Region::new(HEAP);
            let policy = robots.policy(&crawler);
            assert_counted(&region, policy.heap_bytes(), &what);
        }
    }
}
