//! What the command may be: it prints the answers of libraries, so nothing in it is serialized.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;

use super::finding::Finding;
use super::source::Source;

const ROOT: &str = "crates/verger-cli/src/";

/// The findings in the sources of all crates.
pub(super) fn findings<'s>(sources: impl Iterator<Item = &'s Source>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources.filter(|source| source.path.starts_with(ROOT)) {
        if let Some(line) = line_of_shape(&source.product) {
            let sentence =
                "`Serialize`: what is printed as JSON belongs beside its data, in a library";
            findings.push(Finding::new(&source.path, line, sentence));
        }
    }
    findings
}

/// The line of the first item that names `Serialize`.
fn line_of_shape(file: &syn::File) -> Option<usize> {
    let mut items = file.items.iter();
    let item = items.find(|item| names_serialize(item.to_token_stream()))?;
    Some(item.span().start().line)
}

fn names_serialize(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "Serialize",
        TokenTree::Group(group) => names_serialize(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        let Ok(source) = Source::new(path, text) else {
            panic!("{text}: is no Rust");
        };
        let findings = findings(std::iter::once(&source));
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn shapes_are_found_in_the_command_alone() {
        let derived = "/// A.\n#[derive(Debug, Serialize)]\nstruct Shape;\n";
        assert_eq!(found("crates/verger-cli/src/a.rs", derived).len(), 1);
        assert!(found("crates/verger-owner/src/a.rs", derived).is_empty());
        let by_hand = "impl serde::Serialize for Shape {}\n";
        assert_eq!(found("crates/verger-cli/src/a.rs", by_hand).len(), 1);
        let in_tests = "#[cfg(test)]\nmod tests {\n    use serde::Serialize;\n}\n";
        assert!(found("crates/verger-cli/src/a.rs", in_tests).is_empty());
    }
}
