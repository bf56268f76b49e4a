//! The kinds of charts: bars, bars in parts, and lines over years.

use super::sample::{Share, per_cent};
use super::svg::{Svg, WIDTH};

/// Where bars begin, after their labels.
const BARS_LEFT: u32 = 230;
/// Where bars end; numbers stand after them.
const BARS_RIGHT: u32 = 680;
const BARS_TOP: u32 = 62;
const ROW_HEIGHT: u32 = 24;
const BAR_HEIGHT: u32 = 17;

/// What all charts say about themselves.
#[derive(Clone, Copy)]
pub(super) struct About<'t> {
    pub(super) title: &'t str,
    /// What the numbers are, under the title and at the axis.
    pub(super) axis: &'t str,
}

/// One bar, with the class of its colour.
pub(super) struct Bar {
    pub(super) label: String,
    pub(super) share: Share,
    pub(super) class: char,
}

/// Bars beside each other, as long as their shares; `legend` names the classes of colours.
pub(super) fn bars(about: About<'_>, bars: &[Bar], legend: &[(char, &str)]) -> String {
    let shown = bars
        .iter()
        .map(|bar| format!("{}: {}", bar.label, bar.share));
    let mut svg = begun(about, shown, legend);
    let greatest = bars.iter().map(|bar| bar.share.per_mille()).max();
    let scale = Scale::up_to(greatest.unwrap_or(0));
    let bottom = scale.draw_across(&mut svg, bars.len(), about.axis);
    for (bar, y) in bars.iter().zip(rows()) {
        let per_mille = bar.share.per_mille();
        let length = scale.length(per_mille, BARS_RIGHT - BARS_LEFT);
        svg.text(BARS_LEFT - 8, y + 13, "end", &bar.label);
        let size = [length.max(1), BAR_HEIGHT];
        svg.rectangle([BARS_LEFT, y], size, &bar.class.to_string());
        svg.text(BARS_LEFT + length + 6, y + 13, "", &per_cent(per_mille));
    }
    svg.finish(bottom)
}

/// A bar in parts, each with the class of its colour; the rest of the files is no part.
pub(super) struct PartedBar {
    pub(super) label: String,
    /// The files of the bar.
    pub(super) of: usize,
    pub(super) parts: Vec<(char, usize)>,
}

/// Bars in parts, the longest of them nearly as wide as the chart.
pub(super) fn parted_bars(about: About<'_>, bars: &[PartedBar], legend: &[(char, &str)]) -> String {
    let name = |class: char| legend.iter().find(|it| it.0 == class).map_or("", |it| it.1);
    let shown = bars.iter().map(|bar| {
        let parts = bar.parts.iter().map(|&(class, count)| {
            let share = Share { count, of: bar.of };
            format!("{} {share}", name(class))
        });
        format!("{}: {}", bar.label, parts.collect::<Vec<_>>().join(", "))
    });
    let mut svg = begun(about, shown, legend);
    let sums = bars.iter().map(|bar| Share {
        count: bar.parts.iter().map(|it| it.1).sum(),
        of: bar.of,
    });
    let scale = Scale::up_to(sums.map(Share::per_mille).max().unwrap_or(0));
    let bottom = scale.draw_across(&mut svg, bars.len(), about.axis);
    for (bar, y) in bars.iter().zip(rows()) {
        svg.text(BARS_LEFT - 8, y + 13, "end", &bar.label);
        let mut before = 0;
        for &(class, count) in &bar.parts {
            let at = |count| {
                let per_mille = Share { count, of: bar.of }.per_mille();
                BARS_LEFT + scale.length(per_mille, BARS_RIGHT - BARS_LEFT)
            };
            let (from, to) = (at(before), at(before + count));
            before += count;
            if to == from {
                continue;
            }
            svg.rectangle([from, y], [to - from, BAR_HEIGHT], &class.to_string());
            // A number that is wider than its part is in the table only.
            if to - from >= 44 {
                let share = Share { count, of: bar.of }.to_string();
                let middle = from.midpoint(to);
                svg.text(middle, y + 13, &format!("mid on-{class}"), &share);
            }
        }
        // All of the files are as many as there are; a part of them is a share.
        let sum = Share {
            count: before,
            of: bar.of,
        };
        let after = if sum.count == sum.of {
            format!("of {}", sum.of)
        } else {
            sum.to_string()
        };
        let end = BARS_LEFT + scale.length(sum.per_mille(), BARS_RIGHT - BARS_LEFT);
        svg.text(end + 6, y + 13, "faint", &after);
    }
    svg.finish(bottom)
}

/// A line over years: no share where the sample has no file of a year.
pub(super) struct Line {
    pub(super) label: String,
    pub(super) shares: Vec<Share>,
}

