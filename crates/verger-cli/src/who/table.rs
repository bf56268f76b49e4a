//! Who may fetch what, for people, by topic.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use anstyle::Style;
use verger_compare::ExtentClass;
use verger_crawlers::Purpose;
use verger_owner::{Topic, TopicSummary, WhoRow, summary};

use crate::screen::byte_text::legible;
use crate::screen::palette::{ALLOWED, DISALLOWED, DOUBTFUL, FAINT, HEADING};

/// The facts by which crawlers are grouped: their class, everything disallowed first and undecided
/// last, the first line of the group, whether it is for `*`, and the line of a rule.
type Same = (bool, Reverse<Option<ExtentClass>>, u32, bool, u32);

/// Writes the number of crawlers of each topic and class, and the names of the best known.
pub(super) fn write_summary(
    output: &mut impl Write,
    rows: &[WhoRow<'_>],
    site: &str,
) -> io::Result<()> {
    for TopicSummary { topic, classes, .. } in summary(rows) {
        write!(output, "{HEADING}{:<22}{HEADING:#}", topic.title)?;
        for (nth, of_class) in classes.iter().enumerate() {
            let semicolon = if nth == 0 { " " } else { "; " };
            let (style, word) = style_of(of_class.class);
            write!(output, "{semicolon}{style}{word}{style:#}")?;
            match rows
                .iter()
                .find(|it| topic.is_any_other() && topic.covers(it))
            {
                Some(row) => {
                    let url = row.extent.disallowed().witness().map(|it| it.url(site));
                    let url = url.map_or_else(String::new, |url| format!(" ({url})"));
                    write!(output, "{}{url}", by_rules(row))?;
                }
                None => write!(output, " {}: {}", of_class.count, of_class.first.join(", "))?,
            }
        }
        writeln!(output)?;
    }
    let help = "`--all` lists all names, `--purpose ai-train` those of a purpose";
    writeln!(output, "{FAINT}{help}{FAINT:#}")
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
        let mut together: BTreeMap<Same, Vec<&WhoRow<'_>>> = BTreeMap::new();
        for row in rows.iter().filter(|row| topic.covers(row)) {
            together.entry(same(row)).or_default().push(row);
        }
        if together.is_empty() {
            continue;
        }
        let purpose = purpose.map_or_else(String::new, |it| format!(" (@{it})"));
        writeln!(output, "{HEADING}{}{purpose}{HEADING:#}", topic.title)?;
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
    let (class, group) = (row.extent.class(), row.group.as_ref());
    let line = group.map_or(0, |group| group.first_line.get());
    let is_star = group.is_some_and(|group| group.token.is_none());
    let rule_line = row.disallowed_by.map_or(0, verger::LineNumber::get);
    (class.is_none(), Reverse(class), line, is_star, rule_line)
}

fn write_together(output: &mut impl Write, rows: &[&WhoRow<'_>]) -> io::Result<()> {
    let names: Vec<String> = rows.iter().map(|row| name(row)).collect();
    let Some(first) = rows.first() else {
        return Ok(());
    };
    let (style, word) = style_of(first.extent.class());
    write!(output, "  {style}{word:<7}{style:#} {FAINT}")?;
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

fn style_of(class: Option<ExtentClass>) -> (Style, &'static str) {
    match class {
        Some(ExtentClass::EverythingDisallowed) => (DISALLOWED, "closed"),
        Some(ExtentClass::SomeDisallowed) => (DOUBTFUL, "partly"),
        Some(ExtentClass::NothingDisallowed) => (ALLOWED, "open"),
        None => (DOUBTFUL, "undecided"),
    }
}

/// Returns the name, and the token that it falls back to.
fn name(row: &WhoRow<'_>) -> String {
    let name = &row.name;
    match &row.group {
        Some(group) if !group.is_own && group.token.is_some() => {
            let token = group.token.as_deref().unwrap_or_default();
            format!("{name} (as {})", legible(token.as_bytes()))
        }
        _ => name.clone(),
    }
}
