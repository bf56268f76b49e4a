//! The rows of the table: one for each question that the dialects answer differently.

use std::collections::BTreeSet;
use std::fmt::Write;

use verger_testkit::case::{Ask, Case, Corpus};
use verger_testkit::subject::DialectName;

/// The whole table in Markdown.
pub(super) fn render(corpus: &Corpus) -> String {
    let dialects = DialectName::ALL.map(|dialect| format!("`{}`", dialect.as_str()));
    let mut table = format!(
        "| case | question | {} | Google's page | why |\n|{}\n",
        dialects.join(" | "),
        "---|".repeat(DialectName::ALL.len() + 4)
    );
    for case in &corpus.cases {
        let Some(why) = &case.why else {
            continue;
        };
        let contested = case.asks.iter().filter(|ask| is_contested(case, ask));
        for (ask, is_first) in contested.zip(std::iter::once(true).chain(std::iter::repeat(false)))
        {
            let verdicts = DialectName::ALL.map(|dialect| {
                let verdict = ask.verdicts.get(&dialect);
                verdict.map_or("–".to_owned(), ToString::to_string)
            });
            let page = case.google_page.as_deref().unwrap_or_default();
            // What is true of the whole case stands in its first row.
            let (name, why) = if is_first {
                (
                    format!("[{}](../testdata/{})", case.id, case.file),
                    why.as_str(),
                )
            } else {
                (String::new(), "")
            };
            let cells = [
                question(case, ask),
                verdicts.join(" | "),
                escaped(page),
                escaped(why),
            ];
            // Writing to a text cannot fail.
            let _ = writeln!(table, "| {name} | {} |", cells.join(" | "));
        }
    }
    table
}

/// Whether the dialects answer differently, or Google's page otherwise than its library.
fn is_contested(case: &Case, ask: &Ask) -> bool {
    let answers: BTreeSet<String> = ask.verdicts.values().map(ToString::to_string).collect();
    answers.len() > 1 || case.google_page.is_some()
}

fn question(case: &Case, ask: &Ask) -> String {
    let agents: Vec<String> = ask.agents.iter().map(|agent| code(agent)).collect();
    let url = match std::str::from_utf8(&ask.url) {
        Ok(url) => code(&url.escape_debug().to_string()),
        Err(_) => code(&ask.url.escape_ascii().to_string()),
    };
    let option = case
        .option
        .map_or(String::new(), |option| format!(" ({})", option.as_str()));
    format!("{} {url}{option}", agents.join(", "))
}

/// A code span, its backticks outnumbered.
fn code(text: &str) -> String {
    let text = escaped(text);
    if text.is_empty() {
        return "(empty)".to_owned();
    }
    if text.contains('`') {
        format!("`` {text} ``")
    } else {
        format!("`{text}`")
    }
}

/// A text that does not end its cell.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
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
            clauses = ["B1"]
            why = "one | two"
            robots = "User-agent: *\nDisallow: /a\nAllow: /a/b\n"
            ask = [
              { agent = "Foo", url = "/a/b|", all = "allow 3", koster1996 = "disallow 2" },
              { agent = "Foo", url = "/a", all = "disallow 2" },
              { agents = ["Foo", "Bar"], url = "/a/b/c", all = "allow 3", koster1996 = "disallow 2" },
            ]
        "#;
        let corpus = load_text("few.toml", text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            render(&corpus),
            "| case | question | `rfc9309` | `google` | `draft2019` | `koster1996` | Google's page | why |\n\
             |---|---|---|---|---|---|---|---|\n\
             | [a-case](../testdata/few.toml) | `Foo` `/a/b\\|` | allow 3 | allow 3 | allow 3 | disallow 2 |  | one \\| two |\n\
             |  | `Foo`, `Bar` `/a/b/c` | allow 3 | allow 3 | allow 3 | disallow 2 |  |  |\n"
        );
    }

    #[test]
    fn backticks_are_outnumbered() {
        assert_eq!(code("a`b"), "`` a`b ``");
        assert_eq!(code(""), "(empty)");
    }
}
