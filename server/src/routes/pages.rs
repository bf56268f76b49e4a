//! Pages of the watched sites, without scripts, and their events as a feed.

use std::fmt::Write as _;

use axum::response::Response;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use verger::{GroupIndex, RobotsTxt};
use verger_access::{Authority, Profile, Stance, Timestamp};
use verger_answer::AuthorityLookup;
use verger_answer::text::legible;
use verger_client::{Clock as _, SystemClock, state_of_stored};
use verger_page::{RobotsPage, SiteEvent, SiteFacts, SiteHistory, SiteRow, SitesPage};
use verger_store::{Store, StoreError, in_force_at};
use verger_watch::{LoggedEvent, SiteState};

use crate::call::{Call, job, ok};
use crate::problem::Problem;
use crate::routes::file::file_job;
use crate::routes::watched::{named, watching};
use crate::service::read_as;
use crate::watching::Row;

const HTML: &str = "text/html; charset=utf-8";
const ATOM: &str = "application/atom+xml; charset=utf-8";

/// Maximum number of sites on a page, and of events in the feed.
const SITES_MAX: usize = 200;
const FEED_MAX: usize = 100;

/// Handles `GET /sites`.
pub(crate) async fn sites(call: Call) -> Result<Response, Problem> {
    let watching = watching(&call)?;
    let after = call.query.number("after", u64::MAX)?.unwrap_or(0);
    let after = usize::try_from(after).unwrap_or(usize::MAX);
    let rows = watching.rows().into_iter();
    let rows = rows.map(|row| (problems_of(&row), row));
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by_key(|(problems, _)| problems.is_empty());
    let (count, troubled) = (rows.len(), rows.partition_point(|(it, _)| !it.is_empty()));
    let shown = rows.into_iter().skip(after).take(SITES_MAX);
    let shown: Vec<SiteRow> = shown
        .map(|(problems, row)| site_row(&row, problems, watching.events_of(&row).last()))
        .collect();
    let next = after.saturating_add(SITES_MAX);
    let page = SitesPage {
        rows: &shown,
        count,
        troubled,
        next: (next < count).then(|| format!("/sites?after={next}")),
    };
    let mut html = Vec::new();
    page.write(&mut html).map_err(Problem::defect)?;
    Ok(ok(HTML, html))
}

fn site_row(row: &Row, problems: Vec<String>, last: Option<&LoggedEvent>) -> SiteRow {
    let state = row.seen.state.as_deref();
    let site = row.site().map(ToString::to_string);
    SiteRow {
        link: site.as_deref().map(link),
        name: site.unwrap_or_else(|| row.listed().url.clone()),
        state: state.map_or_else(|| "not fetched yet".to_owned(), in_words),
        problems,
        last: last.map(event),
        next: state.map(|it| it.next),
    }
}

fn link(site: &str) -> String {
    format!("/sites/{}", utf8_percent_encode(site, NON_ALPHANUMERIC))
}

fn in_words(state: &SiteState) -> String {
    let stance = match state.stance {
        Stance::Rules => "its rules decide",
        Stance::Open => "everything is allowed",
        Stance::Closed => "everything is disallowed",
        Stance::Copy => "the last good copy decides",
        Stance::Defer => "everything is disallowed for now",
    };
    format!("{stance} ({})", state.outcome)
}

fn problems_of(row: &Row) -> Vec<String> {
    let own = row.seen.problems();
    let Some(state) = &row.seen.state else {
        return own;
    };
    let unreachable = state.unreachable_since;
    let unreachable = unreachable.map(|since| format!("unreachable since {since}"));
    let differs = state.differs_from_file == Some(true);
    let differs = differs.then(|| "differs from the expected file".to_owned());
    let listed = |what: &str, names: &[String]| {
        (!names.is_empty()).then(|| format!("{what}: {}", legible(names.join(", ").as_bytes())))
    };
    let closed = listed("closed to", &state.search_closed);
    let claims = state.claims_failed.as_deref().unwrap_or_default();
    let claims = listed("claims fail", claims);
    let all = [unreachable, closed, claims, differs];
    all.into_iter().flatten().chain(own).collect()
}

