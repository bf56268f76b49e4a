//! `Webhook`: a URL that gets each change.

use std::time::Duration;

use anstream::adapter::strip_str;
use clap::ValueEnum;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue};
use serde::Serialize;
use tokio::runtime::Runtime;
use tokio::time::timeout;
use url::Url;
use verger_access::Request;
use verger_client::{NetworkTransport, Received};
use verger_owner::{NotTaken, Receiver, WatchEvent};
use verger_store::BodyHash;

use super::event_text;
use super::receiver_name::stored_name;

/// How long an attempt takes at most.
const TIMEOUT: Duration = Duration::from_secs(10);

/// So many requests are under way at once, each with a change of another site.
const AT_ONCE: usize = 4;

/// So many attempts are made in a watch that fetches once: a second and two seconds apart.
const ATTEMPTS_ONCE: u32 = 3;

/// A message for people has so many characters; Slack cuts at 40,000.
const MESSAGE_CHARS_MAX: usize = 30_000;

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

/// A message in chat.
#[derive(Serialize)]
struct Message {
    text: String,
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
            WebhookFormat::Slack => verger_answer::json::to_string(&Message {
                text: chat_text(&text_of(event)),
            }),
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

/// The first line, and the others in a block in which nothing is markup or calls anybody. Names and rules come from
/// sites: `<!channel>` would call all people, and a grave accent could end the block.
fn chat_text(text: &str) -> String {
    let safe = text.trim_end().replace('`', "'").replace('&', "&amp;");
    let safe = safe.replace('<', "&lt;").replace('>', "&gt;");
    let mut cut: String = safe.chars().take(MESSAGE_CHARS_MAX).collect();
    if cut.len() < safe.len() {
        cut.truncate(cut.rfind('\n').unwrap_or(0));
        cut.push_str("\n… and more");
    }
    match cut.split_once('\n') {
        Some((first, rest)) => format!("{first}\n```\n{rest}\n```"),
        None => cut,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_no_markup_of_what_a_site_says() {
        let text = "T  https://h.example  changed\n  /<!channel>&a`\u{60}\u{60}\n  second\n";
        let expected =
            "T  https://h.example  changed\n```\n  /&lt;!channel&gt;&amp;a'''\n  second\n```";
        assert_eq!(chat_text(text), expected);
        assert_eq!(chat_text("one line\n"), "one line");
    }

    #[test]
    fn a_long_message_is_cut_at_a_line() {
        let text = format!("first\n{}", "é line\n".repeat(10_000));
        let message = chat_text(&text);
        assert!(message.chars().count() <= MESSAGE_CHARS_MAX + 20);
        assert!(message.ends_with("é line\n… and more\n```"), "{message}");
    }
}
