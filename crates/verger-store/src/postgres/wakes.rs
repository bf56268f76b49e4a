//! `Wakes`: callers that wait for another process to end its lease on an authority.
//!
//! A caller that finds a lease held marks it as awaited. Only ending such a lease notifies, because all notifying
//! commits of a server share a lock, and other commits should not take it.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use tokio::runtime::Handle;
use tokio::time::sleep;

use crate::postgres::address::Address;
use crate::postgres::connection::{Connection, in_time};
use crate::postgres::database_failure::DatabaseFailure;
use crate::store::Wake;
use crate::unpoisoned_mutex::UnpoisonedMutex;

/// The waiting callers, and the connection that listens for them.
pub(crate) struct Wakes {
    address: Address,
    waiting: UnpoisonedMutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    by_name: BTreeMap<(String, u64), Wake>,
    next: u64,
    is_listening: bool,
}

/// A waiting caller, until this is dropped.
struct Waiter {
    wakes: Weak<Wakes>,
    key: (String, u64),
}

impl Drop for Waiter {
    fn drop(&mut self) {
        if let Some(wakes) = self.wakes.upgrade() {
            wakes.waiting.lock().by_name.remove(&self.key);
        }
    }
}

impl Wakes {
    pub(crate) fn new(address: Address) -> Arc<Self> {
        Arc::new(Self {
            address,
            waiting: UnpoisonedMutex::default(),
        })
    }

    /// Calls `wake` each time that a lease on an authority ends, until the returned value is dropped.
    pub(crate) fn add(
        self: &Arc<Self>,
        runtime: &Handle,
        name: String,
        wake: Wake,
    ) -> Box<dyn Send + Sync> {
        let mut waiting = self.waiting.lock();
        waiting.next += 1;
        let key = (name, waiting.next);
        waiting.by_name.insert(key.clone(), wake);
        if !waiting.is_listening {
            waiting.is_listening = true;
            let wakes = Arc::downgrade(self);
            runtime.spawn(listen(wakes));
        }
        let wakes = Arc::downgrade(self);
        Box::new(Waiter { wakes, key })
    }

    fn wake(&self, name: &str) {
        let first = (name.to_owned(), 0);
        let woken: Vec<Wake> = {
            let waiting = self.waiting.lock();
            let of_name = waiting.by_name.range(first..);
            let of_name = of_name.take_while(|((it, _), _)| it == name);
            of_name.map(|(_, wake)| Arc::clone(wake)).collect()
        };
        for wake in woken {
            wake();
        }
    }

    /// Returns whether no caller waits any more, so the connection can be closed.
    fn is_done(&self) -> bool {
        let mut waiting = self.waiting.lock();
        waiting.is_listening = !waiting.by_name.is_empty();
        !waiting.is_listening
    }
}

/// Listens while callers wait. They also poll, so an event missed between two connections only delays them.
async fn listen(wakes: Weak<Wakes>) {
    while let Some(address) = wakes.upgrade().map(|it| it.address.clone()) {
        if let Ok(connection) = listening(&address, wakes.clone()).await {
            connection.closed().await;
        }
        if wakes.upgrade().is_none_or(|it| it.is_done()) {
            return;
        }
        sleep(address.settings.deadline).await;
    }
}

async fn listening(address: &Address, wakes: Weak<Wakes>) -> Result<Connection, DatabaseFailure> {
    let notified = move |name: &str| {
        if let Some(wakes) = wakes.upgrade() {
            wakes.wake(name);
        }
    };
    in_time(async {
        let connection = Connection::to_store(address, notified).await?;
        connection.batch("listen verger_lease_ended").await?;
        Ok(connection)
    })
    .await
}
