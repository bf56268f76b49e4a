//! `lib.rs` and `mod.rs` may only declare modules and exports.

use quote::ToTokens;
use syn::Item;
use syn::spanned::Spanned;

use super::finding::Finding;
use super::source::Source;

const ENGINE: &str = "crates/verger/src/lib.rs";

/// Reports items of a root other than modules and exports.
pub(super) fn findings(source: &Source) -> Vec<Finding> {
    let name = source.path.rsplit('/').next().unwrap_or_default();
    if !matches!(name, "lib.rs" | "mod.rs") {
        return Vec::new();
    }
    let is_no_std = |it: &syn::Attribute| it.path().is_ident("no_std");
    let mut findings = Vec::new();
    if source.path == ENGINE && !source.file.attrs.iter().any(is_no_std) {
        findings.push(Finding::new(ENGINE, 1, "missing `#![no_std]`"));
    }
    let items = source.product.items.iter();
    let definitions = items.filter(|item| !is_declaration(item)).map(|item| {
        let text = item.to_token_stream().to_string();
        let head = text.split(['{', '(', ';', '=']).next().unwrap_or_default();
        Finding::new(
            &source.path,
            item.span().start().line,
            format!(
                "`{}` is defined in a root: move it to a module",
                head.trim()
            ),
        )
    });
    findings.extend(definitions);
    findings
}

/// Whether an item is `mod a;`, `use a;` or `extern crate a;`, public or not.
fn is_declaration(item: &Item) -> bool {
    match item {
        Item::Use(_) | Item::ExternCrate(_) => true,
        Item::Mod(module) => module.content.is_none(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<String> {
        let source = Source::new(path, text).unwrap_or_else(|finding| panic!("{finding}"));
        findings(&source).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn modules_exports_and_tests_define_nothing() {
        let text = "//! Head.\n#![no_std]\n#![cfg_attr(test, allow(x))]\nextern crate alloc;\n\
                    mod a;\n#[doc(hidden)]\npub mod b;\npub(crate) use a::{B, C};\npub use b::D;\n\
                    #[cfg(test)]\nmod tests { fn f() {} }\n";
        assert!(lines("src/lib.rs", text).is_empty());
    }

    #[test]
    fn anything_else_is_a_definition() {
        let text =
            "mod a;\npub struct B {\n    c: u8,\n}\nfn d() {}\nmod e { }\nconst F: u8 = 1;\n";
        assert_eq!(
            lines("src/lib.rs", text),
            [
                "src/lib.rs:2: `pub struct B` is defined in a root: move it to a module",
                "src/lib.rs:5: `fn d` is defined in a root: move it to a module",
                "src/lib.rs:6: `mod e` is defined in a root: move it to a module",
                "src/lib.rs:7: `const F : u8` is defined in a root: move it to a module",
            ]
        );
    }

    #[test]
    fn only_roots_are_looked_at() {
        assert!(lines("src/a.rs", "fn b() {}").is_empty());
    }
}
