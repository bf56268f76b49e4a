//! One change, for people.

use std::io::{self, Write};

use anstream::adapter::strip_str;
use verger_access::Stance;
use verger_watch::{EventSeverity, WatchEvent, WatchEventKind};

use crate::diff::write_comparison;
use crate::screen::palette::{DOUBTFUL, HEADING};

pub(super) fn write(output: &mut impl Write, event: &WatchEvent<'_>) -> io::Result<()> {
    let what = event.kind.in_words();
    let (time, site) = (event.time, event.site);
    let severity = match event.severity() {
        EventSeverity::Notice => "",
        severity => &format!(": {severity}"),
    };
    writeln!(
        output,
        "{HEADING}{time}  {site}{HEADING:#}  {what}{severity}"
    )?;
    for reason in event.reasons {
        writeln!(output, "  {DOUBTFUL}{reason}{DOUBTFUL:#}")?;
    }
    let [before, after] = event.stances;
    if event.kind == WatchEventKind::Changed && before != after {
        let text = |stance: Option<Stance>| stance.map_or("nothing known", meaning);
        writeln!(
            output,
            "  {DOUBTFUL}{}{DOUBTFUL:#}, before: {} ({})",
            text(after),
            text(before),
            event.outcome,
        )?;
    }
    match event.comparison {
        Some(comparison) if comparison.is_same() != Some(true) => {
            write_comparison(output, comparison)
        }
        _ => Ok(()),
    }
}

fn meaning(stance: Stance) -> &'static str {
    match stance {
        Stance::Rules => "its rules decide",
        Stance::Open => "everything is allowed",
        Stance::Closed => "everything is disallowed",
        Stance::Copy => "the rules of the last good copy decide",
        Stance::Defer => "everything is disallowed for now",
    }
}

/// Returns the change without colours.
pub(super) fn plain(event: &WatchEvent<'_>) -> String {
    let mut text = Vec::new();
    let _ = write(&mut text, event);
    strip_str(&String::from_utf8_lossy(&text)).to_string()
}
