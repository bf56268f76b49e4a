//! `GroupCommit`: many threads want something written, and one writes for all who wait.
//!
//! Whoever comes while nobody leads becomes the leader: waits for the writer, takes all that has
//! gathered until then, has it written at once, hands everybody an answer, and passes the lead on to
//! one of those who came in the meantime. So while one group waits for the disk, the next gathers,
//! and nobody waits longer than for two of them. No thread is needed beside those that ask.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A group has no more jobs than this, so that others who write get their turn.
pub(crate) const GROUP_JOBS_MAX: usize = 1000;

/// Jobs that wait to be done together.
pub(crate) struct GroupCommit<J, A> {
    queue: Mutex<Queue<J, A>>,
}

struct Queue<J, A> {
    waiting: Vec<Waiting<J, A>>,
    lead: Lead,
    last_number: u64,
}

/// Whether somebody leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lead {
    Free,
    Taken,
}

struct Waiting<J, A> {
    number: u64,
    job: J,
    turn: Sender<Turn<A>>,
}

/// What somebody who waits is told.
enum Turn<A> {
    /// It is done.
    Answer(A),
    /// It is your turn to lead.
    Lead,
}

impl<J, A> GroupCommit<J, A> {
    pub(crate) fn new() -> Self {
        let queue = Queue {
            waiting: Vec::new(),
            lead: Lead::Free,
            last_number: 0,
        };
        Self {
            queue: Mutex::new(queue),
        }
    }

    /// Has a job done, together with those of all who wait, and hands out its answer. `enter` waits
    /// for the right to write, `write` does all of some jobs or none, and answers each in its place.
    /// Both are called by the thread that leads, for jobs of others as well.
    ///
    /// `None` where the thread that led panicked, or had no answer.
    pub(crate) fn submit<G>(
        &self,
        job: J,
        enter: impl Fn() -> G,
        write: impl Fn(G, &[J]) -> Vec<A>,
    ) -> Option<A> {
        let (sender, receiver) = channel();
        let number = self.join(job, sender);
        loop {
            match receiver.recv() {
                Ok(Turn::Answer(answer)) => return Some(answer),
                Ok(Turn::Lead) => self.lead(number, &enter, &write),
                // Who had the other end is gone, and took the job along.
                Err(_) => return None,
            }
        }
    }

    /// Stands in the queue under a number; whoever finds the lead free is told to take it.
    fn join(&self, job: J, turn: Sender<Turn<A>>) -> u64 {
        let mut queue = self.lock();
        queue.last_number += 1;
        let number = queue.last_number;
        queue.waiting.push(Waiting { number, job, turn });
        if queue.lead == Lead::Free {
            queue.pass_on();
        }
        number
    }

    fn lead<G>(&self, own: u64, enter: &impl Fn() -> G, write: &impl Fn(G, &[J]) -> Vec<A>) {
        // Also where writing panics the lead goes on.
        let _passes_on = PassesOn { group: self, own };
        let guard = enter();
        let (jobs, turns) = self.take();
        let answers = write(guard, &jobs);
        for (turn, answer) in turns.into_iter().zip(answers) {
            // Whoever asked waits for it.
            let _ = turn.send(Turn::Answer(answer));
        }
    }

    /// Takes a group out of the queue, those first who came first.
    fn take(&self) -> (Vec<J>, Vec<Sender<Turn<A>>>) {
        let mut queue = self.lock();
        let jobs = queue.waiting.len().min(GROUP_JOBS_MAX);
        let group = queue.waiting.drain(..jobs);
        group.map(|waiting| (waiting.job, waiting.turn)).unzip()
    }

    /// No change of the queue is left half done by a panic.
    fn lock(&self) -> MutexGuard<'_, Queue<J, A>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many jobs wait.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.lock().waiting.len()
    }
}

impl<J, A> Queue<J, A> {
    /// Tells the first who waits to lead.
    fn pass_on(&mut self) {
        let told = (self.waiting.iter()).position(|next| next.turn.send(Turn::Lead).is_ok());
        self.lead = told.map_or(Lead::Free, |_| Lead::Taken);
    }
}

/// Passes the lead on at the end, however it comes.
struct PassesOn<'g, J, A> {
    group: &'g GroupCommit<J, A>,
    own: u64,
}

