//! Decides which texts are product tokens, and which crawlers a user-agent value names.

use super::records::is_ascii_space;
use crate::subject::DialectName;

/// Checks that a question about these agents is valid in `dialect`.
///
/// # Errors
///
/// Returns a message if there is no agent, or if one is not a product token and the dialect is not
/// `google`.
pub(super) fn check(agents: &[String], dialect: DialectName) -> Result<(), String> {
    if agents.is_empty() {
        return Err("no product token was given".to_owned());
    }
    if dialect == DialectName::Google {
        return Ok(());
    }
    for agent in agents {
        // Departs from RFC 9309: digits and dots, because sites write them.       R9309-2.2.1-2
        let bytes = agent.as_bytes();
        let is_token = !bytes.is_empty() && bytes.iter().copied().all(is_wide_byte);
        if !is_token && agent != "*" {
            let likely = String::from_utf8_lossy(prefix(bytes, is_wide_byte));
            return Err(match likely.as_ref() {
                "" => format!("`{agent}` is not a product token"),
                likely => format!("`{agent}` is not a product token: use `{likely}`"),
            });
        }
    }
    Ok(())
}

/// Returns `true` if a user-agent line with this value names `agent`. The agent `*` is never named.
pub(super) fn names(value: &[u8], agent: &str, dialect: DialectName) -> bool {
    if agent == "*" || is_everyone(value, dialect) {
        return false;
    }
    let agent = agent.as_bytes();
    let name = match dialect {
        // The name alone, with nothing around it.                         K96-3.2.1-1, -4
        DialectName::Koster1996 => value,
        // Google cuts the value but not the agent. A value cut to nothing names the empty agent.
        DialectName::Google => prefix(value, is_narrow_byte),
        // The token at the start of the value.                            R9309-2.2.1-6
        DialectName::Rfc9309 | DialectName::Draft2019 => {
            if agent.iter().copied().all(is_narrow_byte) {
                prefix(value, is_narrow_byte)
            } else {
                prefix(value, is_wide_byte)
            }
        }
    };
    name.eq_ignore_ascii_case(agent)
}

/// Returns `true` if a user-agent line with this value applies to crawlers that no group names.
pub(super) fn is_everyone(value: &[u8], dialect: DialectName) -> bool {
    match (dialect, value) {
        (_, b"*") => true,
        // Google: `*` and white space, whatever follows.
        (DialectName::Google, [b'*', second, ..]) => is_ascii_space(*second),
        _ => false,
    }
}

/// "identifier = 1*(%x2D / %x41-5A / %x5F / %x61-7A)"                      D00-2.2-9
fn is_narrow_byte(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'-'
}

fn is_wide_byte(byte: u8) -> bool {
    is_narrow_byte(byte) || byte.is_ascii_digit() || byte == b'.'
}

fn prefix(bytes: &[u8], belongs: impl Fn(u8) -> bool) -> &[u8] {
    match bytes.iter().position(|&byte| !belongs(byte)) {
        Some(end) => &bytes[..end],
        None => bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn product_tokens_are_letters_digits_and_three_marks() {
        for dialect in [
            DialectName::Rfc9309,
            DialectName::Draft2019,
            DialectName::Koster1996,
        ] {
            for agent in ["Foobot", "Foo_Bar", "Foobot-Bar", "MJ12bot", "F.com", "*"] {
                assert_eq!(check(&[agent.to_owned()], dialect), Ok(()));
            }
            for agent in [
                "",
                "ツ",
                "Foobot*",
                " Foobot ",
                "Foobot/2.1",
                "Foobot Bar",
                "**",
            ] {
                assert!(check(&[agent.to_owned()], dialect).is_err(), "{agent:?}");
            }
        }
        assert_eq!(
            check(&["Googlebot/2.1".to_owned()], DialectName::Rfc9309),
            Err("`Googlebot/2.1` is not a product token: use `Googlebot`".to_owned())
        );
    }

    #[test]
    fn google_takes_any_string() {
        for agent in ["", "*", "Foo Bar", "Googlebot/2.1"] {
            assert_eq!(check(&[agent.to_owned()], DialectName::Google), Ok(()));
        }
        assert!(check(&[], DialectName::Google).is_err());
    }

    fn naming(value: &str, agent: &str) -> [bool; 4] {
        DialectName::ALL.map(|dialect| names(value.as_bytes(), agent, dialect))
    }

    #[test]
    fn values_are_cut_at_the_first_other_byte_except_in_1996() {
        let nobody = [false; 4];
        assert_eq!(naming("FooBot", "fOObOT"), [true; 4]);
        assert_eq!(naming("FooBot/2.1", "FooBot"), [true, true, true, false]);
        assert_eq!(naming("FooBot Bar", "FooBot"), [true, true, true, false]);
        assert_eq!(naming("a, b", "a"), [true, true, true, false]);
        assert_eq!(naming("foobot-news", "foobot"), nobody);
        assert_eq!(naming("foo", "foobot"), nobody);
        assert_eq!(naming("*", "*"), nobody);
        assert_eq!(naming("* foo", "foo"), nobody);
    }

    #[test]
    fn tokens_with_digits_are_compared_with_the_wider_run() {
        assert_eq!(naming("MJ12bot", "MJ12bot"), [true, false, true, true]);
        assert_eq!(naming("MJ12bot/1.4", "mj12bot"), [true, false, true, false]);
        assert_eq!(naming("MJ12bot", "MJ"), [true, true, true, false]);
    }

    #[test]
    fn an_empty_name_is_the_empty_agent_in_google_alone() {
        for value in ["", "123bot", "*bot", "**"] {
            assert!(
                names(value.as_bytes(), "", DialectName::Google),
                "{value:?}"
            );
        }
        assert!(!names(b"*", "", DialectName::Google));
        assert!(!names(b"* x", "", DialectName::Google));
    }

    #[test]
    fn a_star_with_something_after_it_is_everyone_in_google_alone() {
        for dialect in DialectName::ALL {
            let google = dialect == DialectName::Google;
            assert!(is_everyone(b"*", dialect));
            assert_eq!(is_everyone(b"* foo", dialect), google);
            assert_eq!(is_everyone(b"*\tfoo", dialect), google);
            assert!(!is_everyone(b"*foo", dialect));
            assert!(!is_everyone(b"**", dialect));
            assert!(!is_everyone(b"", dialect));
        }
    }
}
