//! One Rust file: its text, its code, and what of it is only for tests.

use std::ops::Range;

use super::mask::mask;

/// A Rust file.
pub(super) struct Source {
    pub(super) path: String,
    /// All code, comments and the insides of strings masked.
    pub(super) code: String,
    /// The same without the items that are only compiled for tests.
    pub(super) product_code: String,
    /// The modules in files of their own that are only compiled for tests.
    pub(super) test_modules: Vec<String>,
}

impl Source {
    pub(super) fn new(path: &str, text: &str) -> Self {
        let code = mask(text);
        let (product_code, test_modules) = without_tests(&code);
        Self {
            path: path.to_owned(),
            code,
            product_code,
            test_modules,
        }
    }

    /// The line of an offset, counted from 1.
    pub(super) fn line_of(&self, offset: usize) -> usize {
        line_of(&self.code, offset)
    }
}

/// The line of an offset, counted from 1.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

/// How many lines of `code` hold any.
pub(super) fn lines_of_code(code: &str) -> usize {
    code.lines().filter(|line| !line.trim().is_empty()).count()
}

/// Blanks every item under `#[cfg(test)]`, and names the modules among them that have no body.
fn without_tests(code: &str) -> (String, Vec<String>) {
    if code.contains("#![cfg(test)]") {
        return ("\n".repeat(code.matches('\n').count()), Vec::new());
    }
    let mut spans = Vec::new();
    let mut test_modules = Vec::new();
    for (start, attribute) in code.match_indices("#[cfg(test)]") {
        let after = start + attribute.len();
        let end = item_end(code, after);
        let item = &code[after..end];
        if item.ends_with(';')
            && let Some((_, name)) = item.rsplit_once("mod ")
        {
            test_modules.push(name.trim_end_matches(';').trim().to_owned());
        }
        spans.push(start..end);
    }
    (blank(code, &spans), test_modules)
}

/// Where the item that starts at `start` ends: after its `;`, or after the brace that closes its
/// first one and a `;` behind it.
pub(super) fn item_end(code: &str, start: usize) -> usize {
    let mut nesting = 0_usize;
    for (at, octet) in code.bytes().enumerate().skip(start) {
        match octet {
            b'(' | b'[' => nesting += 1,
            b')' | b']' => nesting = nesting.saturating_sub(1),
            b';' if nesting == 0 => return at + 1,
            b'{' if nesting == 0 => {
                let end = block_end(code, at);
                let after = code[end..].trim_start();
                let semicolon = after.strip_prefix(';');
                return semicolon.map_or(end, |rest| code.len() - rest.len());
            }
            _ => {}
        }
    }
    code.len()
}

/// Where the block ends whose brace opens at `open`.
pub(super) fn block_end(code: &str, open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, octet) in code.bytes().enumerate().skip(open) {
        match octet {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    code.len()
}

fn blank(code: &str, spans: &[Range<usize>]) -> String {
    let mut octets = code.as_bytes().to_vec();
    for span in spans {
        for octet in &mut octets[span.clone()] {
            if *octet != b'\n' {
                *octet = b' ';
            }
        }
    }
    String::from_utf8_lossy(&octets).into_owned()
}

/// Each identifier of `code` with its offset; a keyword is one too.
pub(super) fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + code[at..].find(is_word)?;
        let end = code[start..]
            .find(|c| !is_word(c))
            .map_or(code.len(), |length| start + length);
        at = end;
        Some((start, &code[start..end]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_items_are_no_product_code() {
        let text = "fn a() {}\n#[cfg(test)]\n#[allow(x)]\nmod tests {\n    fn b() { c(); }\n}\nfn d() {}\n";
        let source = Source::new("a.rs", text);
        assert_eq!(lines_of_code(&source.product_code), 2);
        assert_eq!(lines_of_code(&source.code), 7);
        assert_eq!(source.line_of(source.product_code.find("fn d").unwrap()), 7);
    }

    #[test]
    fn test_modules_in_their_own_files_are_named() {
        let source = Source::new("a.rs", "#[cfg(test)]\nmod vectors;\nmod lines;\n");
        assert_eq!(source.test_modules, ["vectors"]);
        assert!(source.product_code.contains("mod lines;"));
    }

    #[test]
    fn lines_of_comments_and_blank_lines_do_not_count() {
        let text = "//! Head.\n\n/// Doc.\nfn a() {\n    // Why.\n    b();\n\n}\n";
        assert_eq!(lines_of_code(&Source::new("a.rs", text).product_code), 3);
    }

    #[test]
    fn words_are_identifiers_with_their_offsets() {
        let found: Vec<_> = words("use a::b_1;").collect();
        assert_eq!(found, [(0, "use"), (4, "a"), (7, "b_1")]);
    }
}
