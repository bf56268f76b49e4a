//! The listing for people.

use std::io::{self, Write};

use verger::{ProductToken, Record};
use verger_answer::parsed::{Listing, Scope, Value, placed};
use verger_answer::{CountOf, ResolvedCrawler};
use verger_inputs::Source;

use crate::screen::byte_text::legible;
use crate::screen::palette::{self, FAINT, HEADING};

pub(super) fn write_listing(
    output: &mut impl Write,
    listing: &Listing<'_>,
    source: &Source,
) -> io::Result<()> {
    let robots = listing.robots;
    let dialect = robots.dialect();
    let size = [
        CountOf(robots.lines().count(), "line", "lines").to_string(),
        CountOf(robots.body().len(), "byte", "bytes").to_string(),
        CountOf(robots.groups().count(), "group", "groups").to_string(),
    ];
    writeln!(output, "{source}, read as {dialect}: {}", size.join(", "))?;
    if let Some(asked) = listing.asked {
        write_merged_group(output, listing, asked)?;
        write_values(output, listing, asked)?;
        return write_diagnostics(output, listing);
    }
    for group in robots.groups() {
        let line = group.line();
        write!(output, "\n{HEADING}group at line {line}{HEADING:#}")?;
        if !group.is_record() {
            write!(output, "  {FAINT}no record, since it has no rule{FAINT:#}")?;
        }
        writeln!(output)?;
        for record in group.records() {
            if Listing::scope(&record) == Scope::Group {
                write_record(output, &record)?;
            }
        }
    }
    let others = [
        ("for the whole file", Scope::File),
        ("outside any group", Scope::NoCrawler),
    ];
    for (heading, scope) in others {
        let mut records = listing.records_in(scope).peekable();
        if records.peek().is_some() {
            writeln!(output, "\n{HEADING}{heading}{HEADING:#}")?;
        }
        for record in records {
            write_record(output, &record)?;
        }
    }
    write_diagnostics(output, listing)
}

/// Writes all groups that apply to one crawler as one group (RFC 9309 2.2.1).
fn write_merged_group(
    output: &mut impl Write,
    listing: &Listing<'_>,
    asked: &ResolvedCrawler,
) -> io::Result<()> {
    let name = legible(asked.label().as_bytes());
    let Some(found) = listing.robots.groups_for(asked.crawler()) else {
        return writeln!(
            output,
            "\n{HEADING}no group applies to {name}{HEADING:#}: it may fetch everything"
        );
    };
    let group = found.token().map_or("*", ProductToken::as_str);
    let lines: Vec<_> = found
        .groups()
        .iter()
        .map(|it| it.line().to_string())
        .collect();
    let (last, others) = match lines.split_last() {
        Some((last, [])) => (format!("line {last}"), String::new()),
        Some((last, others)) => (
            format!(" and {last}"),
            format!("lines {}", others.join(", ")),
        ),
        None => return Ok(()),
    };
    writeln!(
        output,
        "\n{HEADING}group for {name}{HEADING:#}, at {others}{last} ({group})"
    )?;
    for group in found.groups() {
        for record in group.records() {
            if Listing::scope(&record) == Scope::Group {
                write_record(output, &record)?;
            }
        }
    }
    Ok(())
}

/// Writes values other than rules.
fn write_values(
    output: &mut impl Write,
    listing: &Listing<'_>,
    asked: &ResolvedCrawler,
) -> io::Result<()> {
    let name = legible(asked.label().as_bytes());
    writeln!(output, "\n{HEADING}for {name}{HEADING:#}")?;
    let values = listing.values_for_crawler();
    if values.is_empty() {
        writeln!(output, "        {FAINT}nothing beside the rules{FAINT:#}")?;
    }
    for Value { line, kind, text } in values {
        let line = line.map_or_else(String::new, |line| line.to_string());
        let text = legible(text.as_bytes());
        writeln!(output, "{line:>6}  {kind}: {text}")?;
    }
    Ok(())
}

fn write_record(output: &mut impl Write, record: &Record<'_>) -> io::Result<()> {
    let line = record.line();
    let text = legible(record.text());
    let style = record.as_rule().map(|rule| palette::of(rule.effect()));
    let style = style.unwrap_or_default();
    writeln!(output, "{line:>6}  {style}{text}{style:#}")
}

fn write_diagnostics(output: &mut impl Write, listing: &Listing<'_>) -> io::Result<()> {
    let mut diagnostics = placed(listing.robots).peekable();
    if diagnostics.peek().is_some() {
        writeln!(
            output,
            "\n{HEADING}ignored, cut, or read otherwise{HEADING:#}"
        )?;
    }
    for (place, diagnostic) in diagnostics {
        let place = match place {
            Some((line, column)) => format!("{line}:{column}"),
            None => "file".to_owned(),
        };
        let message = legible(diagnostic.kind.to_string().as_bytes());
        let clause = diagnostic.kind.clause();
        writeln!(output, "{place:>8}  {message} {FAINT}({clause}){FAINT:#}")?;
    }
    Ok(())
}
