//! `verger lsp`: a language server for robots.txt.
//!
//! | module | one line |
//! |---|---|
//! | `message` | messages of JSON-RPC, read and written |
//! | `server` | requests, notifications, and when diagnostics are sent |
//! | `client_features` | what an editor understands |
//! | `document` | an open robots.txt, and what was found in it |
//! | `text` | its lines, and positions as editors count them |
//! | `diagnostics` | findings |
//! | `code_actions` | fixes |
//! | `hover` | what a rule does, and which crawler a user-agent line names |
//! | `crawler_facts` | what the registry knows about a token, for readers |
//! | `completion` | keys and crawlers |
//! | `symbols` | groups and sitemaps |

mod client_features;
mod code_actions;
mod completion;
mod crawler_facts;
mod diagnostics;
mod document;
mod hover;
mod message;
mod server;
mod symbols;
mod text;

use std::io;
use std::sync::mpsc::{self, SyncSender};
use std::thread;

use clap::Args;

use crate::outcome::{CommandResult, Outcome};
use message::{FramingError, Incoming, read_message};
use server::{End, Server};

/// How many messages may wait: the editor that sends more waits itself.
const MESSAGES_WAITING_MAX: usize = 64;

/// Serve editors: findings, fixes, hover and completion for robots.txt
///
/// A server of the Language Server Protocol on standard input and output; an editor starts it.
/// docs/guide/lsp.md in the repository has the settings of VS Code, Neovim, Helix and Emacs. Which lints
/// count can be set in a file `verger.toml` beside each robots.txt. Exit code 0: the editor shut the
/// server down; 1: the editor ended without that; 2: it sent something that is no message.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LspArguments {
    /// Use standard input and output, which is the default; some editors pass this option
    #[arg(long)]
    stdio: bool,
}

const EXAMPLES: &str = "\
Examples, as settings of editors:
  cmd = { 'verger', 'lsp' }                Neovim, vim.lsp.config
  command = \"verger\", args = [\"lsp\"]       Helix, languages.toml
  (robots-mode . (\"verger\" \"lsp\"))         Emacs, eglot-server-programs";

/// Runs the command.
pub(crate) fn run(arguments: &LspArguments) -> CommandResult {
    // Nothing else can be served.
    let LspArguments { stdio: _ } = arguments;
    let (sender, messages) = mpsc::sync_channel(MESSAGES_WAITING_MAX);
    let reading = thread::Builder::new().name("messages".to_owned());
    reading
        .spawn(move || read_messages(&sender))
        .map_err(|error| format!("cannot start a thread: {error}"))?;
    match Server::new(io::stdout().lock()).serve(&messages) {
        Ok(End::AfterShutdown) => Ok(Outcome::Success),
        Ok(End::WithoutShutdown) => Ok(Outcome::LeftWithoutShutdown),
        Ok(End::Unreadable(error)) => Err(error.into()),
        // The editor is gone.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Outcome::LeftWithoutShutdown),
        Err(error) => Err(error.into()),
    }
}

/// Reads messages up to the last one, as long as they are wanted.
fn read_messages(messages: &SyncSender<Result<Incoming, FramingError>>) {
    let mut input = io::stdin().lock();
    while let Some(message) = read_message(&mut input).transpose() {
        let is_last = message.is_err();
        if messages.send(message).is_err() || is_last {
            return;
        }
    }
}
