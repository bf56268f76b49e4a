//! Work on all processors.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// What `work` makes of each item, in the order of the items; `work` also gets the number of its thread.
pub(crate) fn map<I: Sync, R: Send>(items: &[I], work: impl Fn(usize, &I) -> R + Sync) -> Vec<R> {
    let next = Mutex::new(items.iter().enumerate());
    let worker = |number| {
        let take = || next.lock().unwrap_or_else(PoisonError::into_inner).next();
        let mut results = Vec::new();
        while let Some((nth, item)) = take() {
            results.push((nth, work(number, item)));
        }
        results
    };
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let mut results: Vec<(usize, R)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..processors)
            .map(|number| scope.spawn(move || worker(number)))
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| {
                worker
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
            .collect()
    });
    results.sort_by_key(|(nth, _)| *nth);
    results.into_iter().map(|(_, result)| result).collect()
}
