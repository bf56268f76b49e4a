use super::end::ADDRESS_REFUSED;
use super::history::{Change, Event, History, Question};
use super::profile::ProfileName;
use super::web::{Content, ErrorPage, Location, Page, Range, Reply, Site, Stated};
use crate::generate::Rng;
use crate::scenario::FetchWhen;

const HOUR: u64 = 60 * 60;
const DAY: u64 = 24 * HOUR;

const SITES: [Site; 5] = [
    site(true, "h.example"),
    site(false, "h.example"),
    site(true, "www.h.example"),
    site(true, "b.example"),
    site(true, "c.example"),
];

const fn site(is_https: bool, host: &'static str) -> Site {
    Site { is_https, host }
}

/// Times between events: the edges of lifetimes, waits and outages, and one second off them.
const STEPS: [u64; 18] = [
    0,
    1,
    59,
    60,
    61,
    119,
    600,
    HOUR,
    12 * HOUR - 1,
    12 * HOUR,
    DAY - 1,
    DAY,
    2 * DAY,
    7 * DAY,
    18 * DAY,
    29 * DAY,
    30 * DAY - 1,
    30 * DAY,
];

/// Generates a history with questions under one profile. Consecutive seeds cycle through the six.
/// Some addresses are refused, and each profile remembers its own refusals.
#[must_use]
pub fn history_of_one_profile(seed: u64) -> History {
    with_refusals(seed, history(seed, |_, _| of(seed)))
}

fn with_refusals(seed: u64, mut history: History) -> History {
    let mut rng = Rng::new(!seed);
    let changes = history.events.iter_mut().flat_map(|it| &mut it.changes);
    for change in changes {
        if rng.one_in(12) {
            change.reply = Reply::Failure(ADDRESS_REFUSED);
        }
    }
    history
}

/// Generates a history like [`history_of_several_profiles`], in which some addresses are refused to
/// every profile. Each remembers its own refusals, unseen by others that share the store.
#[must_use]
pub fn history_of_several_profiles_and_refusals(seed: u64) -> History {
    with_refusals(seed, history_of_several_profiles(seed))
}

/// Generates a history under one profile whose every answer can be captured. The clock advances
/// before each fetch, because captures of one second are ordered only by their files.
#[must_use]
pub fn history_of_captures(seed: u64) -> History {
    let mut history = history(seed, |_, _| of(seed));
    let holds = [None, None, Some(HOUR), Some(DAY), Some(45 * DAY)];
    history.hold = one_of(&mut Rng::new(!seed), &holds);
    let mut before = None;
    for event in &mut history.events {
        let is_fetched = event.question.fetch != FetchWhen::Never;
        let earliest = before.map_or(0, |before| before + u64::from(is_fetched));
        event.at = event.at.max(earliest);
        before = Some(event.at);
        for change in &mut event.changes {
            if matches!(change.reply, Reply::Failure(_)) {
                change.reply = NEVER_CAPTURED;
            }
        }
    }
    history
}

pub(super) const NEVER_CAPTURED: Reply = Reply::Status {
    status: 502,
    page: page_of("", false),
    stated: Stated {
        max_age: None,
        retry_after: None,
    },
};

/// Generates a history with questions under two profiles, rarely more. Thirty consecutive seeds
/// cover all ordered pairs.
#[must_use]
pub fn history_of_several_profiles(seed: u64) -> History {
    let pair = [of(seed / 5), of(seed / 5 + 1 + seed % 5)];
    history(seed, |rng, number| match number {
        0 => pair[0],
        1 => pair[1],
        _ if rng.one_in(8) => one_of(rng, ProfileName::ALL),
        _ => one_of(rng, &pair),
    })
}

fn of(number: u64) -> ProfileName {
    let nth = usize::try_from(number % ProfileName::ALL.len() as u64).unwrap_or(0);
    ProfileName::ALL[nth]
}

fn history(seed: u64, profile: impl Fn(&mut Rng, usize) -> ProfileName) -> History {
    let mut rng = Rng::new(seed);
    let mut at = 0;
    let events = 2 + rng.below(9);
    let events = (0..events).map(|number| {
        if number > 0 {
            at = next_time(&mut rng, at);
        }
        Event {
            at,
            changes: changes(&mut rng, number == 0),
            question: Question {
                site: first_or_any(&mut rng, &SITES),
                profile: profile(&mut rng, number),
                fetch: match rng.below(8) {
                    0 | 1 => FetchWhen::Always,
                    2 | 3 => FetchWhen::Never,
                    _ => FetchWhen::Due,
                },
            },
        }
    });
    History {
        events: events.collect(),
        hold: None,
    }
}

/// The clock sometimes stops or goes back.
fn next_time(rng: &mut Rng, at: u64) -> u64 {
    let step = one_of(rng, &STEPS);
    match rng.below(12) {
        0 => at,
        1 => at.saturating_sub(step),
        _ => at + step,
    }
}

fn one_of<T: Copy>(rng: &mut Rng, choices: &[T]) -> T {
    choices[rng.below(choices.len())]
}

fn first_or_any<T: Copy>(rng: &mut Rng, choices: &[T]) -> T {
    if rng.one_in(2) {
        return choices[0];
    }
    one_of(rng, choices)
}

