//! `GroupCommit`: writes the jobs of many threads in one transaction, with one wait for the disk.
//!
//! A thread that submits a job while there is no leader becomes the leader. The leader waits for the writer, takes all
//! queued jobs, writes them together, sends each thread its answer, and makes the first thread in the queue the next
//! leader. While one group waits for the disk, the next one forms, so a job waits for at most two groups. No extra
//! thread is needed.

use std::sync::mpsc::{Sender, channel};

use crate::unpoisoned_mutex::UnpoisonedMutex;

/// Maximum number of jobs in a group. Other processes can write between two groups.
pub(crate) const GROUP_JOBS_MAX: usize = 1000;

pub(crate) struct GroupCommit<J, A> {
    queue: UnpoisonedMutex<Queue<J, A>>,
}

struct Queue<J, A> {
    waiting: Vec<PendingJob<J, A>>,
    leader: Leader,
    last_number: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leader {
    None,
    Active,
}

struct PendingJob<J, A> {
    number: u64,
    job: J,
    sender: Sender<GroupMessage<A>>,
}

enum GroupMessage<A> {
    /// The thread's job is done.
    Answer(A),
    /// The thread is the leader now.
    BecomeLeader,
}

impl<J, A> GroupCommit<J, A> {
    pub(crate) fn new() -> Self {
        let queue = Queue {
            waiting: Vec::new(),
            leader: Leader::None,
            last_number: 0,
        };
        Self {
            queue: UnpoisonedMutex::new(queue),
        }
    }

    /// Submits a job and waits for its answer. `enter` waits for the writer. `write` does all jobs of a group or none,
    /// and returns their answers in the same order. The leader calls both for the whole group.
    ///
    /// Returns `None` if the leader panicked or `write` returned too few answers.
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
                Ok(GroupMessage::Answer(answer)) => return Some(answer),
                Ok(GroupMessage::BecomeLeader) => self.lead(number, &enter, &write),
                // The leader panicked with the job in its group.
                Err(_) => return None,
            }
        }
    }

    /// Queues a job, makes the thread the leader if the queue has none, and returns the job's number.
    fn join(&self, job: J, sender: Sender<GroupMessage<A>>) -> u64 {
        let mut queue = self.queue.lock();
        queue.last_number += 1;
        let number = queue.last_number;
        queue.waiting.push(PendingJob {
            number,
            job,
            sender,
        });
        if queue.leader == Leader::None {
            queue.hand_over();
        }
        number
    }

    fn lead<G>(&self, own: u64, enter: &impl Fn() -> G, write: &impl Fn(G, &[J]) -> Vec<A>) {
        // This is dropped even if `write` panics.
        let _hand_over = HandOver { group: self, own };
        let guard = enter();
        let (jobs, senders) = self.take();
        let answers = write(guard, &jobs);
        for (sender, answer) in senders.into_iter().zip(answers) {
            // The thread waits for it, so the channel is open.
            let _ = sender.send(GroupMessage::Answer(answer));
        }
    }

    /// Takes a group out of the queue, in the order of arrival.
    fn take(&self) -> (Vec<J>, Vec<Sender<GroupMessage<A>>>) {
        let mut queue = self.queue.lock();
        let jobs = queue.waiting.len().min(GROUP_JOBS_MAX);
        let group = queue.waiting.drain(..jobs);
        group.map(|waiting| (waiting.job, waiting.sender)).unzip()
    }

    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.queue.lock().waiting.len()
    }
}

impl<J, A> Queue<J, A> {
    fn hand_over(&mut self) {
        let first = (self.waiting.iter())
            .position(|next| next.sender.send(GroupMessage::BecomeLeader).is_ok());
        self.leader = first.map_or(Leader::None, |_| Leader::Active);
    }
}

/// Makes another thread the leader when it is dropped.
struct HandOver<'g, J, A> {
    group: &'g GroupCommit<J, A>,
    own: u64,
}

