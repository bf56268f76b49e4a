//! Bars in a row of a table, and the squares that explain their colours.
//!
//! A bar stretches to the width of its cell, so it is never cut. The numbers are text beside it.

use std::io::{self, Write};

/// Width of the longest bar. The rest of the drawing has room for parts that were widened.
const WIDTH: u64 = 960;
const DRAWING_WIDTH: u64 = 1000;
/// Width of the smallest part, which is still visible on a narrow screen.
const PART_WIDTH_MIN: u64 = 10;

/// Writes a bar whose parts have these classes and counts. A count of `most` has the whole width.
pub(crate) fn write_bar<'p>(
    output: &mut impl Write,
    parts: impl IntoIterator<Item = (&'p str, u64)>,
    most: u64,
) -> io::Result<()> {
    write!(
        output,
        "<svg class=\"bar\" viewBox=\"0 0 {DRAWING_WIDTH} 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
    )?;
    let (mut sum, mut x) = (0, 0);
    for (class, count) in parts.into_iter().filter(|(_, count)| *count > 0) {
        let start = place(sum, most);
        sum += count;
        let width = (place(sum, most) - start).max(PART_WIDTH_MIN);
        write!(
            output,
            "<rect class=\"{class}\" x=\"{x}\" width=\"{width}\" height=\"10\"/>"
        )?;
        x += width;
    }
    output.write_all(b"</svg>")
}

fn place(sum: u64, most: u64) -> u64 {
    let place = u128::from(sum) * u128::from(WIDTH) / u128::from(most.max(1));
    u64::try_from(place).unwrap_or(WIDTH)
}

/// Returns a square of a class: empty, half full or full, so that it can be read without colours.
pub(crate) fn swatch(class: &str) -> String {
    let (y, height) = match class {
        "partly" => (5, 5),
        "undecided" => (4, 2),
        _ => (0, 10),
    };
    format!(
        "<svg class=\"swatch\" viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"frame\" width=\"10\" \
         height=\"10\"/><rect class=\"{class}\" y=\"{y}\" width=\"10\" height=\"{height}\"/></svg>"
    )
}

/// Writes a list of classes and their meaning.
pub(crate) fn write_legend<'p>(
    output: &mut impl Write,
    parts: impl IntoIterator<Item = (&'p str, &'p str)>,
) -> io::Result<()> {
    output.write_all(b"<ul class=\"legend\">")?;
    for (class, meaning) in parts {
        write!(output, "<li>{} {meaning}</li>", swatch(class))?;
    }
    output.write_all(b"</ul>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn widths(counts: [u64; 3], most: u64) -> Vec<u64> {
        let mut bar = Vec::new();
        write_bar(&mut bar, counts.map(|count| ("open", count)), most).unwrap();
        let bar = String::from_utf8(bar).unwrap();
        let widths = bar.split(" width=\"").skip(1);
        let widths = widths.map(|it| it.split('"').next().unwrap().parse().unwrap());
        widths.collect()
    }

    #[test]
    fn parts_are_as_wide_as_their_counts() {
        assert_eq!(widths([50, 25, 25], 100), [480, 240, 240]);
        assert_eq!(widths([1, 0, 1], 1_000_000), [PART_WIDTH_MIN; 2]);
        assert_eq!(widths([0, 0, 0], 0), [0; 0]);
        let widest = widths([u64::MAX - 2, 1, 1], u64::MAX);
        assert!(widest.iter().sum::<u64>() <= DRAWING_WIDTH, "{widest:?}");
    }
}
