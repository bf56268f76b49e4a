//! `LeaseWait`: the wait for another process that fetches the same authority.

use core::time::Duration;

use std::sync::Arc;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};
use verger_access::Authority;
use verger_store::Wake;

use crate::fetch::client_error::ClientError;
use crate::fetch::observer::Observer;

/// First wait before the store is read again. Each wait is twice the last.
const LOOK_AGAIN_FIRST: Duration = Duration::from_millis(20);

/// Maximum wait before the store is read again.
const LOOK_AGAIN_LONGEST: Duration = Duration::from_secs(1);

pub(crate) struct LeaseWait {
    /// When the wait ends with an error.
    until: Instant,
    look_again: Duration,
    is_reported: bool,
    woken: Arc<Notify>,
    /// `None` if the store does not report the end of leases.
    _watched: Option<Box<dyn Send + Sync>>,
}

impl LeaseWait {
    /// Creates a wait of at most `longest`, ending by `deadline`. `watch` registers the function to
    /// call when a lease ends.
    pub(crate) fn until(
        deadline: Instant,
        longest: Duration,
        watch: impl FnOnce(Wake) -> Option<Box<dyn Send + Sync>>,
    ) -> Self {
        let woken = Arc::new(Notify::new());
        let wakes = Arc::clone(&woken);
        let until = Instant::now().checked_add(longest);
        Self {
            until: until.map_or(deadline, |until| until.min(deadline)),
            look_again: LOOK_AGAIN_FIRST,
            is_reported: false,
            woken,
            _watched: watch(Arc::new(move || wakes.notify_one())),
        }
    }

    /// Waits until the store should be read again.
    ///
    /// # Errors
    ///
    /// Returns an error when the whole wait is over.
    pub(crate) async fn wait(
        &mut self,
        observer: &dyn Observer,
        authority: &Authority,
        holder: String,
    ) -> Result<(), ClientError> {
        let now = Instant::now();
        if !self.is_reported {
            self.is_reported = true;
            observer.waiting(
                authority,
                &holder,
                self.until.saturating_duration_since(now),
            );
        }
        let again = self.until.min(now + self.look_again);
        let _ = timeout_at(again, self.woken.notified()).await;
        self.look_again = (self.look_again * 2).min(LOOK_AGAIN_LONGEST);
        if Instant::now() < self.until {
            return Ok(());
        }
        let authority = Box::new(authority.clone());
        Err(ClientError::HeldElsewhere { authority, holder })
    }
}
