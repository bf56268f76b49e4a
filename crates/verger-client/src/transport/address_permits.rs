//! `AddressPermits`: limits how many connections are open to one IP address, whatever names lead
//! there.
//!
//! Idle connections occupy a permit. While a request waits for an address, every idle connection to
//! that address closes itself.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::futures::OwnedNotified;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use verger_store::UnpoisonedMutex;

type Addresses = HashMap<IpAddr, InUse>;

#[derive(Clone)]
pub(crate) struct AddressPermits {
    each: usize,
    addresses: Arc<UnpoisonedMutex<Addresses>>,
}

struct InUse {
    count: usize,
    demand: AddressDemand,
}

/// The requests that wait for a connection to an address.
#[derive(Clone, Debug)]
pub(crate) struct AddressDemand {
    permits: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    announced: Arc<Notify>,
}

/// The permit for one connection, released when dropped.
pub(crate) struct AddressPermit {
    address: IpAddr,
    addresses: Arc<UnpoisonedMutex<Addresses>>,
    demand: AddressDemand,
    permit: Option<OwnedSemaphorePermit>,
}

struct Wait<'d>(&'d AddressDemand);

impl AddressPermits {
    /// Creates `each` permits for each address, at least one.
    pub(crate) fn new(each: usize) -> Self {
        Self {
            each: each.clamp(1, Semaphore::MAX_PERMITS),
            addresses: Arc::default(),
        }
    }

    pub(crate) async fn enter(&self, address: IpAddr) -> AddressPermit {
        let address = address.to_canonical();
        let demand = {
            let mut addresses = self.addresses.lock();
            let in_use = addresses.entry(address).or_insert_with(|| InUse {
                count: 0,
                demand: AddressDemand::of(self.each),
            });
            in_use.count += 1;
            in_use.demand.clone()
        };
        // Created before waiting, because a cancelled wait must also remove the entry.
        let mut entering = AddressPermit {
            address,
            addresses: Arc::clone(&self.addresses),
            demand,
            permit: None,
        };
        entering.permit = entering.demand.permit().await;
        entering
    }

    #[cfg(test)]
    pub(crate) fn in_use(&self) -> usize {
        self.addresses.lock().len()
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

    /// Returns a future that is ready at the next wait announced after this call.
    pub(crate) fn announcement(&self) -> OwnedNotified {
        Arc::clone(&self.announced).notified_owned()
    }

    /// Announces the waits again, if there are any.
    pub(crate) fn repeat(&self) {
        if self.waiting.load(Ordering::SeqCst) > 0 {
            self.announced.notify_waiters();
        }
    }
}

impl<'d> Wait<'d> {
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
    pub(crate) fn demand(&self) -> &AddressDemand {
        &self.demand
    }
}

impl Drop for AddressPermit {
    fn drop(&mut self) {
        let mut addresses = self.addresses.lock();
        self.permit = None;
        if let Some(in_use) = addresses.get_mut(&self.address) {
            in_use.count -= 1;
            if in_use.count == 0 {
                addresses.remove(&self.address);
            }
        }
    }
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
    async fn a_cancelled_wait_leaves_no_entry() {
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
