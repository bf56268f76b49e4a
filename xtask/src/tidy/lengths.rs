//! Limits on lines of code, without tests, per file, for the command and for these tasks, and on files per directory.
//! `clippy.toml` limits functions.

use std::collections::BTreeMap;

use super::finding::Finding;
use super::source::{Source, lines_of_code};

const FILE_LINES_MAX: usize = 400;
const MAIN_LINES_MAX: usize = 60;
const FOLDER_FILES_MAX: usize = 40;

/// Each lint is a file, so this directory may contain more.
const LINTS: &str = "crates/verger-lint/src/lints";

/// Limits that must only decrease.
const FOLDER_LINES_MAX: [(&str, usize); 3] = [
    ("crates/verger-cli/src/", 11_036),
    ("server/src/", 4_860),
    ("xtask/", 5_500),
];

/// Reports a file that is too long, without its tests.
pub(super) fn findings(source: &Source) -> Option<Finding> {
    let is_main = source.path.ends_with("/src/main.rs");
    let max = [FILE_LINES_MAX, MAIN_LINES_MAX][usize::from(is_main)];
    too_long(&source.path, lines_of_code(source.tokens()), max)
}

fn too_long(path: &str, lines: usize, max: usize) -> Option<Finding> {
    let sentence = format!("too long: {lines} lines of code, the limit is {max}");
    (lines > max).then(|| Finding::new(path, 1, sentence))
}

/// Reports directories whose sources are too long.
pub(super) fn folder_findings(sources: &[Source]) -> Vec<Finding> {
    let finding = |(folder, max): (&str, usize)| {
        let sources = sources.iter().filter(|it| it.path.starts_with(folder));
        let lines = sources.map(|it| lines_of_code(it.tokens())).sum();
        too_long(folder, lines, max)
    };
    FOLDER_LINES_MAX.into_iter().filter_map(finding).collect()
}

/// Reports directories with too many files, not counting subdirectories.
pub(super) fn crowded_folders<'f>(files: impl Iterator<Item = &'f str>) -> Vec<Finding> {
    let mut counts = BTreeMap::<&str, usize>::new();
    for (folder, _) in files.filter_map(|file| file.rsplit_once('/')) {
        *counts.entry(folder).or_default() += 1;
    }
    counts.retain(|folder, count| *count > FOLDER_FILES_MAX && *folder != LINTS);
    let crowded = counts.into_iter().map(|(folder, count)| {
        let sentence = format!("too many Rust files: {count}, the limit is {FOLDER_FILES_MAX}");
        Finding::new(folder, 1, sentence)
    });
    crowded.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source::new(path, text).unwrap_or_else(|finding| panic!("{finding}"))
    }

    #[test]
    fn the_limits_are_400_and_60() {
        let count = |path: &str, text: &str| findings(&source(path, text)).into_iter().count();
        assert_eq!(count("a.rs", &"use b;\n".repeat(400)), 0);
        assert_eq!(count("a.rs", &"use b;\n".repeat(401)), 1);
        assert_eq!(count("x/src/main.rs", &"use b;\n".repeat(60)), 0);
        assert_eq!(count("x/src/main.rs", &"use b;\n".repeat(61)), 1);
    }

    #[test]
    fn a_folder_of_41_files_is_found() {
        let count = |folder: &str, files: usize| {
            let mut files: Vec<String> = (0..files).map(|at| format!("{folder}/{at}.rs")).collect();
            files.push(format!("{folder}/inner/a.rs"));
            crowded_folders(files.iter().map(String::as_str)).len()
        };
        assert_eq!((count("a/b", 40), count("a/b", 41)), (0, 1));
        assert_eq!(count(LINTS, 41), 0);
    }

    #[test]
    fn files_of_a_folder_are_counted_together() {
        for (folder, max) in FOLDER_LINES_MAX {
            let count = |lines: usize| {
                let files = [("a.rs", 1), ("b/c.rs", lines - 1)];
                let files = files.map(|(name, lines)| {
                    source(&format!("{folder}{name}"), &"use b;\n".repeat(lines))
                });
                folder_findings(&files).len()
            };
            assert_eq!((count(max), count(max + 1)), (0, 1), "{folder}");
        }
        let start = source("xtask/start/src/a.rs", &"use b;\n".repeat(5_501));
        assert_eq!(folder_findings(&[start]).len(), 1);
    }
}
