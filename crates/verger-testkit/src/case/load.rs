use std::path::{Path, PathBuf};

use super::citation::unknown_citation;
use super::corpus::Corpus;
use super::tables::{
    check_case, check_choice, check_clause, check_target, check_token, check_value,
};
use crate::test_file::{TestFile, TestFileError, read_texts, refuse_repeated_ids};

/// Returns the directory of the case files in this workspace.
#[must_use]
pub fn testdata_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

/// Contains the behaviours of the hostile origin instead of cases.
const NO_CASE_FILE: &str = "origin.toml";

/// Loads every `*.toml` in `dir` except `origin.toml`, ordered by name.
///
/// # Errors
///
/// Returns the first fault: an unreadable file, a table of the wrong shape, a repeated id, an
/// unknown clause, or a line that the body does not have.
pub fn load_all(dir: &Path) -> Result<Corpus, TestFileError> {
    let texts = read_texts(dir, Some(NO_CASE_FILE))?;
    load(texts.iter().map(|(file, text)| (&**file, &**text)))
}

/// Loads one text as if it were the only file.
///
/// # Errors
///
/// Returns the errors of [`load_all`] that do not concern the directory.
pub fn load_text(file: &str, text: &str) -> Result<Corpus, TestFileError> {
    load(std::iter::once((file, text)))
}

fn load<'a>(texts: impl Iterator<Item = (&'a str, &'a str)>) -> Result<Corpus, TestFileError> {
    let mut corpus = Corpus::default();
    for (file, text) in texts {
        read_file(file, text, &mut corpus)?;
    }
    let cited = corpus.citations().map(|(id, file, _)| (id, file));
    let answers = corpus.answers.iter().map(|it| (&*it.id, &*it.file));
    let clauses = corpus.clauses.iter().map(|it| (&*it.id, &*it.file));
    refuse_repeated_ids("", cited.chain(answers).chain(clauses))?;
    refuse_unknown_clauses(&corpus)?;
    Ok(corpus)
}

fn read_file(file: &str, text: &str, corpus: &mut Corpus) -> Result<(), TestFileError> {
    let mut tables = TestFile::read("", file, text)?;
    corpus.cases.extend(tables.take("case", check_case)?);
    corpus.patterns.extend(tables.take("pattern", |_| Ok(()))?);
    corpus.targets.extend(tables.take("target", check_target)?);
    corpus.tokens.extend(tables.take("token", check_token)?);
    corpus.listings.extend(tables.take("listing", |_| Ok(()))?);
    corpus.values.extend(tables.take("value", check_value)?);
    let preferences = tables.take("preference", |_| Ok(()))?;
    corpus.preferences.extend(preferences);
    corpus.pages.extend(tables.take("page", |_| Ok(()))?);
    corpus.answers.extend(tables.take("answer", |_| Ok(()))?);
    corpus.clauses.extend(tables.take("clause", check_clause)?);
    corpus.clauses.extend(tables.take("choice", check_choice)?);
    tables.end()
}

