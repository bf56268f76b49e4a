//! How long files may be, in lines of code. `clippy.toml` has how long functions may be.

use super::finding::Finding;
use super::source::{Source, lines_of_code};

const FILE_LINES_MAX: usize = 400;
const MAIN_LINES_MAX: usize = 60;

/// What is too long in one file; what is only for tests is not counted.
pub(super) fn findings(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    let file_lines = lines_of_code(&source.product);
    let is_main = source.path.ends_with("/src/main.rs");
    let max = if is_main {
        MAIN_LINES_MAX
    } else {
        FILE_LINES_MAX
    };
    if file_lines > max {
        let sentence = format!("has {file_lines} lines of code, {max} are enough");
        findings.push(Finding::new(&source.path, 1, sentence));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source::new(path, text).unwrap_or_else(|finding| panic!("{finding}"))
    }

    #[test]
    fn the_limits_are_400_and_60() {
        let count = |path: &str, text: &str| findings(&source(path, text)).len();
        assert_eq!(count("a.rs", &"use b;\n".repeat(400)), 0);
        assert_eq!(count("a.rs", &"use b;\n".repeat(401)), 1);
        assert_eq!(count("x/src/main.rs", &"use b;\n".repeat(60)), 0);
        assert_eq!(count("x/src/main.rs", &"use b;\n".repeat(61)), 1);
    }
}
