//! How long functions and files may be, in lines of code.

use super::finding::Finding;
use super::source::{Source, block_end, lines_of_code, words};

const FUNCTION_LINES_MAX: usize = 70;
const FILE_LINES_MAX: usize = 400;
const MAIN_LINES_MAX: usize = 60;

/// What is too long in one file; what is only for tests is not counted.
pub(super) fn findings(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    let file_lines = lines_of_code(&source.product_code);
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
    for function in functions(&source.product_code) {
        if function.lines > FUNCTION_LINES_MAX {
            findings.push(Finding::new(
                &source.path,
                source.line_of(function.offset),
                format!(
                    "`{}` has {} lines of code, {FUNCTION_LINES_MAX} are enough",
                    function.name, function.lines
                ),
            ));
        }
    }
    findings
}

/// A function with a body.
#[derive(Debug, PartialEq, Eq)]
struct Function {
    name: String,
    offset: usize,
    lines: usize,
}

fn functions(code: &str) -> Vec<Function> {
    let mut functions = Vec::new();
    let mut words = words(code).peekable();
    while let Some((offset, word)) = words.next() {
        if word != "fn" {
            continue;
        }
        // `fn(u8)` is a type and has no name.
        let Some(&(name_offset, name)) = words.peek() else {
            continue;
        };
        if !code[offset + word.len()..name_offset].trim().is_empty() {
            continue;
        }
        if let Some(open) = body_start(code, name_offset) {
            functions.push(Function {
                name: name.to_owned(),
                offset,
                lines: lines_of_code(&code[offset..block_end(code, open)]),
            });
        }
    }
    functions
}

/// The brace that opens the body, unless a `;` ends the signature first.
fn body_start(code: &str, signature: usize) -> Option<usize> {
    let mut nesting = 0_usize;
    for (at, octet) in code.bytes().enumerate().skip(signature) {
        match octet {
            b'(' | b'[' => nesting += 1,
            b')' | b']' => nesting = nesting.saturating_sub(1),
            b'{' if nesting == 0 => return Some(at),
            b';' if nesting == 0 => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(text: &str) -> Vec<(String, usize)> {
        functions(&Source::new("a.rs", text).product_code)
            .into_iter()
            .map(|function| (function.name, function.lines))
            .collect()
    }

    #[test]
    fn a_function_is_measured_from_its_name_to_its_brace() {
        let text =
            "/// Doc.\nfn a(\n    x: [u8; 2],\n) {\n    // Why.\n    b(\"}\");\n\n}\nfn c();\n";
        assert_eq!(measured(text), [("a".to_owned(), 5)]);
    }

    #[test]
    fn inner_functions_count_twice_and_types_not_at_all() {
        let text = "fn a(f: fn(u8) -> u8) {\n    fn b() {\n    }\n}\n";
        assert_eq!(measured(text), [("a".to_owned(), 4), ("b".to_owned(), 2)]);
    }

    #[test]
    fn the_limits_are_70_400_and_60() {
        let body = |lines: usize| format!("fn a() {{\n{}}}\n", "b();\n".repeat(lines - 2));
        let count = |path: &str, text: &str| findings(&Source::new(path, text)).len();
        assert_eq!(count("a.rs", &body(70)), 0);
        assert_eq!(count("a.rs", &body(71)), 1);
        assert_eq!(count("a.rs", &"use b;\n".repeat(400)), 0);
        assert_eq!(count("a.rs", &"use b;\n".repeat(401)), 1);
        assert_eq!(count("x/src/main.rs", &"use b;\n".repeat(60)), 0);
        assert_eq!(count("x/src/main.rs", &"use b;\n".repeat(61)), 1);
    }
}
