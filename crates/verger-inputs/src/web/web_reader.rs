use std::fmt;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::time::{Instant, timeout_at};
use url::Url;
use verger_access::{Request, web_url};

use super::web_error::WebError;
use verger_client::NetworkTransport;
use verger_client::TransportSettings;
use verger_client::one_thread_runtime;
use verger_client::{HttpReply, Received, Transport as _};

type MakeSettings<'a> = Box<dyn Fn() -> Result<TransportSettings, WebError> + 'a>;

/// Maximum number of consecutive redirects.
const REDIRECTS_MAX: usize = 5;

/// Whether redirects from https to http are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Downgrades {
    Followed,
    Refused,
}

impl Downgrades {
    fn refuse(self, from: &Url, to: &Url) -> bool {
        self == Self::Refused && from.scheme() == "https" && to.scheme() == "http"
    }
}

/// Reads files other than robots.txt from the web. The network is set up at the first read.
pub struct WebReader<'a> {
    settings: MakeSettings<'a>,
    deadline: Duration,
    bytes_max: usize,
    downgrades: Downgrades,
    network: Option<(Runtime, NetworkTransport)>,
}

impl fmt::Debug for WebReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("WebReader");
        debug.field("bytes_max", &self.bytes_max);
        debug.finish_non_exhaustive()
    }
}

impl<'a> WebReader<'a> {
    /// Creates a reader of files up to `bytes_max` bytes. Of a longer file it reads one byte more.
    /// The deadline applies to each URL, including redirects.
    #[must_use]
    pub fn new<E: fmt::Display>(
        settings: impl Fn() -> Result<TransportSettings, E> + 'a,
        deadline: Duration,
        bytes_max: usize,
    ) -> Self {
        Self {
            settings: Box::new(move || settings().map_err(WebError::new)),
            deadline,
            bytes_max,
            downgrades: Downgrades::Followed,
            network: None,
        }
    }

    /// Refuses redirects from https to http, because any machine on the way could alter the file.
    #[must_use]
    pub fn refusing_downgrades(self) -> Self {
        Self {
            downgrades: Downgrades::Refused,
            ..self
        }
    }

    /// Returns the bytes at a URL, following redirects.
    ///
    /// # Errors
    ///
    /// Returns an error with the reason if the read failed.
    pub fn read(&mut self, url: Url) -> Result<Vec<u8>, WebError> {
        let (runtime, transport) = match self.network.take() {
            Some(network) => network,
            None => self.start()?,
        };
        let deadline = self.deadline;
        let fetched = runtime.block_on(async {
            let end = Instant::now() + deadline;
            let fetched = timeout_at(end, follow(&transport, url, self.downgrades, end)).await;
            fetched.unwrap_or_else(|_| {
                Err(WebError::new(format_args!(
                    "it took longer than {deadline:?}"
                )))
            })
        });
        self.network = Some((runtime, transport));
        fetched
    }

    fn start(&self) -> Result<(Runtime, NetworkTransport), WebError> {
        let mut settings = (self.settings)()?;
        settings.body_bytes_max = self.bytes_max + 1;
        let runtime = one_thread_runtime().map_err(WebError::new)?;
        let transport = NetworkTransport::new(settings).map_err(WebError::new)?;
        Ok((runtime, transport))
    }
}

async fn follow(
    transport: &NetworkTransport,
    url: Url,
    downgrades: Downgrades,
    end: Instant,
) -> Result<Vec<u8>, WebError> {
    let mut url = url;
    for _ in 0..=REDIRECTS_MAX {
        let request = Request {
            url,
            conditions: http::HeaderMap::new(),
        };
        let reply = reply_in_words(transport.send(&request, end).await.received)?;
        let HttpReply { status, body, .. } = reply;
        match status {
            200 => return Ok(body),
            301 | 302 | 303 | 307 | 308 => {
                let location = reply.headers.get(http::header::LOCATION);
                let location = location.and_then(|value| value.to_str().ok());
                let next = location.and_then(|text| request.url.join(text).ok());
                let Some(next) = next.and_then(web_url) else {
                    return Err(WebError::new(format_args!(
                        "status {status}, a redirect that leads to no http or https URL"
                    )));
                };
                if downgrades.refuse(&request.url, &next) {
                    return Err(WebError::new(format_args!(
                        "status {status}, a redirect from https to http"
                    )));
                }
                url = next;
            }
            _ => return Err(WebError::new(format_args!("status {status}"))),
        }
    }
    Err(WebError::new(format_args!(
        "more than {REDIRECTS_MAX} redirects"
    )))
}

/// Returns the HTTP reply, or a message that explains its absence.
pub(super) fn reply_in_words(received: Received) -> Result<HttpReply, WebError> {
    match received {
        Received::Http(reply) => Ok(reply),
        Received::Failure { failure, detail } => Err(WebError::of_failure(failure, &detail)),
        Received::NotSent { detail } => Err(WebError::new(detail)),
        Received::Shortage(shortage) => Err(WebError::new(shortage)),
        _ => Err(WebError::new("it is not on the web")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_redirect_from_https_to_http_is_a_downgrade() {
        let url = |text: &str| Url::parse(text).unwrap();
        for (from, to, expected) in [
            ("https://h.example/", "http://h.example/", true),
            ("https://h.example/", "https://other.example/", false),
            ("http://h.example/", "http://other.example/", false),
            ("http://h.example/", "https://h.example/", false),
        ] {
            let (from, to) = (url(from), url(to));
            assert_eq!(
                Downgrades::Refused.refuse(&from, &to),
                expected,
                "{from} {to}"
            );
            assert!(!Downgrades::Followed.refuse(&from, &to), "{from} {to}");
        }
    }
}