fn refuse_unknown_clauses(corpus: &Corpus) -> Result<(), TestFileError> {
    if corpus.clauses.is_empty() {
        return Ok(());
    }
    for (id, file, clauses) in corpus.citations() {
        if let Some(clause) = unknown_citation(&corpus.clauses, clauses) {
            let message = format!("cites `{clause}`, which is no clause");
            return Err(TestFileError::new(file, Some(id), message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::expected::ExpectedVerdict;
    use super::*;
    use crate::subject::DialectName;

    fn message(text: &str) -> String {
        load_text("some.toml", text).unwrap_err().to_string()
    }

    fn case_with(rest: &str) -> String {
        format!(
            "[[case]]\nid = \"one\"\nclauses = [\"V-1\"]\nrobots = \"User-agent: *\\n\"\n{rest}"
        )
    }

    #[test]
    fn the_files_of_this_workspace_load() {
        let corpus = load_all(&testdata_dir()).unwrap_or_else(|error| panic!("{error}"));
        assert!(!corpus.cases.is_empty());
        let uncovered: Vec<_> = corpus
            .uncovered_clauses()
            .map(|clause| &clause.id)
            .collect();
        assert!(uncovered.is_empty(), "no case cites {uncovered:?}");
    }

    #[test]
    fn a_missing_folder_is_named() {
        let error = load_all(Path::new("no/such/folder")).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("no/such/folder: cannot be read: ")
        );
    }

    #[test]
    fn an_id_that_occurs_twice_is_named_with_its_home() {
        let one = case_with("ask = [{ agent = \"a\", url = \"/\", all = \"allow no-rule\" }]\n");
        assert_eq!(
            message(&format!("{one}{one}")),
            "some.toml: one: the id is taken in some.toml"
        );
    }

    #[test]
    fn an_unknown_option_is_refused() {
        let refused = message(&case_with("option = \"fast\"\nask = []\n"));
        assert!(
            refused.starts_with("some.toml: one: unknown variant `fast`"),
            "{refused}"
        );
    }

    #[test]
    fn a_verdict_that_cannot_be_read_is_quoted() {
        let text = case_with("ask = [{ agent = \"a\", url = \"/\", all = \"deny 1\" }]\n");
        assert!(message(&text).starts_with("some.toml: one: `deny 1` is not a verdict"));
    }

    #[test]
    fn a_line_beyond_the_body_is_refused() {
        let text = case_with("ask = [{ agent = \"a\", url = \"/\", all = \"disallow 2\" }]\n");
        assert_eq!(
            message(&text),
            "some.toml: one: `disallow 2` names a line and the body has 1"
        );
    }

    #[test]
    fn an_unknown_key_is_refused() {
        let asks = |keys: &str| {
            case_with(&format!(
                "ask = [{{ agent = \"a\", url = \"/\", {keys} }}]\n"
            ))
        };
        for (text, key) in [
            (case_with("asks = []\n"), "asks"),
            (asks("al = \"error\""), "al"),
        ] {
            let expected = format!("some.toml: one: unknown field `{key}`");
            assert!(message(&text).starts_with(&expected), "{}", message(&text));
        }
        assert_eq!(
            message("[[cases]]"),
            "some.toml: `[[cases]]` is no kind of table"
        );
    }

    #[test]
    fn why_stands_exactly_where_the_dialects_differ() {
        let differs = "ask = [{ agent = \"a\", url = \"/\", all = \"allow no-rule\", \
                       koster1996 = \"allow no-group\" }]\n";
        assert_eq!(
            message(&case_with(differs)),
            "some.toml: one: the dialects differ and `why` is missing"
        );
        let agrees = "why = \"x\"\nask = [{ agent = \"a\", url = \"/\", all = \"error\" }]\n";
        assert_eq!(
            message(&case_with(agrees)),
            "some.toml: one: has a `why` and the dialects agree"
        );
    }

    #[test]
    fn a_clause_that_no_document_has_is_refused() {
        let text = case_with("ask = [{ agent = \"a\", url = \"/\", all = \"error\" }]\n")
            .replace("V-1", "R9309-9")
            + "[[clause]]\nid = \"R9309-1-1\"\nstatus = \"prose\"\nsentence = \"Scope.\"\n";
        assert_eq!(
            message(&text),
            "some.toml: one: cites `R9309-9`, which is no clause"
        );
    }

    #[test]
    fn an_own_verdict_goes_before_the_common_one() {
        let text = case_with(
            "why = \"x\"\nask = [{ agent = \"a\", url = \"/\", all = \"allow no-rule\", \
             google = \"error\" }]\n",
        );
        let corpus = load_text("some.toml", &text).unwrap();
        let verdicts = &corpus.cases[0].asks[0].verdicts;
        assert_eq!(verdicts[&DialectName::Google], ExpectedVerdict::Error);
        assert_eq!(verdicts[&DialectName::Koster1996], ExpectedVerdict::NoRule);
    }
}
