use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::task::spawn_blocking;
use verger_access::Authority;
use verger_store::{StoreError, StoredState, UnpoisonedMutex};

use crate::fetch::active_count::ActiveCount;

pub(crate) type StoreResult<T> = Result<T, Arc<StoreError>>;

/// Maximum number of queries in flight. For 10,000 authorities in a database, one at a time took
/// twice as long as four.
const QUESTIONS_MAX: usize = 4;

/// Maximum number of authorities per query. A disk finds this many within the deadline, and at most
/// four times as many unread bodies are in memory. For 10,000 authorities, 64 or 256
/// did not help.
const AUTHORITIES_MAX: usize = 32;

type LatestState = Result<Option<StoredState>, StoreError>;

type AskStore = dyn Fn(&[Authority]) -> Result<Vec<LatestState>, StoreError> + Send + Sync;

/// Combines store reads that wait at the same time into one query. A read starts at once unless
/// [`QUESTIONS_MAX`] queries are in flight. Waiting reads form the next query, up to
/// [`AUTHORITIES_MAX`] at a time.
pub(crate) struct GatheredReads {
    ask_store: Arc<AskStore>,
    active: ActiveCount,
    questions: Arc<Semaphore>,
    waiting: UnpoisonedMutex<WaitingReads>,
}

#[derive(Default)]
struct WaitingReads {
    reads: VecDeque<WaitingRead>,
    last_number: u64,
}

struct WaitingRead {
    number: u64,
    authority: Authority,
    answer: Answer,
}

/// Receives the answer to a read. If the caller has stopped waiting, the answer is dropped.
struct Answer(oneshot::Sender<StoreResult<Option<StoredState>>>);

impl Answer {
    fn give(self, state: StoreResult<Option<StoredState>>) {
        let _ = self.0.send(state);
    }
}

impl GatheredReads {
    pub(crate) fn new(ask_store: Arc<AskStore>, active: ActiveCount) -> Self {
        Self {
            ask_store,
            active,
            questions: Arc::new(Semaphore::new(QUESTIONS_MAX)),
            waiting: UnpoisonedMutex::default(),
        }
    }

    pub(crate) async fn latest(&self, authority: &Authority) -> StoreResult<Option<StoredState>> {
        let (number, mut answer) = self.add(authority);
        let answer = loop {
            // Any waiting read can start the next query, so none depends on a caller that may have
            // gone.
            tokio::select! {
                biased;
                answer = &mut answer => break answer,
                permit = Arc::clone(&self.questions).acquire_owned() => {
                    // The semaphore is never closed.
                    let Ok(permit) = permit else { continue };
                    self.ask(permit);
                    if !self.is_waiting(number) {
                        break answer.await;
                    }
                }
            }
        };
        let without = |_| StoreError::Backend("the store ended a read without an answer".into());
        answer.map_err(|error| Arc::new(without(error))).flatten()
    }

    fn add(
        &self,
        authority: &Authority,
    ) -> (u64, oneshot::Receiver<StoreResult<Option<StoredState>>>) {
        let (answer, answered) = oneshot::channel();
        let mut waiting = self.waiting.lock();
        waiting.last_number += 1;
        let number = waiting.last_number;
        waiting.reads.push_back(WaitingRead {
            number,
            authority: authority.clone(),
            answer: Answer(answer),
        });
        (number, answered)
    }

    fn is_waiting(&self, number: u64) -> bool {
        let waiting = self.waiting.lock();
        let first = waiting.reads.front();
        first.is_some_and(|first| first.number <= number)
    }

    fn ask(&self, permit: OwnedSemaphorePermit) {
        let (authorities, answers) = self.next_question();
        if authorities.is_empty() {
            return;
        }
        let (ask_store, counted) = (Arc::clone(&self.ask_store), self.active.begin());
        spawn_blocking(move || {
            let states = ask_store(&authorities);
            drop(permit);
            let answers = answers.into_iter();
            match states {
                Ok(states) => answers.zip(states).for_each(|(answer, state)| {
                    answer.give(state.map_err(Arc::new));
                }),
                Err(error) => {
                    let error = Arc::new(error);
                    answers.for_each(|answer| answer.give(Err(Arc::clone(&error))));
                }
            }
            drop(counted);
        });
    }