fn changes(rng: &mut Rng, is_first: bool) -> Vec<Change> {
    let mut changes = Vec::new();
    if is_first {
        for site in SITES {
            if !rng.one_in(3) {
                changes.push(Change {
                    page: site.robots(),
                    reply: reply(rng),
                });
            }
        }
    }
    for _ in 0..rng.below(4) {
        if rng.one_in(4) {
            chain(rng, &mut changes);
        } else {
            changes.push(Change {
                page: page(rng),
                reply: reply(rng),
            });
        }
    }
    changes
}

fn page(rng: &mut Rng) -> Page {
    let site = first_or_any(rng, &SITES);
    let path = match rng.below(12) {
        0..=5 => "/robots.txt".to_owned(),
        6..=10 => format!("/p{}", rng.below(3)),
        // A store does not keep such a long `Location`.
        _ => format!("/{}", "l".repeat(1100)),
    };
    Page { site, path }
}

/// A chain of redirects from a robots.txt, about as long as profiles follow.
fn chain(rng: &mut Rng, changes: &mut Vec<Change>) {
    let mut from = first_or_any(rng, &SITES).robots();
    let redirects = one_of(rng, &[1, 2, 4, 5, 6, 7, 19, 20, 21, 25]);
    let stays = !rng.one_in(3);
    for number in 1..=redirects {
        let site = if stays {
            from.site
        } else {
            one_of(rng, &SITES)
        };
        let path = format!("/c{number}");
        let to = if number == redirects {
            page(rng)
        } else {
            Page { site, path }
        };
        let reply = Reply::Redirect {
            status: one_of(rng, &REDIRECTS),
            to: Location::Page(to.clone()),
            stated: stated(rng),
        };
        changes.push(Change { page: from, reply });
        from = to;
    }
    if rng.one_in(2) {
        let reply = file(rng);
        changes.push(Change { page: from, reply });
    }
}

const REDIRECTS: [u16; 7] = [300, 301, 302, 303, 307, 308, 399];

const STATUSES: [u16; 17] = [
    400, 401, 402, 403, 404, 404, 410, 418, 429, 451, 500, 500, 502, 503, 503, 600, 999,
];

const PAGES: [ErrorPage; 8] = [
    page_of("", false),
    page_of("Internal server error", false),
    page_of("Module not found: robots", false),
    page_of("<html><p>Page not found</p></html>", false),
    page_of("Page not found", true),
    page_of("<title>Error 404</title>", true),
    page_of("<html><body><h1>Sayfa bulunamad\u{131}</h1>", true),
    page_of("<title>Seite nicht gefunden</title>", true),
];

const fn page_of(text: &'static str, says_not_found: bool) -> ErrorPage {
    ErrorPage {
        text,
        says_not_found,
    }
}

const FAILURES: [&str; 8] = [
    "dns",
    "connect",
    "tls",
    "timeout",
    "reset",
    "truncated",
    "chunking",
    "content-encoding",
];

const OTHER_SCHEMES: [&str; 3] = ["mailto:a@h.example", "ftp://h.example/x", "file:///x"];

fn reply(rng: &mut Rng) -> Reply {
    match rng.below(20) {
        0..=6 => file(rng),
        7..=12 => Reply::Redirect {
            status: one_of(rng, &REDIRECTS),
            to: location(rng),
            stated: stated(rng),
        },
        13..=16 => {
            let status = one_of(rng, &STATUSES);
            Reply::Status {
                status,
                page: one_of(rng, &PAGES),
                stated: stated(rng),
            }
        }
        17 => Reply::NotModified {
            stated: stated(rng),
        },
        _ => Reply::Failure(one_of(rng, &FAILURES)),
    }
}

fn location(rng: &mut Rng) -> Location {
    match rng.below(12) {
        0 => Location::OtherScheme(one_of(rng, &OTHER_SCHEMES)),
        1 => Location::NoUrl,
        2 => Location::Missing,
        _ => Location::Page(page(rng)),
    }
}

const FILES: [&[&str]; 7] = [
    &[],
    &["/"],
    &["/p"],
    &["/p0", "/p2"],
    &["/c"],
    &["/c1", "/l"],
    &["/robots.txt"],
];

fn file(rng: &mut Rng) -> Reply {
    let number = rng.below(FILES.len() + 3);
    let paths = |number: usize| {
        FILES[number]
            .iter()
            .map(|path| (*path).to_owned())
            .collect()
    };
    let content = match number.checked_sub(FILES.len()) {
        None => Content::Disallowed(paths(number)),
        Some(0) => Content::HtmlPage,
        Some(1) => Content::WithNul(paths(2)),
        Some(_) => Content::Tagged,
    };
    let (status, range) = match rng.below(10) {
        0 => (203, Range::Absent),
        1 => (206, Range::Absent),
        2 => (206, Range::Whole),
        3 => (206, Range::Part),
        4 => (206, Range::OfUnknown),
        _ => (200, Range::Absent),
    };
    Reply::File {
        status,
        range,
        content,
        etag: rng.one_in(2).then(|| format!("\"{number}\"")),
        stated: stated(rng),
    }
}

fn stated(rng: &mut Rng) -> Stated {
    const AGES: [u64; 7] = [0, 30, 60, 3600, 100_000, 1_000_000, 10_000_000];
    const WAITS: [u64; 6] = [0, 5, 10, 120, 7200, 100_000];
    Stated {
        max_age: rng.one_in(3).then(|| one_of(rng, &AGES)),
        retry_after: rng.one_in(4).then(|| one_of(rng, &WAITS)),
    }
}
