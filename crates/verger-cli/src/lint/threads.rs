//! Work in several threads, with results in order.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::thread;

use verger_store::UnpoisonedMutex;

/// Does all jobs in as many threads as there are processors, and returns the results in their
/// order.
pub(super) fn in_threads<J: Send, A: Send>(jobs: Vec<J>, work: impl Fn(J) -> A + Sync) -> Vec<A> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = threads.min(jobs.len());
    let jobs = UnpoisonedMutex::new(jobs.into_iter().enumerate());
    let next = || jobs.lock().next();
    let do_some = || {
        let mut done = Vec::new();
        while let Some((at, job)) = next() {
            done.push((at, work(job)));
        }
        done
    };
    let mut done = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(do_some)).collect();
        let mut done = do_some();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::in_threads;

    #[test]
    fn results_are_in_the_order_of_the_jobs() {
        let doubled = in_threads((0..1_000).collect(), |job: u32| job * 2);
        assert!(doubled.into_iter().eq((0..1_000).map(|job| job * 2)));
    }
}
