//! `Deliveries`: standard output, a program and a webhook, which get each change.

use std::fmt;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use url::Url;

use super::watch_event::WatchEvent;
use crate::notice;
use crate::octet_text::legible;
use crate::palette;

/// How long an attempt to reach a webhook takes at most.
const WEBHOOK_TIMEOUT: Duration = Duration::from_secs(10);

/// How long is waited before the second and the third attempt.
const WEBHOOK_PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(4)];

/// Where changes go.
pub(super) struct Deliveries<'a> {
    pub(super) is_json: bool,
    pub(super) program: Option<&'a Path>,
    pub(super) webhook: Option<&'a Url>,
}

impl Deliveries<'_> {
    /// Delivers a change; false where the program or the webhook failed, which was said.
    pub(super) fn deliver(&self, event: &WatchEvent<'_>) -> io::Result<bool> {
        let json = event.to_json()?;
        let mut output = palette::stdout();
        if self.is_json {
            output.write_all(json.as_bytes())?;
        } else {
            event.write(&mut output)?;
        }
        output.flush()?;
        drop(output);
        let mut is_delivered = true;
        if let Some(program) = self.program
            && let Err(error) = run(program, &json)
        {
            let program = legible(program.to_string_lossy().as_bytes());
            notice::error(format_args!("`{program}`: {error}"));
            is_delivered = false;
        }
        if let Some(url) = self.webhook
            && let Err(error) = post(url, &json)
        {
            let host = url.host_str().unwrap_or_default();
            notice::error(format_args!("the webhook at {host}: {error}"));
            is_delivered = false;
        }
        Ok(is_delivered)
    }
}

/// A program that ended with a failure.
struct Failed(std::process::ExitStatus);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ended with {}", self.0)
    }
}

fn run(program: &Path, json: &str) -> Result<(), String> {
    // What it prints must not come between the lines of changes.
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(io::stderr())
        .spawn()
        .map_err(|error| error.to_string())?;
    if let Some(mut input) = child.stdin.take() {
        // A program need not read its input.
        let _ = input.write_all(json.as_bytes());
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    if status.success() {
        Ok(())
    } else {
        Err(Failed(status).to_string())
    }
}

fn post(url: &Url, json: &str) -> Result<(), String> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(WEBHOOK_TIMEOUT))
        .max_redirects(0)
        .build()
        .into();
    let send = || {
        let request = agent.post(url.as_str());
        let request = request.header("content-type", "application/json");
        match request.send(json) {
            Ok(reply) if reply.status().is_redirection() => Err(format!(
                "it answered {}, and redirects are not followed",
                reply.status()
            )),
            Ok(_) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    };
    let mut result = send();
    for pause in WEBHOOK_PAUSES {
        if result.is_ok() {
            break;
        }
        thread::sleep(pause);
        result = send();
    }
    result
}
