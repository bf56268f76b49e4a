//! J4: memory that an engine keeps for a body, and heap use of one answer.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::engine::Engine;
use crate::figure::{Block, Figure};
use crate::heap;
use crate::input::Question;
use crate::job::Job;

/// Number of URLs checked from scratch. The worst one is reported.
const ONE_SHOT_URLS: usize = 64;

pub(crate) fn blocks(
    engines: &[Box<dyn Engine>],
    name: &str,
    rules: usize,
    question: Question<'_>,
) -> [Block; 2] {
    let is_counted = |engine: &&&dyn Engine| engine.heap_is_counted() && engine.answers();
    let engines: Vec<&dyn Engine> = engines.iter().map(|engine| &**engine).collect();
    let engines = || engines.iter().filter(is_counted);
    let body = Figure {
        label: "the body itself".to_owned(),
        bytes: u64::try_from(question.body.bytes().len()).ok(),
        ..Figure::default()
    };
    let kept = engines().flat_map(|engine| kept(*engine, question));
    let kept = Block {
        job: Job::Memory.name(),
        input: name.to_owned(),
        detail: format!(", {rules} rules for the agent: kept"),
        reference: "verger/policy",
        bytes_per_call: None,
        rules: Some(rules),
        figures: [body].into_iter().chain(kept).collect(),
    };
    let one_shot = engines().map(|engine| one_shot(*engine, question));
    let one_shot = Block {
        detail: ": at most, for one answer from the start".to_owned(),
        reference: "verger/one-shot",
        rules: None,
        figures: one_shot.collect(),
        input: name.to_owned(),
        ..kept
    };
    [kept, one_shot]
}

fn kept(engine: &dyn Engine, question: Question<'_>) -> Vec<Figure> {
    let kept = engine.kept(question).into_iter();
    let figure = kept.map(|kept| {
        let (built, used) = heap::count(|| catch_unwind(AssertUnwindSafe(&kept.build)));
        Figure {
            label: kept.label,
            bytes: u64::try_from(used.live).ok().filter(|_| built.is_ok()),
            allocations: Some(used.allocations),
            remark: built.is_err().then(|| "panicked".to_owned()),
            ..Figure::default()
        }
    });
    figure.collect()
}

fn one_shot(engine: &dyn Engine, question: Question<'_>) -> Figure {
    let Question { body, agent, urls } = question;
    let ask = |url: &String| {
        heap::count(|| catch_unwind(AssertUnwindSafe(|| engine.allowed(body, agent, url))))
    };
    // The first call may initialize process-wide state.
    let _ = urls.first().map(ask);
    let used: Vec<_> = urls.iter().take(ONE_SHOT_URLS).map(ask).collect();
    let panicked = used.iter().any(|(answer, _)| answer.is_err());
    let peak = used.iter().map(|(_, used)| used.peak).max().unwrap_or(0);
    Figure {
        label: format!("{}/one-shot", engine.name()),
        bytes: u64::try_from(peak).ok(),
        allocations: used.iter().map(|(_, used)| used.allocations).max(),
        remark: panicked.then(|| "panicked".to_owned()),
        ..Figure::default()
    }
}
