//! Where the workspace is, and which files belong to it.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{self, words};

/// The directory of the workspace.
pub(crate) fn root() -> PathBuf {
    let manifest_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest_dir.parent().unwrap_or(manifest_dir).to_owned()
}

/// What an error about a file or a directory says: its path, then the error.
pub(crate) fn at<E: Display>(path: &Path) -> impl Fn(E) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// The files in a directory whose names have this extension, sorted.
pub(crate) fn files_in(dir: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(dir).map_err(at(dir))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<Result<_, _>>().map_err(at(dir))?;
    paths.retain(|path| path.extension().is_some_and(|it| it == extension));
    paths.sort();
    Ok(paths)
}

/// Whether a file is of a library for others than the writers of the project.
pub(crate) fn is_published(file: &str) -> bool {
    file.starts_with("crates/") && !lies_in(file, "crates/verger-testkit/ crates/verger-origin/")
}

/// Whether the path of a file begins with one of these, between which there are spaces.
pub(crate) fn lies_in(file: &str, places: &str) -> bool {
    words(places).iter().any(|place| file.starts_with(place))
}

/// What `cargo metadata` writes about the packages of the workspace, as JSON.
pub(crate) fn metadata() -> Result<String, String> {
    cargo_output(&["metadata", "--format-version", "1", "--locked", "--no-deps"])
}

/// What cargo writes to its standard output.
pub(crate) fn cargo_output(arguments: &[&str]) -> Result<String, String> {
    process::output(Command::new("cargo").args(arguments).current_dir(root()))
}

/// A program of the workspace, built as a part of it, with the features that tests need, as an example has them: others
/// would have its dependencies compiled once more. CI names the directory of those that it has built for the tests: `VERGER_PROGRAMS`.
pub(crate) fn program(name: &str) -> Result<PathBuf, String> {
    if let Some(directory) = std::env::var_os("VERGER_PROGRAMS") {
        return Ok(Path::new(&directory).join(name));
    }
    let build = words("build --quiet --locked --workspace --example check_json --bin");
    cargo_output(&[&build[..], &[name]].concat())?;
    Ok(target().join("debug").join(name))
}

/// The directory of what is compiled here, which the bindings share.
pub(crate) fn target() -> PathBuf {
    root().join("target")
}

/// The files of the workspace, by their paths relative to its root, sorted: those that git knows,
/// and those that it would take in.
pub(crate) struct Tree {
    root: PathBuf,
    files: Vec<String>,
}

impl Tree {
    pub(crate) fn of_workspace() -> Result<Self, String> {
        let root = root();
        let arguments = ["ls-files", "--cached", "--others", "--exclude-standard"];
        let listing = process::output(Command::new("git").args(arguments).current_dir(&root))?;
        let mut files: Vec<String> = listing
            .lines()
            .filter(|file| root.join(file).is_file())
            .map(str::to_owned)
            .collect();
        files.sort();
        files.dedup();
        Ok(Self { root, files })
    }

    /// All files.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str)
    }

    /// The files whose names end in `ending`.
    pub(crate) fn ending_in(&self, ending: &str) -> impl Iterator<Item = &str> {
        self.files().filter(move |file| file.ends_with(ending))
    }

    /// Whether a file or a directory is there.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// Whether a file may be run; where a system does not say, every file that is there.
    pub(crate) fn is_executable(&self, file: &str) -> bool {
        fs::metadata(self.root.join(file)).is_ok_and(|metadata| may_be_run(&metadata))
    }

    /// The text of a file, which is UTF-8.
    pub(crate) fn utf8(&self, file: &str) -> Result<String, String> {
        let text = self.text(file)?;
        text.ok_or_else(|| format!("{file}: is not UTF-8"))
    }

    /// The text of a file; `None` where it is not UTF-8.
    pub(crate) fn text(&self, file: &str) -> Result<Option<String>, String> {
        let bytes = fs::read(self.root.join(file))
            .map_err(|error| format!("{file}: cannot be read: {error}"))?;
        Ok(String::from_utf8(bytes).ok())
    }
}

#[cfg(unix)]
fn may_be_run(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn may_be_run(metadata: &fs::Metadata) -> bool {
    metadata.is_file()
}
