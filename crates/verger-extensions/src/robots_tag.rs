//! The header field `Robots-Tag`: an RFC 9651 List whose Items are product tokens and whose
//! parameters are rules (draft-illyes-repext-03 3.1.1).
//!
//! ```text
//! list = item *( OWS "," OWS item )     item = product-token *( ";" *SP rule [ "=" value ] )
//! ```

use alloc::vec::Vec;

use crate::dictionary::{Reader, is_space_or_tab};

/// A rule and the product token that it belongs to, `*` for all crawlers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TokenRule<'v> {
    pub(crate) token: &'v str,
    pub(crate) name: &'v str,
    pub(crate) value: Option<&'v str>,
}

/// Returns the rules in the first `bytes_max` bytes of a field.
///
/// An error invalidates the field (RFC 9651 4.2). In a field over the limit, complete members are kept
/// (draft-illyes-repext-03 3.1.1). Departs from RFC 9651 4.2: the lines of a field are read one by one,
/// so an error in one leaves the others valid, because rules only restrict.
pub(crate) fn token_rules(field: &[u8], bytes_max: usize) -> Vec<TokenRule<'_>> {
    let read = field.get(..bytes_max).unwrap_or(field);
    let mut reader = Reader { rest: read };
    let mut rules = Vec::new();
    let is_well_formed = add_members(&mut reader, &mut rules, field.get(read.len()).copied());
    if is_well_formed.is_none() && read.len() == field.len() {
        rules.clear();
    }
    rules
}

/// Adds the rules of complete members. `next` is the first byte that is not read.
fn add_members<'v>(
    reader: &mut Reader<'v>,
    rules: &mut Vec<TokenRule<'v>>,
    next: Option<u8>,
) -> Option<()> {
    reader.skip(|byte| byte == b' ');
    while !reader.rest.is_empty() {
        let complete = rules.len();
        let member = add_member(reader, rules);
        reader.skip(is_space_or_tab);
        let is_at_limit = reader.rest.is_empty() && next.is_some_and(|next| next != b',');
        if member.is_none() || is_at_limit {
            rules.truncate(complete);
            return None;
        }
        if reader.rest.is_empty() {
            break;
        }
        reader.take(b',')?;
        reader.skip(is_space_or_tab);
        // A trailing comma is an error.
        reader.rest.first()?;
    }
    Some(())
}

fn add_member<'v>(reader: &mut Reader<'v>, rules: &mut Vec<TokenRule<'v>>) -> Option<()> {
    let token = text_of(reader)?;
    while reader.take(b';').is_some() {
        reader.skip(|byte| byte == b' ');
        // Keys are in lower case (RFC 9651 3.1.2), but "the values are case insensitive"
        // (draft-illyes-repext-03 3.1.3). Departs from RFC 9651 4.2.3.2: a repeated key adds a
        // rule, because rules only restrict (draft-illyes-repext-03 3.1.1).
        let start = reader.rest.first();
        start.filter(|byte| byte.is_ascii_alphabetic() || **byte == b'*')?;
        let name = reader.run(|byte| byte.is_ascii_alphanumeric() || b"_-.*".contains(&byte));
        let name = str::from_utf8(name).ok()?;
        let value = match reader.take(b'=') {
            Some(()) => Some(text_of(reader)?),
            None => None,
        };
        match value {
            // False: the rule does not apply.
            Some("?0") => {}
            Some("?1") => rules.push(TokenRule {
                token,
                name,
                value: None,
            }),
            value => rules.push(TokenRule { token, name, value }),
        }
    }
    Some(())
}

/// Reads a bare item and returns its text, a String without its quotes.
fn text_of<'v>(reader: &mut Reader<'v>) -> Option<&'v str> {
    let start = reader.rest;
    reader.bare_item()?;
    let text = str::from_utf8(&start[..start.len() - reader.rest.len()]).ok()?;
    let unquoted = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    Some(unquoted.unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Rules<'v> = Vec<(&'v str, &'v str, Option<&'v str>)>;

    fn rules(field: &str, bytes_max: usize) -> Rules<'_> {
        let rules = token_rules(field.as_bytes(), bytes_max);
        rules
            .iter()
            .map(|it| (it.token, it.name, it.value))
            .collect()
    }

    #[test]
    fn members_are_tokens_with_rules() {
        let field =
            "*;nosnippet, ExampleBot; noindex;Max-Snippet=5 ,\t\"Other\";a=?0;b=?1;c=\"d e\"";
        let expected = [
            ("*", "nosnippet", None),
            ("ExampleBot", "noindex", None),
            ("ExampleBot", "Max-Snippet", Some("5")),
            ("Other", "b", None),
            ("Other", "c", Some("d e")),
        ];
        assert_eq!(rules(field, 1000), expected);
        assert_eq!(rules("ExampleBot", 1000), []);
        assert_eq!(rules("", 1000), []);
    }

    #[test]
    fn one_error_spoils_the_field() {
        for field in [
            "*;noindex,",
            "*;noindex, ,",
            "*;noindex x",
            "*;noindex;",
            "*;a, (b;c)",
            "*;a=",
            "*;\u{e9}",
        ] {
            assert_eq!(rules(field, 1000), [], "{field}");
        }
    }

    #[test]
    fn a_field_over_the_limit_counts_up_to_the_last_whole_member() {
        let field = "*;nosnippet, a;noindex, b;noindex";
        let first = ("*", "nosnippet", None);
        for limit in 11..22 {
            assert_eq!(rules(field, limit), [first], "{limit}");
        }
        for limit in 22..33 {
            assert_eq!(
                rules(field, limit),
                [first, ("a", "noindex", None)],
                "{limit}"
            );
        }
        assert_eq!(rules(field, 33).len(), 3);
        assert_eq!(rules(field, 10), []);
    }
}
