//! `SiteMetrics`: the gauges of a watched or probed site.

use std::fmt::Write as _;

use verger_access::{Stance, Timestamp};
use verger_lint::Severity;
use verger_watch::SiteState;

/// A site and its labels.
pub(crate) struct SiteMetrics<'m> {
    pub(crate) state: &'m SiteState,
    /// The label `site`. A site that is not in the list has none.
    pub(crate) site: Option<String>,
    /// When the last event was seen, for a watched site.
    pub(crate) last_event: Option<Timestamp>,
}

type Values = Vec<(Option<(&'static str, &'static str)>, u64)>;

/// A gauge: its name, its description, and its values for a site.
type Gauge = (&'static str, &'static str, fn(&SiteMetrics<'_>) -> Values);

const GAUGES: &[Gauge] = &[
    ("up", "0 while robots.txt is unreachable.", |it| {
        one(it.state.unreachable_since.is_none().into())
    }),
    (
        "unreachable_since_seconds",
        "Unix time of the start of the outage, or 0.",
        |it| one(seconds(it.state.unreachable_since)),
    ),
    ("stance", "1 for the stance of crawlers.", |it| {
        let value = |stance: &Stance| u64::from(it.state.stance == *stance);
        let stances = Stance::ALL.iter();
        let stances = stances.map(|it| (Some(("stance", it.as_str())), value(it)));
        stances.collect()
    }),
    ("last_look_seconds", "Unix time of the last fetch.", |it| {
        one(it.state.at.unix_seconds())
    }),
    ("next_look_seconds", "Unix time of the next fetch.", |it| {
        one(it.state.next.unix_seconds())
    }),
    (
        "last_change_seconds",
        "Unix time of the last event, or 0.",
        |it| one(seconds(it.last_event)),
    ),
    (
        "search_closed",
        "Search engines that may not fetch the site. Absent in an outage.",
        |it| {
            if it.state.is_outage() {
                return Vec::new();
            }
            one(it.state.search_closed.len() as u64)
        },
    ),
    (
        "claims_failed",
        "Claims that fail. Absent in an outage.",
        |it| {
            let failed = it.state.claims_failed.as_ref();
            failed.map_or_else(Vec::new, |it| one(it.len() as u64))
        },
    ),
    (
        "differs_from_file",
        "1 if the served file differs from the expected one.",
        |it| {
            let differs = it.state.differs_from_file;
            differs.map_or_else(Vec::new, |it| one(it.into()))
        },
    ),
    ("findings", "Findings of lint.", |it| {
        let findings = Severity::ALL.iter().zip(it.state.findings);
        let findings = findings.map(|(it, count)| (Some(("severity", it.as_str())), count as u64));
        findings.collect()
    }),
];

fn one(value: u64) -> Values {
    vec![(None, value)]
}

fn seconds(time: Option<Timestamp>) -> u64 {
    time.map_or(0, Timestamp::unix_seconds)
}

/// Appends the gauges of these sites.
pub(crate) fn write_site_metrics(output: &mut String, sites: &[SiteMetrics<'_>]) {
    for (name, help, values) in GAUGES {
        let _ = writeln!(
            output,
            "# HELP verger_site_{name} {help}\n# TYPE verger_site_{name} gauge"
        );
        for site in sites {
            let own = site.site.as_deref().map(|it| ("site", it));
            for (label, value) in values(site) {
                let labels: Vec<String> = own.into_iter().chain(label).map(label_text).collect();
                let labels = if labels.is_empty() {
                    String::new()
                } else {
                    format!("{{{}}}", labels.join(","))
                };
                let _ = writeln!(output, "verger_site_{name}{labels} {value}");
            }
        }
    }
}

fn label_text((name, value): (&str, &str)) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("{name}=\"{}\"", value.replace('\n', "\\n"))
}
