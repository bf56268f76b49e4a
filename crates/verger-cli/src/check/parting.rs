//! Where two readings of one body part: the line from which on they put what follows into
//! different groups.
//!
//! Both are followed line by line. Two readings may part and meet again; what keeps a line out of
//! a group is the last place at which they parted before it. Which groups of the two are alike is
//! for the caller to say: the same ones, or those that speak to one crawler.

use verger::{Line, LineKind, LineNumber, RecordKind, RobotsTxt};

use super::dialect_ways::blank_line_ends_the_record;

/// The line at which two readings part and do not meet again up to `until`, which is included;
/// `None` where they have groups open there that are `alike`.
pub(super) fn parting(
    one: &RobotsTxt,
    other: &RobotsTxt,
    until: LineNumber,
    alike: impl Fn(LineNumber, LineNumber) -> bool,
) -> Option<LineNumber> {
    let mut places = [Place::OUTSIDE; 2];
    let mut lines = [one.lines(), other.lines()];
    let readings = [one, other];
    let mut parted = None;
    for number in (1..=until.get()).filter_map(LineNumber::new) {
        for ((place, lines), reading) in places.iter_mut().zip(&mut lines).zip(readings) {
            if let Some(line) = lines.next() {
                *place = place.after(Step::of(&line, reading), number);
            }
        }
        let have_met = match places.map(|place| place.group) {
            [None, None] => true,
            [Some(of_one), Some(of_other)] => {
                alike(of_one, of_other) && places[0].is_ruled == places[1].is_ruled
            }
            _ => false,
        };
        parted = if have_met {
            None
        } else {
            parted.or(Some(number))
        };
    }
    parted
}

/// Where a reading stands among the groups.
#[derive(Clone, Copy)]
struct Place {
    /// The first line of the open group.
    group: Option<LineNumber>,
    /// Whether a rule stands in it, so that a user-agent line opens another.
    is_ruled: bool,
}

/// What a line does to groups.
#[derive(Clone, Copy)]
enum Step {
    Name,
    Rule,
    End,
    Nothing,
}

impl Step {
    fn of(line: &Line<'_>, reading: &RobotsTxt) -> Self {
        match line.kind() {
            LineKind::Record(record) if record.kind() == RecordKind::UserAgent => Self::Name,
            LineKind::Record(record) if record.kind().is_rule() => Self::Rule,
            LineKind::Blank if blank_line_ends_the_record(reading.dialect()) => Self::End,
            _ => Self::Nothing,
        }
    }
}

impl Place {
    const OUTSIDE: Self = Self {
        group: None,
        is_ruled: false,
    };

    fn after(self, step: Step, line: LineNumber) -> Self {
        match (step, self.group) {
            (Step::Name, Some(_)) if !self.is_ruled => self,
            (Step::Name, _) => Self {
                group: Some(line),
                is_ruled: false,
            },
            (Step::Rule, Some(_)) => Self {
                is_ruled: true,
                ..self
            },
            (Step::End, _) => Self::OUTSIDE,
            (Step::Rule, None) | (Step::Nothing, _) => self,
        }
    }
}
