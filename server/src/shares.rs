//! `Shares`: permits for fetches, of which no client and no request can hold all.
//!
//! How much a client may hold depends on how much is free (dynamic thresholds, Choudhury and Hahne, 1998). A client
//! that only asks about silent sites holds three quarters, the next one three quarters of the rest, and a further one
//! still finds permits. A batch of a client leaves some to other requests of the same client in the same way.

use std::collections::{BTreeMap, VecDeque};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// A client may have this many times as many waiting requests as there is space for more.
const WAITING_TIMES: usize = 7;

/// Whose requests share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Client {
    /// The server renews a file before it expires, or is called within its process.
    #[default]
    Server,
    /// The holder of this token, by its place in the file.
    Token(usize),
    Address(IpAddr),
}

impl Client {
    /// Returns the client at an address. A network of IPv6 is one client, because a host can use all its addresses.
    pub(crate) fn at(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
            address => address,
        })
    }
}

/// Who needs a permit.
#[derive(Clone)]
pub(crate) enum Asker {
    /// A request about one site. It is refused if too many wait.
    One(Client),
    /// A request about many sites, and the number of permits that it holds. It asks for one at a time.
    Batch(Client, Arc<AtomicUsize>),
    /// A question of a batch that has its permit already.
    Holding(Arc<Share>),
}

impl Asker {
    pub(crate) fn client(&self) -> Client {
        match self {
            Self::One(client) | Self::Batch(client, _) => *client,
            Self::Holding(share) => share.asker.client(),
        }
    }

    fn held(&self) -> usize {
        match self {
            Self::Batch(_, held) => held.load(Ordering::Relaxed),
            Self::One(_) | Self::Holding(_) => 0,
        }
    }
}

pub(crate) struct Shares {
    waiting_max: usize,
    state: Mutex<State>,
}

struct State {
    free: usize,
    next_id: u64,
    /// The clients that hold permits or wait for them.
    clients: BTreeMap<Client, Asked>,
}

#[derive(Default)]
struct Asked {
    held: usize,
    queue: VecDeque<Waiter>,
}

struct Waiter {
    id: u64,
    asker: Asker,
    granted: oneshot::Sender<()>,
}

impl Asked {
    /// The number of questions that hold a permit, and of requests that wait for one, without batches.
    fn waiting(&self) -> usize {
        let is_one = |it: &&Waiter| matches!(it.asker, Asker::One(_));
        self.held + self.queue.iter().filter(is_one).count()
    }
}

impl State {
    fn waiting(&self) -> usize {
        self.clients.values().map(Asked::waiting).sum()
    }

    /// Grants permits while a waiter may have one, to those first whose client and request hold the fewest.
    fn grant(&mut self) {
        while let Some((_, _, client, place)) = self.next() {
            let Some(asked) = self.clients.get_mut(&client) else {
                return;
            };
            let Some(waiter) = asked.queue.remove(place) else {
                return;
            };
            self.free -= 1;
            asked.held += 1;
            if let Asker::Batch(_, held) = &waiter.asker {
                held.fetch_add(1, Ordering::Relaxed);
            }
            let _ = waiter.granted.send(());
        }
    }

    /// Returns the next waiter that may have a permit: its rank, its client and its place in the queue of the client.
    fn next(&self) -> Option<(usize, u64, Client, usize)> {
        let of_client = |(client, asked): (&Client, &Asked)| {
            if asked.held >= 3 * self.free {
                return None;
            }
            let queue = asked.queue.iter().enumerate();
            let ranked = queue.map(|(place, it)| (it.asker.held(), it.id, place));
            let (own, id, place) = ranked.min()?;
            let rank = asked.held + 2 * own;
            (own == 0 || rank < 2 * self.free).then_some((rank, id, *client, place))
        };
        self.clients.iter().filter_map(of_client).min()
    }
}

/// A permit, or the place of a request that waits for one.
pub(crate) struct Share {
    shares: Arc<Shares>,
    asker: Asker,
    id: u64,
}

impl Drop for Share {
    fn drop(&mut self) {
        let (mut state, client) = (self.shares.state(), self.asker.client());
        let Some(asked) = state.clients.get_mut(&client) else {
            return;
        };
        let place = asked.queue.iter().position(|it| it.id == self.id);
        if place.and_then(|place| asked.queue.remove(place)).is_none() {
            asked.held -= 1;
            if let Asker::Batch(_, held) = &self.asker {
                held.fetch_sub(1, Ordering::Relaxed);
            }
            state.free += 1;
        }
        state.clients.retain(|_, it| it.held + it.queue.len() > 0);
        state.grant();
    }
}

impl Shares {
    pub(crate) fn new(permits: usize, waiting_max: usize) -> Arc<Self> {
        let state = State {
            free: permits.min(waiting_max),
            next_id: 0,
            clients: BTreeMap::new(),
        };
        Arc::new(Self {
            waiting_max,
            state: Mutex::new(state),
        })
    }

    /// Waits for a permit. Returns `None` if too many requests wait already.
    pub(crate) async fn take(self: &Arc<Self>, asker: &Asker) -> Option<Arc<Share>> {
        if let Asker::Holding(share) = asker {
            return Some(Arc::clone(share));
        }
        let (granted, is_granted) = oneshot::channel();
        let share = {
            let mut state = self.state();
            let space = self.waiting_max.saturating_sub(state.waiting());
            let (id, client) = (state.next_id, asker.client());
            let waiting = state.clients.get(&client).map_or(0, Asked::waiting);
            let is_full = space == 0 || waiting > WAITING_TIMES * space;
            if is_full && matches!(asker, Asker::One(_)) {
                return None;
            }
            state.next_id += 1;
            let asked = state.clients.entry(client).or_default();
            let asker = asker.clone();
            asked.queue.push_back(Waiter {
                id,
                asker: asker.clone(),
                granted,
            });
            state.grant();
            let shares = Arc::clone(self);
            Share { shares, asker, id }
        };
        // The sender stays in the queue until it has sent.
        let _ = is_granted.await;
        Some(Arc::new(share))
    }

    /// Returns the number of questions that wait for a fetch or the store.
    pub(crate) fn waiting(&self) -> usize {
        self.state().waiting()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
