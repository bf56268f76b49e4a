//! `lib.rs` and `mod.rs` say what there is and define nothing.

use super::finding::Finding;
use super::source::{Source, item_end};

/// The items of a root that are more than modules and exports.
pub(super) fn findings(source: &Source) -> Vec<Finding> {
    let name = source.path.rsplit('/').next().unwrap_or_default();
    if !matches!(name, "lib.rs" | "mod.rs") {
        return Vec::new();
    }
    let code = &source.product_code;
    let mut findings = Vec::new();
    let mut at = 0;
    while let Some(item) = next_item(code, at) {
        let end = item_end(code, item);
        if !is_declaration(&code[item..end]) {
            let first_line = code[item..end].lines().next().unwrap_or_default();
            findings.push(Finding::new(
                &source.path,
                source.line_of(item),
                format!(
                    "`{}` is defined here; a root defines nothing",
                    first_line.trim()
                ),
            ));
        }
        at = end;
    }
    findings
}

/// Where the next item starts, its attributes passed over.
fn next_item(code: &str, mut at: usize) -> Option<usize> {
    loop {
        at += code[at..].find(|c: char| !c.is_whitespace())?;
        if !code[at..].starts_with('#') {
            return Some(at);
        }
        at += attribute_length(&code[at..]);
    }
}

fn attribute_length(attribute: &str) -> usize {
    let mut depth = 0_usize;
    for (at, octet) in attribute.bytes().enumerate() {
        match octet {
            b'[' => depth += 1,
            b']' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    attribute.len()
}

/// Whether an item is `mod a;`, `use a;` or `extern crate a;`, public or not.
fn is_declaration(item: &str) -> bool {
    let item = item.strip_prefix("pub").map_or(item, |after| {
        let after = after.trim_start();
        match after
            .strip_prefix('(')
            .and_then(|inside| inside.split_once(')'))
        {
            Some((_, after)) => after.trim_start(),
            None => after,
        }
    });
    let keyword = item.split_whitespace().next().unwrap_or_default();
    match keyword {
        "use" | "extern" => true,
        "mod" => item.ends_with(';'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        let source = Source::new("src/lib.rs", text);
        findings(&source).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn modules_exports_and_tests_define_nothing() {
        let text = "//! Head.\n#![no_std]\n#![cfg_attr(test, allow(x[0]))]\nextern crate alloc;\n\
                    mod a;\n#[doc(hidden)]\npub mod b;\npub(crate) use a::{B, C};\npub use b::D;\n\
                    #[cfg(test)]\nmod tests { fn f() {} }\n";
        assert!(lines(text).is_empty());
    }

    #[test]
    fn anything_else_is_a_definition() {
        assert_eq!(
            lines(
                "mod a;\npub struct B {\n    c: u8,\n}\nfn d() {}\nmod e { }\nconst F: u8 = 1;\n"
            ),
            [
                "src/lib.rs:2: `pub struct B {` is defined here; a root defines nothing",
                "src/lib.rs:5: `fn d() {}` is defined here; a root defines nothing",
                "src/lib.rs:6: `mod e { }` is defined here; a root defines nothing",
                "src/lib.rs:7: `const F: u8 = 1;` is defined here; a root defines nothing",
            ]
        );
    }

    #[test]
    fn only_roots_are_looked_at() {
        assert!(findings(&Source::new("src/a.rs", "fn b() {}")).is_empty());
    }
}
