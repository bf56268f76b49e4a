//! Who may fetch what, for people, by topic.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};

use anstyle::Style;
use verger_answer::CountOf;
use verger_compare::ExtentClass;
use verger_crawlers::Purpose;
use verger_owner::{ClassSummary, Topic, WhoRow, summary};

use crate::screen::byte_text::legible;
use crate::screen::palette::{ALLOWED, DISALLOWED, DOUBTFUL, FAINT, HEADING};

/// The facts by which crawlers are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Same {
    /// Everything disallowed comes first, undecided last.
    class: Option<std::cmp::Reverse<ExtentClass>>,
    /// First line of the group, or 0 if there is none.
    line: u32,
    is_star: bool,
    rule_line: u32,
}

/// Writes the number of crawlers of each topic and class, and the names of the best known.
pub(super) fn write_summary(
    output: &mut impl Write,
    rows: &[WhoRow<'_>],
    cut: &[String],
    site: &str,
) -> io::Result<()> {
    for topic in summary(rows) {
        write!(output, "{HEADING}{:<23}{HEADING:#}", topic.topic.title())?;
        match (topic.topic.purpose(), rows) {
            (None, [row, ..]) if topic.topic.covers(row) => {
                let class = Class::of(row.extent.class());
                write!(output, "{class}{}", by_rules(row))?;
                if let Some(url) = row.extent.disallowed().witness() {
                    write!(output, " ({})", url.url(site))?;
                }
            }
            _ => write!(output, "{}", classes(&topic.classes))?,
        }
        writeln!(output)?;
    }
    if !cut.is_empty() {
        let lines = CountOf(cut.len(), "line names", "lines name");
        writeln!(
            output,
            "{lines} no crawler, or a different one than it seems"
        )?;
    }
    writeln!(
        output,
        "{FAINT}`--all` lists all names, `--purpose ai-train` those of a purpose{FAINT:#}"
    )
}

/// Lists the classes of a topic: `open 2: a, b; closed 9: c, d, e, …`.
fn classes(classes: &[ClassSummary]) -> String {
    let classes = classes.iter().map(|it| {
        let more = if it.count > it.first.len() {
            ", …"
        } else {
            ""
        };
        let (class, count, names) = (Class::of(it.class), it.count, it.first.join(", "));
        format!("{class} {count}: {names}{more}")
    });
    classes.collect::<Vec<_>>().join("; ")
}

/// Writes the rows of these topics, and all without a list of topics. Then writes the user-agent
/// lines that name a different crawler than they seem to.
pub(super) fn write(
    output: &mut impl Write,
    rows: &[WhoRow<'_>],
    purposes: &[Purpose],
    cut: &[String],
) -> io::Result<()> {
    for topic in Topic::ALL {
        let purpose = topic.purpose();
        if !purposes.is_empty() && !purpose.is_some_and(|it| purposes.contains(&it)) {
            continue;
        }
        let of_topic = rows.iter().filter(|row| topic.covers(row));
        let mut together: BTreeMap<(bool, Same), Vec<&WhoRow<'_>>> = BTreeMap::new();
        for row in of_topic {
            let same = same(row);
            let key = (same.class.is_none(), same);
            together.entry(key).or_default().push(row);
        }
        if together.is_empty() {
            continue;
        }
        let purpose = purpose.map_or_else(String::new, |it| format!(" (@{it})"));
        writeln!(output, "{HEADING}{}{purpose}{HEADING:#}", topic.title())?;
        for rows in together.values() {
            write_together(output, rows)?;
        }
    }
    if !cut.is_empty() {
        let heading = "lines that name no crawler, or a different one than they seem to";
        writeln!(output, "{HEADING}{heading}{HEADING:#}")?;
    }
    for line in cut {
        writeln!(output, "  {}", legible(line.as_bytes()))?;
    }
    Ok(())
}

fn same(row: &WhoRow<'_>) -> Same {
    let group = row.group.as_ref();
    Same {
        class: row.extent.class().map(std::cmp::Reverse),
        line: group.map_or(0, |group| group.first_line.get()),
        is_star: group.is_some_and(|group| group.token.is_none()),
        rule_line: row.disallowed_by.map_or(0, verger::LineNumber::get),
    }
}

fn write_together(output: &mut impl Write, rows: &[&WhoRow<'_>]) -> io::Result<()> {
    let names: Vec<String> = rows.iter().map(|row| name(row)).collect();
    let Some(first) = rows.first() else {
        return Ok(());
    };
    write!(output, "  {:<7} {FAINT}", Class::of(first.extent.class()))?;
    match &first.group {
        None => write!(output, "no group")?,
        Some(group) => {
            let by_star = if group.token.is_none() {
                ", by `*`"
            } else {
                ""
            };
            write!(output, "group of line {}{by_star}", group.first_line)?;
        }
    }
    writeln!(output, "{}{FAINT:#}: {}", by_rules(first), names.join(", "))
}

/// Returns the number of rules that disallow something, and the line of one: `, by 9 rules, as line 7`.
fn by_rules(row: &WhoRow<'_>) -> String {
    match (row.disallowed_by, row.disallow_rules) {
        (None, _) => String::new(),
        (Some(line), 1) => format!(", by line {line}"),
        (Some(line), count) => format!(", by {count} rules, as line {line}"),
    }
}

/// The word for a class of crawlers, in its color.
struct Class(Style, &'static str);

impl Class {
    fn of(class: Option<ExtentClass>) -> Self {
        match class {
            Some(ExtentClass::EverythingDisallowed) => Self(DISALLOWED, "closed"),
            Some(ExtentClass::SomeDisallowed) => Self(DOUBTFUL, "partly"),
            Some(ExtentClass::NothingDisallowed) => Self(ALLOWED, "open"),
            None => Self(DOUBTFUL, "undecided"),
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        f.pad(self.1)?;
        write!(f, "{:#}", self.0)
    }
}

/// Returns the name, and the token that it falls back to.
fn name(row: &WhoRow<'_>) -> String {
    let name = row.shown_name();
    match &row.group {
        Some(group) if !group.is_own && group.token.is_some() => {
            let token = group.token.as_deref().unwrap_or_default();
            format!("{name} (as {})", legible(token.as_bytes()))
        }
        _ => name,
    }
}
