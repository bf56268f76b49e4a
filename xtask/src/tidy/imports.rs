//! The paths that a file names, in `use` items and elsewhere.

use quote::ToTokens;
use syn::Item;

use super::source::{Token, tokens};
use crate::rust_item::imports;

/// A path as written, with its line and the inner modules around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedPath {
    pub(super) line: usize,
    pub(super) segments: Vec<String>,
    pub(super) inner_modules: Vec<String>,
}

/// Returns all paths of two or more segments in `file`, and imported single names.
pub(super) fn named_paths(file: &syn::File) -> Vec<NamedPath> {
    let mut paths = Vec::new();
    of_items(&file.items, &[], &mut paths);
    paths
}

fn of_items(items: &[Item], inner_modules: &[String], paths: &mut Vec<NamedPath>) {
    for item in items {
        let mut found = Vec::new();
        match item {
            Item::Use(it) => {
                let imports = imports(&it.tree, &[]).into_iter();
                found.extend(imports.map(|(segments, _, line)| (line, segments)));
            }
            Item::Mod(module) => {
                if let Some((_, items)) = &module.content {
                    let mut inner = inner_modules.to_vec();
                    inner.push(module.ident.to_string());
                    of_items(items, &inner, paths);
                }
            }
            other => found = written_out(other),
        }
        paths.extend(found.into_iter().map(|(line, segments)| NamedPath {
            line,
            segments,
            inner_modules: inner_modules.to_vec(),
        }));
    }
}

type Written = (usize, Vec<String>);

/// Returns the paths of two or more segments in the tokens of an item, including macros.
fn written_out(item: impl ToTokens) -> Vec<Written> {
    let tokens = tokens(item);
    let is_sign = |at: usize, sign: &str| tokens.get(at).is_some_and(|it| it.text == sign);
    let is_separator = |at: usize| is_sign(at, ":") && is_sign(at + 1, ":");
    let mut paths = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        // `.collect::<…>()` of a method and `$crate::…` of a macro do not start a path.
        let begins = at == 0 || ![":", ".", "$"].contains(&tokens[at - 1].text.as_str());
        let first = &tokens[at];
        at += 1;
        if !first.is_word() || !begins {
            // The type in `x: a::B` starts a path even though a colon precedes it.
            let is_after_one_colon =
                at >= 2 && is_sign(at - 2, ":") && (at == 2 || !is_sign(at - 3, ":"));
            if !(first.is_word() && is_after_one_colon) {
                continue;
            }
        }
        let mut segments = vec![first.text.clone()];
        while is_separator(at) && tokens.get(at + 2).is_some_and(Token::is_word) {
            segments.push(tokens[at + 2].text.clone());
            at += 3;
        }
        if segments.len() > 1 {
            paths.push((first.first_line, segments));
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(code: &str) -> Vec<NamedPath> {
        named_paths(&syn::parse_file(code).unwrap_or_else(|error| panic!("{error}")))
    }

    fn paths(code: &str) -> Vec<String> {
        let paths = named(code).into_iter();
        paths.map(|path| path.segments.join("::")).collect()
    }

    #[test]
    fn nested_braces_are_written_out() {
        assert_eq!(
            paths("use crate::{a::{B, c::D}, e::*, f};"),
            ["crate::a::B", "crate::a::c::D", "crate::e", "crate::f"]
        );
        assert_eq!(
            paths("pub use super::a::{self, B as C};"),
            ["super::a", "super::a::B"]
        );
    }

    #[test]
    fn paths_are_found_where_they_are_written_out() {
        let code = "fn f(x: &crate::a::B, y: crate::C) -> <super::c::D as E>::F { lines::read(x).g::<H>() }";
        assert_eq!(
            paths(code),
            ["crate::a::B", "crate::C", "super::c::D", "lines::read"]
        );
    }

    #[test]
    fn paths_inside_of_macros_are_found() {
        assert_eq!(paths("fn f() { assert!(crate::a::b()) }"), ["crate::a::b"]);
    }

    #[test]
    fn neither_captures_nor_macro_roots_are_paths() {
        assert!(paths("fn f<'a>() -> impl I + use<'a> { g() }").is_empty());
        assert!(paths("macro_rules! m { () => { $crate::a::b } }").is_empty());
    }

    #[test]
    fn a_path_knows_its_line_and_the_modules_around_it() {
        let found = named("use crate::{\n    a,\n    b,\n};\nmod c {\n    use super::d;\n}");
        let places: Vec<_> = found
            .iter()
            .map(|path| (path.line, path.inner_modules.join("::")))
            .collect();
        let place = |line, inner: &str| (line, inner.to_owned());
        assert_eq!(places, [place(2, ""), place(3, ""), place(6, "c")]);
    }
}
