//! `Metrics`: Prometheus metrics. Requests cannot choose label values, so the number of series is bounded.

use core::fmt::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use verger_store::OutcomeClass;

use crate::histogram::Histogram;

#[derive(Clone, Copy, Debug)]
pub(crate) enum StoreCall {
    Acquire,
    Put,
    Latest,
    History,
    Body,
    Other,
}

/// Events of a fetch that are not outcomes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// This machine ran out of a local resource.
    CutShort,
    /// Another process is fetching.
    LeaseWait,
    /// The store rejected the result.
    NotKept,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Shed {
    Rate,
    Requests,
    Waiting,
    Bodies,
    Time,
    Files,
}

impl Shed {
    pub(crate) fn name(self) -> &'static str {
        SHEDS[self as usize]
    }
}

/// The source of an answer about a site.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    Memory,
    /// A fetch or the store.
    Waited,
    Past,
}

const STORE_CALLS: [&str; 6] = ["acquire", "put", "latest", "history", "body", "other"];

const EVENTS: [&str; 3] = ["cut short", "lease wait", "not kept"];

const SHEDS: [&str; 6] = ["rate", "requests", "waiting", "bodies", "time", "files"];

const SOURCES: [&str; 3] = ["memory", "waited", "past"];

const STATUS_CLASSES: usize = 5;

#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Requests per route, by the first digit of the status.
    requests: Vec<OfRoute>,
    shed: [AtomicU64; SHEDS.len()],
    answers: [AtomicU64; SOURCES.len()],
    fetches: [AtomicU64; OutcomeClass::ALL.len()],
    events: [AtomicU64; EVENTS.len()],
    store: [Histogram; STORE_CALLS.len()],
    store_errors: AtomicU64,
    is_store_failing: AtomicBool,
}

#[derive(Debug)]
struct OfRoute {
    name: &'static str,
    by_class: [AtomicU64; STATUS_CLASSES],
    seconds: Histogram,
}

/// Current values, measured by the service.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gauges {
    pub(crate) answer_bytes: u64,
    pub(crate) policy_bytes: u64,
    pub(crate) store_bytes: u64,
    pub(crate) body_bytes: u64,
    pub(crate) requests: u64,
    pub(crate) waiting: u64,
}

impl Metrics {
    pub(crate) fn new(routes: &[&'static str]) -> Self {
        let of_route = |name: &&'static str| OfRoute {
            name,
            by_class: Default::default(),
            seconds: Histogram::default(),
        };
        Self {
            requests: routes.iter().map(of_route).collect(),
            ..Self::default()
        }
    }

    pub(crate) fn count_request(&self, route: usize, status: u16, duration: Duration) {
        let Some(route) = self.requests.get(route) else {
            return;
        };
        let class = usize::from(status / 100).clamp(1, STATUS_CLASSES) - 1;
        add(&route.by_class[class]);
        route.seconds.add(duration);
    }

    pub(crate) fn count_shed(&self, why: Shed) {
        add(&self.shed[why as usize]);
    }

    pub(crate) fn count_answers(&self, source: Source, answers: u64) {
        self.answers[source as usize].fetch_add(answers, Ordering::Relaxed);
    }

    pub(crate) fn count_fetch(&self, class: OutcomeClass) {
        add(&self.fetches[class as usize]);
    }

    pub(crate) fn count_event(&self, event: Event) {
        add(&self.events[event as usize]);
    }

    pub(crate) fn count_store(&self, call: StoreCall, duration: Duration, failures: usize) {
        self.store[call as usize].add(duration);
        (self.store_errors).fetch_add(failures as u64, Ordering::Relaxed);
        let is_failure = failures > 0;
        if self.is_store_failing.load(Ordering::Relaxed) != is_failure {
            self.is_store_failing.store(is_failure, Ordering::Relaxed);
        }
    }

    pub(crate) fn is_store_failing(&self) -> bool {
        self.is_store_failing.load(Ordering::Relaxed)
    }

    pub(crate) fn text(&self, gauges: Gauges) -> String {
        let mut text = String::new();
        // Writing to a `String` cannot fail.
        let _ = self.write(&mut text, gauges);
        text
    }

    fn write(&self, output: &mut String, gauges: Gauges) -> fmt::Result {
        self.write_requests(output)?;
        let classes: Vec<&str> = OutcomeClass::ALL.iter().map(|it| it.as_str()).collect();
        for (name, label, values, counts) in [
            ("shed", "limit", &SHEDS[..], &self.shed[..]),
            ("answers", "from", &SOURCES, &self.answers),
            ("fetches", "outcome", &classes, &self.fetches),
            ("events", "event", &EVENTS, &self.events),
        ] {
            writeln!(output, "# TYPE vergerd_{name}_total counter")?;
            for (value, count) in values.iter().zip(counts) {
                let count = count.load(Ordering::Relaxed);
                let labels = format!("{{{label}=\"{value}\"}}");
                writeln!(output, "vergerd_{name}_total{labels} {count}")?;
            }
        }
        let count = self.store_errors.load(Ordering::Relaxed);
        writeln!(output, "# TYPE vergerd_store_errors_total counter")?;
        writeln!(output, "vergerd_store_errors_total {count}")?;
        let name = "vergerd_store_seconds";
        head(output, name, "histogram", "Duration of store calls.")?;
        for (call, histogram) in STORE_CALLS.iter().zip(&self.store) {
            histogram.write(output, name, &format!("call=\"{call}\""))?;
        }
        let name = "vergerd_store_up";
        head(output, name, "gauge", "0 if the last store call failed.")?;
        writeln!(output, "{name} {}", u8::from(!self.is_store_failing()))?;
        write_gauges(output, gauges)
    }

    fn write_requests(&self, output: &mut String) -> fmt::Result {
        let name = "vergerd_requests_total";
        head(output, name, "counter", "Requests by route and status.")?;
        for route in &self.requests {
            for (class, count) in (1..).zip(&route.by_class) {
                let labels = format!("route=\"{}\",status=\"{class}xx\"", route.name);
                let count = count.load(Ordering::Relaxed);
                writeln!(output, "{name}{{{labels}}} {count}")?;
            }
        }
        let name = "vergerd_request_seconds";
        head(output, name, "histogram", "Time until the response starts.")?;
        for route in &self.requests {
            let label = format!("route=\"{}\"", route.name);
            route.seconds.write(output, name, &label)?;
        }
        Ok(())
    }
}

fn write_gauges(output: &mut String, gauges: Gauges) -> fmt::Result {
    let name = "vergerd_held_bytes";
    head(output, name, "gauge", "Memory in use, by bounded pool.")?;
    for (what, bytes) in [
        ("answers", gauges.answer_bytes),
        ("policies", gauges.policy_bytes),
        ("store", gauges.store_bytes),
        ("bodies", gauges.body_bytes),
    ] {
        writeln!(output, "{name}{{what=\"{what}\"}} {bytes}")?;
    }
    let (work, waiting) = (gauges.requests, gauges.waiting);
    for (name, what, number) in [
        ("vergerd_requests_in_work", "Requests in progress.", work),
        ("vergerd_waiting", "Requests that wait for a site.", waiting),
    ] {
        head(output, name, "gauge", what)?;
        writeln!(output, "{name} {number}")?;
    }
    Ok(())
}

fn head(output: &mut String, name: &str, kind: &str, what: &str) -> fmt::Result {
    writeln!(output, "# HELP {name} {what}\n# TYPE {name} {kind}")
}

fn add(count: &AtomicU64) {
    count.fetch_add(1, Ordering::Relaxed);
}
