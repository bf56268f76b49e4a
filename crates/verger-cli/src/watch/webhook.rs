//! `Webhook`: a URL that gets each change.

use std::time::Duration;

use anstream::adapter::strip_str;
use clap::ValueEnum;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue};
use tokio::runtime::Runtime;
use tokio::time::timeout;
use url::Url;
use verger_access::Request;
use verger_client::{NetworkTransport, Received};
use verger_owner::{ChatMessage, NotTaken, Receiver, WatchEvent};
use verger_store::BodyHash;

use super::event_text;
use super::receiver_name::stored_name;

/// How long an attempt takes at most.
const TIMEOUT: Duration = Duration::from_secs(10);

/// So many requests are under way at once, each with a change of another site.
const AT_ONCE: usize = 4;

/// So many attempts are made in a watch that fetches once: a second and two seconds apart.
const ATTEMPTS_ONCE: u32 = 3;

/// What a webhook gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum WebhookFormat {
    /// The change as JSON (schema verger.watch/1, in docs/json.md)
    #[default]
    Json,
    /// A message that Slack and Mattermost show
    Slack,
}

/// Sends each change by POST.
pub(super) struct Webhook<'a> {
    pub(super) url: &'a Url,
    /// `--receiver`.
    pub(super) name: Option<&'a str>,
    pub(super) format: WebhookFormat,
    pub(super) transport: NetworkTransport,
    pub(super) runtime: &'a Runtime,
}

impl Receiver for Webhook<'_> {
    fn name(&self) -> String {
        stored_name("webhook", self.name, || {
            // The URL may be a secret.
            format!("webhook {}", BodyHash::of(self.url.as_str().as_bytes()))
        })
    }

    fn changes_at_once(&self) -> usize {
        AT_ONCE
    }

    fn attempts_once(&self) -> u32 {
        ATTEMPTS_ONCE
    }

    fn take(&self, event: &WatchEvent<'_>) -> Result<(), NotTaken> {
        let body = match self.format {
            WebhookFormat::Json => verger_answer::json::to_string(event),
            WebhookFormat::Slack => {
                verger_answer::json::to_string(&ChatMessage::of(&text_of(event)))
            }
        };
        let sent = body.map_err(|error| error.to_string());
        let sent = sent.and_then(|body| self.runtime.block_on(self.post(body.into_bytes())));
        sent.map_err(NotTaken::Failed)
    }
}

impl Webhook<'_> {
    async fn post(&self, body: Vec<u8>) -> Result<(), String> {
        let json = HeaderValue::from_static("application/json");
        let request = Request {
            url: self.url.clone(),
            conditions: HeaderMap::from_iter([(CONTENT_TYPE, json)]),
        };
        let arrival = timeout(TIMEOUT, self.transport.post(&request, body)).await;
        let arrival = arrival.map_err(|_| format!("no answer within {TIMEOUT:?}"))?;
        match arrival.received {
            Received::Http(reply) => match reply.status {
                200..=299 => Ok(()),
                300..=399 => Err(format!(
                    "it answered {}, and redirects are not followed: give the URL that it leads to",
                    reply.status
                )),
                status => Err(format!("it answered {status}")),
            },
            Received::Failure { failure, detail } => Err(format!("{failure}: {detail}")),
            Received::NotSent { detail } => Err(detail),
            Received::Shortage(shortage) => Err(shortage.to_string()),
            _ => Err("it is not on the web".to_owned()),
        }
    }
}

/// The change as it is printed, without colours.
fn text_of(event: &WatchEvent<'_>) -> String {
    let mut text = Vec::new();
    // Memory takes all of it.
    let _ = event_text::write(&mut text, event);
    strip_str(&String::from_utf8_lossy(&text)).to_string()
}
