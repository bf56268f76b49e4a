use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use verger_access::Authority;
use verger_store::UnpoisonedMutex;

type Hosts = HashMap<Authority, Arc<Semaphore>>;

/// Limits how many requests are in flight to one host and port. Only authorities in use take
/// memory.
pub(crate) struct HostPermits {
    each: usize,
    hosts: Arc<UnpoisonedMutex<Hosts>>,
}

/// The permit for one request, released when dropped.
pub(crate) struct HostPermit {
    authority: Authority,
    hosts: Arc<UnpoisonedMutex<Hosts>>,
    permit: Option<OwnedSemaphorePermit>,
}

impl HostPermits {
    pub(crate) fn new(each: usize) -> Self {
        Self {
            each: each.clamp(1, Semaphore::MAX_PERMITS),
            hosts: Arc::default(),
        }
    }

    pub(crate) fn each(&self) -> usize {
        self.each
    }

    pub(crate) fn try_enter(&self, authority: &Authority) -> Option<HostPermit> {
        let (semaphore, mut permit) = self.without_permit(authority.clone());
        permit.permit = Some(semaphore.try_acquire_owned().ok()?);
        Some(permit)
    }

    pub(crate) async fn enter(&self, authority: Authority) -> HostPermit {
        // Created before waiting, because a cancelled wait must also remove the entry.
        let (semaphore, mut waiting) = self.without_permit(authority);
        // The semaphore is never closed.
        waiting.permit = semaphore.acquire_owned().await.ok();
        waiting
    }

    fn without_permit(&self, authority: Authority) -> (Arc<Semaphore>, HostPermit) {
        let semaphore = {
            let mut hosts = self.hosts.lock();
            let held = hosts.entry(authority.clone());
            Arc::clone(held.or_insert_with(|| Arc::new(Semaphore::new(self.each))))
        };
        let permit = HostPermit {
            authority,
            hosts: Arc::clone(&self.hosts),
            permit: None,
        };
        (semaphore, permit)
    }
}

impl Drop for HostPermit {
    fn drop(&mut self) {
        let mut hosts = self.hosts.lock();
        self.permit = None;
        let is_idle = |held: &Arc<Semaphore>| Arc::strong_count(held) == 1;
        if hosts.get(&self.authority).is_some_and(is_idle) {
            hosts.remove(&self.authority);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn authority(url: &str) -> Authority {
        Authority::from_url(url).unwrap()
    }

    #[tokio::test]
    async fn one_more_than_allowed_waits_and_others_do_not() {
        let permits = HostPermits::new(2);
        let first = permits.enter(authority("http://a.example/")).await;
        let second = permits.try_enter(&authority("http://a.example/"));
        assert!(second.is_some());
        assert!(permits.try_enter(&authority("http://a.example/")).is_none());
        let other = permits.enter(authority("http://b.example/")).await;
        let mut third = Box::pin(permits.enter(authority("http://a.example/")));
        assert!(futures_poll(&mut third).is_none());
        drop(first);
        let third = third.await;
        drop((second, third, other));
        assert!(permits.hosts.lock().is_empty());
    }

    #[tokio::test]
    async fn a_cancelled_wait_leaves_no_entry() {
        let permits = HostPermits::new(1);
        let first = permits.enter(authority("http://a.example/")).await;
        let mut second = Box::pin(permits.enter(authority("http://a.example/")));
        assert!(futures_poll(&mut second).is_none());
        drop(first);
        drop(second);
        assert!(permits.hosts.lock().is_empty());
    }

    fn futures_poll<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        let mut context = core::task::Context::from_waker(core::task::Waker::noop());
        match core::pin::Pin::new(future).poll(&mut context) {
            core::task::Poll::Ready(output) => Some(output),
            core::task::Poll::Pending => None,
        }
    }
}
