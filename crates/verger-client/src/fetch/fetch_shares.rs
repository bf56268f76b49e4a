//! `FetchShares`: permits for fetches of a server, of which no client and no batch can hold all.
//!
//! How much a client may hold depends on how much is free (dynamic thresholds, Choudhury and Hahne, 1998). A client
//! that only asks about silent sites holds three quarters, the next one three quarters of the rest, and a further one
//! still finds permits. A batch leaves some to other requests of its client in the same way.

use std::collections::{BTreeMap, VecDeque};
use std::iter;
use std::sync::Arc;

use tokio::sync::oneshot;
use verger_store::UnpoisonedMutex;

/// A client may have this many times as many waiting requests as there is space for more.
const WAITING_TIMES: usize = 7;

/// Who needs a permit: a client, and its batch, which is 0 for a request about one site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FetchAsker {
    /// The number of the client.
    pub client: u64,
    /// The number of the batch, from [`FetchShares::new_batch`].
    pub batch: u64,
}

/// The permits of a server for fetches, of which no client and no batch can hold all.
#[derive(Debug)]
pub struct FetchShares {
    waiting_max: usize,
    state: UnpoisonedMutex<State>,
}

#[derive(Debug, Default)]
struct State {
    free: usize,
    last_id: u64,
    /// The permits of each batch. Without a batch, all permits of the client.
    held: BTreeMap<FetchAsker, usize>,
    queue: VecDeque<Waiter>,
}

#[derive(Debug)]
struct Waiter {
    id: u64,
    asker: FetchAsker,
    granted: oneshot::Sender<()>,
}

impl State {
    fn new_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    fn held(&self, asker: FetchAsker) -> usize {
        self.held.get(&asker).copied().unwrap_or(0)
    }

    /// Returns the number of permits in use and of requests that wait for one, without batches that wait.
    fn waiting(&self, is_counted: impl Fn(u64) -> bool) -> usize {
        let held = self.held.iter().filter(|(asker, _)| asker.batch == 0);
        let held = held.filter(|(asker, _)| is_counted(asker.client));
        let queue = self.queue.iter().map(|it| it.asker);
        let queue = queue.filter(|it| it.batch == 0 && is_counted(it.client));
        held.map(|(_, held)| held).sum::<usize>() + queue.count()
    }

    /// Grants permits while a waiter may have one, to those first whose client and batch hold the fewest.
    fn grant(&mut self) {
        while let Some(waiter) = self.next().and_then(|place| self.queue.remove(place)) {
            self.free -= 1;
            for holder in waiter.asker.holders() {
                *self.held.entry(holder).or_default() += 1;
            }
            let _ = waiter.granted.send(());
        }
    }

    /// Returns the place of the next waiter that may have a permit.
    fn next(&self) -> Option<usize> {
        let queue = self.queue.iter().enumerate();
        let ranked = queue.filter_map(|(place, waiter)| {
            let mut held = waiter.asker.holders().map(|it| self.held(it));
            let (client, own) = (held.next()?, held.next().unwrap_or(0));
            let rank = client + 2 * own;
            let max = if own == 0 { 3 } else { 2 } * self.free;
            (rank < max).then_some((rank, place))
        });
        Some(ranked.min()?.1)
    }
}

impl FetchAsker {
    /// Returns whose permits are counted: the client, and the batch.
    fn holders(self) -> impl Iterator<Item = Self> {
        let client = Self { batch: 0, ..self };
        iter::once(client).chain((self.batch > 0).then_some(self))
    }
}

/// A permit, or the place of a request that waits for one.
#[derive(Debug)]
pub struct FetchShare {
    shares: Arc<FetchShares>,
    asker: FetchAsker,
    id: u64,
}

impl Drop for FetchShare {
    fn drop(&mut self) {
        let mut state = self.shares.state.lock();
        if let Some(place) = state.queue.iter().position(|it| it.id == self.id) {
            state.queue.remove(place);
        } else {
            state.free += 1;
            for holder in self.asker.holders() {
                if let Some(held) = state.held.get_mut(&holder) {
                    *held -= 1;
                }
            }
            state.held.retain(|_, held| *held > 0);
        }
        state.grant();
    }
}

impl FetchShares {
    /// Creates `permits`, for which at most `waiting_max` requests wait.
    pub fn new(permits: usize, waiting_max: usize) -> Arc<Self> {
        let free = permits.min(waiting_max);
        let state = UnpoisonedMutex::new(State {
            free,
            ..State::default()
        });
        Arc::new(Self { waiting_max, state })
    }

    /// Returns a number for a batch, which is not 0.
    pub fn new_batch(&self) -> u64 {
        self.state.lock().new_id()
    }

    /// Waits for a permit. A batch takes one at a time. Returns `None` if too many requests wait already.
    pub async fn take(self: &Arc<Self>, asker: FetchAsker) -> Option<Arc<FetchShare>> {
        let (granted, is_granted) = oneshot::channel();
        let share = {
            let mut state = self.state.lock();
            let space = self.waiting_max.saturating_sub(state.waiting(|_| true));
            let own = state.waiting(|client| client == asker.client);
            if asker.batch == 0 && (space == 0 || own > WAITING_TIMES * space) {
                return None;
            }
            let (id, shares) = (state.new_id(), Arc::clone(self));
            state.queue.push_back(Waiter { id, asker, granted });
            state.grant();
            FetchShare { shares, asker, id }
        };
        // The sender stays in the queue until it has sent.
        let _ = is_granted.await;
        Some(Arc::new(share))
    }

    /// Returns the number of questions that wait for a fetch or the store.
    pub fn waiting(&self) -> usize {
        self.state.lock().waiting(|_| true)
    }
}
