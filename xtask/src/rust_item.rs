//! Parts common to all Rust items: attributes, documentation, and usually visibility and a name.

use syn::spanned::Spanned;
use syn::{Attribute, Expr, Ident, Item, Lit, LitStr, Meta, UseTree, Visibility};

/// The attributes, visibility and name of an item. Trait implementations have only attributes.
pub(crate) type Head<'i> = (&'i [Attribute], Option<&'i Visibility>, Option<&'i Ident>);

pub(crate) fn head(item: &Item) -> Head<'_> {
    match item {
        Item::Const(it) => (&it.attrs, Some(&it.vis), Some(&it.ident)),
        Item::Enum(it) => (&it.attrs, Some(&it.vis), Some(&it.ident)),
        Item::ExternCrate(it) => (&it.attrs, Some(&it.vis), Some(&it.ident)),
        Item::Fn(it) => (&it.attrs, Some(&it.vis), Some(&it.sig.ident)),
        Item::Impl(it) => (&it.attrs, None, None),
        Item::Macro(it) => (&it.attrs, None, it.ident.as_ref()),
        Item::Mod(it) => (&it.attrs, Some(&it.vis), Some(&it.ident)),
        Item::Static(it) => (&it.attrs, Some(&it.vis), Some(&it.ident)),
        Item::Struct(it) => (&it.attrs, Some(&it.vis), Some(&it.ident)),
        Item::Trait(it) => (&it.attrs, Some(&it.vis), Some(&it.ident)),
        Item::Type(it) => (&it.attrs, Some(&it.vis), Some(&it.ident)),
        Item::Union(it) => (&it.attrs, Some(&it.vis), Some(&it.ident)),
        Item::Use(it) => (&it.attrs, Some(&it.vis), None),
        _ => (&[], None, None),
    }
}

/// A leaf of a `use`: its path, the name it is bound to, and its line. The path excludes a new name, a star and a
/// final `self`.
pub(crate) type Import = (Vec<String>, String, usize);

/// Returns the leaves of a `use` below `stem`.
pub(crate) fn imports(tree: &UseTree, stem: &[String]) -> Vec<Import> {
    let (ident, name) = match tree {
        UseTree::Path(it) => (&it.ident, None),
        UseTree::Name(it) => (&it.ident, None),
        UseTree::Rename(it) => (&it.ident, Some(&it.rename)),
        UseTree::Glob(it) => {
            return vec![(stem.to_vec(), "*".to_owned(), it.span().start().line)];
        }
        UseTree::Group(it) => return it.items.iter().flat_map(|it| imports(it, stem)).collect(),
    };
    let mut path = stem.to_vec();
    if ident != "self" || stem.is_empty() {
        path.push(ident.to_string());
    }
    if let UseTree::Path(it) = tree {
        return imports(&it.tree, &path);
    }
    let name = name.map_or_else(|| path[path.len() - 1].clone(), ToString::to_string);
    vec![(path, name, ident.span().start().line)]
}

pub(crate) fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Returns the text of a line of documentation.
pub(crate) fn doc(attribute: &Attribute) -> Option<&LitStr> {
    if let Meta::NameValue(pair) = &attribute.meta
        && let Expr::Lit(literal) = &pair.value
        && let Lit::Str(text) = &literal.lit
        && pair.path.is_ident("doc")
    {
        return Some(text);
    }
    None
}

/// Whether the attribute is `#[cfg(test)]`.
pub(crate) fn is_for_tests(attribute: &Attribute) -> bool {
    let Meta::List(list) = &attribute.meta else {
        return false;
    };
    list.path.is_ident("cfg") && list.tokens.to_string() == "test"
}
