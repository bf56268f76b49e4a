//! Who may fetch what, for people, under a heading for each purpose.

use std::collections::BTreeMap;
use std::io::{self, Write};

use verger_compare::ExtentClass;
use verger_crawlers::Purpose;
use verger_owner::WhoRow;

use crate::screen::byte_text::legible;
use crate::screen::palette::{ALLOWED, DISALLOWED, DOUBTFUL, FAINT, HEADING};

#[derive(Clone, Copy, Debug)]
enum Under {
    AnyOther,
    Purpose(Purpose),
    NotKnown,
}

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

/// Writes all rows, then the user-agent lines that name a different crawler than they seem to.
pub(super) fn write(
    output: &mut impl Write,
    rows: &[WhoRow<'_>],
    cut: &[String],
) -> io::Result<()> {
    let purposes = Purpose::ALL.iter().copied().map(Under::Purpose);
    for under in [Under::AnyOther]
        .into_iter()
        .chain(purposes)
        .chain([Under::NotKnown])
    {
        let of_purpose = rows.iter().filter(|row| is_under(row, under));
        let mut together: BTreeMap<(bool, Same), Vec<&WhoRow<'_>>> = BTreeMap::new();
        for row in of_purpose {
            let same = same(row);
            let key = (same.class.is_none(), same);
            together.entry(key).or_default().push(row);
        }
        if together.is_empty() {
            continue;
        }
        let heading = match under {
            Under::AnyOther => "crawlers that no group names",
            Under::Purpose(purpose) => purpose.as_str(),
            Under::NotKnown => "not in the registry",
        };
        writeln!(output, "{HEADING}{heading}{HEADING:#}")?;
        for ((_, same), rows) in &together {
            write_together(output, *same, rows)?;
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

/// Returns whether a crawler is shown there. It is shown under each of its purposes.
fn is_under(row: &WhoRow<'_>, under: Under) -> bool {
    let is_unnamed = row.crawler.crawler().tokens().is_empty();
    match under {
        Under::AnyOther => is_unnamed,
        Under::Purpose(purpose) => {
            let known = row.crawler.known();
            known.is_some_and(|known| known.purposes().contains(&purpose))
        }
        Under::NotKnown => !is_unnamed && row.crawler.known().is_none(),
    }
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

fn write_together(output: &mut impl Write, same: Same, rows: &[&WhoRow<'_>]) -> io::Result<()> {
    let (style, word) = match same.class.map(|class| class.0) {
        Some(ExtentClass::EverythingDisallowed) => (DISALLOWED, "all disallowed"),
        Some(ExtentClass::SomeDisallowed) => (DOUBTFUL, "some disallowed"),
        Some(ExtentClass::NothingDisallowed) => (ALLOWED, "all allowed"),
        None => (DOUBTFUL, "not decided"),
    };
    let names: Vec<String> = rows.iter().map(|row| name(row)).collect();
    write!(output, "  {style}{word:<15}{style:#} {FAINT}")?;
    match (same.line, same.is_star) {
        (0, _) => write!(output, "no group")?,
        (line, true) => write!(output, "group of line {line}, by `*`")?,
        (line, false) => write!(output, "group of line {line}")?,
    }
    if same.rule_line > 0 {
        write!(output, ", rule in line {}", same.rule_line)?;
    }
    writeln!(output, "{FAINT:#}: {}", names.join(", "))
}

/// Returns the name, and the token that it falls back to.
fn name(row: &WhoRow<'_>) -> String {
    let name = legible(row.crawler.name().as_bytes());
    match &row.group {
        Some(group) if !group.is_own && group.token.is_some() => {
            let token = group.token.as_deref().unwrap_or_default();
            format!("{name} (as {})", legible(token.as_bytes()))
        }
        _ if row.crawler.crawler().tokens().is_empty() => "*".to_owned(),
        _ => name,
    }
}
