//! `serve`: the server on an input and an output.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, SyncSender};
use std::thread;

use crate::document::SettingsOf;
use crate::message::{FramingError, Incoming, read_message};
use crate::server::{End, Server};

/// How many messages may wait: the editor that sends more waits itself.
const MESSAGES_WAITING_MAX: usize = 64;

/// Answers the messages of an editor until it ends the session. A thread reads `input`, so that of several changes that
/// wait the last one counts; `settings` says which lints count for the path of a document.
///
/// # Errors
///
/// Where an answer cannot be written, or no thread be started.
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

/// Reads messages up to the last one, as long as they are wanted.
fn read_messages(mut input: impl BufRead, messages: &SyncSender<Result<Incoming, FramingError>>) {
    while let Some(message) = read_message(&mut input).transpose() {
        let is_last = message.is_err();
        if messages.send(message).is_err() || is_last {
            return;
        }
    }
}