fn event(logged: &LoggedEvent) -> SiteEvent {
    let json: Value = serde_json::from_str(&logged.json).unwrap_or_default();
    SiteEvent {
        at: logged.time,
        severity: logged.severity.as_str(),
        text: json["text"].as_str().unwrap_or_default().to_owned(),
    }
}

/// Handles `GET /sites/{authority}`: the report of `verger report`, with the events.
pub(crate) async fn site(call: Call) -> Result<Response, Problem> {
    let (row, events) = named(&call)?;
    let watched = row.listed().watched.clone().map_err(Problem::defect)?;
    let events: Vec<SiteEvent> = events.iter().map(event).collect();
    let (service, place) = (call.service, call.place);
    let (jobs, authority) = (&service.store_jobs, watched.site.clone());
    let profile = &Profile::ALL[service.profile];
    let facts = job(&service, jobs, [None, None], move |service| {
        let facts = facts(&*service.store, &authority, profile, SystemClock.now());
        facts.map_err(|error| Problem::busy("store", error.to_string()))
    })
    .await?;
    file_job(&service, [place, None], HTML, move || {
        let robots = RobotsTxt::parse(facts.lookup.body(), profile.reading);
        let title = watched.site.to_string();
        let page = RobotsPage {
            title: &title,
            command: "vergerd --sites",
            file: &GroupIndex::new(robots),
            site: Some(&facts),
            read_as: read_as(profile),
            named: &watched.crawlers,
            urls: &[],
            events: &events,
        };
        let mut html = Vec::new();
        page.write(&mut html).map_err(Problem::defect)?;
        Ok(html)
    })
    .await
}

/// Returns what the store knows of a site.
fn facts(
    store: &dyn Store,
    site: &Authority,
    profile: &Profile,
    at: Timestamp,
) -> Result<SiteFacts, StoreError> {
    let standing = in_force_at(store, site, profile, at)?;
    let (hops, warnings) = standing.as_ref().map_or_else(Default::default, |it| {
        (it.evidence.hops.clone(), it.evidence.warnings.clone())
    });
    Ok(SiteFacts {
        lookup: AuthorityLookup {
            authority: site.clone(),
            profile: profile.name.to_string(),
            state: standing.and_then(state_of_stored),
        },
        at,
        hops,
        warnings,
        history: SiteHistory::read(store, site, profile, at)?,
    })
}

/// Handles `GET /events.atom`.
pub(crate) async fn feed(call: Call) -> Result<Response, Problem> {
    let watching = watching(&call)?;
    let events = watching.log.last(FEED_MAX);
    let updated = events.first().map(|it| it.time).unwrap_or_default();
    let mut feed = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n\
         <id>urn:verger:events</id><title>Watched sites</title><updated>{updated}</updated>\n\
         <author><name>Verger</name></author>\n"
    );
    for logged in &events {
        let (id, time) = (&logged.id, logged.time);
        let text = event(logged).text;
        let title = escaped(text.lines().next().unwrap_or_default());
        let _ = writeln!(
            feed,
            "<entry><id>urn:verger:event:{id}</id><title>{title}</title><updated>{time}</updated>\
             <content type=\"text\">{}</content></entry>",
            escaped(&text)
        );
    }
    feed.push_str("</feed>\n");
    Ok(ok(ATOM, feed))
}

/// Escapes a text of several lines for XML 1.0, with U+FFFD in place of characters that it forbids (2.2).
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {
                escaped.push(char::REPLACEMENT_CHARACTER);
            }
            _ => escaped.push(char),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feed_has_only_the_characters_of_xml() {
        let text = "a\t\n&<>\"\u{0}\u{1f}\r\u{7f}\u{fffd}\u{fffe}\u{ffff}\u{10ffff}";
        let expected = "a\t\n&amp;&lt;&gt;&quot;\u{fffd}\u{fffd}\u{fffd}\u{7f}\u{fffd}\u{fffd}\u{fffd}\u{10ffff}";
        assert_eq!(escaped(text), expected);
    }
}