    fn next_question(&self) -> (Vec<Authority>, Vec<Answer>) {
        let mut waiting = self.waiting.lock();
        let (mut authorities, mut answers) = (Vec::new(), Vec::new());
        while authorities.len() < AUTHORITIES_MAX
            && let Some(read) = waiting.reads.pop_front()
        {
            if !read.answer.0.is_closed() {
                authorities.push(read.authority);
                answers.push(read.answer);
            }
        }
        (authorities, answers)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Condvar;
    use std::time::Duration;

    use tokio::task::JoinSet;
    use tokio::time::timeout;

    use super::*;

    /// An empty store that answers once it is open.
    #[derive(Default)]
    struct Gate {
        asked: UnpoisonedMutex<Vec<Vec<Authority>>>,
        is_open: UnpoisonedMutex<bool>,
        opened: Condvar,
    }

    impl Gate {
        fn reads(
            self: &Arc<Self>,
            answer: fn(&[Authority]) -> Result<Vec<LatestState>, StoreError>,
        ) -> Arc<GatheredReads> {
            let gate = Arc::clone(self);
            let ask_store = move |authorities: &[Authority]| {
                gate.asked.lock().push(authorities.to_vec());
                let is_open = gate.is_open.lock();
                drop(gate.opened.wait_while(is_open, |is_open| !*is_open));
                answer(authorities)
            };
            Arc::new(GatheredReads::new(
                Arc::new(ask_store),
                ActiveCount::default(),
            ))
        }

        fn open(&self) {
            *self.is_open.lock() = true;
            self.opened.notify_all();
        }

        fn sizes(&self) -> Vec<usize> {
            let mut sizes: Vec<_> = self.asked.lock().iter().map(Vec::len).collect();
            sizes.sort_unstable();
            sizes
        }
    }

    fn nothing(authorities: &[Authority]) -> Vec<LatestState> {
        authorities.iter().map(|_| Ok(None)).collect()
    }

    fn authority(number: usize) -> Authority {
        Authority::from_url(&format!("https://h{number}.example/")).unwrap()
    }

    type Reading = JoinSet<(usize, StoreResult<Option<StoredState>>)>;

    /// Begins reads of these authorities and waits until the queries in flight are full.
    async fn begin(reads: &Arc<GatheredReads>, numbers: core::ops::Range<usize>) -> Reading {
        let mut reading = JoinSet::new();
        for number in numbers.clone() {
            let reads = Arc::clone(reads);
            reading.spawn(async move { (number, reads.latest(&authority(number)).await) });
        }
        while reads.waiting.lock().last_number < numbers.end as u64
            || reads.questions.available_permits() > 0
        {
            tokio::task::yield_now().await;
        }
        reading
    }

    #[tokio::test]
    async fn reads_that_wait_are_one_question() {
        let gate = Arc::new(Gate::default());
        let reads = gate.reads(|authorities| Ok(nothing(authorities)));
        let reading = begin(&reads, 0..100).await;
        gate.open();
        for (_, answer) in reading.join_all().await {
            assert!(answer.unwrap().is_none());
        }
        // The first four reads found a free query and began at once.
        assert_eq!(gate.sizes(), [1, 1, 1, 1, 32, 32, 32]);
        reads.latest(&authority(100)).await.unwrap();
        assert_eq!(gate.sizes().iter().sum::<usize>(), 101);
        assert!(reads.waiting.lock().reads.is_empty());
        reads.active.end().await;
    }

    #[tokio::test]
    async fn a_caller_that_has_gone_is_asked_about_by_none_and_leaves_the_others_unharmed() {
        let gate = Arc::new(Gate::default());
        let reads = gate.reads(|authorities| Ok(nothing(authorities)));
        let under_way = begin(&reads, 0..QUESTIONS_MAX).await;
        let late = authority(50);
        // Its deadline has passed.
        let late = timeout(Duration::ZERO, reads.latest(&late));
        assert!(late.await.is_err());
        let waiting = begin(&reads, 5..8).await;
        // The first waiting read would begin the next query.
        let mut waiting = waiting;
        waiting.abort_all();
        while waiting.join_next().await.is_some() {}
        let mut last = begin(&reads, 8..10).await;
        drop(under_way);
        gate.open();
        while let Some(read) = last.join_next().await {
            assert!(read.unwrap().1.unwrap().is_none());
        }
        let asked = gate.asked.lock().concat();
        let asked: Vec<_> = asked.iter().skip(QUESTIONS_MAX).collect();
        assert_eq!(asked, [&authority(8), &authority(9)]);
        reads.active.end().await;
    }

    #[tokio::test]
    async fn a_failure_reaches_those_whom_the_question_was_about() {
        let gate = Arc::new(Gate::default());
        // The store fails as a whole, for one authority, by a panic, and then not at all.
        let reads = gate.reads(|authorities| {
            if authorities.contains(&authority(1)) {
                return Err(StoreError::Busy);
            }
            assert!(!authorities.contains(&authority(2)), "a store that panics");
            let each = authorities.iter().map(|it| {
                let is_damaged = *it == authority(10);
                let damaged = StoreError::Damaged(String::new());
                if is_damaged { Err(damaged) } else { Ok(None) }
            });
            Ok(each.collect())
        });
        let reading = begin(&reads, 0..12).await;
        gate.open();
        for (number, answer) in reading.join_all().await {
            let answer = answer.map_err(|error| match &*error {
                StoreError::Busy => 1,
                StoreError::Backend(_) => 2,
                StoreError::Damaged(_) => 10,
                _ => 0,
            });
            let fails = [1, 2, 10].contains(&number);
            assert_eq!(answer.err(), fails.then_some(number));
        }
        reads.active.end().await;
    }
}
