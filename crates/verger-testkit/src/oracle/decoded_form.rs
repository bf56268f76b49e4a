//! The comparison of 1996: decoded bytes, in which an encoded slash differs from a slash.

use super::percent_bytes::{self, Written};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Byte(u8),
    /// `%2F`, the one byte that is not decoded.                          K96-3.2.2-4
    SlashData,
    /// The first raw `?`, which starts the query.                         V-41
    QueryStart,
}

pub(super) fn tokens(bytes: &[u8]) -> Vec<Token> {
    let mut tokens = Vec::new();
    for written in percent_bytes::read(bytes) {
        tokens.push(match written {
            Written::Encoded(b'/') => Token::SlashData,
            Written::Raw(b'?') if !tokens.contains(&Token::QueryStart) => Token::QueryStart,
            Written::Raw(byte) | Written::Encoded(byte) => Token::Byte(byte),
        });
    }
    tokens
}

/// Returns `true` if a rule's value matches a target, by prefix. `*` and `$` are ordinary, and an
/// empty value matches nothing. K96-3.2.2-5, K96-3.3-6, V-26
pub(super) fn is_match(value: &[u8], target: &[Token]) -> bool {
    !value.is_empty() && target.starts_with(&tokens(value))
}

/// Returns `true` if the decoded target is `/robots.txt` without a query.
pub(super) fn is_robots_txt(target: &[u8]) -> bool {
    tokens(target) == tokens(b"/robots.txt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_raw_question_mark_starts_the_query() {
        let expected = [Token::Byte(b'?'), Token::QueryStart, Token::Byte(b'?')];
        assert_eq!(tokens(b"%3F??"), expected);
        assert_eq!(tokens(b"%2f/"), [Token::SlashData, Token::Byte(b'/')]);
    }

    #[test]
    fn robots_txt_is_itself_once_decoded() {
        assert!(is_robots_txt(b"/%72obots%2Etxt"));
        assert!(!is_robots_txt(b"/robots.txt?x"));
        assert!(!is_robots_txt(b"/Robots.txt"));
    }
}
