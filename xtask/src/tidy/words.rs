//! Words that public documentation, help and pages do not use: `data/plain_words.txt`.

use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, LitStr, Meta, Visibility};

use super::finding::Finding;
use super::source::Source;
use crate::rust_item::{doc, head, is_public};

const LIST: &str = include_str!("../../data/plain_words.txt");

/// The words with what to say instead.
pub(super) struct Words {
    entries: Vec<(String, String)>,
}

impl Words {
    pub(super) fn bundled() -> Self {
        Self::read(LIST)
    }

    fn read(list: &str) -> Self {
        let lines = list.lines().filter(|line| !line.starts_with('#'));
        let entries = lines
            .filter_map(|line| line.split_once('\t'))
            .map(|(word, instead)| (word.to_owned(), instead.to_owned()))
            .collect();
        Self { entries }
    }

    /// The words in a text whose first line has this number. Text in backticks, between
    /// fences or in a link's target is no prose.
    pub(super) fn findings(&self, path: &str, first_line: usize, text: &str) -> Vec<Finding> {
        let (prose, line_of) = prose(first_line, text);
        let mut findings = Vec::new();
        for (word, instead) in &self.entries {
            for (at, _) in prose.match_indices(word.as_str()) {
                let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
                let before = prose[..at].chars().next_back();
                let after = prose[at + word.len()..].chars().next();
                if !is_part(before) && !is_part(after) {
                    let sentence = format!("says `{word}`; say {instead}");
                    findings.push(Finding::new(path, line_of(at), sentence));
                }
            }
        }
        findings
    }

    /// The words in the documentation of what a file makes public, and in the help that its
    /// arguments have.
    pub(super) fn findings_in_docs(&self, source: &Source) -> Vec<Finding> {
        let mut docs = PublicDocs::default();
        for item in &source.file.items {
            docs.visit_item(item);
        }
        // The comment at the head of a root is the front page of the crate.
        if source.path.ends_with("/src/lib.rs") {
            source.file.attrs.iter().for_each(|it| docs.take(it));
        }
        let mut findings = Vec::new();
        // Lines that follow each other are one text.
        let mut lines = docs.lines.into_iter().peekable();
        while let Some((first, mut text)) = lines.next() {
            let mut last = first;
            while let Some((line, more)) = lines.next_if(|(line, _)| *line == last + 1) {
                text.push('\n');
                text.push_str(&more);
                last = line;
            }
            findings.extend(self.findings(&source.path, first, &text));
        }
        findings
    }
}

/// The text in lower case with every line end a space, code blanked, and the line of an offset.
fn prose(first_line: usize, text: &str) -> (String, impl Fn(usize) -> usize) {
    let mut prose = String::new();
    let mut starts = Vec::new();
    let mut is_in_fence = false;
    for line in text.lines() {
        starts.push(prose.len());
        let trimmed = line.trim_start();
        let is_fence = trimmed.starts_with("```");
        is_in_fence ^= is_fence;
        if !is_fence && !is_in_fence {
            for (part, is_code) in trimmed.split('`').zip([false, true].into_iter().cycle()) {
                prose.push_str(if is_code { "`" } else { part });
            }
        }
        prose.push(' ');
    }
    prose.make_ascii_lowercase();
    let line_of = move |at: usize| first_line + starts.partition_point(|start| *start <= at) - 1;
    (prose, line_of)
}

/// The lines of the documentation that others than the writers of a crate read.
#[derive(Default)]
struct PublicDocs {
    lines: Vec<(usize, String)>,
    /// Whether the comments of the item are help.
    is_help: bool,
}

impl PublicDocs {
    fn take(&mut self, attribute: &Attribute) {
        let line = |text: &LitStr| (text.span().start().line, text.value());
        self.lines.extend(doc(attribute).map(line));
    }
}

/// Whether a type describes arguments, so that its comments are help.
fn describes_arguments(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let Meta::List(list) = &attribute.meta else {
            return false;
        };
        let tokens = list.tokens.to_string();
        let mut words = tokens.split(|c: char| !c.is_alphanumeric());
        list.path.is_ident("derive")
            && words.any(|word| ["Args", "Parser", "Subcommand", "ValueEnum"].contains(&word))
    })
}

impl<'s> Visit<'s> for PublicDocs {
    fn visit_item(&mut self, item: &'s Item) {
        let (attributes, visibility, _) = head(item);
        let around = self.is_help;
        self.is_help = describes_arguments(attributes);
        let is_place = matches!(item, Item::Mod(_) | Item::Impl(_));
        if is_place || self.is_help || visibility.is_some_and(is_public) {
            visit::visit_item(self, item);
        }
        self.is_help = around;
    }

    fn visit_attribute(&mut self, attribute: &'s Attribute) {
        self.take(attribute);
    }

    fn visit_field(&mut self, field: &'s syn::Field) {
        // Those of a variant have no visibility of their own.
        if self.is_help || !matches!(field.vis, Visibility::Restricted(_)) {
            visit::visit_field(self, field);
        }
    }

    fn visit_impl_item(&mut self, item: &'s ImplItem) {
        let visibility = match item {
            ImplItem::Fn(it) => &it.vis,
            ImplItem::Const(it) => &it.vis,
            _ => return,
        };
        if is_public(visibility) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_block(&mut self, _: &'s syn::Block) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "# Comment.\nnobody\tno crawler\nspeaks to\tapplies to\n";

    fn in_docs(text: &str) -> Vec<String> {
        let source = Source::new("x/src/lib.rs", text).unwrap_or_else(|it| panic!("{it}"));
        let words = Words::read(LIST);
        let findings = words.findings_in_docs(&source);
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn words_of_pages_are_found_across_line_ends_and_not_in_code() {
        let words = Words::read(LIST);
        let text = "# A\nNobody, and it speaks\nto it.\n`nobody`\n```\nnobody\n```\nnobodys\n";
        let findings = words.findings("a.md", 1, text);
        let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "a.md:2: says `nobody`; say no crawler",
                "a.md:2: says `speaks to`; say applies to"
            ]
        );
    }

    #[test]
    fn public_documentation_and_help_are_read_and_nothing_else() {
        let text = "//! Nobody.\n\n/// It speaks\n/// to nobody.\npub fn a() {}\n\n/// Nobody.\nfn b() {}\n\n\
                    #[derive(Args)]\nstruct C {\n    /// Nobody.\n    d: u8,\n}\n\nimpl C {\n    /// Nobody.\n    pub fn e() {}\n}\n";
        let lines: Vec<String> = in_docs(text)
            .iter()
            .map(|finding| finding.split(':').nth(1).unwrap_or_default().to_owned())
            .collect();
        assert_eq!(lines, ["4", "3", "12", "17", "1"]);
    }

    #[test]
    fn every_word_says_what_to_say_instead() {
        let words = Words::bundled();
        let lines = super::LIST.lines().filter(|line| !line.starts_with('#'));
        assert_eq!(words.entries.len(), lines.count());
    }
}
