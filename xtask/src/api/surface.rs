//! The public API of a crate, found by following exports from `lib.rs`.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Attribute, ImplItem, Item, TraitItem};

use super::signature::{derived, fields, line, trait_impl};
use crate::rust_item::{head, imports, is_for_tests, is_public};

type Path = Vec<String>;

/// Returns a sorted line for each public item. `files` are paths below `src/` and their texts.
pub(super) fn lines(files: &[(String, String)]) -> Result<Vec<String>, String> {
    let mut modules = BTreeMap::new();
    for (path, text) in files {
        let stem = path.trim_end_matches(".rs");
        let stem = stem.strip_suffix("/mod").unwrap_or(stem);
        let module: Path = match stem {
            "lib" => Vec::new(),
            stem => stem.split('/').map(str::to_owned).collect(),
        };
        let file = syn::parse_file(text).map_err(|error| format!("{path}: {error}"))?;
        modules.insert(module, file.items);
    }
    let mut surface = Surface {
        modules,
        lines: BTreeSet::new(),
    };
    surface.module(&Vec::new(), "");
    Ok(surface.lines.into_iter().collect())
}

enum Found {
    Item(Box<Item>),
    Module(Path),
}

struct Surface {
    modules: BTreeMap<Path, Vec<Item>>,
    lines: BTreeSet<String>,
}

impl Surface {
    /// Adds everything that a module makes public, under names that start with `prefix`.
    fn module(&mut self, module: &Path, prefix: &str) {
        let items = self.modules.get(module).cloned().unwrap_or_default();
        for item in &items {
            match item {
                Item::Mod(it) if is_public(&it.vis) && !is_hidden(&it.attrs) => {
                    let name = it.ident.to_string();
                    self.add(format!("mod {prefix}{name}"));
                    let mut path = module.clone();
                    path.push(name.clone());
                    self.module(&path, &format!("{prefix}{name}::"));
                }
                Item::Use(it) if is_public(&it.vis) && !is_hidden(&it.attrs) => {
                    for (path, name, _) in imports(&it.tree, &[]) {
                        self.export(module, &path, &format!("{prefix}{name}"));
                    }
                }
                Item::Macro(it) if it.attrs.iter().any(|it| it.path().is_ident("macro_export")) => {
                    let name = it.ident.as_ref().map(ToString::to_string);
                    self.add(format!("macro {}!", name.unwrap_or_default()));
                }
                item if is_public_item(item) => self.described(item, prefix),
                _ => {}
            }
        }
    }

    fn add(&mut self, line: String) {
        self.lines.insert(line);
    }

    /// Adds an export of `path`, as written in `module`, under `name`.
    fn export(&mut self, module: &Path, path: &[String], name: &str) {
        match self.resolve(module, path, 0) {
            Some(Found::Item(item)) => {
                let prefix = name.rfind("::").map_or("", |at| &name[..at + 2]);
                self.described(&item, prefix);
            }
            Some(Found::Module(path)) => {
                self.add(format!("mod {name}"));
                self.module(&path, &format!("{name}::"));
            }
            None => self.add(format!("use {name} = {}", path.join("::"))),
        }
    }

    /// Adds an item and its members.
    fn described(&mut self, item: &Item, prefix: &str) {
        match item {
            Item::Struct(it) => {
                let name = format!("{prefix}{}", it.ident);
                self.add(format!("struct {name}{}", line(&it.generics)));
                self.parts(&name, derived(&it.attrs));
                self.parts(&name, fields(&it.fields, false));
                self.implementations(&it.ident.to_string(), &name);
            }
            Item::Enum(it) => self.described_enum(it, prefix),
            Item::Trait(it) => self.described_trait(it, prefix),
            Item::Fn(it) => self.add(format!("{prefix}{}", line(&it.sig))),
            Item::Const(it) => self.add(format!("const {prefix}{}: {}", it.ident, line(&it.ty))),
            Item::Static(it) => self.add(format!("static {prefix}{}: {}", it.ident, line(&it.ty))),
            Item::Union(it) => self.add(format!("union {prefix}{}", it.ident)),
            Item::Type(it) => {
                let (generics, ty) = (line(&it.generics), line(&it.ty));
                self.add(format!("type {prefix}{}{generics} = {ty}", it.ident));
            }
            _ => {}
        }
    }

    fn described_enum(&mut self, it: &syn::ItemEnum, prefix: &str) {
        let name = format!("{prefix}{}", it.ident);
        self.add(format!("enum {name}{}", line(&it.generics)));
        self.parts(&name, derived(&it.attrs));
        for variant in &it.variants {
            let parts = match fields(&variant.fields, true).join(", ") {
                parts if parts.is_empty() => parts,
                parts => format!(" {{ {parts} }}"),
            };
            self.add(format!("{name}::{}{parts}", variant.ident));
        }
        self.implementations(&it.ident.to_string(), &name);
    }

