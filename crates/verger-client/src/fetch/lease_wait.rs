//! `LeaseWait`: the wait for another process that fetches the same authority.

use core::time::Duration;

use tokio::time::{Instant, sleep_until};
use verger_access::Authority;

use crate::fetch::client_error::ClientError;
use crate::fetch::observer::Observer;

/// The first wait before the store is read again; it doubles.
const LOOK_AGAIN_FIRST: Duration = Duration::from_millis(20);

/// The longest such wait.
const LOOK_AGAIN_LONGEST: Duration = Duration::from_secs(1);

/// The wait for another process that fetches the same authority.
pub(crate) struct LeaseWait {
    /// When the wait ends with an error.
    until: Instant,
    look_again: Duration,
    is_reported: bool,
}

impl LeaseWait {
    /// Makes a wait of at most `longest`, and never beyond `deadline`.
    pub(crate) fn until(deadline: Instant, longest: Duration) -> Self {
        let until = Instant::now().checked_add(longest);
        Self {
            until: until.map_or(deadline, |until| until.min(deadline)),
            look_again: LOOK_AGAIN_FIRST,
            is_reported: false,
        }
    }

    /// Waits until the store should be read again.
    ///
    /// # Errors
    ///
    /// At the end of the whole wait.
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
        sleep_until(self.until.min(now + self.look_again)).await;
        self.look_again = (self.look_again * 2).min(LOOK_AGAIN_LONGEST);
        if Instant::now() < self.until {
            return Ok(());
        }
        let authority = Box::new(authority.clone());
        Err(ClientError::HeldElsewhere { authority, holder })
    }
}
