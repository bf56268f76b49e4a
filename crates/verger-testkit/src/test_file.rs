//! Reads the TOML files of `testdata/`: tables of several kinds, each with an id. Errors name the
//! file and the table's id.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Why a file of `testdata/` cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {}{message}", id.as_ref().map(|it| format!("{it}: ")).unwrap_or_default())]
pub struct TestFileError {
    /// The file.
    pub file: String,
    /// The table with the fault, if it has an id.
    pub id: Option<String>,
    /// The fault.
    pub message: String,
}

impl TestFileError {
    pub(crate) fn new(file: &str, id: Option<&str>, message: String) -> Self {
        Self {
            file: file.to_owned(),
            id: id.map(str::to_owned),
            message,
        }
    }
}

/// Reads every `*.toml` in a directory except `but`, ordered by name.
pub(crate) fn read_texts(
    directory: &Path,
    but: Option<&str>,
) -> Result<Vec<(String, String)>, TestFileError> {
    let unreadable = |error| {
        let message = format!("cannot be read: {error}");
        TestFileError::new(&directory.display().to_string(), None, message)
    };
    let mut texts = Vec::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".toml") && but != Some(&*name) {
            let text = fs::read_to_string(&path).map_err(|error| {
                let message = format!("cannot be read: {error}");
                TestFileError::new(&path.display().to_string(), None, message)
            })?;
            texts.push((name.into_owned(), text));
        }
    }
    texts.sort_unstable();
    Ok(texts)
}

pub(crate) struct TestFile<'a> {
    /// The name without its directory, which becomes the `file` of its tables.
    name: &'a str,
    shown: String,
    kinds: toml::Table,
}

impl<'a> TestFile<'a> {
    /// Parses the text. `directory` ends with `/`.
    pub(crate) fn read(directory: &str, name: &'a str, text: &str) -> Result<Self, TestFileError> {
        let shown = format!("{directory}{name}");
        let kinds = toml::from_str(text)
            .map_err(|error| TestFileError::new(&shown, None, format!("is not TOML: {error}")))?;
        Ok(Self { name, shown, kinds })
    }

    /// Takes the tables of one kind, if `check` accepts them.
    pub(crate) fn take<T: DeserializeOwned>(
        &mut self,
        kind: &str,
        check: impl Fn(&T) -> Result<(), String>,
    ) -> Result<Vec<T>, TestFileError> {
        let Some(tables) = self.kinds.remove(kind) else {
            return Ok(Vec::new());
        };
        let tables = Vec::<toml::Table>::deserialize(tables)
            .map_err(|error| TestFileError::new(&self.shown, None, error.to_string()))?;
        let tables = tables.into_iter().map(|mut table| {
            let id = table
                .get("id")
                .and_then(|id| id.as_str())
                .map(str::to_owned);
            let fault = |message: String| TestFileError::new(&self.shown, id.as_deref(), message);
            let clauses = table.get("clauses").and_then(|it| it.as_array());
            if clauses.is_some_and(Vec::is_empty) {
                return Err(fault("cites no clause".to_owned()));
            }
            table.insert("file".to_owned(), self.name.into());
            let read = T::deserialize(toml::Value::Table(table));
            let read = read.map_err(|error| fault(error.to_string().trim().to_owned()))?;
            check(&read).map_err(fault)?;
            Ok(read)
        });
        tables.collect()
    }

    /// Fails if tables of other kinds are left.
    pub(crate) fn end(self) -> Result<(), TestFileError> {
        match self.kinds.keys().next() {
            None => Ok(()),
            Some(kind) => {
                let message = format!("`[[{kind}]]` is no kind of table");
                Err(TestFileError::new(&self.shown, None, message))
            }
        }
    }
}

/// Fails if an id is repeated. `ids` are pairs of id and file in `directory`.
pub(crate) fn refuse_repeated_ids<'a>(
    directory: &str,
    ids: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<(), TestFileError> {
    let mut homes = BTreeMap::new();
    for (id, file) in ids {
        if let Some(home) = homes.insert(id, file) {
            let message = format!("the id is taken in {directory}{home}");
            let file = format!("{directory}{file}");
            return Err(TestFileError::new(&file, Some(id), message));
        }
    }
    Ok(())
}
