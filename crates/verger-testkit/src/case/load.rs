//! From the text of the case files to the typed corpus. Whatever is wrong is said with the file
//! and the id of the table.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::answer::read_answer;
use super::citation::unknown_citation;
use super::corpus::Corpus;
use super::tables::{
    read_case, read_choice, read_clause, read_listing, read_pattern, read_target, read_token,
    read_value,
};

/// Why the case files cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseError {
    /// The file, without its directory.
    pub file: String,
    /// The table, where the fault is in one that has an id.
    pub id: Option<String>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.id {
            Some(id) => write!(f, "{}: {id}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

impl std::error::Error for CaseError {}

/// The directory of the case files in this workspace.
#[must_use]
pub fn testdata_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

/// A file beside the case files that holds no cases but the behaviours of the hostile origin.
const NO_CASE_FILE: &str = "origin.toml";

/// Reads every `*.toml` in `dir` but `origin.toml`, in the order of their names.
///
/// # Errors
///
/// The first fault found: a file that cannot be read, a table that is not of its shape, an id
/// that occurs twice, a clause that no document has, a line that the body has not.
pub fn load_all(dir: &Path) -> Result<Corpus, CaseError> {
    let unreadable = |path: &Path, message: &dyn fmt::Display| CaseError {
        file: path.display().to_string(),
        id: None,
        message: format!("cannot be read: {message}"),
    };
    let mut paths = Vec::new();
    for entry in fs::read_dir(dir).map_err(|error| unreadable(dir, &error))? {
        let path = entry.map_err(|error| unreadable(dir, &error))?.path();
        let is_toml = path
            .extension()
            .is_some_and(|extension| extension == "toml");
        if is_toml && path.file_name().is_some_and(|name| name != NO_CASE_FILE) {
            paths.push(path);
        }
    }
    paths.sort();
    let mut texts = Vec::new();
    for path in &paths {
        let text = fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        texts.push((name.to_string_lossy().into_owned(), text));
    }
    load(
        texts
            .iter()
            .map(|(file, text)| (file.as_str(), text.as_str())),
    )
}

/// Reads one text as if it were the only file.
///
/// # Errors
///
/// As [`load_all`], apart from what concerns the directory.
pub fn load_text(file: &str, text: &str) -> Result<Corpus, CaseError> {
    load(std::iter::once((file, text)))
}

fn load<'a>(texts: impl Iterator<Item = (&'a str, &'a str)>) -> Result<Corpus, CaseError> {
    let mut corpus = Corpus::default();
    for (file, text) in texts {
        read_file(file, text, &mut corpus)?;
    }
    refuse_repeated_ids(&corpus)?;
    refuse_unknown_clauses(&corpus)?;
    Ok(corpus)
}

fn read_file(file: &str, text: &str, corpus: &mut Corpus) -> Result<(), CaseError> {
    let table: toml::Table = toml::from_str(text).map_err(|error| CaseError {
        file: file.to_owned(),
        id: None,
        message: format!("is not TOML: {error}"),
    })?;
    for (kind, entries) in table {
        match kind.as_str() {
            "case" => corpus.cases.extend(read_kind(file, entries, read_case)?),
            "pattern" => corpus
                .patterns
                .extend(read_kind(file, entries, read_pattern)?),
            "target" => corpus
                .targets
                .extend(read_kind(file, entries, read_target)?),
            "token" => corpus.tokens.extend(read_kind(file, entries, read_token)?),
            "listing" => corpus
                .listings
                .extend(read_kind(file, entries, read_listing)?),
            "value" => corpus.values.extend(read_kind(file, entries, read_value)?),
            "answer" => corpus
                .answers
                .extend(read_kind(file, entries, read_answer)?),
            "clause" => corpus
                .clauses
                .extend(read_kind(file, entries, read_clause)?),
            "choice" => corpus
                .clauses
                .extend(read_kind(file, entries, read_choice)?),
            _ => {
                return Err(CaseError {
                    file: file.to_owned(),
                    id: None,
                    message: format!("`[[{kind}]]` is no kind of table"),
                });
            }
        }
    }
    Ok(())
}

/// Reads all tables of one kind; a fault is given the file and the id.
fn read_kind<S: DeserializeOwned, T>(
    file: &str,
    entries: toml::Value,
    read: impl Fn(&str, S) -> Result<T, String>,
) -> Result<Vec<T>, CaseError> {
    let fault = |id: Option<String>, message: String| CaseError {
        file: file.to_owned(),
        id,
        message,
    };
    let entries =
        Vec::<toml::Value>::deserialize(entries).map_err(|error| fault(None, error.to_string()))?;
    let mut read_entries = Vec::with_capacity(entries.len());
    for entry in entries {
        let id = entry
            .get("id")
            .and_then(|id| id.as_str())
            .map(str::to_owned);
        let shape = S::deserialize(entry)
            .map_err(|error| fault(id.clone(), error.to_string().trim().to_owned()))?;
        read_entries.push(read(file, shape).map_err(|message| fault(id, message))?);
    }
    Ok(read_entries)
}

fn refuse_repeated_ids(corpus: &Corpus) -> Result<(), CaseError> {
    let mut homes = BTreeMap::new();
    let clauses = corpus
        .clauses
        .iter()
        .map(|it| (it.id.as_str(), "clauses.toml"));
    let answers = corpus.answers.iter();
    let answers = answers.map(|it| (it.id.as_str(), it.file.as_str()));
    for (id, file) in corpus
        .citations()
        .map(|(id, file, _)| (id, file))
        .chain(answers)
        .chain(clauses)
    {
        if let Some(home) = homes.insert(id, file) {
            return Err(CaseError {
                file: file.to_owned(),
                id: Some(id.to_owned()),
                message: format!("the id is taken in {home}"),
            });
        }
    }
    Ok(())
}

fn refuse_unknown_clauses(corpus: &Corpus) -> Result<(), CaseError> {
    if corpus.clauses.is_empty() {
        return Ok(());
    }
    for (id, file, clauses) in corpus.citations() {
        if let Some(clause) = unknown_citation(&corpus.clauses, clauses) {
            return Err(CaseError {
                file: file.to_owned(),
                id: Some(id.to_owned()),
                message: format!("cites `{clause}`, which is no clause"),
            });
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
        assert_eq!(
            message(&case_with("option = \"fast\"\nask = []\n")),
            "some.toml: one: `fast` is not an option"
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
        let text = case_with("asks = []\n");
        assert!(message(&text).starts_with("some.toml: one: unknown field `asks`"));
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
