//! `BlockingClient`: the client for programs without a runtime.

use std::future::Future;
use std::io;

use tokio::runtime::{Builder, Runtime};
use verger::Crawler;
use verger_access::{Answer, Authority, RestOfSite};

use crate::client::{Asking, Client, FetchReport};
use crate::client_error::ClientError;
use crate::decision::Decision;

/// A client with a runtime of its own: every call waits for its answer. It may be shared between
/// threads. Call it from none that drives a runtime itself.
pub struct BlockingClient {
    client: Client,
    runtime: Runtime,
}

impl BlockingClient {
    /// Gives `client` a runtime of one thread.
    ///
    /// # Errors
    ///
    /// Where the system has no thread to give.
    pub fn new(client: Client) -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("verger-client")
            .enable_all()
            .build()?;
        Ok(Self { client, runtime })
    }

    /// The client itself.
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

    fn wait_for<T>(&self, answer: impl Future<Output = T>) -> T {
        self.runtime.block_on(answer)
    }
}
