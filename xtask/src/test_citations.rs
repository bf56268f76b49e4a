//! Clauses cited by Rust tests: the doc comment of a test function names their ids.
//!
//! Cases and scenarios are data and contain their citations. Other behaviour, such as the command's output or two
//! clients sharing a store, is tested by functions:
//!
//! ```text
//! /// V-73: redirects of a stored history are judged anew.
//! #[test]
//! fn what_one_profile_recorded_another_judges_anew() { … }
//! ```

use syn::visit::{self, Visit};
use syn::{Attribute, ItemFn, LitStr};

use crate::clause_ids::clause_ids;
use crate::rust_item::doc;
use crate::workspace::Tree;

/// A test function that cites clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TestCitation {
    /// File relative to the workspace root.
    pub(crate) file: String,
    pub(crate) function: String,
    pub(crate) clauses: Vec<String>,
}

/// Returns the citing test functions of all crates, in file order.
pub(crate) fn test_citations() -> Result<Vec<TestCitation>, String> {
    let tree = Tree::of_workspace()?;
    let mut found = Vec::new();
    let in_crates = tree.ending_in(".rs").filter(|it| it.starts_with("crates/"));
    for file in in_crates {
        let text = tree.text(file)?.unwrap_or_default();
        found.extend(in_text(file, &text)?);
    }
    Ok(found)
}

fn in_text(file: &str, text: &str) -> Result<Vec<TestCitation>, String> {
    // Most files cite nothing and need not be parsed.
    let is_doc = |line: &&str| line.trim_start().starts_with("///");
    let cites = text
        .lines()
        .filter(is_doc)
        .any(|line| clause_ids(line).next().is_some());
    if !(cites && text.contains("test]")) {
        return Ok(Vec::new());
    }
    let parsed = syn::parse_file(text).map_err(|error| format!("cannot parse {file}: {error}"))?;
    let mut tests = Tests {
        file,
        found: Vec::new(),
    };
    tests.visit_file(&parsed);
    Ok(tests.found)
}

struct Tests<'f> {
    file: &'f str,
    found: Vec<TestCitation>,
}

impl<'ast> Visit<'ast> for Tests<'_> {
    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        let is_test = function.attrs.iter().any(is_test);
        let docs = function.attrs.iter().filter_map(doc).map(LitStr::value);
        let docs = docs.collect::<Vec<_>>().join("\n");
        let clauses: Vec<String> = clause_ids(&docs).map(str::to_owned).collect();
        if is_test && !clauses.is_empty() {
            self.found.push(TestCitation {
                file: self.file.to_owned(),
                function: function.sig.ident.to_string(),
                clauses,
            });
        }
        visit::visit_item_fn(self, function);
    }
}

/// Whether the attribute is `#[test]`, or its equivalent in an async runtime.
fn is_test(attribute: &Attribute) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|segment| segment.ident == "test")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_cites_what_its_doc_comment_names() {
        let text = "/// V-1.\nfn helper() {}\n\
                    mod tests {\n    /// V-73, and G-1-2:\n    /// V-40.\n    #[tokio::test]\n    \
                    async fn one() {}\n    #[test]\n    fn two() {}\n}\n";
        let expected = TestCitation {
            file: "a.rs".to_owned(),
            function: "one".to_owned(),
            clauses: ["V-73", "G-1-2", "V-40"].map(str::to_owned).to_vec(),
        };
        assert_eq!(in_text("a.rs", text), Ok(vec![expected]));
        assert_eq!(in_text("a.rs", "/// V-1\nfn helper() {}"), Ok(Vec::new()));
        assert!(in_text("a.rs", "/// V-1\n#[test]\nfn {").is_err());
    }
}
