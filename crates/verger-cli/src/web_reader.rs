//! `WebReader`: octets from the web that are no robots.txt.

use std::error::Error;

use tokio::runtime::Runtime;
use tokio::time::{Instant, timeout_at};
use url::Url;
use verger_access::{Request, web_url};
use verger_client::{HttpReply, NetworkTransport, Received, Transport as _};

use crate::one_thread_runtime::one_thread_runtime;
use crate::transport_arguments::TransportArguments;

/// How many redirects are followed in a row.
const REDIRECTS_MAX: usize = 5;

/// What becomes of redirects from https to http.
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

/// Reads octets from the web; the network is made ready where the first are fetched.
pub(crate) struct WebReader<'a> {
    transport: &'a TransportArguments,
    octets_max: usize,
    downgrades: Downgrades,
    network: Option<(Runtime, NetworkTransport)>,
}

impl<'a> WebReader<'a> {
    /// Reads what has so many octets at most, and of what has more one more.
    pub(crate) fn new(transport: &'a TransportArguments, octets_max: usize) -> Self {
        Self {
            transport,
            octets_max,
            downgrades: Downgrades::Followed,
            network: None,
        }
    }

    /// Follows no redirect from https to http, where anybody on the way could write what is read.
    pub(crate) fn refusing_downgrades(self) -> Self {
        Self {
            downgrades: Downgrades::Refused,
            ..self
        }
    }

    /// The octets at a URL, redirects followed; in words why there are none.
    pub(crate) fn read(&mut self, url: Url) -> Result<Vec<u8>, String> {
        let (runtime, transport) = match self.network.take() {
            Some(network) => network,
            None => self.start().map_err(|error| error.to_string())?,
        };
        let deadline = self.transport.deadline();
        let fetched = runtime.block_on(async {
            let end = Instant::now() + deadline;
            let fetched = timeout_at(end, follow(&transport, url, self.downgrades, end)).await;
            fetched.unwrap_or_else(|_| Err(format!("it took longer than {deadline:?}")))
        });
        self.network = Some((runtime, transport));
        fetched
    }

    fn start(&self) -> Result<(Runtime, NetworkTransport), Box<dyn Error>> {
        let mut settings = self.transport.settings()?;
        settings.body_octets_max = self.octets_max + 1;
        let runtime = one_thread_runtime()?;
        Ok((runtime, NetworkTransport::new(settings)?))
    }
}

/// Fetches a URL, redirects followed. The transport connects to no address that its guard refuses.
async fn follow(
    transport: &NetworkTransport,
    url: Url,
    downgrades: Downgrades,
    end: Instant,
) -> Result<Vec<u8>, String> {
    let mut url = url;
    for _ in 0..=REDIRECTS_MAX {
        let request = Request {
            url,
            conditions: http::HeaderMap::new(),
        };
        let reply = match transport.send(&request, end).await.received {
            Received::Http(reply) => reply,
            Received::Failure { failure, detail } => return Err(format!("{failure}: {detail}")),
            Received::NotSent { detail } => return Err(detail),
            Received::Shortage(shortage) => return Err(shortage.to_string()),
            _ => return Err("it is not on the web".to_owned()),
        };
        let HttpReply { status, body, .. } = reply;
        match status {
            200 => return Ok(body),
            301 | 302 | 303 | 307 | 308 => {
                let location = reply.headers.get(http::header::LOCATION);
                let location = location.and_then(|value| value.to_str().ok());
                let next = location.and_then(|text| request.url.join(text).ok());
                let Some(next) = next.and_then(web_url) else {
                    return Err(format!("status {status}, a redirect to no URL of the web"));
                };
                if downgrades.refuse(&request.url, &next) {
                    return Err(format!("status {status}, a redirect from https to http"));
                }
                url = next;
            }
            _ => return Err(format!("status {status}")),
        }
    }
    Err(format!("more than {REDIRECTS_MAX} redirects"))
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
