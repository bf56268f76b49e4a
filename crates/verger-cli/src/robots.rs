//! `verger robots FILE AGENT URL`: the interface of Google's own program, so scripts can call this instead.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};

use clap::Args;
use verger::{Crawler, Dialect, Effect, TargetPath};

use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::{argument_bytes, legible, legible_path};

/// Answer one question like Google's own robots command
///
/// Takes the arguments of that program, also after `--`, prints the same sentence, and ends with the same exit
/// code: 0 for allowed, 1 for disallowed, 2 for help or an error.
#[derive(Args, Clone, Debug)]
#[command(
    disable_help_flag = true,
    after_help = EXAMPLES,
    override_usage = "verger robots [--] FILE AGENT URL"
)]
pub(crate) struct RobotsArguments {
    /// The robots.txt, the product token of the crawler, and the URL
    #[arg(
        value_name = "FILE AGENT URL",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    arguments: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  verger robots robots.txt Googlebot https://example.com/private/
  verger robots robots.txt GPTBot https://example.com/
  verger robots -- robots.txt FooBot 'https://example.com/?q=a%20b'";

const HELP: &str = "\
Says whether a robots.txt allows a crawler to fetch a URL, by Google's rules.

Usage:
  verger robots FILE AGENT URL

The URL is used as it is: percent-encode it first (RFC 3986).

Example:
  verger robots robots.txt Googlebot https://example.com/private/
";

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
    // Text that is not UTF-8 equals no name, and neither does U+FFFD.
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

/// Writes the message without a prefix.
fn refuse(message: &[u8]) -> Outcome {
    let _ = io::stderr().lock().write_all(message);
    Outcome::Unanswered
}