/// Lines over years, with the number of files below each year.
pub(super) fn lines(about: About<'_>, years: &[u16], lines: &[Line]) -> String {
    const LEFT: u32 = 64;
    const RIGHT: u32 = 640;
    const TOP: u32 = 62;
    const BOTTOM: u32 = 330;
    let shown = lines.iter().map(|line| {
        let shares = years.iter().zip(&line.shares);
        let shares = shares.map(|(year, share)| format!("{year} {share}"));
        format!("{}: {}", line.label, shares.collect::<Vec<_>>().join(", "))
    });
    let mut svg = begun(about, shown, &[]);
    let all = lines.iter().flat_map(|line| &line.shares);
    let scale = Scale::up_to(all.map(|share| share.per_mille()).max().unwrap_or(0));
    for tick in scale.ticks() {
        let y = BOTTOM - scale.length(tick, BOTTOM - TOP);
        svg.grid_line([LEFT, y], [RIGHT, y]);
        svg.text(LEFT - 8, y + 4, "faint end", &format!("{} %", tick / 10));
    }
    svg.text_upwards(16, TOP.midpoint(BOTTOM), "share of the files of the year");
    let steps = u32::try_from(years.len().max(2) - 1).unwrap_or(1);
    let x_of = |index: u32| LEFT + 24 + (RIGHT - LEFT - 48) * index / steps;
    for ((year, index), place) in years.iter().zip(0..).zip(0..) {
        let files = lines
            .first()
            .and_then(|line| line.shares.get::<usize>(place));
        svg.text(x_of(index), BOTTOM + 20, "mid", &year.to_string());
        let files = files.map_or(0, |share| share.of);
        svg.text(
            x_of(index),
            BOTTOM + 37,
            "faint mid",
            &format!("{files} files"),
        );
    }
    let mut labels: Vec<(u32, usize, &str)> = Vec::new();
    for (line, series) in lines.iter().zip(0..) {
        let points = line.shares.iter().zip(0..).map(|(share, index)| {
            [
                x_of(index),
                BOTTOM - scale.length(share.per_mille(), BOTTOM - TOP),
            ]
        });
        let points: Vec<[u32; 2]> = points.collect();
        svg.line(&points, series);
        labels.push((
            points.last().map_or(BOTTOM, |it| it[1]),
            series,
            &line.label,
        ));
    }
    // Labels at the ends of lines that are near each other are moved apart.
    labels.sort_unstable();
    let mut free_from = 0;
    for (y, series, label) in labels {
        let y = y.max(free_from);
        svg.text(RIGHT - 12, y + 4, &format!("p{series}"), label);
        free_from = y + 17;
    }
    svg.text(
        LEFT.midpoint(RIGHT),
        BOTTOM + 58,
        "faint mid",
        "year in which the file was fetched",
    );
    svg.finish(BOTTOM + 72)
}

/// A picture with its title, what it shows, and which colour is what.
fn begun(about: About<'_>, shown: impl Iterator<Item = String>, legend: &[(char, &str)]) -> Svg {
    let shown: Vec<String> = shown.collect();
    let description = format!("{}. {}.", about.axis, shown.join("; "));
    let mut svg = Svg::new(about.title, &description);
    let mut x = 12;
    for (class, name) in legend {
        svg.rectangle([x, 36], [12, 12], &class.to_string());
        svg.text(x + 17, 47, "faint", name);
        x += 36 + 7 * u32::try_from(name.chars().count()).unwrap_or(0);
    }
    svg
}

/// Where the rows of a chart begin.
fn rows() -> impl Iterator<Item = u32> {
    (0..).map(|row| BARS_TOP + row * ROW_HEIGHT)
}

/// An axis that begins at nothing.
struct Scale {
    /// Where it ends, in tenths of a per cent.
    end: usize,
    step: usize,
}

impl Scale {
    /// An axis with at most six steps of 1, 2 or 5 per cent, or ten times as much.
    fn up_to(greatest: usize) -> Self {
        let steps = [10, 20, 50, 100, 200];
        let step = steps.into_iter().find(|step| greatest <= step * 6);
        let step = step.unwrap_or(200);
        let end = greatest.div_ceil(step).max(1) * step;
        Self { end, step }
    }

    fn length(&self, per_mille: usize, whole: u32) -> u32 {
        let whole = usize::try_from(whole).unwrap_or(0);
        u32::try_from((per_mille * whole + self.end / 2) / self.end).unwrap_or(0)
    }

    fn ticks(&self) -> impl Iterator<Item = usize> {
        (0..=self.end).step_by(self.step)
    }

    /// Draws it below so many rows, and returns the height of the picture.
    fn draw_across(&self, svg: &mut Svg, rows: usize, axis: &str) -> u32 {
        let bottom = BARS_TOP + ROW_HEIGHT * u32::try_from(rows).unwrap_or(0);
        for tick in self.ticks() {
            let x = BARS_LEFT + self.length(tick, BARS_RIGHT - BARS_LEFT);
            svg.grid_line([x, BARS_TOP - 6], [x, bottom]);
            svg.text(x, bottom + 16, "faint mid", &format!("{} %", tick / 10));
        }
        svg.text(WIDTH / 2, bottom + 38, "faint mid", axis);
        bottom + 52
    }
}
