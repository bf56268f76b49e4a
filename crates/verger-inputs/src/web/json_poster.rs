use std::time::Duration;

use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue};
use tokio::runtime::Runtime;
use tokio::time::timeout;
use url::Url;
use verger_access::Request;

use super::web_error::WebError;
use super::web_reader::reply_in_words;
use verger_client::NetworkTransport;
use verger_client::SettingsError;
use verger_client::TransportSettings;
use verger_client::one_thread_runtime;

const TIMEOUT: Duration = Duration::from_secs(10);

/// Sends JSON to URLs by POST. Calls block. Threads may share it.
#[derive(Debug)]
pub struct JsonPoster {
    transport: NetworkTransport,
    runtime: Runtime,
}

impl JsonPoster {
    /// Creates a poster with these settings.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is invalid or no runtime can be started.
    pub fn new(settings: TransportSettings) -> Result<Self, SettingsError> {
        Ok(Self {
            transport: NetworkTransport::new(settings)?,
            runtime: one_thread_runtime()?,
        })
    }

    /// Posts a body. Succeeds on a 2xx status within ten seconds. Does not follow redirects.
    ///
    /// # Errors
    ///
    /// Returns an error with the reason if the post failed.
    pub fn post(&self, url: &Url, body: Vec<u8>) -> Result<(), WebError> {
        let json = HeaderValue::from_static("application/json");
        let request = Request {
            url: url.clone(),
            conditions: HeaderMap::from_iter([(CONTENT_TYPE, json)]),
        };
        let sent = async { timeout(TIMEOUT, self.transport.post(&request, body)).await };
        let arrival = self.runtime.block_on(sent);
        let arrival =
            arrival.map_err(|_| WebError::new(format_args!("no answer within {TIMEOUT:?}")))?;
        match reply_in_words(arrival.received)?.status {
            200..=299 => Ok(()),
            status @ 300..=399 => Err(WebError::new(format_args!(
                "it answered {status}, and redirects are not followed: give the URL that it leads to"
            ))),
            status => Err(WebError::new(format_args!("it answered {status}"))),
        }
    }
}
