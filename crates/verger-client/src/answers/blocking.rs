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

use crate::answers::asking::Asking;
use crate::answers::client::{Client, FetchReport};
use crate::answers::decision::Decision;
use crate::fetch::client_error::ClientError;

/// A client that brings its own runtime. Each call blocks until it has a result.
///
/// It can be shared between threads. Do not call it on a thread that drives a runtime.
///
/// Dropping it cancels the fetches in flight and returns at once. Their leases then last until they
/// expire. Call [`BlockingClient::close`] first to release them.
pub struct BlockingClient {
    client: Client,
    runtime: OwnRuntime,
}

/// A runtime that shuts down without waiting when dropped.
struct OwnRuntime {
    handle: Handle,
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
    /// Gives `client` a single-threaded runtime.
    ///
    /// # Errors
    ///
    /// Returns an error if the system cannot start a thread, or if the process cannot open enough
    /// files.
    pub fn new(client: Client) -> io::Result<Self> {
        // With its feature `signal`, Tokio would panic instead.
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

    /// Returns the async client.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Blocks on [`Client::decide`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Client::decide`].
    pub fn decide(&self, crawler: &Crawler, url: &str) -> Result<Decision, ClientError> {
        self.block_on(self.client.decide(crawler, url))
    }

    /// Blocks on [`Client::decide_given`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Client::decide`].
    pub fn decide_given(
        &self,
        crawler: &Crawler,
        url: &str,
        rest: RestOfSite,
    ) -> Result<Decision, ClientError> {
        self.block_on(self.client.decide_given(crawler, url, rest))
    }

    /// Blocks on [`Client::pacing`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Client::decide`].
    pub fn pacing(&self, crawler: &Crawler, url: &str) -> Result<Pacing, ClientError> {
        self.block_on(self.client.pacing(crawler, url))
    }

    /// Blocks on [`Client::decide_many`].
    pub fn decide_many<U: AsRef<str>>(
        &self,
        crawler: &Crawler,
        urls: &[U],
    ) -> Vec<Result<Decision, ClientError>> {
        self.block_on(self.client.decide_many(crawler, urls))
    }

    /// Blocks on [`Client::answer`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Client::answer`].
    pub fn answer(&self, authority: &Authority) -> Result<Answer, ClientError> {
        self.block_on(self.client.answer(authority))
    }

    /// Blocks on [`Client::fetch`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Client::fetch`].
    pub fn fetch(&self, authority: &Authority) -> Result<FetchReport, ClientError> {
        self.block_on(self.client.fetch(authority))
    }

    /// Blocks on [`Client::report_many`].
    pub fn report_many(
        &self,
        authorities: &[Authority],
        asking: Asking,
    ) -> Vec<Result<FetchReport, ClientError>> {
        self.block_on(self.client.report_many(authorities, asking))
    }

    /// Blocks on [`Client::report_each`].
    pub fn report_each(
        &self,
        authorities: &[(Authority, Asking)],
    ) -> Vec<Result<FetchReport, ClientError>> {
        self.block_on(self.client.report_each(authorities))
    }

    /// Blocks on [`Client::close`], for at most `longest`.
    pub fn close(&self, longest: Duration) {
        // Leases not released by then expire.
        let _ = self.block_on(async { timeout(longest, self.client.close()).await });
    }

    /// Blocks on work that uses [`BlockingClient::client`], in the client's runtime.
    pub fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.handle.block_on(work)
    }
}
