//! Items as single lines, without bodies and documentation.

use quote::{ToTokens, quote};
use syn::{Attribute, Fields, Meta};

use crate::rust_item::is_public;

/// Returns tokens as one line with conventional spacing.
pub(super) fn line(tokens: impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (from, to) in [
        ("\n", " "),
        (" :: ", "::"),
        (":: ", "::"),
        (" ::", "::"),
        ("& ", "&"),
        (" < ", "<"),
        ("< ", "<"),
        (" <", "<"),
        (" > ", "> "),
        (" >", ">"),
        ("- >", "->"),
        ("->", " -> "),
        (" ,", ","),
        (" ;", ";"),
        (" :", ":"),
        ("( ", "("),
        (" )", ")"),
        (" (", "("),
        ("->(", "-> ("),
        ("[ ", "["),
        (" ]", "]"),
        (" !", "!"),
        ("  ", " "),
        (",)", ")"),
    ] {
        text = text.replace(from, to);
    }
    text.trim().to_owned()
}

/// Returns the derived traits of a type, and `#[non_exhaustive]` if present.
pub(super) fn derived(attributes: &[Attribute]) -> Vec<String> {
    let mut lines = Vec::new();
    for attribute in attributes {
        if attribute.path().is_ident("non_exhaustive") {
            lines.push("#[non_exhaustive]".to_owned());
        }
        if let Meta::List(list) = &attribute.meta
            && list.path.is_ident("derive")
        {
            let names = list.tokens.to_string();
            let names = names.split(',').map(|name| name.trim().to_owned());
            lines.extend(
                names
                    .filter(|name| !name.is_empty())
                    .map(|name| format!("impl {name}")),
            );
        }
    }
    lines
}

/// Returns the public fields of a structure or variant, by name or index.
pub(super) fn fields(fields: &Fields, all: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, field) in fields.iter().enumerate() {
        if all || is_public(&field.vis) {
            let name = field
                .ident
                .as_ref()
                .map_or(number.to_string(), ToString::to_string);
            lines.push(format!("{name}: {}", line(&field.ty)));
        }
    }
    lines
}

/// Returns the head of a trait implementation.
pub(super) fn trait_impl(block: &syn::ItemImpl) -> Option<String> {
    let (not, path, _) = block.trait_.as_ref()?;
    let (parameters, _, conditions) = block.generics.split_for_impl();
    let of = &block.self_ty;
    Some(line(
        quote!(impl #parameters #not #path for #of #conditions),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_spaced_as_people_write() {
        let item: syn::ItemFn =
            syn::parse_str("fn a<'r, T: Into<u8>>(x: &'r [T], y: (u8, std::io::Error)) -> Option<&'r str> where T: Copy {}")
                .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            line(&item.sig),
            "fn a<'r, T: Into<u8>>(x: &'r [T], y:(u8, std::io::Error)) -> Option<&'r str> where T: Copy"
        );
    }
}
