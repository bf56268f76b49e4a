//! A picture of how much each crawler may fetch: one square per crawler, by topic.

use std::io::{self, Write};

use crate::web_page::{Text, begin_drawing, end_drawing};
use verger::RobotsTxt;
use verger_answer::{ReadAs, ResolvedCrawler};
use verger_compare::{Budget, ExtentClass};
use verger_owner::{TopicSummary, summary, who};

/// Budget for one list of rules, small enough to write a page within seconds.
const BUDGET: Budget = Budget::from_states(250_000);

const NAMES_WIDTH: usize = 180;
const SQUARES_PER_LINE: usize = 48;
const SQUARE: usize = 10;
const STEP: usize = 12;
const LINE_HEIGHT: usize = 16;
const LEGEND_HEIGHT: usize = 28;

/// The classes and their names, the most restrictive first. `None` is undecided.
const CLASSES: [(Option<ExtentClass>, &str); 4] = [
    (Some(ExtentClass::EverythingDisallowed), "everything"),
    (Some(ExtentClass::SomeDisallowed), "some"),
    (Some(ExtentClass::NothingDisallowed), "nothing"),
    (None, "undecided"),
];

/// Writes a square for each registry crawler in use. The class of each is proven, not sampled.
pub(super) fn write(
    output: &mut impl Write,
    robots: &RobotsTxt,
    read_as: ReadAs,
) -> io::Result<()> {
    let crawlers = ResolvedCrawler::all_in_use().into_iter();
    let crawlers: Vec<_> = crawlers.map(|it| it.judged(read_as)).collect();
    let rows = who(robots.clone(), &crawlers, BUDGET);
    let topics = summary(&rows).into_iter();
    let topics = topics.map(|it| (it.topic.title, counts(&it)));
    let topics: Vec<_> = topics.collect();
    let lines = topics.iter().map(|(_, counts)| lines_of(counts));
    let height = LEGEND_HEIGHT + lines.sum::<usize>() * LINE_HEIGHT;
    let width = NAMES_WIDTH + SQUARES_PER_LINE * STEP;
    let words = in_words(&topics);
    let title = format!("One square per crawler, by topic. {}", Text(words));
    begin_drawing(
        output,
        [width, height].map(|it| it as u64),
        "who-drawing",
        title,
    )?;
    write_legend(output)?;
    let mut y = LEGEND_HEIGHT;
    for (title, counts) in &topics {
        let (baseline, count) = (y + SQUARE - 1, counts.iter().sum::<usize>());
        writeln!(
            output,
            "<text x=\"0\" y=\"{baseline}\">{title} ({count})</text>"
        )?;
        let classes = counts.iter().zip(CLASSES);
        let squares = classes.flat_map(|(count, (class, _))| vec![class; *count]);
        for (nth, class) in squares.enumerate() {
            let x = NAMES_WIDTH + nth % SQUARES_PER_LINE * STEP;
            write_square(output, x, y + nth / SQUARES_PER_LINE * LINE_HEIGHT, class)?;
        }
        y += lines_of(counts) * LINE_HEIGHT;
    }
    end_drawing(output)
}

/// Returns the number of crawlers in each class.
fn counts(topic: &TopicSummary) -> [usize; 4] {
    CLASSES.map(|(class, _)| {
        let of_class = topic.classes.iter().filter(|it| it.class == class);
        of_class.map(|it| it.count).sum()
    })
}

fn lines_of(counts: &[usize; 4]) -> usize {
    counts.iter().sum::<usize>().div_ceil(SQUARES_PER_LINE)
}

/// Describes the picture for screen readers.
fn in_words(topics: &[(&str, [usize; 4])]) -> String {
    let of_topic = topics.iter().map(|(title, counts)| {
        let classes = counts.iter().zip(CLASSES).filter(|(count, _)| **count > 0);
        let classes = classes.map(|(count, (_, name))| format!("{name} for {count}"));
        let classes: Vec<_> = classes.collect();
        format!("{title}: {} disallowed", classes.join(", "))
    });
    of_topic.collect::<Vec<_>>().join("; ")
}

fn write_legend(output: &mut impl Write) -> io::Result<()> {
    output.write_all(b"<text x=\"0\" y=\"12\">disallowed:</text>\n")?;
    for (nth, (class, name)) in CLASSES.into_iter().enumerate() {
        let x = NAMES_WIDTH + nth * 120;
        write_square(output, x, 3, class)?;
        writeln!(
            output,
            "<text x=\"{}\" y=\"12\">{name}</text>",
            x + STEP + 4
        )?;
    }
    Ok(())
}

/// Writes a square: full for everything, half full for some, empty for nothing, and a line for
/// undecided. It can be read without colors.
fn write_square(
    output: &mut impl Write,
    x: usize,
    y: usize,
    class: Option<ExtentClass>,
) -> io::Result<()> {
    let half = SQUARE / 2;
    let (border, fill) = match class {
        Some(ExtentClass::EverythingDisallowed) => ("all", Some((0, SQUARE))),
        Some(ExtentClass::SomeDisallowed) => ("part", Some((half, half))),
        Some(ExtentClass::NothingDisallowed) => ("none", None),
        None => ("unclear", Some((half, 1))),
    };
    write!(
        output,
        "<rect class=\"{border}\" x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\"/>"
    )?;
    if let Some((from, height)) = fill {
        write!(
            output,
            "<rect class=\"{border} full\" x=\"{x}\" y=\"{}\" width=\"{SQUARE}\" height=\"{height}\"/>",
            y + from
        )?;
    }
    output.write_all(b"\n")
}
