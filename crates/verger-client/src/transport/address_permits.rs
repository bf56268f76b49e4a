//! `AddressPermits`: how many connections one IP address gets at once, whatever names lead there.
//!
//! Connections that are kept idle count as well. They give way: while a connection to an address is
//! waited for, every idle one to that address closes itself.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::futures::OwnedNotified;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

type Addresses = HashMap<IpAddr, InUse>;

/// A number of permits for every address that is connected to; it holds those alone that are in
/// use.
#[derive(Clone)]
pub(crate) struct AddressPermits {
    each: usize,
    addresses: Arc<Mutex<Addresses>>,
}

/// An address, and how many permits and waits for one there are.
struct InUse {
    count: usize,
    demand: AddressDemand,
}

/// Whether connections to an address are waited for.
#[derive(Clone, Debug)]
pub(crate) struct AddressDemand {
    permits: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    announced: Arc<Notify>,
}

/// The right to one connection, until it is dropped.
pub(crate) struct AddressPermit {
    address: IpAddr,
    addresses: Arc<Mutex<Addresses>>,
    demand: AddressDemand,
    permit: Option<OwnedSemaphorePermit>,
}

/// Counts one wait, until it is dropped.
struct Wait<'d>(&'d AddressDemand);

impl AddressPermits {
    /// So many permits for each address, one at least.
    pub(crate) fn new(each: usize) -> Self {
        Self {
            each: each.clamp(1, Semaphore::MAX_PERMITS),
            addresses: Arc::default(),
        }
    }

    /// Waits for a permit, in the order of arrival.
    pub(crate) async fn enter(&self, address: IpAddr) -> AddressPermit {
        let address = address.to_canonical();
        let demand = {
            let mut addresses = lock(&self.addresses);
            let in_use = addresses.entry(address).or_insert_with(|| InUse {
                count: 0,
                demand: AddressDemand::of(self.each),
            });
            in_use.count += 1;
            in_use.demand.clone()
        };
        // It is made before the wait, so that a wait that is given up cleans up as well.
        let mut entering = AddressPermit {
            address,
            addresses: Arc::clone(&self.addresses),
            demand,
            permit: None,
        };
        entering.permit = entering.demand.permit().await;
        entering
    }

    /// The addresses that are in use.
    #[cfg(test)]
    pub(crate) fn in_use(&self) -> usize {
        lock(&self.addresses).len()
    }
}

impl AddressDemand {
    fn of(permits: usize) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(permits)),
            waiting: Arc::default(),
            announced: Arc::default(),
        }
    }

    async fn permit(&self) -> Option<OwnedSemaphorePermit> {
        if let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() {
            return Some(permit);
        }
        let _wait = Wait::of(self);
        // The semaphore is never closed.
        Arc::clone(&self.permits).acquire_owned().await.ok()
    }

    /// The next announcement that a connection is waited for, counted from this call.
    pub(crate) fn announcement(&self) -> OwnedNotified {
        Arc::clone(&self.announced).notified_owned()
    }

    /// Announces once more what is waited for, where anything is.
    pub(crate) fn repeat(&self) {
        if self.waiting.load(Ordering::SeqCst) > 0 {
            self.announced.notify_waiters();
        }
    }
}

impl<'d> Wait<'d> {
    /// Counts it, and announces it.
    fn of(demand: &'d AddressDemand) -> Self {
        demand.waiting.fetch_add(1, Ordering::SeqCst);
        demand.announced.notify_waiters();
        Self(demand)
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}

impl AddressPermit {
    /// Whether other connections to the address are waited for.
    pub(crate) fn demand(&self) -> &AddressDemand {
        &self.demand
    }
}

impl Drop for AddressPermit {
    fn drop(&mut self) {
        let mut addresses = lock(&self.addresses);
        self.permit = None;
        if let Some(in_use) = addresses.get_mut(&self.address) {
            in_use.count -= 1;
            if in_use.count == 0 {
                addresses.remove(&self.address);
            }
        }
    }
}

/// Nothing that holds the lock panics halfway.
fn lock(addresses: &Mutex<Addresses>) -> MutexGuard<'_, Addresses> {
    addresses.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn is_ready<F: Future>(future: std::pin::Pin<&mut F>) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        matches!(future.poll(&mut context), Poll::Ready(_))
    }

    #[tokio::test]
    async fn one_more_than_permitted_waits_in_order_and_other_addresses_do_not() {
        let permits = AddressPermits::new(2);
        let first = permits.enter(address("192.0.2.1")).await;
        let second = permits.enter(address("::ffff:192.0.2.1")).await;
        let other = permits.enter(address("192.0.2.2")).await;
        let mut third = Box::pin(permits.enter(address("192.0.2.1")));
        let mut fourth = Box::pin(permits.enter(address("192.0.2.1")));
        assert!(!is_ready(third.as_mut()) && !is_ready(fourth.as_mut()));
        drop(first);
        assert!(!is_ready(fourth.as_mut()));
        let third = third.await;
        drop(second);
        let fourth = fourth.await;
        assert_eq!(permits.in_use(), 2);
        drop((third, fourth, other));
        assert_eq!(permits.in_use(), 0);
    }

    #[tokio::test]
    async fn a_wait_that_is_given_up_leaves_nothing() {
        let permits = AddressPermits::new(1);
        let first = permits.enter(address("192.0.2.1")).await;
        let mut second = Box::pin(permits.enter(address("192.0.2.1")));
        assert!(!is_ready(second.as_mut()));
        drop(first);
        drop(second);
        assert_eq!(permits.in_use(), 0);
        permits.enter(address("192.0.2.1")).await;
    }

    #[tokio::test]
    async fn a_wait_is_announced_and_repeated_as_long_as_it_lasts() {
        let permits = AddressPermits::new(1);
        let first = permits.enter(address("192.0.2.1")).await;
        let mut announced = pin!(first.demand().announcement());
        assert!(!is_ready(announced.as_mut()));
        let mut second = Box::pin(permits.enter(address("192.0.2.1")));
        assert!(!is_ready(second.as_mut()));
        assert!(is_ready(announced));
        let again = pin!(first.demand().announcement());
        first.demand().repeat();
        assert!(is_ready(again));
        drop(second);
        let mut no_more = pin!(first.demand().announcement());
        first.demand().repeat();
        assert!(!is_ready(no_more.as_mut()));
    }
}
