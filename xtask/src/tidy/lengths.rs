//! How long functions and files may be, in lines of code.

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::finding::Finding;
use super::source::{Source, lines_of_code};

const FUNCTION_LINES_MAX: usize = 70;
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
    for function in functions(source) {
        if function.lines > FUNCTION_LINES_MAX {
            findings.push(Finding::new(
                &source.path,
                function.line,
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
    line: usize,
    lines: usize,
}

/// The functions of a file, those inside of others included.
fn functions(source: &Source) -> Vec<Function> {
    let mut functions = Functions(Vec::new());
    functions.visit_file(&source.product);
    functions.0
}

struct Functions(Vec<Function>);

impl Functions {
    fn add(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let mut code = signature.to_token_stream();
        body.to_tokens(&mut code);
        self.0.push(Function {
            name: signature.ident.to_string(),
            line: signature.fn_token.span().start().line,
            lines: lines_of_code(code),
        });
    }
}

impl<'s> Visit<'s> for Functions {
    fn visit_item_fn(&mut self, function: &'s syn::ItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'s syn::ImplItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'s syn::TraitItemFn) {
        if let Some(body) = &function.default {
            self.add(&function.sig, body);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source::new(path, text).unwrap_or_else(|finding| panic!("{finding}"))
    }

    fn measured(text: &str) -> Vec<(String, usize)> {
        functions(&source("a.rs", text))
            .into_iter()
            .map(|function| (function.name, function.lines))
            .collect()
    }

    #[test]
    fn a_function_is_measured_from_its_name_to_its_brace() {
        let text = "/// Doc.\nfn a(\n    x: [u8; 2],\n) {\n    // Why.\n    b(\"}\");\n\n}\ntrait T { fn c(); }\n";
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
        let count = |path: &str, text: &str| findings(&source(path, text)).len();
        assert_eq!(count("a.rs", &body(70)), 0);
        assert_eq!(count("a.rs", &body(71)), 1);
        assert_eq!(count("a.rs", &"use b;\n".repeat(400)), 0);
        assert_eq!(count("a.rs", &"use b;\n".repeat(401)), 1);
        assert_eq!(count("x/src/main.rs", &"use b;\n".repeat(60)), 0);
        assert_eq!(count("x/src/main.rs", &"use b;\n".repeat(61)), 1);
    }
}
