//! Times for people.

use verger_access::Timestamp;
use verger_store::time_text;

/// The time for people: `2026-11-20 17:02:11 UTC`. After the year 9999 it is `@` and seconds since
/// 1970.
pub(crate) fn readable(time: Timestamp) -> String {
    let text = time_text(time);
    match text.strip_suffix('Z') {
        Some(text) => format!("{} UTC", text.replace('T', " ")),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_shown_in_utc() {
        let shown = |seconds| readable(Timestamp::from_unix_seconds(seconds));
        assert_eq!(shown(1_795_194_131), "2026-11-20 17:02:11 UTC");
        assert_eq!(shown(u64::MAX), "@18446744073709551615");
    }
}
