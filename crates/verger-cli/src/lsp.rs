//! `verger lsp`: a language server for robots.txt.

use std::path::Path;

use std::io::{self, BufReader};
use verger_answer::ReadError;
use verger_lint::report::LintSettings;

use clap::Args;
use verger_lsp::{End, serve};

use crate::lint::lint_settings::settings_beside;
use crate::outcome::{CommandResult, Outcome};

/// Run the language server for editors
///
/// Speaks the Language Server Protocol on standard input and output. An editor starts it: docs/guide/lsp.md
/// has the settings for VS Code, Neovim, Helix and Emacs. A `verger.toml` next to each robots.txt can set the
/// level of each lint. Exit code 0: the editor shut the server down. 1: it ended without that. 2: it sent
/// something that is not a message.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LspArguments {
    /// Use standard input and output (the default)
    #[arg(long)]
    stdio: bool,
}

const EXAMPLES: &str = "\
Settings of editors:
  cmd = { 'verger', 'lsp' }                Neovim, vim.lsp.config
  command = \"verger\", args = [\"lsp\"]       Helix, languages.toml
  (robots-mode . (\"verger\" \"lsp\"))         Emacs, eglot-server-programs

Examples:
  verger lsp
  verger lsp --stdio
  verger lsp 2> lsp.log";

pub(crate) fn run(arguments: &LspArguments) -> CommandResult {
    // There is no other transport.
    let LspArguments { stdio: _ } = arguments;
    let input = BufReader::new(io::stdin());
    match serve(input, io::stdout().lock(), settings_of) {
        Ok(End::AfterShutdown) => Ok(Outcome::Success),
        Ok(End::WithoutShutdown) => Ok(Outcome::LeftWithoutShutdown),
        Ok(End::Unreadable(error)) => Err(error.into()),
        // The editor is gone.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Outcome::LeftWithoutShutdown),
        Err(error) => Err(error.into()),
    }
}

fn settings_of(robots: &Path) -> Result<LintSettings, ReadError> {
    settings_beside(robots).map_err(|error| error.to_string().into())
}
