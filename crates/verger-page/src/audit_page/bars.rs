//! `Bars`: horizontal and vertical stacked bar charts.

use std::io::{self, Write};

use crate::web_page::{Text, begin_drawing, end_drawing};

const WIDTH: u64 = 900;
const NAMES_WIDTH: u64 = 190;
const NUMBERS_WIDTH: u64 = 90;
const LEGEND_HEIGHT: u64 = 30;
const LINE_HEIGHT: u64 = 20;
const BAR_HEIGHT: u64 = 14;
const STANDING_HEIGHT: u64 = 160;

/// A segment of each bar: its style and meaning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) class: &'static str,
    pub(super) name: &'static str,
}

#[derive(Clone, Debug)]
pub(super) struct Bar<const PARTS: usize> {
    pub(super) name: String,
    pub(super) counts: [u64; PARTS],
}

impl<const PARTS: usize> Bar<PARTS> {
    fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Describes the bar for screen readers.
    fn in_words(&self, parts: &[Part; PARTS]) -> String {
        let counted = self
            .counts
            .iter()
            .zip(parts)
            .filter(|(count, _)| **count > 0);
        let counted = counted.map(|(count, part)| format!("{count} {}", part.name));
        format!("{}: {}", self.name, counted.collect::<Vec<_>>().join("; "))
    }
}

/// A bar chart. Lengths are proportional to counts, and rounding never hides a segment.
pub(super) struct Bars<const PARTS: usize> {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) parts: &'static [Part; PARTS],
}

impl<const PARTS: usize> Bars<PARTS> {
    /// Writes one horizontal bar per row, with name and total.
    pub(super) fn write_lying(
        &self,
        output: &mut impl Write,
        bars: &[Bar<PARTS>],
    ) -> io::Result<()> {
        let lines = u64::try_from(bars.len()).unwrap_or(u64::MAX);
        self.begin(
            output,
            LEGEND_HEIGHT + lines.saturating_mul(LINE_HEIGHT),
            bars,
        )?;
        let most = bars.iter().map(Bar::total).max().unwrap_or(0);
        let room = WIDTH - NAMES_WIDTH - NUMBERS_WIDTH;
        let mut y = LEGEND_HEIGHT;
        for bar in bars {
            let baseline = y + BAR_HEIGHT - 3;
            write!(
                output,
                "<g><title>{}</title><text x=\"0\" y=\"{baseline}\">{}</text>",
                Text(bar.in_words(self.parts)),
                Text(&bar.name)
            )?;
            let mut x = NAMES_WIDTH;
            for (part, width) in self.parts.iter().zip(lengths(&bar.counts, most, room)) {
                let class = part.class;
                if width > 0 {
                    write!(
                        output,
                        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{BAR_HEIGHT}\"/>"
                    )?;
                }
                x += width;
            }
            writeln!(
                output,
                "<text x=\"{}\" y=\"{baseline}\">{}</text></g>",
                x + 6,
                bar.total()
            )?;
            y += LINE_HEIGHT;
        }
        end_drawing(output)
    }

    /// Writes vertical bars, with the first and the last name.
    pub(super) fn write_standing(
        &self,
        output: &mut impl Write,
        bars: &[Bar<PARTS>],
    ) -> io::Result<()> {
        let height = LEGEND_HEIGHT + STANDING_HEIGHT + LINE_HEIGHT;
        self.begin(output, height, bars)?;
        let most = bars.iter().map(Bar::total).max().unwrap_or(0);
        let count = u64::try_from(bars.len()).unwrap_or(u64::MAX).max(1);
        let step = (WIDTH / count).clamp(2, 60);
        let ground = LEGEND_HEIGHT + STANDING_HEIGHT;
        let mut x = 0;
        for bar in bars {
            write!(
                output,
                "<g><title>{}</title>",
                Text(bar.in_words(self.parts))
            )?;
            let mut y = ground;
            let heights = lengths(&bar.counts, most, STANDING_HEIGHT);
            for (part, height) in self.parts.iter().zip(heights) {
                y -= height;
                if height > 0 {
                    write!(
                        output,
                        "<rect class=\"{}\" x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{height}\"/>",
                        part.class,
                        step - 1
                    )?;
                }
            }
            output.write_all(b"</g>\n")?;
            x += step;
        }
        let baseline = ground + 15;
        if let [first, .., last] = bars {
            writeln!(
                output,
                "<text x=\"0\" y=\"{baseline}\">{}</text>\
                 <text class=\"end\" x=\"{}\" y=\"{baseline}\">{}</text>",
                Text(&first.name),
                x.max(180),
                Text(&last.name)
            )?;
        } else if let [only] = bars {
            writeln!(
                output,
                "<text x=\"0\" y=\"{baseline}\">{}</text>",
                Text(&only.name)
            )?;
        }
        writeln!(
            output,
            "<text class=\"end\" x=\"{WIDTH}\" y=\"{}\">at most {most} a day</text>",
            LEGEND_HEIGHT - 18
        )?;
        end_drawing(output)
    }

    fn begin(&self, output: &mut impl Write, height: u64, bars: &[Bar<PARTS>]) -> io::Result<()> {
        let words: Vec<_> = bars.iter().map(|bar| bar.in_words(self.parts)).collect();
        let (id, title) = (self.id, self.title);
        writeln!(output, "<p class=\"soft\">{title}</p>")?;
        let title = format!("{title}. {}", Text(words.join(". ")));
        begin_drawing(output, [WIDTH, height], id, title)?;
        let mut x = 0;
        for part in self.parts {
            let (class, name) = (part.class, part.name);
            writeln!(
                output,
                "<rect class=\"{class}\" x=\"{x}\" y=\"2\" width=\"10\" height=\"10\"/>\
                 <text x=\"{}\" y=\"11\">{name}</text>",
                x + 14
            )?;
            x += 40 + 7 * u64::try_from(name.len()).unwrap_or(0);
        }
        Ok(())
    }
}

/// Returns the length of each segment, if the longest bar takes `room`. Segments start and end at
/// rounded cumulative counts, so they add up to the bar. A nonzero segment has at least length 1.
fn lengths<const PARTS: usize>(counts: &[u64; PARTS], most: u64, room: u64) -> [u64; PARTS] {
    let place = |sum: u64| {
        let place = u128::from(sum) * u128::from(room) / u128::from(most.max(1));
        u64::try_from(place).unwrap_or(room)
    };
    let mut sum = 0;
    counts.map(|count| {
        let start = place(sum);
        sum += count;
        let length = place(sum) - start;
        if count > 0 { length.max(1) } else { 0 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_as_long_as_their_counts() {
        assert_eq!(lengths(&[50, 25, 25], 100, 200), [100, 50, 50]);
        assert_eq!(lengths(&[1, 0, 1], 1_000_000, 100), [1, 0, 1]);
        assert_eq!(lengths(&[0, 0, 0], 0, 100), [0, 0, 0]);
        assert_eq!(lengths(&[u64::MAX - 1, 1, 0], u64::MAX, 100), [99, 1, 0]);
    }
}
