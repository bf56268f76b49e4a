//! Items as one line each, without bodies and documentation.

use quote::{ToTokens, quote};
use syn::{Attribute, Fields, Meta};

use crate::rust_item::is_public;

/// Tokens as one line, spaced as people write them.
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

/// The traits that a type derives, and whether it may grow.
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

/// The public fields of a structure or a variant, by name or by number.
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

/// The head of an implementation of a trait.
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
