//! `verger store list`: the state of each site.

use std::error::Error;
use std::io::{self, Write};

use clap::Args;
use verger_access::{Authority, Profile, Timestamp};
use verger_answer::{AuthorityState, StoredSiteLine, json};
use verger_client::{Clock as _, SystemClock, state_of_stored};
use verger_store::each_known;

use crate::arguments::profile_names::profiles;
use crate::arguments::store::StoreArguments;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::output_format::{FormatArguments, Formats};
use crate::screen::palette::{self, FAINT};

/// List the sites with their last result and next fetch
///
/// Sites are in the order of their names.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    store: StoreArguments,

    /// List only sites whose robots.txt was unreachable last time
    #[arg(long)]
    failing: bool,

    /// Rules for status codes, errors and expiry (see `verger profiles`) [default: rfc9309]
    #[arg(long, value_name = "NAME", value_parser = profiles(), hide_possible_values = true)]
    profile: Option<Box<Profile>>,

    #[command(flatten)]
    format: FormatArguments<Self>,
}

impl Formats for ListArguments {
    const HUMAN: &'static str = "A line for each site";
    const JSON: &'static str = "JSON Lines (schema verger.store-list/1, in docs/json.md)";
}

const EXAMPLES: &str = "\
Examples:
  verger store list
  verger store list --failing
  verger store list --store crawl.db --json";

pub(crate) fn run(arguments: &ListArguments) -> CommandResult {
    let store = arguments.store.read_existing()?;
    let profile = arguments.profile.as_deref().unwrap_or(&Profile::RFC9309);
    let now = SystemClock.now();
    let mut output = palette::stdout();
    each_known(&*store, profile, now, |authority, known| {
        let state = known.and_then(state_of_stored);
        if arguments.failing && !state.as_ref().is_some_and(AuthorityState::is_unreachable) {
            return Ok(());
        }
        let written = if arguments.format.is_json() {
            let line = StoredSiteLine::new(authority, profile, state.as_ref());
            json::write_line(&mut output, &line)
        } else {
            write(&mut output, authority, profile, state.as_ref(), now)
        };
        Ok::<_, Box<dyn Error>>(written?)
    })?;
    output.flush()?;
    Ok(Outcome::Success)
}

fn write(
    output: &mut impl Write,
    authority: &Authority,
    profile: &Profile,
    state: Option<&AuthorityState>,
    now: Timestamp,
) -> io::Result<()> {
    write!(output, "{:<40}  ", authority.to_string())?;
    let Some(state) = state else {
        return writeln!(output, "nothing is known under {}", profile.name);
    };
    let result = state.answer.access_result();
    let what = result.map_or_else(String::new, |result| result.to_string());
    let seen = state
        .seen_at
        .map(|at| rough_length(now.since(at).as_secs()));
    let seen = seen.unwrap_or_default();
    let wait = state.answer.ask_again_at().since(now).as_secs();
    let next = match wait {
        0 => "due".to_owned(),
        wait => format!("in {}", rough_length(wait)),
    };
    writeln!(
        output,
        "{what}, {seen} ago {FAINT}(next fetch: {next}){FAINT:#}"
    )
}

/// Returns a length of time in its largest unit, rounded down.
fn rough_length(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m", seconds / 60),
        3600..172_800 => format!("{}h", seconds / 3600),
        _ => format!("{}d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_rounded_down_to_their_largest_unit() {
        for (seconds, shown) in [
            (0, "0s"),
            (59, "59s"),
            (60, "1m"),
            (3599, "59m"),
            (3600, "1h"),
            (172_799, "47h"),
            (172_800, "2d"),
        ] {
            assert_eq!(rough_length(seconds), shown);
        }
    }
}
