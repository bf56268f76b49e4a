//! `LookupThreads`: resolves names with blocking calls on separate threads.
//!
//! A lookup cannot be cancelled and may take 30 seconds if three name servers are silent. The
//! runtime waits for its blocking threads at shutdown, and the store and decoders need them, so
//! lookups use other threads. Those end with the process.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Condvar, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use tokio::sync::oneshot;
use verger_store::{Resource, Shortage, UnpoisonedMutex};

use crate::transport::resolve_error::ResolveError;

pub(crate) type Found = Result<Vec<IpAddr>, ResolveError>;

type Lookup = Box<dyn Fn(&str) -> Found + Send + Sync>;

/// Stack size in bytes. glibc needs less than half.
const STACK_BYTES: usize = 256 * 1024;

/// How long an idle thread stays.
const IDLE_TIME: Duration = Duration::from_secs(5);

/// Queue length at which cancelled lookups are first removed.
const QUEUE_TIDY: usize = 1024;

pub(crate) struct LookupThreads {
    lookup: Lookup,
    threads_max: usize,
    state: UnpoisonedMutex<State>,
    arrived: Condvar,
}

#[derive(Default)]
struct State {
    /// Names that no thread has taken yet, oldest first.
    queue: VecDeque<String>,
    /// Where to send the result, for each name queued or being looked up.
    waiting: HashMap<String, Vec<oneshot::Sender<Found>>>,
    threads: usize,
    idle: usize,
    tidy_at: usize,
}

impl LookupThreads {
    /// Creates a pool of at most `threads_max` threads, at least one. No thread is started yet.
    pub(crate) fn new(
        threads_max: usize,
        lookup: impl Fn(&str) -> Found + Send + Sync + 'static,
    ) -> Arc<Self> {
        let state = State {
            tidy_at: QUEUE_TIDY,
            ..State::default()
        };
        Arc::new(Self {
            lookup: Box::new(lookup),
            threads_max: threads_max.max(1),
            state: UnpoisonedMutex::new(state),
            arrived: Condvar::new(),
        })
    }

    /// Looks up `name`, in order of arrival. Concurrent lookups of a name share one call, even if
    /// the first caller was cancelled.
    pub(crate) async fn find(self: &Arc<Self>, name: &str) -> Found {
        let found = self
            .begin(name)
            .map_err(|error| Shortage::new(Resource::Threads, error.to_string()))?;
        found
            .await
            .unwrap_or_else(|_| Err(ResolveError::new("the lookup was given up")))
    }

    fn begin(self: &Arc<Self>, name: &str) -> io::Result<oneshot::Receiver<Found>> {
        let (sender, receiver) = oneshot::channel();
        let mut state = self.state.lock();
        if let Some(senders) = state.waiting.get_mut(name) {
            senders.retain(|sender| !sender.is_closed());
            senders.push(sender);
            return Ok(receiver);
        }
        state.tidy();
        state.waiting.insert(name.to_owned(), vec![sender]);
        state.queue.push_back(name.to_owned());
        if state.queue.len() > state.idle && state.threads < self.threads_max {
            match self.start_thread() {
                Ok(()) => state.threads += 1,
                Err(error) if state.threads == 0 => {
                    state.queue.pop_back();
                    state.waiting.remove(name);
                    return Err(error);
                }
                Err(_) => {}
            }
        }
        self.arrived.notify_one();
        Ok(receiver)
    }

    fn start_thread(self: &Arc<Self>) -> io::Result<()> {
        let threads = Arc::clone(self);
        let builder = Builder::new()
            .name("verger-lookup".to_owned())
            .stack_size(STACK_BYTES);
        builder.spawn(move || threads.work()).map(drop)
    }

    fn work(&self) {
        while let Some(name) = self.next() {
            let found = (self.lookup)(&name);
            let senders = self.state.lock().waiting.remove(&name);
            for sender in senders.into_iter().flatten() {
                let _ = sender.send(found.clone());
            }
        }
    }

    /// Waits for the next name. Returns `None` if the thread should end.
    fn next(&self) -> Option<String> {
        let mut state = self.state.lock();
        loop {
            if let Some(name) = state.take() {
                return Some(name);
            }
            state.idle += 1;
            let waited = self.arrived.wait_timeout(state, IDLE_TIME);
            let (again, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            state = again;
            state.idle -= 1;
            if timeout.timed_out() && state.queue.is_empty() {
                state.threads -= 1;
                return None;
            }
        }
    }
}

impl State {
    /// Takes the first queued name that a caller still waits for.
    fn take(&mut self) -> Option<String> {
        while let Some(name) = self.queue.pop_front() {
            if self.is_waited_for(&name) {
                return Some(name);
            }
            self.waiting.remove(&name);
        }
        None
    }

