//! `BlockingClient`: the client for programs without a runtime.

use core::fmt;
use core::time::Duration;
use std::future::Future;
use std::io;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::time::timeout;
use verger::Crawler;
use verger_access::{Answer, Authority, RestOfSite};
use verger_extensions::Pacing;
use verger_store::Shortage;

use crate::answers::client::{Asking, Client, FetchReport};
use crate::answers::decision::Decision;
use crate::fetch::client_error::ClientError;

/// A client with a runtime of its own: every call blocks until its result. It may be shared between
/// threads. Do not call it on a thread that drives a runtime itself.
///
/// Dropping it cancels fetches in flight and waits for nothing, such as a silent name server. Leases then stay until
/// they expire, unless [`BlockingClient::close`] was called before.
pub struct BlockingClient {
    client: Client,
    runtime: OwnRuntime,
}

/// A runtime that ends without waiting when this is dropped.
struct OwnRuntime {
    handle: Handle,
    /// `None` once it ends.
    runtime: Option<Runtime>,
}

impl Drop for OwnRuntime {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl fmt::Debug for BlockingClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("BlockingClient");
        debug.field("client", &self.client);
        debug.finish_non_exhaustive()
    }
}

impl BlockingClient {
    /// Gives `client` a runtime of one thread.
    ///
    /// # Errors
    ///
    /// Where the system cannot start a thread, or the process can open too few files.
    pub fn new(client: Client) -> io::Result<Self> {
        // With its feature `signal`, Tokio panics in their place.
        Shortage::unless_files_open().map_err(io::Error::other)?;
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("verger-client")
            .enable_all()
            .build()?;
        let runtime = OwnRuntime {
            handle: runtime.handle().clone(),
            runtime: Some(runtime),
        };
        Ok(Self { client, runtime })
    }

    /// Returns the client itself.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// As [`Client::decide`].
    ///
    /// # Errors
    ///
    /// As [`Client::decide`].
    pub fn decide(&self, crawler: &Crawler, url: &str) -> Result<Decision, ClientError> {
        self.wait_for(self.client.decide(crawler, url))
    }

    /// As [`Client::decide_given`].
    ///
    /// # Errors
    ///
    /// As [`Client::decide`].
    pub fn decide_given(
        &self,
        crawler: &Crawler,
        url: &str,
        rest: RestOfSite,
    ) -> Result<Decision, ClientError> {
        self.wait_for(self.client.decide_given(crawler, url, rest))
    }

    /// As [`Client::pacing`].
    ///
    /// # Errors
    ///
    /// As [`Client::decide`].
    pub fn pacing(&self, crawler: &Crawler, url: &str) -> Result<Pacing, ClientError> {
        self.wait_for(self.client.pacing(crawler, url))
    }

    /// As [`Client::decide_many`].
    pub fn decide_many<U: AsRef<str>>(
        &self,
        crawler: &Crawler,
        urls: &[U],
    ) -> Vec<Result<Decision, ClientError>> {
        self.wait_for(self.client.decide_many(crawler, urls))
    }

    /// As [`Client::answer`].
    ///
    /// # Errors
    ///
    /// As [`Client::answer`].
    pub fn answer(&self, authority: &Authority) -> Result<Answer, ClientError> {
        self.wait_for(self.client.answer(authority))
    }

    /// As [`Client::fetch`].
    ///
    /// # Errors
    ///
    /// As [`Client::fetch`].
    pub fn fetch(&self, authority: &Authority) -> Result<FetchReport, ClientError> {
        self.wait_for(self.client.fetch(authority))
    }

    /// As [`Client::report_many`].
    pub fn report_many(
        &self,
        authorities: &[Authority],
        asking: Asking,
    ) -> Vec<Result<FetchReport, ClientError>> {
        self.wait_for(self.client.report_many(authorities, asking))
    }

    /// As [`Client::close`], for at most `longest`.
    pub fn close(&self, longest: Duration) {
        // A lease that is not released by then expires.
        let _ = self.wait_for(async { timeout(longest, self.client.close()).await });
    }

    fn wait_for<T>(&self, answer: impl Future<Output = T>) -> T {
        self.runtime.handle.block_on(answer)
    }
}
