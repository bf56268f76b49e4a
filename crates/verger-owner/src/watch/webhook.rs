//! `Webhook`: a URL that gets each change.

use core::fmt;

use url::Url;
use verger_store::BodyHash;

use super::chat_message::ChatMessage;
use super::receiver::{NotTaken, Receiver};
use super::receiver_name::{next_watch, stored_name};
use super::watch_event::WatchEvent;

/// So many requests are under way at once, each with a change of another site.
const AT_ONCE: usize = 4;

/// So many attempts are made in a watch that fetches once: a second and two seconds apart.
const ATTEMPTS_ONCE: u32 = 3;

/// Reads the URL of a webhook.
///
/// # Errors
///
/// Where it is no URL of http or https, or has a user or a password, which are not sent.
pub fn webhook_url(text: &str) -> Result<Url, NotAWebhook> {
    let url: Url = text.parse()?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(NotAWebhook::Credentials);
    }
    match url.scheme() {
        "http" | "https" => Ok(url),
        scheme => Err(NotAWebhook::Scheme(scheme.to_owned())),
    }
}

/// Why a text is no URL of a webhook.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAWebhook {
    /// It is no URL.
    #[error(transparent)]
    Url(#[from] url::ParseError),
    /// It has a user or a password.
    #[error("no user and password are sent to a webhook: leave them out")]
    Credentials,
    /// It has another scheme.
    #[error("`{0}` is neither http nor https")]
    Scheme(String),
}

/// The receiver did not accept a change. The text says why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PostError(pub String);

/// Sends a body to a URL.
pub type Post<'a> = Box<dyn Fn(&Url, Vec<u8>) -> Result<(), PostError> + Sync + 'a>;

/// Sends each change to a URL.
pub struct Webhook<'a> {
    /// The URL that changes are sent to.
    pub url: &'a Url,
    /// The name that the store gets in the place of one by the URL.
    pub name: Option<&'a str>,
    /// A change as a message that Slack and Mattermost show; `None`: changes are sent as JSON (`verger.watch/1`).
    pub message: Option<fn(&WatchEvent<'_>) -> String>,
    /// Sends it.
    pub post: Post<'a>,
}

impl fmt::Debug for Webhook<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The URL may be a secret.
        let mut debug = f.debug_struct("Webhook");
        debug.field("name", &self.name);
        debug.finish_non_exhaustive()
    }
}

impl Receiver for Webhook<'_> {
    fn name(&self) -> String {
        stored_name("webhook", self.name, || {
            // The URL may be a secret.
            format!("webhook {}", BodyHash::new(self.url.as_str().as_bytes()))
        })
    }

    fn in_words(&self) -> String {
        // The URL may be a secret.
        format!("the webhook at {}", self.url.host_str().unwrap_or_default())
    }

    fn next_watch(&self) -> String {
        next_watch(self.name, "URL")
    }

    fn changes_at_once(&self) -> usize {
        AT_ONCE
    }

    fn attempts_once(&self) -> u32 {
        ATTEMPTS_ONCE
    }

    fn take(&self, event: &WatchEvent<'_>) -> Result<(), NotTaken> {
        let body = match self.message {
            None => verger_answer::json::to_string(event),
            Some(message) => verger_answer::json::to_string(&ChatMessage::new(&message(event))),
        };
        let sent = body.map_err(|error| error.to_string());
        let sent = sent.and_then(|body| {
            let posted = (self.post)(self.url, body.into_bytes());
            posted.map_err(|PostError(reason)| reason)
        });
        sent.map_err(NotTaken::Failed)
    }
}