impl<J, A> Drop for HandOver<'_, J, A> {
    fn drop(&mut self) {
        let mut queue = self.group.queue.lock();
        // A leader that panicked before it took its own job will never take it.
        queue.waiting.retain(|waiting| waiting.number != self.own);
        queue.hand_over();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::MutexGuard;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    /// Waits until `jobs` jobs are queued.
    fn gather(group: &GroupCommit<u32, u32>, jobs: usize) {
        while group.waiting() < jobs {
            thread::yield_now();
        }
    }

    #[test]
    fn all_jobs_that_wait_are_answered_by_one_write() {
        let (group, writer) = (GroupCommit::new(), UnpoisonedMutex::new(()));
        let calls = AtomicUsize::new(0);
        let double = |_: MutexGuard<'_, ()>, jobs: &[u32]| {
            calls.fetch_add(1, Ordering::Relaxed);
            jobs.iter().map(|job| 2 * job).collect()
        };
        thread::scope(|scope| {
            let held = writer.lock();
            for job in 0..50 {
                let (group, writer, double) = (&group, &writer, &double);
                scope.spawn(move || {
                    let answer = group.submit(job, || writer.lock(), double);
                    assert_eq!(answer, Some(2 * job));
                });
            }
            gather(&group, 50);
            drop(held);
        });
        assert_eq!(calls.load(Ordering::Relaxed), 1);
        assert_eq!(group.submit(1, || writer.lock(), double), Some(2));
        assert_eq!(calls.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn many_jobs_are_written_in_groups_of_a_bounded_size() {
        let (group, writer) = (GroupCommit::new(), UnpoisonedMutex::new(()));
        let sizes = UnpoisonedMutex::new(Vec::new());
        let write = |_: MutexGuard<'_, ()>, jobs: &[u32]| {
            sizes.lock().push(jobs.len());
            jobs.to_vec()
        };
        let jobs = u32::try_from(GROUP_JOBS_MAX).unwrap() + 1;
        thread::scope(|scope| {
            let held = writer.lock();
            for job in 0..jobs {
                let (group, writer, write) = (&group, &writer, &write);
                scope.spawn(move || {
                    assert_eq!(group.submit(job, || writer.lock(), write), Some(job));
                });
            }
            gather(&group, GROUP_JOBS_MAX + 1);
            drop(held);
        });
        assert_eq!(*sizes.lock(), [GROUP_JOBS_MAX, 1]);
    }

    #[test]
    fn a_panic_of_the_leader_ends_no_wait_without_an_answer() {
        let (group, writer) = (GroupCommit::new(), UnpoisonedMutex::new(()));
        let write = |_: MutexGuard<'_, ()>, jobs: &[u32]| {
            assert!(!jobs.contains(&13), "as threads");
            jobs.to_vec()
        };
        let submit = |job| {
            let submitted = || group.submit(job, || writer.lock(), write);
            catch_unwind(AssertUnwindSafe(submitted))
        };
        thread::scope(|scope| {
            let held = writer.lock();
            let threads: Vec<_> = (0..20)
                .map(|job| scope.spawn(move || submit(job)))
                .collect();
            gather(&group, 20);
            drop(held);
            let outcomes = threads.into_iter().map(|threads| threads.join().unwrap());
            let outcomes: Vec<_> = outcomes.collect();
            let panicked = outcomes.iter().filter(|outcome| outcome.is_err()).count();
            let without = outcomes
                .iter()
                .filter(|outcome| matches!(outcome, Ok(None)));
            assert_eq!((panicked, without.count()), (1, 19));
        });
        // The leader has gone, and the next job is written.
        assert_eq!(submit(1).unwrap(), Some(1));
    }

    #[test]
    fn a_panic_before_the_jobs_are_taken_leaves_them_to_the_next_leader() {
        let group = GroupCommit::new();
        let write = |(): (), jobs: &[u32]| jobs.to_vec();
        let first = AtomicUsize::new(0);
        let enter = || {
            if first.fetch_add(1, Ordering::Relaxed) == 0 {
                gather(&group, 5);
                panic!("as threads");
            }
        };
        let submit = |job| catch_unwind(AssertUnwindSafe(|| group.submit(job, enter, write)));
        thread::scope(|scope| {
            let threads: Vec<_> = (0..5).map(|job| scope.spawn(move || submit(job))).collect();
            let outcomes = threads.into_iter().map(|threads| threads.join().unwrap());
            let answered = outcomes.filter(|outcome| matches!(outcome, Ok(Some(_))));
            assert_eq!(answered.count(), 4);
        });
        assert_eq!(submit(7).unwrap(), Some(7));
    }
}
