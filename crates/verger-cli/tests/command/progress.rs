//! Progress is shown only on a terminal.
//!
//! `script` of util-linux gives a command a terminal. Tests wait for output that appears after a while.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::{fs, str};

use crate::verger::{command, file};

/// A filter on a terminal, which reads its URLs from a named pipe.
struct Filtering {
    terminal: Child,
    urls: PathBuf,
}

impl Filtering {
    fn start(name: &str, terminal: &str, redirected: &str) -> Self {
        file("progress.txt", "User-agent: *\nDisallow: /a\n");
        let urls = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_file(&urls);
        let made = Command::new("mkfifo").arg(&urls).status().unwrap();
        assert!(made.success());
        let verger = command();
        let program = verger.get_program().to_str().unwrap();
        let line = format!("'{program}' filter -r progress.txt -u {name} {redirected}");
        let mut script = Command::new("script");
        script.args(["-q", "-e", "-c", &line, "/dev/null"]);
        script.current_dir(env!("CARGO_TARGET_TMPDIR"));
        script.env("TERM", terminal).env("SHELL", "/bin/sh");
        let terminal = script
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self { terminal, urls }
    }

    /// Opens the pipe, which blocks until a reader opens it.
    fn open(&self) -> fs::File {
        fs::File::options().write(true).open(&self.urls).unwrap()
    }

    /// Returns what the terminal shows up to that text.
    fn shown_until(&mut self, text: &str) -> String {
        let mut shown = Vec::new();
        let mut room = [0; 256];
        let output = self.terminal.stdout.as_mut().unwrap();
        while !String::from_utf8_lossy(&shown).contains(text) {
            let bytes = output.read(&mut room).unwrap();
            assert_ne!(bytes, 0, "{}", String::from_utf8_lossy(&shown));
            shown.extend_from_slice(&room[..bytes]);
        }
        String::from_utf8_lossy(&shown).into_owned()
    }

    /// Returns the rest of what the terminal shows.
    fn rest(mut self) -> String {
        let mut shown = Vec::new();
        let output = self.terminal.stdout.as_mut().unwrap();
        // A terminal that is gone is an error of the terminal's other end.
        let _ = output.read_to_end(&mut shown);
        assert!(self.terminal.wait().unwrap().success());
        str::from_utf8(&shown).unwrap().to_owned()
    }
}

#[test]
fn progress_is_drawn_on_a_terminal_alone() {
    // These begin before the one on a terminal, so that they would have drawn before it.
    let others = [
        ("progress-dumb", "dumb", "> progress-dumb.out"),
        (
            "progress-piped",
            "xterm",
            "2> progress-piped.err > progress-piped.out",
        ),
        ("progress-beside", "xterm", ""),
        ("progress-quiet", "xterm", "--quiet > progress-quiet.out"),
    ];
    let others = others.map(|(name, terminal, redirected)| {
        let filtering = Filtering::start(name, terminal, redirected);
        let urls = filtering.open();
        (filtering, urls)
    });
    let mut drawn = Filtering::start("progress-drawn", "xterm", "> progress-drawn.out");
    let urls = drawn.open();
    let shown = drawn.shown_until(" URLs, ");
    assert!(shown.contains("0 URLs, 0 % allowed, 0/s"), "{shown:?}");
    drop(urls);
    let rest = drawn.rest();
    let total = "0 URLs: 0 allowed, 0 disallowed, 0 without a robots.txt, 0 not answerable; ";
    let (cleared, after) = rest.rsplit_once(total).unwrap();
    assert!(cleared.ends_with("\x1b[2K"), "{rest:?}");
    assert!(!after.contains('\x1b'), "{rest:?}");
    for ((filtering, urls), has_total) in others.into_iter().zip([true, false, true, false]) {
        drop(urls);
        let shown = filtering.rest();
        assert!(
            !shown.contains('\x1b') && !shown.contains("URLs, "),
            "{shown:?}"
        );
        assert_eq!(shown.starts_with(total), has_total, "{shown:?}");
    }
    let piped = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("progress-piped.err");
    assert_eq!(fs::read_to_string(piped).unwrap(), "");
}