impl<J, A> Drop for PassesOn<'_, J, A> {
    fn drop(&mut self) {
        let mut queue = self.group.lock();
        // A leader that panicked before it took its own job will never take it.
        queue.waiting.retain(|waiting| waiting.number != self.own);
        queue.pass_on();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    /// Waits until so many jobs wait.
    fn gather(group: &GroupCommit<u32, u32>, jobs: usize) {
        while group.waiting() < jobs {
            thread::yield_now();
        }
    }

    fn lock(writer: &Mutex<()>) -> MutexGuard<'_, ()> {
        writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[test]
    fn all_who_wait_are_answered_by_one_write() {
        let (group, writer) = (GroupCommit::new(), Mutex::new(()));
        let calls = AtomicUsize::new(0);
        let double = |_: MutexGuard<'_, ()>, jobs: &[u32]| {
            calls.fetch_add(1, Ordering::Relaxed);
            jobs.iter().map(|job| 2 * job).collect()
        };
        thread::scope(|scope| {
            let held = lock(&writer);
            for job in 0..50 {
                let (group, writer, double) = (&group, &writer, &double);
                scope.spawn(move || {
                    let answer = group.submit(job, || lock(writer), double);
                    assert_eq!(answer, Some(2 * job));
                });
            }
            gather(&group, 50);
            drop(held);
        });
        assert_eq!(calls.load(Ordering::Relaxed), 1);
        assert_eq!(group.submit(1, || lock(&writer), double), Some(2));
        assert_eq!(calls.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn a_crowd_is_written_in_groups_of_a_bounded_size() {
        let (group, writer) = (GroupCommit::new(), Mutex::new(()));
        let sizes = Mutex::new(Vec::new());
        let write = |_: MutexGuard<'_, ()>, jobs: &[u32]| {
            sizes.lock().unwrap().push(jobs.len());
            jobs.to_vec()
        };
        let jobs = u32::try_from(GROUP_JOBS_MAX).unwrap() + 1;
        thread::scope(|scope| {
            let held = lock(&writer);
            for job in 0..jobs {
                let (group, writer, write) = (&group, &writer, &write);
                scope.spawn(move || {
                    assert_eq!(group.submit(job, || lock(writer), write), Some(job));
                });
            }
            gather(&group, GROUP_JOBS_MAX + 1);
            drop(held);
        });
        assert_eq!(*sizes.lock().unwrap(), [GROUP_JOBS_MAX, 1]);
    }

    #[test]
    fn a_panic_of_the_leader_strands_nobody() {
        let (group, writer) = (GroupCommit::new(), Mutex::new(()));
        let write = |_: MutexGuard<'_, ()>, jobs: &[u32]| {
            assert!(!jobs.contains(&13), "as asked");
            jobs.to_vec()
        };
        let submit = |job| {
            let submitted = || group.submit(job, || lock(&writer), write);
            catch_unwind(AssertUnwindSafe(submitted))
        };
        thread::scope(|scope| {
            let held = lock(&writer);
            let asked: Vec<_> = (0..20)
                .map(|job| scope.spawn(move || submit(job)))
                .collect();
            gather(&group, 20);
            drop(held);
            let outcomes = asked.into_iter().map(|asked| asked.join().unwrap());
            let outcomes: Vec<_> = outcomes.collect();
            let panicked = outcomes.iter().filter(|outcome| outcome.is_err()).count();
            let without = outcomes
                .iter()
                .filter(|outcome| matches!(outcome, Ok(None)));
            assert_eq!((panicked, without.count()), (1, 19));
        });
        // The lead was passed on, and whoever comes next is served.
        assert_eq!(submit(1).unwrap(), Some(1));
    }

    #[test]
    fn a_panic_before_the_jobs_are_taken_leaves_them_to_the_next() {
        let group = GroupCommit::new();
        let write = |(): (), jobs: &[u32]| jobs.to_vec();
        let first = AtomicUsize::new(0);
        let enter = || {
            if first.fetch_add(1, Ordering::Relaxed) == 0 {
                gather(&group, 5);
                panic!("as asked");
            }
        };
        let submit = |job| catch_unwind(AssertUnwindSafe(|| group.submit(job, enter, write)));
        thread::scope(|scope| {
            let asked: Vec<_> = (0..5).map(|job| scope.spawn(move || submit(job))).collect();
            let outcomes = asked.into_iter().map(|asked| asked.join().unwrap());
            let answered = outcomes.filter(|outcome| matches!(outcome, Ok(Some(_))));
            assert_eq!(answered.count(), 4);
        });
        assert_eq!(submit(7).unwrap(), Some(7));
    }
}
