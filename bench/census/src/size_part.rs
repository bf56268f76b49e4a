//! How large files are.

use super::charts::{About, Bar, bars};
use super::file_facts::FileFacts;
use super::markdown::{picture, table};
use super::part::Part;
use super::sample::Sample;

/// A number of a file, its name, the name of its chart, and where its classes begin.
struct Measure {
    name: &'static str,
    chart: &'static str,
    title: &'static str,
    axis: &'static str,
    number: fn(&FileFacts) -> usize,
    classes: &'static [usize],
}

const MEASURES: [Measure; 3] = [
    Measure {
        name: "bytes",
        chart: "bytes",
        title: "Files by size",
        axis: "share of drawn files, by number of bytes",
        number: |facts| facts.bytes,
        classes: &[
            0, 1, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 512_000,
        ],
    },
    Measure {
        name: "rules in groups",
        chart: "rules",
        title: "Files by number of rules",
        axis: "share of drawn files, by number of Allow and Disallow lines in groups",
        number: |facts| facts.rules,
        classes: &[0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 4_096],
    },
    Measure {
        name: "groups",
        chart: "groups",
        title: "Files by number of groups",
        axis: "share of drawn files, by number of groups",
        number: |facts| facts.groups,
        classes: &[0, 1, 2, 3, 5, 10, 20, 50, 100, 200, 500],
    },
];

/// The part about sizes.
pub(super) fn part(drawn: &Sample<'_>) -> Part {
    let rows = MEASURES.iter().map(|measure| {
        let sorted = drawn.sorted(measure.number);
        let last = sorted.len().saturating_sub(1);
        let at = [500, 750, 900, 990, 999, 1_000].map(|per_mille| {
            let number = sorted.get(last * per_mille / 1_000);
            number.map_or_else(String::new, ToString::to_string)
        });
        std::iter::once(measure.name.to_owned()).chain(at).collect()
    });
    let head = [
        "of a file",
        "median",
        "75 %",
        "90 %",
        "99 %",
        "99.9 %",
        "greatest",
    ];
    let pictures = MEASURES.iter().map(|it| picture(it.chart, it.title));
    let text = ["## Sizes\n".to_owned(), table(1, &head, rows)];
    Part {
        text: text
            .into_iter()
            .chain(pictures)
            .collect::<Vec<_>>()
            .join("\n"),
        charts: MEASURES
            .iter()
            .map(|it| (it.chart, chart(it, drawn)))
            .collect(),
    }
}

fn chart(measure: &Measure, drawn: &Sample<'_>) -> String {
    let ends = measure.classes.iter().skip(1).map(Some).chain([None]);
    let rows = measure.classes.iter().zip(ends).map(|(&from, end)| {
        let is_in = |facts: &FileFacts| {
            let number = (measure.number)(facts);
            number >= from && end.is_none_or(|end| number < *end)
        };
        Bar {
            label: match end.map(|end| end - 1) {
                None => format!("{from} and more"),
                Some(last) if last == from => from.to_string(),
                Some(last) => format!("{from} to {last}"),
            },
            share: drawn.share(is_in),
            class: 'c',
        }
    });
    let about = About {
        title: measure.title,
        axis: measure.axis,
    };
    bars(about, &rows.collect::<Vec<_>>(), &[])
}
