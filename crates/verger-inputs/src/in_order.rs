//! `in_order`: runs jobs in several threads and returns their results in order.
//!
//! ```text
//! reader ─→ jobs ─→ workers ─→ result of a job ──┐
//!   └────────→ pending results, in order ───────┴─→ taker ─→ buffers, back to the reader
//! ```
//!
//! Every channel is bounded, so a slow taker blocks the reader. The reader makes a channel with
//! room for one message per job. The worker sends its result there, and the taker receives from
//! these channels in job order.

use std::num::NonZero;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Returns the number of threads of a run: the requested number, or one per processor.
#[must_use]
pub fn thread_count(asked: Option<NonZero<usize>>) -> NonZero<usize> {
    asked.unwrap_or_else(|| thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN))
}

/// How a run ended, for the reader and for the taker. The reader stops without an error if the
/// taker fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended<R, T> {
    /// Whether the reader reached its end or failed.
    pub read: Result<(), R>,
    /// Whether all results were taken or one could not be.
    pub taken: Result<(), T>,
}

struct Job<J, A> {
    job: J,
    result: SyncSender<A>,
}

/// Runs jobs in `threads` workers and passes their results in order to `take`, which runs in its
/// own thread. At most about three jobs per thread are in flight.
///
/// `next` makes the next job on the calling thread, reusing buffers if there are any. `worker`
/// makes the function that a thread applies to its jobs. `take` receives each result and returns
/// buffers for reuse.
///
/// # Panics
///
/// Panics if `next`, `worker`, the function that it makes, or `take` panics.
pub fn in_order<J, A, B, R, T, W>(
    threads: NonZero<usize>,
    mut next: impl FnMut(Option<B>) -> Result<Option<J>, R>,
    worker: impl Fn() -> W + Sync,
    take: impl FnMut(A) -> Result<B, T> + Send,
) -> Ended<R, T>
where
    J: Send,
    A: Send,
    B: Send,
    T: Send,
    W: FnMut(J) -> A,
{
    let (jobs, job_queue) = sync_channel(threads.get());
    let (pending, pending_queue) = sync_channel(2 * threads.get());
    let (used, spare) = channel();
    let job_queue = Mutex::new(job_queue);
    let worker = &worker;
    let (read, taken) = thread::scope(|scope| {
        for _ in 0..threads.get() {
            scope.spawn(|| work(&job_queue, worker()));
        }
        let taking = scope.spawn(move || take_all(&pending_queue, &used, take));
        let read = feed(&mut next, &jobs, &pending, &spare);
        drop((jobs, pending));
        (read, taking.join())
    });
    let taken = taken.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    Ended { read, taken }
}

/// Makes jobs until there are no more or the taker has stopped.
fn feed<J, A, B, R>(
    next: &mut impl FnMut(Option<B>) -> Result<Option<J>, R>,
    jobs: &SyncSender<Job<J, A>>,
    pending: &SyncSender<Receiver<A>>,
    spare: &Receiver<B>,
) -> Result<(), R> {
    while let Some(job) = next(spare.try_recv().ok())? {
        let (result, next_pending) = sync_channel(1);
        let job = Job { job, result };
        if pending.send(next_pending).is_err() || jobs.send(job).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// Works until there are no more jobs.
fn work<J, A>(jobs: &Mutex<Receiver<Job<J, A>>>, mut worker: impl FnMut(J) -> A) {
    let next = || {
        let jobs = jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.recv()
    };
    while let Ok(Job { job, result }) = next() {
        // If the taker has stopped, the reader stops later.
        let _ = result.send(worker(job));
    }
}

fn take_all<A, B, T>(
    pending: &Receiver<Receiver<A>>,
    used: &Sender<B>,
    mut take: impl FnMut(A) -> Result<B, T>,
) -> Result<(), T> {
    // A channel without a result means that its thread panicked. The scope reports that.
    while let Ok(Ok(result)) = pending.recv().map(|result| result.recv()) {
        let buffers = take(result)?;
        // The reader may have ended.
        let _ = used.send(buffers);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREADS: NonZero<usize> = NonZero::new(3).unwrap();

    #[test]
    fn results_come_in_the_order_of_the_jobs_and_buffers_go_back() {
        let mut taken = Vec::new();
        let (mut made, mut reused) = (0_u32, 0_u32);
        let ended = in_order(
            THREADS,
            |buffer: Option<()>| -> Result<_, ()> {
                reused += u32::from(buffer.is_some());
                made += 1;
                Ok((made <= 1000).then_some(made))
            },
            || |job: u32| job * 2,
            |result| -> Result<(), ()> {
                taken.push(result);
                Ok(())
            },
        );
        assert_eq!(
            ended,
            Ended {
                read: Ok(()),
                taken: Ok(())
            }
        );
        assert_eq!(taken, (1..=1000).map(|job| job * 2).collect::<Vec<_>>());
        // Jobs in flight are limited by the capacity of the channels and the number of threads.
        assert!(reused >= 1000 - 12, "{reused}");
    }

    #[test]
    fn a_taker_that_fails_ends_the_reader_and_a_reader_that_fails_loses_nothing_before() {
        let ended = in_order(
            THREADS,
            |_: Option<()>| -> Result<_, ()> { Ok(Some(1)) },
            || |job: u32| job,
            |_| Err("full"),
        );
        assert_eq!(
            ended,
            Ended {
                read: Ok(()),
                taken: Err("full")
            }
        );
        let (mut made, mut taken) = (0, 0);
        let ended = in_order(
            THREADS,
            |_: Option<()>| {
                made += 1;
                if made <= 5 {
                    Ok(Some(made))
                } else {
                    Err("torn")
                }
            },
            || |job: u32| job,
            |job| -> Result<(), ()> {
                taken += job;
                Ok(())
            },
        );
        assert_eq!(
            ended,
            Ended {
                read: Err("torn"),
                taken: Ok(())
            }
        );
        assert_eq!(taken, 15);
    }
}
