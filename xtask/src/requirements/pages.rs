//! The generated parts of the pages.

use std::fmt::Write as _;

use verger::Document;
use verger_testkit::case::{Clause, ClauseStatus};

use crate::citations::Citations;

/// Renders a part for each document, with a row for each requirement.
pub(super) fn requirements(clauses: &[Clause], citations: &Citations) -> Result<String, String> {
    let mut page = String::new();
    for &document in Document::ALL {
        if matches!(document, Document::Choices | Document::Own) {
            continue;
        }
        let of_document: Vec<(&Clause, verger::Clause)> = clauses
            .iter()
            .filter_map(|clause| Some((clause, typed(&clause.id)?)))
            .filter(|(_, typed)| typed.document() == document)
            .collect();
        if of_document.is_empty() {
            return Err(format!("no requirement of {}", document.name()));
        }
        let name = document.name();
        let _ = write!(
            page,
            "## {name}\n\n| id | place | level | requirement | cases |\n|---|---|---|---|---|\n"
        );
        for (clause, typed) in of_document {
            let place = typed.to_string();
            let place = place.strip_prefix(name).unwrap_or(&place);
            let cited = match (citations.links(&clause.id), clause.status) {
                (cited, _) if !cited.is_empty() => cited,
                (_, ClauseStatus::Prose) => "none, not testable".to_owned(),
                (_, ClauseStatus::Text | ClauseStatus::Access) => "none".to_owned(),
            };
            let _ = writeln!(
                page,
                "| `{}` | {} | {} | {} | {cited} |",
                clause.id,
                place.trim_start_matches([',', ' ']),
                clause.level.as_deref().unwrap_or_default(),
                cell(&clause.sentence),
            );
        }
        page.push('\n');
    }
    Ok(page.trim_end().to_owned() + "\n")
}

/// Renders a paragraph for each choice.
pub(super) fn choices(clauses: &[Clause], citations: &Citations) -> String {
    let mut page = String::new();
    for clause in clauses {
        let Some(reason) = &clause.reason else {
            continue;
        };
        if let Some(topic) = &clause.topic {
            let _ = write!(page, "## {topic}\n\n");
        }
        let _ = write!(
            page,
            "### {}\n\n{}\n\n*Why:* {reason}\n\n",
            clause.id, clause.sentence
        );
        let cited = citations.links(&clause.id);
        if !cited.is_empty() {
            let _ = write!(page, "*Cases:* {cited}\n\n");
        }
    }
    page.trim_end().to_owned() + "\n"
}

/// Renders a line for each clause: id, level and sentence separated by tabs, and the reason of a choice.
pub(super) fn sentences(clauses: &[Clause]) -> String {
    let (choices, requirements): (Vec<_>, Vec<_>) =
        clauses.iter().partition(|it| it.reason.is_some());
    let mut lines = String::new();
    for clause in requirements.into_iter().chain(choices) {
        let level = clause.level.as_deref().unwrap_or_default();
        let _ = write!(lines, "{}\t{level}\t{}", clause.id, clause.sentence);
        if let Some(reason) = &clause.reason {
            let _ = write!(lines, "\t{reason}");
        }
        lines.push('\n');
    }
    lines
}

/// Returns the engine's type of an id. It requires a static string, so this leaks the few hundred ids of a page.
fn typed(id: &str) -> Option<verger::Clause> {
    verger::Clause::from_id(Box::leak(id.to_owned().into_boxed_str()))
}

/// Escapes characters that would end a table cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use verger_testkit::case::{Corpus, load_text};

    use super::*;

    fn corpus() -> Corpus {
        let text = "[[choice]]\nid = \"V-1\"\ntopic = \"Names\"\nstatus = \"text\"\n\
                    sentence = \"One name.\"\nreason = \"It is simple.\"\n\
                    [[choice]]\nid = \"V-2\"\nstatus = \"text\"\nsentence = \"`a|b`.\"\n\
                    reason = \"Why not.\"\n";
        load_text("a.toml", text).unwrap()
    }

    #[test]
    fn a_choice_has_its_reason_and_its_cases() {
        let mut citations = Citations::default();
        citations.add("one", "testdata/a.toml", &["V-1".to_owned()]);
        citations.add("two", "testdata/a.toml", &["V-1".to_owned()]);
        assert_eq!(
            choices(&corpus().clauses, &citations),
            "## Names\n\n### V-1\n\nOne name.\n\n*Why:* It is simple.\n\n\
             *Cases:* [a.toml](../../testdata/a.toml) (2)\n\n\
             ### V-2\n\n`a|b`.\n\n*Why:* Why not.\n"
        );
    }

    #[test]
    fn sentences_are_lines() {
        assert_eq!(
            sentences(&corpus().clauses),
            "V-1\t\tOne name.\tIt is simple.\nV-2\t\t`a|b`.\tWhy not.\n"
        );
    }

    #[test]
    fn a_document_without_requirements_is_a_mistake() {
        let missing = requirements(&corpus().clauses, &Citations::default());
        assert_eq!(missing, Err("no requirement of RFC 9309".to_owned()));
    }

    #[test]
    fn requirements_are_rows_by_document() {
        let ids = [
            "R9309-2.3-1",
            "D00-1-1",
            "K96-1-1",
            "K96M-1",
            "G-url-1",
            "GH-1",
            "G26-5xx-1",
            "GL-key-1",
            "SM-1",
            "AA-1",
            "AV-1",
            "CS-1",
            "RSL-1",
            "GM-1",
            "RX-1-1",
            "BM-1",
        ];
        let mut text = String::new();
        for id in ids {
            let _ = writeln!(
                text,
                "[[clause]]\nid = \"{id}\"\nstatus = \"prose\"\nlevel = \"MAY\"\nsentence = \"S.\""
            );
        }
        let corpus = load_text("a.toml", &text).unwrap();
        let page = requirements(&corpus.clauses, &Citations::default()).unwrap();
        assert!(page.starts_with(
            "## RFC 9309\n\n| id | place | level | requirement | cases |\n|---|---|---|---|---|\n\
             | `R9309-2.3-1` | 2.3 | MAY | S. | none, not testable |\n\n## draft-koster-rep-00\n"
        ));
        assert!(page.ends_with("| `BM-1` |  | MAY | S. | none, not testable |\n"));
    }
}
