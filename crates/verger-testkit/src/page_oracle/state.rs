//! The join of robots.txt, response and rules.

use super::directives::{combine, is_for, is_known};
use super::fields;
use super::question::{Convention, Fetched, PageQuestion, RobotsAnswer};
use super::reading::{PageReading, PageTag};

/// The documents have no limit on the number of rules. Verger reads that many.
const TAGS_MAX: usize = 1_000;

/// Answers a question from the documents.
#[must_use]
pub fn read_page(question: &PageQuestion<'_>) -> PageReading {
    let mut reading = PageReading {
        state: "",
        reason: "",
        tags: tags(question),
        noindex: false,
        nofollow: false,
        max_snippet: None,
        image_preview: None,
        unavailable_after: None,
        ai_input: "unstated",
        ai_train: "unstated",
    };
    let mut unread = reading.clone();
    combine(question, &unread.tags, &mut reading);
    let passed = reading.unavailable_after.filter(|it| question.now > *it);
    let is_kept_out = reading.noindex || passed.is_some();
    let (state, reason) = match state(question, is_kept_out) {
        ("indexable", _) if is_cut(question, &reading) => ("unknown", "page-cut"),
        decided => decided,
    };
    // Rules apply to a page that the crawler has read.
    if !["directive", "no-directive", "page-cut"].contains(&reason) {
        unread.tags.iter_mut().for_each(|it| it.applies = false);
        reading = unread;
    }
    (reading.state, reading.reason) = (state, reason);
    reading
}

/// Returns whether rules may be missing.
fn is_cut(question: &PageQuestion<'_>, reading: &PageReading) -> bool {
    let mut long = question
        .headers
        .iter()
        .filter(|it| it.1.len() > question.limit);
    let is_of_rules = |name: &str| name.to_ascii_lowercase().ends_with("robots-tag");
    reading.tags.len() > TAGS_MAX || long.any(|(name, ..)| is_of_rules(name))
}

fn tags(question: &PageQuestion<'_>) -> Vec<PageTag> {
    let mut tags = Vec::new();
    if !matches!(question.fetched, Fetched::Status(_)) {
        return tags;
    }
    for (name, value, line) in question.headers {
        match &*name.to_ascii_lowercase() {
            "x-robots-tag" => tags.extend(fields::of_x_robots_tag(value, *line)),
            "robots-tag" => tags.extend(fields::of_robots_tag(value, *line, question.limit)),
            _ => {}
        }
    }
    for tag in &mut tags {
        // Google documents `X-Robots-Tag` alone.
        let is_read =
            tag.source.as_str() == "x-robots-tag" || question.convention == Convention::RepExt;
        tag.applies = is_read && is_for(question, &tag.agent) && is_known(question, tag);
    }
    for (name, content, line, is_in_head) in question.metas {
        // Google reads the body as well. The draft only considers the head.        GM-7, RX-4-2
        let is_read = *is_in_head || question.convention == Convention::Google;
        for mut tag in fields::of_meta(name, content, *line) {
            tag.applies = is_read && is_for(question, &tag.agent) && is_known(question, &tag);
            tags.push(tag);
        }
    }
    tags
}

fn state(question: &PageQuestion<'_>, is_kept_out: bool) -> (&'static str, &'static str) {
    match question.robots {
        RobotsAnswer::Unknown | RobotsAnswer::ForNow => return ("unknown", "robots-txt-unknown"),
        // "Any information about indexing or serving rules will not be found."            GM-27
        RobotsAnswer::Disallowed => return ("unseen", "robots-txt"),
        RobotsAnswer::Allowed => {}
    }
    let has_location = question
        .headers
        .iter()
        .any(|(name, ..)| name.eq_ignore_ascii_case("location"));
    match question.fetched {
        Fetched::No => ("unknown", "not-fetched"),
        Fetched::Failed => ("unknown", "fetch-failed"),
        Fetched::Status(304 | 429 | 100..=199 | 500..=599) => ("unknown", "status"),
        Fetched::Status(300..=399) if has_location => ("not-indexed", "redirect"),
        Fetched::Status(204 | 205 | 300..=499) => ("not-indexed", "status"),
        Fetched::Status(200..=299) if is_kept_out => ("not-indexed", "directive"),
        Fetched::Status(200..=299) => ("indexable", "no-directive"),
        Fetched::Status(_) => ("unknown", "status"),
    }
}
