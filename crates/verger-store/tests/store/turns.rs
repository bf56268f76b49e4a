//! Turns of requests, compared with a model that keeps all requests that were sent.

use std::collections::BTreeMap;
use std::time::Duration;

use verger_store::{Archive, SqliteStore, Store, Turn, TurnRequest};

use crate::scene::{at, new_file, remove};

const START: u64 = 1_800_000_000_000;

fn request(site: &str, delay_ms: u64, longest_ms: Option<u64>, now_ms: u64) -> TurnRequest {
    TurnRequest {
        site: site.to_owned(),
        delay: Duration::from_millis(delay_ms),
        longest: longest_ms.map(Duration::from_millis),
        now: Duration::from_millis(now_ms),
    }
}

/// Asks for turns of three sites at times that go on, and of two callers whose clocks differ by less than a second.
pub(crate) fn hold_turns_like_the_model(store: &dyn Store) {
    let mut sent: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    let mut random = 7_u64;
    let mut next = |below: u64| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (random >> 33) % below
    };
    let (mut time, mut too_long) = (START, 0);
    for _ in 0..400 {
        time += next(900);
        let now = time + next(2) * 700;
        let site = ["a", "b", "c"][usize::try_from(next(3)).unwrap()];
        let (delay, longest) = (next(2_000), (next(3) == 0).then(|| next(3_000)));
        let before = sent.entry(site).or_default();
        let earliest = before.iter().map(|sent| sent + delay).max().unwrap_or(0);
        let wait = earliest.saturating_sub(now);
        let expected = if longest.is_some_and(|longest| wait > longest) {
            too_long += 1;
            Turn::TooLong(Duration::from_millis(wait))
        } else {
            before.push(now + wait);
            Turn::In(Duration::from_millis(wait))
        };
        let taken = store.take_turn(&request(site, delay, longest, now));
        assert_eq!(taken.unwrap(), expected, "{site} {delay} {longest:?} {now}");
    }
    assert!(too_long > 10, "{too_long}");
}

/// What holds only by the times of callers.
pub(crate) fn survive_clocks(store: &(impl Archive + ?Sized)) {
    let taken = |site, delay, now| store.take_turn(&request(site, delay, None, now)).unwrap();
    let wait = |milliseconds| Turn::In(Duration::from_millis(milliseconds));
    // A clock that was a day ahead and was set back holds nobody up for a day.
    assert_eq!(taken("back", 500, START + 86_400_000), wait(0));
    assert_eq!(taken("back", 500, START), wait(500));
    assert_eq!(taken("back", 500, START + 100), wait(900));
    // Extreme numbers are a long wait, and no failure.
    for site in ["huge", "huge"] {
        let longest = store.take_turn(&TurnRequest {
            site: site.to_owned(),
            delay: Duration::MAX,
            longest: None,
            now: Duration::MAX,
        });
        assert!(matches!(longest, Ok(Turn::In(_))), "{longest:?}");
    }
    // A sweep forgets turns that came more than a day ago, and no others.
    store.take_turn(&request("old", 500, None, START)).unwrap();
    store
        .take_turn(&request("new", 172_800_000, None, START))
        .unwrap();
    store
        .take_turn(&request("new", 172_800_000, None, START))
        .unwrap();
    let later = START / 1000 + 90_000 - 1_800_000_000;
    store.sweep(at(0), at(later)).unwrap();
    let now = START + 90_000_000;
    assert_eq!(taken("old", 1_000_000_000, now), wait(0));
    assert_eq!(
        taken("new", 172_800_000, now),
        wait(2 * 172_800_000 - 90_000_000)
    );
}

#[test]
fn a_file_gives_turns_like_the_model() {
    let path = new_file("turns");
    let store = SqliteStore::open(&path).unwrap();
    hold_turns_like_the_model(&store);
    survive_clocks(&store);
    remove(&path);
}

#[test]
fn threads_with_stores_of_their_own_never_share_a_turn() {
    let path = new_file("turns-of-threads");
    let turns = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let store = SqliteStore::open(&path).unwrap();
                    let take = || store.take_turn(&request("a", 500, None, START)).unwrap();
                    (0..25).map(|_| take()).collect::<Vec<_>>()
                })
            })
            .collect();
        let turns = threads.into_iter().map(|it| it.join().unwrap());
        turns.flatten().collect::<Vec<_>>()
    });
    let mut waits: Vec<Duration> = turns
        .into_iter()
        .map(|turn| match turn {
            Turn::In(wait) => wait,
            Turn::TooLong(_) => unreachable!("there is no limit"),
        })
        .collect();
    waits.sort_unstable();
    let expected = (0..100).map(|number| Duration::from_millis(500 * number));
    assert_eq!(waits, expected.collect::<Vec<_>>());
    remove(&path);
}
