//! One Rust file: its syntax tree and tokens, with and without tests.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Item};

use super::finding::Finding;
use crate::rust_item::{head, is_for_tests};

pub(super) struct Source {
    pub(super) path: String,
    pub(super) file: syn::File,
    /// The file without documentation and test-only items.
    pub(super) product: syn::File,
    tokens: OnceCell<Vec<Token>>,
    /// Test-only modules in files of their own.
    pub(super) test_modules: Vec<String>,
}

impl Source {
    pub(super) fn new(path: &str, text: &str) -> Result<Self, Finding> {
        let file = syn::parse_file(text).map_err(|error| {
            let line = error.span().start().line;
            Finding::new(path, line, format!("cannot be parsed: {error}"))
        })?;
        let mut product = file.clone();
        let mut stripper = Stripper::default();
        if product.attrs.iter().any(is_for_tests) {
            product.items.clear();
        }
        stripper.visit_file_mut(&mut product);
        Ok(Self {
            path: path.to_owned(),
            file,
            product,
            tokens: OnceCell::new(),
            test_modules: stripper.test_modules,
        })
    }

    /// Returns the tokens of the product in order.
    pub(super) fn tokens(&self) -> &[Token] {
        self.tokens.get_or_init(|| tokens(&self.product))
    }
}

/// Removes documentation and test-only items.
#[derive(Default)]
struct Stripper {
    test_modules: Vec<String>,
}

impl Stripper {
    fn is_for_tests(&mut self, item: &Item) -> bool {
        if !head(item).0.iter().any(is_for_tests) {
            return false;
        }
        if let Item::Mod(module) = item
            && module.content.is_none()
        {
            self.test_modules.push(module.ident.to_string());
        }
        true
    }
}

impl VisitMut for Stripper {
    fn visit_file_mut(&mut self, file: &mut syn::File) {
        file.items.retain(|item| !self.is_for_tests(item));
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        if let Some((_, items)) = &mut module.content {
            items.retain(|item| !self.is_for_tests(item));
        }
        visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_item_impl_mut(&mut self, block: &mut syn::ItemImpl) {
        block.items.retain(|item| match item {
            syn::ImplItem::Fn(function) => !function.attrs.iter().any(is_for_tests),
            _ => true,
        });
        visit_mut::visit_item_impl_mut(self, block);
    }

    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        attributes.retain(|attribute| !attribute.path().is_ident("doc"));
    }
}

/// A flat token: a word, a sign, a literal, or a delimiter of a group.
pub(super) struct Token {
    pub(super) text: String,
    pub(super) first_line: usize,
    pub(super) last_line: usize,
}

impl Token {
    fn new(text: &str, span: proc_macro2::Span) -> Self {
        Self {
            text: text.to_owned(),
            first_line: span.start().line,
            last_line: span.end().line,
        }
    }

    /// Whether the token is an identifier or a keyword.
    pub(super) fn is_word(&self) -> bool {
        self.text
            .starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

pub(super) fn tokens(code: impl ToTokens) -> Vec<Token> {
    let mut tokens = Vec::new();
    flatten(code.to_token_stream(), &mut tokens);
    tokens
}

fn flatten(stream: TokenStream, tokens: &mut Vec<Token>) {
    for tree in stream {
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    proc_macro2::Delimiter::Parenthesis => ("(", ")"),
                    proc_macro2::Delimiter::Brace => ("{", "}"),
                    proc_macro2::Delimiter::Bracket => ("[", "]"),
                    proc_macro2::Delimiter::None => ("", ""),
                };
                tokens.push(Token::new(open, group.span_open()));
                flatten(group.stream(), tokens);
                tokens.push(Token::new(close, group.span_close()));
            }
            TokenTree::Ident(ident) => tokens.push(Token::new(&ident.to_string(), ident.span())),
            TokenTree::Punct(punct) => {
                tokens.push(Token::new(&punct.as_char().to_string(), punct.span()));
            }
            TokenTree::Literal(literal) => tokens.push(Token::new("\"\"", literal.span())),
        }
    }
}

/// Returns the number of lines with at least one token.
pub(super) fn lines_of_code(tokens: &[Token]) -> usize {
    let lines = tokens.iter().map(|it| it.first_line..=it.last_line);
    lines.flatten().collect::<BTreeSet<usize>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source::new("a.rs", text).unwrap_or_else(|finding| panic!("{finding}"))
    }

    #[test]
    fn test_items_are_no_product_code() {
        let text = "fn a() {}\n#[cfg(test)]\n#[allow(x)]\nmod tests {\n    fn b() { c(); }\n}\nfn d() {}\n";
        let source = source(text);
        assert_eq!(lines_of_code(source.tokens()), 2);
        assert_eq!(lines_of_code(&tokens(&source.file)), 7);
        assert_eq!(source.tokens().last().map(|token| token.last_line), Some(7));
    }

    #[test]
    fn test_modules_in_their_own_files_are_named() {
        let source = source("#[cfg(test)]\nmod vectors;\nmod lines;\n");
        assert_eq!(source.test_modules, ["vectors"]);
        assert_eq!(source.product.items.len(), 1);
    }

    #[test]
    fn lines_of_comments_and_blank_lines_do_not_count() {
        let text = "//! Head.\n\n/// Doc.\nfn a() {\n    // Why.\n    b(\"\n\n\");\n\n}\n";
        assert_eq!(lines_of_code(source(text).tokens()), 5);
    }

    #[test]
    fn what_is_no_rust_is_found() {
        let finding = Source::new("a.rs", "fn a() {}\nfn {").err();
        let sentence = finding.map(|it| it.to_string()).unwrap_or_default();
        assert!(
            sentence.starts_with("a.rs:2: cannot be parsed"),
            "{sentence}"
        );
    }
}
