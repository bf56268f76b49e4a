//! `Histogram`: a histogram of durations.

use core::fmt::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper bounds of the buckets, in microseconds.
const BOUNDS: [u64; 8] = [
    100, 500, 2500, 10_000, 50_000, 250_000, 1_000_000, 10_000_000,
];

#[derive(Debug, Default)]
pub(crate) struct Histogram {
    /// The last bucket counts everything above the bounds.
    classes: [AtomicU64; BOUNDS.len() + 1],
    microseconds: AtomicU64,
}

impl Histogram {
    pub(crate) fn add(&self, duration: Duration) {
        let microseconds = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        let class = BOUNDS.iter().position(|bound| microseconds <= *bound);
        self.classes[class.unwrap_or(BOUNDS.len())].fetch_add(1, Ordering::Relaxed);
        self.microseconds.fetch_add(microseconds, Ordering::Relaxed);
    }

    /// Writes the histogram in the Prometheus text format. `label` is `name="value"`.
    pub(crate) fn write(&self, output: &mut String, name: &str, label: &str) -> fmt::Result {
        let mut sum = 0;
        for (nth, class) in self.classes.iter().enumerate() {
            sum += class.load(Ordering::Relaxed);
            let bound = match BOUNDS.get(nth) {
                Some(bound) => seconds(*bound),
                None => "+Inf".to_owned(),
            };
            writeln!(output, "{name}_bucket{{{label},le=\"{bound}\"}} {sum}")?;
        }
        let total = seconds(self.microseconds.load(Ordering::Relaxed));
        writeln!(output, "{name}_sum{{{label}}} {total}")?;
        writeln!(output, "{name}_count{{{label}}} {sum}")
    }
}

fn seconds(microseconds: u64) -> String {
    let (whole, rest) = (microseconds / 1_000_000, microseconds % 1_000_000);
    let text = format!("{whole}.{rest:06}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_add_up_and_their_bounds_are_seconds() {
        let histogram = Histogram::default();
        for microseconds in [100, 101, 20_000_000] {
            histogram.add(Duration::from_micros(microseconds));
        }
        let mut text = String::new();
        histogram.write(&mut text, "x", "a=\"b\"").unwrap();
        assert!(
            text.contains("x_bucket{a=\"b\",le=\"0.0001\"} 1\n"),
            "{text}"
        );
        assert!(text.contains("le=\"0.0005\"} 2\n") && text.contains("le=\"+Inf\"} 3\n"));
        assert!(text.ends_with("x_sum{a=\"b\"} 20.000201\nx_count{a=\"b\"} 3\n"));
    }
}
