//! The paths that a file names: in its `use` items and wherever else it writes one out.

use std::ops::Range;

use super::source::words;

/// A path as written, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedPath {
    pub(super) offset: usize,
    pub(super) segments: Vec<String>,
}

/// All paths of two segments or more that `code` names, and the single ones that it imports.
pub(super) fn named_paths(code: &str) -> Vec<NamedPath> {
    let items = use_items(code);
    let mut paths = Vec::new();
    for item in &items {
        expand(code, item.clone(), &mut Vec::new(), &mut paths);
    }
    paths.extend(written_out(code, &items));
    paths
}

/// What stands between each `use` and its `;`.
fn use_items(code: &str) -> Vec<Range<usize>> {
    words(code)
        .filter(|&(_, word)| word == "use")
        .filter_map(|(offset, word)| {
            let start = offset + word.len();
            // `use<'a>` says what an opaque type captures.
            if code[start..].trim_start().starts_with('<') {
                return None;
            }
            let length = code[start..].find(';')?;
            Some(start..start + length)
        })
        .collect()
}

/// Writes out the tree `a::{b, c::{d, e as f}, *}` as one path a leaf.
fn expand(code: &str, tree: Range<usize>, stem: &mut Vec<String>, paths: &mut Vec<NamedPath>) {
    let depth = stem.len();
    let text = &code[tree.clone()];
    if let Some(open) = text.find('{') {
        stem.extend(segments(&text[..open]));
        let close = text.rfind('}').unwrap_or(text.len());
        let inside = tree.start + open + 1..tree.start + close;
        for branch in branches(code, inside) {
            expand(code, branch, stem, paths);
        }
    } else if !text.trim().is_empty() {
        let offset = tree.start + text.len() - text.trim_start().len();
        stem.extend(segments(text));
        paths.push(NamedPath {
            offset,
            segments: stem.clone(),
        });
    }
    stem.truncate(depth);
}

/// The parts of a list, split at the commas that stand in no inner braces.
fn branches(code: &str, list: Range<usize>) -> Vec<Range<usize>> {
    let mut branches = Vec::new();
    let (mut start, mut depth) = (list.start, 0_usize);
    for at in list.clone() {
        match code.as_bytes()[at] {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                branches.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    branches.push(start..list.end);
    branches
}

/// The segments of `a::b as c`; neither the new name, nor a star, nor a `self` at the end is one.
fn segments(path: &str) -> Vec<String> {
    let path = path.split(" as ").next().unwrap_or(path);
    let mut segments: Vec<String> = path
        .split("::")
        .map(|segment| segment.trim().to_owned())
        .filter(|segment| !segment.is_empty() && segment != "*")
        .collect();
    if segments.len() == 1 && segments[0] == "self" && !path.contains("::") {
        segments.clear();
    }
    segments
}

/// The paths of two segments or more outside the `use` items.
fn written_out(code: &str, items: &[Range<usize>]) -> Vec<NamedPath> {
    let mut paths: Vec<NamedPath> = Vec::new();
    let mut previous_end = 0;
    for (offset, word) in words(code) {
        let continues = previous_end > 0 && &code[previous_end..offset] == "::";
        previous_end = offset + word.len();
        if items.iter().any(|item| item.contains(&offset)) {
            previous_end = 0;
        } else if continues && let Some(path) = paths.last_mut() {
            path.segments.push(word.to_owned());
        } else {
            let is_continued = code[previous_end..].starts_with("::");
            // A method's `.collect::<…>()`, and `$crate::…` of a macro, begin no path.
            let follows_a_path = code[..offset].ends_with([':', '.', '$']);
            if is_continued && !follows_a_path {
                paths.push(NamedPath {
                    offset,
                    segments: vec![word.to_owned()],
                });
            } else {
                previous_end = 0;
            }
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(code: &str) -> Vec<String> {
        named_paths(code)
            .into_iter()
            .map(|path| path.segments.join("::"))
            .collect()
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
    fn a_use_may_span_lines_and_end_in_a_comma() {
        assert_eq!(
            paths("use crate::{\n    a::B,\n    c,\n};"),
            ["crate::a::B", "crate::c"]
        );
    }

    #[test]
    fn paths_are_found_where_they_are_written_out() {
        let code = "fn f(x: &crate::a::B) -> <super::c::D as E>::F { lines::read(x).g::<H>() }";
        assert_eq!(paths(code), ["crate::a::B", "super::c::D", "lines::read"]);
    }

    #[test]
    fn neither_captures_nor_macro_roots_are_paths() {
        assert!(paths("fn f<'a>() -> impl I + use<'a> { $crate::a::b }").is_empty());
    }

    #[test]
    fn the_offset_is_that_of_the_leaf() {
        let code = "use crate::{\n    a,\n    b,\n};";
        let offsets: Vec<_> = named_paths(code).iter().map(|path| path.offset).collect();
        assert_eq!(
            offsets,
            [code.find("a,").unwrap(), code.find("b,").unwrap()]
        );
    }
}