    fn described_trait(&mut self, it: &syn::ItemTrait, prefix: &str) {
        let name = format!("{prefix}{}", it.ident);
        self.add(format!(
            "trait {name}{}: {}",
            line(&it.generics),
            line(&it.supertraits)
        ));
        for item in &it.items {
            match item {
                TraitItem::Fn(it) => {
                    let kind = ["required", "provided"][usize::from(it.default.is_some())];
                    self.add(format!("{name}::{} ({kind})", line(&it.sig)));
                }
                TraitItem::Type(it) => self.add(format!("{name}::type {}", it.ident)),
                TraitItem::Const(it) => {
                    self.add(format!("{name}::const {}: {}", it.ident, line(&it.ty)));
                }
                _ => {}
            }
        }
    }

    fn parts(&mut self, name: &str, parts: Vec<String>) {
        self.lines
            .extend(parts.into_iter().map(|part| format!("{name}: {part}")));
    }

    /// Adds the methods, constants and traits of a type, wherever in the crate they are implemented.
    fn implementations(&mut self, ident: &str, name: &str) {
        let mut lines = Vec::new();
        for items in self.modules.values() {
            for item in items {
                let Item::Impl(block) = item else { continue };
                let is_of_type = matches!(&*block.self_ty, syn::Type::Path(path)
                    if path.path.segments.last().is_some_and(|last| last.ident == ident));
                if !is_of_type || block.attrs.iter().any(is_for_tests) {
                    continue;
                }
                if let Some(head) = trait_impl(block) {
                    lines.push(format!("{name}: {head}"));
                    continue;
                }
                for item in &block.items {
                    match item {
                        ImplItem::Fn(it) if is_public(&it.vis) && !is_hidden(&it.attrs) => {
                            lines.push(format!("{name}::{}", line(&it.sig)));
                        }
                        ImplItem::Const(it) if is_public(&it.vis) => {
                            lines.push(format!("{name}::const {}: {}", it.ident, line(&it.ty)));
                        }
                        _ => {}
                    }
                }
            }
        }
        self.lines.extend(lines);
    }

    /// Resolves `path` as written in `module`. Returns `None` outside of the crate.
    fn resolve(&self, module: &Path, path: &[String], depth: usize) -> Option<Found> {
        let (last, stem) = path.split_last()?;
        let mut home = module.clone();
        for segment in stem {
            match segment.as_str() {
                "crate" => home.clear(),
                "self" => {}
                "super" => {
                    home.pop();
                }
                child => home.push(child.to_owned()),
            }
        }
        let items = self.modules.get(&home)?;
        if let Some(item) = items
            .iter()
            .find(|item| is_public_item(item) && head(item).2.is_some_and(|it| it == last))
        {
            return Some(Found::Item(Box::new(item.clone())));
        }
        let mut child = home.clone();
        child.push(last.clone());
        if self.modules.contains_key(&child) {
            return Some(Found::Module(child));
        }
        // Follows another export. Circular exports do not compile.
        let exports = items.iter().filter_map(|item| match item {
            Item::Use(it) => Some(imports(&it.tree, &[])),
            _ => None,
        });
        let (path, ..) = exports.flatten().find(|(_, name, _)| name == last)?;
        (depth < 8).then(|| self.resolve(&home, &path, depth + 1))?
    }
}

fn is_public_item(item: &Item) -> bool {
    let is_described = !matches!(item, Item::Mod(_) | Item::ExternCrate(_));
    let (_, visibility, name) = head(item);
    is_described && visibility.is_some_and(is_public) && name.is_some()
}

fn is_hidden(attributes: &[Attribute]) -> bool {
    let mut docs = attributes.iter().filter(|it| it.path().is_ident("doc"));
    docs.any(|it| line(it).contains("hidden"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exports_are_followed_to_their_items() {
        let files = [
            (
                "lib.rs",
                "mod a;\npub mod b;\nmod hidden;\npub use a::{One, two};\npub use http::Uri;\n",
            ),
            (
                "a.rs",
                "mod inner;\npub use inner::One;\npub fn two(x: u8) {}\npub struct Unexported;\n",
            ),
            (
                "a/inner.rs",
                "#[derive(Clone, Debug)]\n#[non_exhaustive]\npub struct One { pub x: u8, y: u8 }\n\
                 impl One { pub fn new() -> Self {} fn private() {} pub(crate) fn c() {} }\n\
                 impl Drop for One { fn drop(&mut self) {} }\n",
            ),
            (
                "b.rs",
                "pub enum E { A, B { x: u8 } }\nconst C: u8 = 1;\npub const D: u8 = 2;\n\
                 pub static F: u8 = 3;\npub trait T { const G: u8; }\npub union U { x: u8 }\n",
            ),
            ("hidden.rs", "pub struct Hidden;\n"),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
        let lines = lines(&files).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            lines,
            [
                "One: #[non_exhaustive]",
                "One: impl Clone",
                "One: impl Debug",
                "One: impl Drop for One",
                "One: x: u8",
                "One::fn new() -> Self",
                "b::E::A",
                "b::E::B { x: u8 }",
                "b::T::const G: u8",
                "const b::D: u8",
                "enum b::E",
                "fn two(x: u8)",
                "mod b",
                "static b::F: u8",
                "struct One",
                "trait b::T: ",
                "union b::U",
                "use Uri = http::Uri",
            ]
        );
    }
}
