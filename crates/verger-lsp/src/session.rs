use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, SyncSender};
use std::thread;

use crate::document::SettingsOf;
use crate::message::{FramingError, Incoming, read_message};
use crate::server::{End, Server};

/// Maximum number of waiting messages. Beyond it, the editor blocks.
const MESSAGES_WAITING_MAX: usize = 64;

/// Answers an editor's messages until the session ends.
///
/// A separate thread reads `input`, so a burst of changes is checked once. `settings` returns the
/// lint settings for the path of a document.
///
/// # Errors
///
/// Returns an error if writing fails or the thread cannot be started.
pub fn serve(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    settings: SettingsOf,
) -> io::Result<End> {
    let (sender, messages) = mpsc::sync_channel(MESSAGES_WAITING_MAX);
    let reading = thread::Builder::new().name("messages".to_owned());
    reading
        .spawn(move || read_messages(input, &sender))
        .map_err(|error| io::Error::new(error.kind(), format!("cannot start a thread: {error}")))?;
    Server::new(output, settings).serve(&messages)
}

/// Reads messages to the end of the input, or until nobody receives them.
fn read_messages(mut input: impl BufRead, messages: &SyncSender<Result<Incoming, FramingError>>) {
    while let Some(message) = read_message(&mut input).transpose() {
        let is_last = message.is_err();
        if messages.send(message).is_err() || is_last {
            return;
        }
    }
}
