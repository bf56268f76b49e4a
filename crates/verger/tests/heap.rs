//! The heap sizes that trees and policies report equal what they take from the allocator. This is
//! the only test of its program, because other tests would allocate meanwhile.

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use verger::{Crawler, Dialect, RobotsTxt};

#[global_allocator]
static HEAP: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Maximum overhead of the allocator for each piece.
const PIECE_BYTES: i64 = 32;

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

/// Asserts that the size that `made` reports is what the allocator gave for it.
///
/// The thread of the test harness may allocate meanwhile, so a wrong sum is measured again. It allocates a few times in all.
#[track_caller]
fn assert_counted<T>(made: impl Fn() -> (T, usize), what: &str) {
    let mut wrong = String::new();
    for _ in 0..20 {
        let region = Region::new(HEAP);
        let (kept, said) = made();
        let taken = region.change();
        drop(kept);
        // Signed, because another thread may free what it allocated before.
        let signed = |size: usize| i64::try_from(size).unwrap();
        let bytes = signed(taken.bytes_allocated) - signed(taken.bytes_deallocated);
        // A piece that grew counts as one.
        let pieces = signed(taken.allocations) - signed(taken.deallocations);
        let most = bytes + pieces * PIECE_BYTES;
        if (bytes..=most).contains(&signed(said)) {
            return;
        }
        wrong = format!("{what}: {said} of {bytes} in {pieces}");
    }
    panic!("{wrong}");
}

#[test]
fn heap_bytes_are_what_the_allocator_gave() {
    let crawler = Crawler::unnamed();
    for body in bodies() {
        for &dialect in Dialect::ALL {
            let what = format!("{dialect:?}, {}", body.get(14..80).unwrap_or(&body));
            let tree = || {
                let robots = RobotsTxt::parse(body.as_str(), dialect);
                let said = robots.heap_bytes();
                (robots, said)
            };
            assert_counted(tree, &what);
            let (robots, _) = tree();
            let policy = || {
                let policy = robots.policy(&crawler);
                let said = policy.heap_bytes();
                (policy, said)
            };
            assert_counted(policy, &what);
        }
    }
}
