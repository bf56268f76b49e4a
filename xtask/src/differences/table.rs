//! One table for each case that the dialects answer differently, below its body.

use std::collections::BTreeSet;
use std::fmt::Write;

use verger_testkit::case::{Ask, Case, Corpus};
use verger_testkit::subject::DialectName;

/// Maximum number of body lines shown.
const LINES_MAX: usize = 20;

/// Maximum number of characters shown per line.
const CHARACTERS_MAX: usize = 100;

/// Renders all cases that need a reason, by file, as Markdown.
pub(super) fn render(corpus: &Corpus) -> String {
    let mut page = String::new();
    let mut file = "";
    for case in &corpus.cases {
        let Some(why) = &case.why else {
            continue;
        };
        let contested = case.asks.iter().filter(|ask| is_contested(case, ask));
        let contested: Vec<&Ask> = contested.collect();
        if contested.is_empty() {
            continue;
        }
        if file != case.file {
            file = &case.file;
            let _ = writeln!(page, "## [{file}](../../testdata/{file})\n");
        }
        let _ = writeln!(page, "### {}\n", case.id.replace('-', " "));
        let option = case.option.map_or(String::new(), |option| {
            format!(" (option `{}`)", option.as_str())
        });
        let _ = writeln!(page, "{}{option}.\n", with_capital(why));
        let _ = writeln!(page, "{}\n", body_block(&case.robots));
        page.push_str(&verdict_table(&contested));
        if let Some(of_page) = &case.google_page {
            let _ = writeln!(page, "\nGoogle's documentation says: {of_page}.");
        }
        page.push('\n');
    }
    page
}

fn with_capital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// Renders the body with line numbers and escaped control bytes.
fn body_block(robots: &[u8]) -> String {
    let text = String::from_utf8_lossy(robots);
    let unified = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines = unified.strip_suffix('\n').unwrap_or(&unified).split('\n');
    let lines: Vec<&str> = lines.collect();
    let mut block = "```text\n".to_owned();
    for (number, line) in (1..).zip(lines.iter().take(LINES_MAX)) {
        let shown: String = line.chars().take(CHARACTERS_MAX).map(visible).collect();
        let more = line.chars().nth(CHARACTERS_MAX).map_or("", |_| "…");
        let numbered = format!("{number:>3}  {shown}{more}");
        let _ = writeln!(block, "{}", numbered.trim_end());
    }
    if lines.len() > LINES_MAX {
        let _ = writeln!(block, "  …  ({} lines)", lines.len());
    }
    block + "```"
}

/// Returns a visible form of a character.
fn visible(character: char) -> String {
    match character {
        '\u{FEFF}' => "<BOM>".to_owned(),
        character if character.is_control() => character.escape_default().to_string(),
        character => character.to_string(),
    }
}

fn verdict_table(asks: &[&Ask]) -> String {
    let dialects = DialectName::ALL.map(|dialect| format!("`{}`", dialect.as_str()));
    let mut table = format!(
        "| question | {} |\n|{}\n",
        dialects.join(" | "),
        "---|".repeat(DialectName::ALL.len() + 1)
    );
    for ask in asks {
        let verdicts = DialectName::ALL.map(|dialect| {
            let verdict = ask.verdicts.get(&dialect);
            verdict.map_or("–".to_owned(), ToString::to_string)
        });
        let _ = writeln!(table, "| {} | {} |", question(ask), verdicts.join(" | "));
    }
    table
}

/// Whether the dialects differ, or Google's documentation differs from its library.
fn is_contested(case: &Case, ask: &Ask) -> bool {
    let answers: BTreeSet<String> = ask.verdicts.values().map(ToString::to_string).collect();
    answers.len() > 1 || case.google_page.is_some()
}

fn question(ask: &Ask) -> String {
    let agents: Vec<String> = ask.agents.iter().map(|agent| code(agent)).collect();
    let url = match std::str::from_utf8(&ask.url) {
        Ok(url) => code(&url.escape_debug().to_string()),
        Err(_) => code(&ask.url.escape_ascii().to_string()),
    };
    format!("{} {url}", agents.join(", "))
}

/// Renders a code span with enough backticks.
fn code(text: &str) -> String {
    // A bar would end the cell.
    let text = text.replace('|', "\\|").replace('\n', " ");
    if text.is_empty() {
        return "(empty)".to_owned();
    }
    if text.contains('`') {
        format!("`` {text} ``")
    } else {
        format!("`{text}`")
    }
}

#[cfg(test)]
mod tests {
    use verger_testkit::case::load_text;

    use super::*;

    #[test]
    fn a_question_on_which_all_agree_has_no_row() {
        let text = r#"
            [[case]]
            id = "a-case"
            clauses = ["V-1"]
            why = "one and two"
            robots = "User-agent: *\nDisallow: /a\rAllow: /a/b\u0001\n"
            ask = [
              { agent = "Foo", url = "/a/b|", all = "allow 3", koster1996 = "disallow 2" },
              { agent = "Foo", url = "/a", all = "disallow 2" },
              { agents = ["Foo", "Bar"], url = "/a/b/c", all = "allow 3", koster1996 = "disallow 2" },
            ]
        "#;
        let corpus = load_text("few.toml", text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            render(&corpus),
            "## [few.toml](../../testdata/few.toml)\n\n\
             ### a case\n\n\
             One and two.\n\n\
             ```text\n  1  User-agent: *\n  2  Disallow: /a\n  3  Allow: /a/b\\u{1}\n```\n\n\
             | question | `rfc9309` | `google` | `draft2019` | `koster1996` |\n\
             |---|---|---|---|---|\n\
             | `Foo` `/a/b\\|` | allow 3 | allow 3 | allow 3 | disallow 2 |\n\
             | `Foo`, `Bar` `/a/b/c` | allow 3 | allow 3 | allow 3 | disallow 2 |\n\n"
        );
    }

    #[test]
    fn a_long_body_is_cut() {
        let long = format!("{}\n", "a".repeat(CHARACTERS_MAX + 1)).repeat(LINES_MAX + 1);
        let block = body_block(long.as_bytes());
        assert_eq!(block.lines().count(), LINES_MAX + 3);
        assert!(
            block.contains("a…\n") && block.contains("(21 lines)"),
            "{block}"
        );
    }

    #[test]
    fn backticks_are_outnumbered() {
        assert_eq!(code("a`b"), "`` a`b ``");
        assert_eq!(code(""), "(empty)");
    }
}
