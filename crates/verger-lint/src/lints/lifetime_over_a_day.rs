use std::time::Duration;

use verger::Clause;

use crate::example::{Example, ServedExample};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "lifetime-over-a-day",
    severity: Severity::Warning,
    summary: "the headers allow caches to keep the file for more than 24 hours",
    explanation: "\
A `max-age`, `s-maxage` or `Expires` of more than a day keeps an old file in CDN caches and in crawlers that
honour the header, such as Google's. Even an urgent change takes that long to have effect. RFC 9309 tells
crawlers not to use a copy for longer than 24 hours. Set `max-age` to 86400 or less.",
    wrong: Example::usual_file(ServedExample {
        headers: &[
            ("content-type", "text/plain; charset=utf-8"),
            ("cache-control", "max-age=604800"),
        ],
        stated_lifetime: Some(Duration::from_secs(604_800)),
        ..ServedExample::USUAL
    }),
    right: Example::usual_file(ServedExample {
        headers: &[
            ("content-type", "text/plain; charset=utf-8"),
            ("cache-control", "max-age=86400"),
        ],
        stated_lifetime: Some(Duration::from_secs(86_400)),
        ..ServedExample::USUAL
    }),
    clauses: &[Clause::new("R9309-2.4-3"), Clause::new("R9309-2.4-2"), Clause::new("G-cache-3")],
    check,
};

/// How long RFC 9309 lets a crawler use its copy (R9309-2.4-3).
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn check(file: &Subject<'_>, found: &mut Findings) {
    let fetch = file.served.fetch.as_ref().filter(|it| it.is_file());
    let stated = fetch.and_then(|fetch| fetch.stated_lifetime);
    if let Some(stated) = stated.filter(|stated| *stated > DAY) {
        let message = format!("caches may keep the file for {}", in_words(stated));
        let help = "state a `max-age` of 86400 (24 hours) or less";
        found.add(Draft::of_serving(message).help(help));
    }
}

/// Returns whole days, or hours below two days.
fn in_words(lifetime: Duration) -> String {
    let hours = lifetime.as_secs() / 3600;
    match hours / 24 {
        0 | 1 if hours == 24 => "more than 24 hours".to_owned(),
        0 | 1 => format!("{hours} hours"),
        days => format!("{days} days"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lifetimes_are_said_in_days() {
        let of = |seconds| in_words(Duration::from_secs(seconds));
        assert_eq!(of(86_401), "more than 24 hours");
        assert_eq!(of(47 * 3600), "47 hours");
        assert_eq!(of(604_800), "7 days");
        assert_eq!(of(u64::MAX), "213503982334601 days");
    }
}
