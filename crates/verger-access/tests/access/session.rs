//! The session keeps its promises, whatever callers, servers, stores and other processes do: in every sequence of few
//! events, and in long random ones.

use crate::session_world::{Happening, World};

/// Runs every sequence of happenings up to a depth, and ends each of them.
fn explore(world: &World, depth: usize, is_tried: &dyn Fn(&Happening) -> bool) -> usize {
    if depth == 0 {
        world.clone().finish();
        return 1;
    }
    let happenings = world.happenings().into_iter().filter(is_tried);
    let run = |happening| {
        let mut next = world.clone();
        next.happen(happening);
        explore(&next, depth - 1, is_tried)
    };
    happenings.map(run).sum()
}

fn asks(world: &mut World, questions: usize) {
    for happening in world.happenings().into_iter().step_by(2).take(questions) {
        world.happen(happening);
    }
}

#[test]
fn every_short_sequence_keeps_the_promises() {
    let all = |_: &Happening| true;
    let mut runs = explore(&World::new(1, 1), 5, &all);
    runs += explore(&World::new(2, 1), 4, &all);
    // Deeper, among flights that are under way.
    let reports = |it: &Happening| !matches!(it, Happening::Ask(..) | Happening::Close);
    for questions in 1..=3 {
        let mut world = World::new(3, 2);
        asks(&mut world, questions);
        runs += explore(&world, 5, &reports);
    }
    assert!(runs > 80_000, "{runs}");
}

/// `VERGER_TEST_SESSIONS=100000` sets the number of runs.
#[test]
fn long_random_sequences_keep_the_promises() {
    let runs = std::env::var("VERGER_TEST_SESSIONS").ok();
    let runs = runs.map_or(3000, |it| it.parse().expect("a number"));
    for seed in 0..runs {
        let mut world = World::new(3, 1 + usize::from(seed % 2 == 0));
        let mut random = Random(seed);
        for _ in 0..120 {
            let mut happenings = world.happenings();
            // Events of flights are more frequent than questions, and flights rarely end early.
            happenings.retain(|it| match it {
                Happening::Close => random.below(400) == 0,
                Happening::Land(_) => random.below(20) == 0,
                Happening::Ask(..) | Happening::Leave(_) => random.below(6) == 0,
                Happening::AskAboutHop(..) | Happening::Report(..) | Happening::Wait => true,
            });
            if !happenings.is_empty() {
                let at = random.below(happenings.len() as u64);
                world.happen(happenings.swap_remove(usize::try_from(at).unwrap()));
            }
        }
        world.finish();
    }
}

/// The generator `SplitMix64`.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ (word >> 31)) % bound.max(1)
    }
}
