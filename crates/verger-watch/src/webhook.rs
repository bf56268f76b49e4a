use core::fmt;

use url::Url;
use verger_store::BodyHash;

use crate::chat_message::ChatMessage;
use crate::receiver::{NotTaken, Receiver};
use crate::receiver_name::{next_watch, stored_name};
use crate::watch_event::WatchEvent;

/// Maximum number of requests at once, each for a different site.
const AT_ONCE: usize = 4;

/// Maximum number of attempts in a watch that fetches once, with pauses of one and two seconds.
const ATTEMPTS_ONCE: u32 = 3;

/// Parses the URL of a webhook.
///
/// # Errors
///
/// Returns an error if the text is not an http or https URL, or has a user or password, which are
/// not sent.
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

/// The reason why a text is not a webhook URL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAWebhook {
    /// The text is not a URL.
    #[error(transparent)]
    Url(#[from] url::ParseError),
    /// The URL has a user or a password.
    #[error("a webhook URL cannot have a user or password: remove them")]
    Credentials,
    /// The scheme is not http or https.
    #[error("the scheme `{0}` is not http or https")]
    Scheme(String),
}

/// The reason why the receiver rejected a change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PostError(pub String);

/// Sends a body to a URL.
pub type Post<'a> = Box<dyn Fn(&Url, Vec<u8>) -> Result<(), PostError> + Sync + 'a>;

/// A receiver that posts each change to a URL.
pub struct Webhook<'a> {
    /// The URL.
    pub url: &'a Url,
    /// The receiver's name in the store. By default it derives from the URL.
    pub name: Option<&'a str>,
    /// Renders a change as a message for Slack and Mattermost. If `None`, changes are sent as JSON.
    pub message: Option<fn(&WatchEvent<'_>) -> String>,
    /// Sends the request.
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
