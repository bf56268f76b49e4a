//! `verger robots FILE AGENT URL`: Google's own command line, answer by answer, so that scripts
//! can call it in place of that program.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};

use clap::Args;
use verger::{Crawler, Dialect, Effect, TargetPath};

use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::{argument_bytes, legible, legible_path};

/// Answer one question as Google's command line does, by Google's library
///
/// Takes the arguments of that program as they are, also after `--`, and prints one sentence. Exit code 0: allowed; 1: disallowed; 2: help, or something is wrong.
#[derive(Args, Clone, Debug)]
#[command(
    disable_help_flag = true,
    override_usage = "verger robots [--] FILE AGENT URL"
)]
pub(crate) struct RobotsArguments {
    /// The robots.txt, the crawler's product token, the URL
    #[arg(
        value_name = "FILE AGENT URL",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    arguments: Vec<OsString>,
}

const HELP: &str = "\
Says whether robots.txt lets a user-agent fetch a URI, as Google's library does.

Usage:
  verger robots FILE USER_AGENT URI

The URI is taken as it is: percent-encode it first (RFC 3986).

Example:
  verger robots robots.txt FooBot http://example.com/foo
";

/// Runs the command.
pub(crate) fn run(arguments: &RobotsArguments) -> CommandResult {
    let is_help = |name: &OsString| ["-h", "-help", "--help"].iter().any(|help| name == help);
    if arguments.arguments.first().is_some_and(is_help) {
        return Ok(refuse(HELP.as_bytes()));
    }
    let [file, agent, url] = arguments.arguments.as_slice() else {
        let complaint = format!("Invalid amount of arguments. Showing help.\n\n{HELP}");
        return Ok(refuse(complaint.as_bytes()));
    };
    let Ok(body) = fs::read(file) else {
        let name = legible_path(file);
        return Ok(refuse(
            format!("failed to read file \"{name}\"\n").as_bytes(),
        ));
    };
    let is_empty = body.is_empty();
    // What is not UTF-8 equals no name, and U+FFFD equals none either.
    let crawler = Crawler::named(&agent.to_string_lossy(), Dialect::Google)?;
    let url = argument_bytes(url);
    let target = TargetPath::new(&url, Dialect::Google)?;
    let (word, outcome) =
        match verger::scan::effect_for_crawler(&body, &crawler, &target, Dialect::Google) {
            Effect::Allow => ("ALLOWED", Outcome::Success),
            Effect::Disallow => ("DISALLOWED", Outcome::Disallowed),
        };
    let (agent, url) = (legible(&argument_bytes(agent)), legible(&url));
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "user-agent '{agent}' with URI '{url}': {word}")?;
    if is_empty {
        writeln!(
            stdout,
            "notice: robots file is empty so all user-agents are allowed"
        )?;
    }
    Ok(outcome)
}

/// Says on standard error what Google's program says there, without a word before it.
fn refuse(message: &[u8]) -> Outcome {
    // Where standard error is closed there is nowhere to report it.
    let _ = io::stderr().lock().write_all(message);
    Outcome::Unanswered
}
