//! `Runtime`: the thread that queries the database, and the deadline of each call.

use core::time::Duration;
use std::io;
use std::sync::mpsc;
use std::thread;

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::postgres::database_failure::DatabaseFailure;
use crate::store_error::StoreError;

/// A separate thread, so a store works on any thread, even within another runtime. The thread ends when this is
/// dropped.
pub(crate) struct Runtime {
    handle: Handle,
    _ends: oneshot::Sender<()>,
}

impl Runtime {
    pub(crate) fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (ends, ended) = oneshot::channel::<()>();
        thread::Builder::new()
            .name("verger-postgres".to_owned())
            .spawn(move || {
                // Nothing is sent: the channel closes when the other end is dropped.
                let _ = runtime.block_on(ended);
                // A lookup of a name may still be running.
                runtime.shutdown_background();
            })?;
        Ok(Self {
            handle,
            _ends: ends,
        })
    }

    pub(crate) fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Waits for a result, up to a deadline.
    pub(crate) fn ask<T: Send + 'static>(
        &self,
        limit: Duration,
        answer: impl Future<Output = Result<T, DatabaseFailure>> + Send + 'static,
    ) -> Result<T, DatabaseFailure> {
        let (sent, received) = mpsc::sync_channel(1);
        self.handle.spawn(async move {
            let answer = timeout(limit, answer).await;
            let _ = sent.send(answer.unwrap_or(Err(DatabaseFailure::Late(limit))));
        });
        let ended = || DatabaseFailure::Away("the database thread has ended".into());
        received.recv().unwrap_or_else(|_| Err(ended()))
    }

    /// Waits like [`Runtime::ask`], and converts the error to that of a call.
    pub(crate) fn call<T: Send + 'static>(
        &self,
        limit: Duration,
        answer: impl Future<Output = Result<T, DatabaseFailure>> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.ask(limit, answer)
            .map_err(DatabaseFailure::into_store_error)
    }
}
