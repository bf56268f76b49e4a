//! The workspace directory and its files.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{self, words};

pub(crate) fn root() -> PathBuf {
    let manifest_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest_dir.parent().unwrap_or(manifest_dir).to_owned()
}

/// Prefixes an error about a file or directory with its path.
pub(crate) fn at<E: Display>(path: &Path) -> impl Fn(E) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// Returns the files in a directory with this extension, sorted.
pub(crate) fn files_in(dir: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(dir).map_err(at(dir))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<Result<_, _>>().map_err(at(dir))?;
    paths.retain(|path| path.extension().is_some_and(|it| it == extension));
    paths.sort();
    Ok(paths)
}

/// Whether a file belongs to a published library.
pub(crate) fn is_published(file: &str) -> bool {
    file.starts_with("crates/") && !lies_in(file, "crates/verger-testkit/ crates/verger-origin/")
}

/// Whether a path starts with one of these places, which are separated by spaces.
pub(crate) fn lies_in(file: &str, places: &str) -> bool {
    words(places).iter().any(|place| file.starts_with(place))
}

/// Returns the JSON of `cargo metadata` about the workspace's packages.
pub(crate) fn metadata() -> Result<String, String> {
    cargo_output(&["metadata", "--format-version", "1", "--locked", "--no-deps"])
}

/// Returns the standard output of cargo.
pub(crate) fn cargo_output(arguments: &[&str]) -> Result<String, String> {
    process::output(Command::new("cargo").args(arguments).current_dir(root()))
}

/// Builds a program of the workspace with the features that tests need, as Cargo does for examples, because other
/// features would recompile its dependencies. CI sets `VERGER_PROGRAMS` to the directory of programs already built.
pub(crate) fn program(name: &str) -> Result<PathBuf, String> {
    if let Some(directory) = std::env::var_os("VERGER_PROGRAMS") {
        return Ok(Path::new(&directory).join(name));
    }
    let build = words("build --quiet --locked --workspace --example check_json --bin");
    cargo_output(&[&build[..], &[name]].concat())?;
    Ok(target().join("debug").join(name))
}

/// Returns the target directory, which the bindings share.
pub(crate) fn target() -> PathBuf {
    root().join("target")
}

/// The files of the workspace that git tracks or would add, sorted by path from its root.
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

    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str)
    }

    /// Returns the files whose names end in `ending`.
    pub(crate) fn ending_in(&self, ending: &str) -> impl Iterator<Item = &str> {
        self.files().filter(move |file| file.ends_with(ending))
    }

    /// Whether a file or directory exists.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// Whether a file is executable. Systems without such permissions report every existing file.
    pub(crate) fn is_executable(&self, file: &str) -> bool {
        fs::metadata(self.root.join(file)).is_ok_and(|metadata| may_be_run(&metadata))
    }

    /// Returns the text of a UTF-8 file.
    pub(crate) fn utf8(&self, file: &str) -> Result<String, String> {
        let text = self.text(file)?;
        text.ok_or_else(|| format!("{file} is not UTF-8"))
    }

    /// Returns the text of a file, or `None` if it is not UTF-8.
    pub(crate) fn text(&self, file: &str) -> Result<Option<String>, String> {
        let bytes = fs::read(self.root.join(file))
            .map_err(|error| format!("cannot read {file}: {error}"))?;
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