    fn is_waited_for(&self, name: &str) -> bool {
        let senders = self.waiting.get(name);
        senders.is_some_and(|senders| senders.iter().any(|sender| !sender.is_closed()))
    }

    /// Removes cancelled lookups whenever the queue has doubled.
    fn tidy(&mut self) {
        if self.queue.len() < self.tidy_at {
            return;
        }
        for name in std::mem::take(&mut self.queue) {
            if self.is_waited_for(&name) {
                self.queue.push_back(name);
            } else {
                self.waiting.remove(&name);
            }
        }
        self.tidy_at = QUEUE_TIDY.max(2 * self.queue.len());
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::mpsc;
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn is_ready<F: Future>(future: std::pin::Pin<&mut F>) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        matches!(future.poll(&mut context), Poll::Ready(_))
    }

    /// Creates threads whose lookups report their name when they start, and end when the gate
    /// opens.
    fn gated(threads_max: usize) -> (Arc<LookupThreads>, mpsc::Receiver<String>, mpsc::Sender<()>) {
        let (sender, begun) = mpsc::channel();
        let (gate, opened) = mpsc::channel::<()>();
        let opened = UnpoisonedMutex::new(opened);
        let threads = LookupThreads::new(threads_max, move |name| {
            sender.send(name.to_owned()).unwrap();
            let _ = opened.lock().recv();
            Ok(vec![IpAddr::from([192, 0, 2, 1])])
        });
        (threads, begun, gate)
    }

    #[tokio::test]
    async fn concurrent_lookups_of_one_name_share_a_call_also_after_a_cancelled_one() {
        let (threads, begun, gate) = gated(4);
        let mut first = Box::pin(threads.find("a.example"));
        assert!(!is_ready(first.as_mut()));
        assert_eq!(begun.recv().unwrap(), "a.example");
        drop(first);
        let mut second = pin!(threads.find("a.example"));
        let mut third = pin!(threads.find("a.example"));
        assert!(!is_ready(second.as_mut()) && !is_ready(third.as_mut()));
        gate.send(()).unwrap();
        assert_eq!(second.await.unwrap().len(), 1);
        assert_eq!(third.await.unwrap().len(), 1);
        assert!(begun.try_recv().is_err());
    }

    #[tokio::test]
    async fn names_are_looked_up_in_order_without_cancelled_ones() {
        let (threads, begun, gate) = gated(1);
        let mut first = Box::pin(threads.find("a.example"));
        let mut second = Box::pin(threads.find("b.example"));
        let mut third = pin!(threads.find("c.example"));
        assert!(!is_ready(first.as_mut()));
        assert!(!is_ready(second.as_mut()));
        assert!(!is_ready(third.as_mut()));
        assert_eq!(begun.recv().unwrap(), "a.example");
        drop((first, second));
        gate.send(()).unwrap();
        gate.send(()).unwrap();
        third.await.unwrap();
        assert_eq!(begun.recv().unwrap(), "c.example");
        assert!(threads.state.lock().waiting.is_empty());
    }

    #[tokio::test]
    async fn a_lookup_that_hangs_delays_no_other_name() {
        let threads = LookupThreads::new(2, |name| {
            if name == "silent.example" {
                loop {
                    std::thread::park();
                }
            }
            Ok(Vec::new())
        });
        let mut silent = pin!(threads.find("silent.example"));
        assert!(!is_ready(silent.as_mut()));
        for number in 0..100 {
            threads.find(&format!("{number}.example")).await.unwrap();
        }
        assert!(threads.state.lock().threads <= 2);
    }

    #[tokio::test]
    async fn a_queue_of_cancelled_lookups_does_not_grow() {
        let (threads, begun, gate) = gated(1);
        let mut first = pin!(threads.find("first.example"));
        assert!(!is_ready(first.as_mut()));
        assert_eq!(begun.recv().unwrap(), "first.example");
        for number in 0..10 * QUEUE_TIDY {
            let name = format!("{number}.example");
            let mut cancelled = Box::pin(threads.find(&name));
            assert!(!is_ready(cancelled.as_mut()));
        }
        assert!(threads.state.lock().queue.len() <= 2 * QUEUE_TIDY);
        gate.send(()).unwrap();
        first.await.unwrap();
    }
}
