//! `Webhook`: a URL that gets each change.

use anstream::adapter::strip_str;
use clap::ValueEnum;
use url::Url;
use verger_client::JsonPoster;
use verger_owner::{ChatMessage, NotTaken, Receiver, WatchEvent};
use verger_store::BodyHash;

use super::event_text;
use super::receiver_name::stored_name;

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
    pub(super) poster: JsonPoster,
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
        let sent = sent.and_then(|body| self.poster.post(self.url, body.into_bytes()));
        sent.map_err(NotTaken::Failed)
    }
}

/// The change as it is printed, without colours.
fn text_of(event: &WatchEvent<'_>) -> String {
    let mut text = Vec::new();
    // Memory takes all of it.
    let _ = event_text::write(&mut text, event);
    strip_str(&String::from_utf8_lossy(&text)).to_string()
}
