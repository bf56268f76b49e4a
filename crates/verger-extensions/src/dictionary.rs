//! RFC 9651 Dictionaries, as far as preferences need them. The whole grammar is checked, because
//! one error invalidates everything, but only Tokens are stored (RFC 9651 4.2.2, AA-1). `robots_tag`
//! reads Lists with the same reader.
//!
//! ```text
//! dictionary = member *( OWS "," OWS member )          member = key [ "=" value ] parameters
//! value      = bare-item | "(" *SP [ item *( 1*SP item ) *SP ] ")"
//! ```
//!
//! Inner lists hold items only, so there is no nesting and no recursion: one pass, byte by byte.

use alloc::vec::Vec;

/// The members of a Dictionary, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dictionary<'v> {
    members: Vec<(&'v [u8], Member<'v>)>,
}

/// The value of a member, without its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Member<'v> {
    Token(&'v [u8]),
    /// Anything else, such as a key alone, a String, a number or an Inner List.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotADictionary;

impl<'v> Dictionary<'v> {
    /// Parses a Dictionary. Empty text is an empty Dictionary.
    pub(crate) fn parse(bytes: &'v [u8]) -> Result<Self, NotADictionary> {
        Reader { rest: bytes }.dictionary().ok_or(NotADictionary)
    }

    /// Returns the member with this key. If the key is repeated, the last one applies.
    pub(crate) fn member(&self, key: &[u8]) -> Option<Member<'v>> {
        let of_key = self.members.iter().rfind(|(name, _)| *name == key);
        of_key.map(|(_, member)| *member)
    }

    /// Returns all members, including replaced ones.
    pub(crate) fn members(&self) -> &[(&'v [u8], Member<'v>)] {
        &self.members
    }
}

/// The rest of the text. Each method parses what it is named after from the start, or returns
/// `None`.
pub(crate) struct Reader<'v> {
    pub(crate) rest: &'v [u8],
}

impl<'v> Reader<'v> {
    fn dictionary(mut self) -> Option<Dictionary<'v>> {
        let mut members = Vec::new();
        self.skip(|byte| byte == b' ');
        while !self.rest.is_empty() {
            members.push(self.member()?);
            self.skip(is_space_or_tab);
            if self.rest.is_empty() {
                break;
            }
            self.take(b',')?;
            self.skip(is_space_or_tab);
            // A trailing comma is an error.
            self.rest.first()?;
        }
        Some(Dictionary { members })
    }

    fn member(&mut self) -> Option<(&'v [u8], Member<'v>)> {
        let key = self.key()?;
        let member = match self.take(b'=') {
            None => Member::Other,
            Some(()) if self.rest.first() == Some(&b'(') => self.inner_list()?,
            Some(()) => self.bare_item()?,
        };
        self.parameters()?;
        Some((key, member))
    }

    fn key(&mut self) -> Option<&'v [u8]> {
        self.rest
            .first()
            .filter(|byte| byte.is_ascii_lowercase() || **byte == b'*')?;
        Some(self.run(|byte| {
            byte.is_ascii_lowercase()
                || byte.is_ascii_digit()
                || matches!(byte, b'_' | b'-' | b'.' | b'*')
        }))
    }

    fn parameters(&mut self) -> Option<()> {
        while self.take(b';').is_some() {
            self.skip(|byte| byte == b' ');
            self.key()?;
            if self.take(b'=').is_some() {
                self.bare_item()?;
            }
        }
        Some(())
    }

    fn inner_list(&mut self) -> Option<Member<'v>> {
        self.take(b'(')?;
        loop {
            self.skip(|byte| byte == b' ');
            if self.take(b')').is_some() {
                return Some(Member::Other);
            }
            self.bare_item()?;
            self.parameters()?;
            self.rest
                .first()
                .filter(|byte| matches!(byte, b' ' | b')'))?;
        }
    }

    pub(crate) fn bare_item(&mut self) -> Option<Member<'v>> {
        match self.rest.first()? {
            b'*' | b'A'..=b'Z' | b'a'..=b'z' => {
                return Some(Member::Token(self.run(is_token_byte)));
            }
            b'-' | b'0'..=b'9' => self.number(),
            b'"' => self.string(),
            b':' => self.byte_sequence(),
            b'?' => self.boolean(),
            b'@' => self.date(),
            b'%' => self.display_string(),
            _ => None,
        }?;
        Some(Member::Other)
    }

    /// Parses an Integer of at most 15 digits, or a Decimal of at most 12 and 3.
    fn number(&mut self) -> Option<()> {
        let whole = self.integer_digits()?;
        let within_bounds = if self.take(b'.').is_some() {
            let fraction = self.run(|byte| byte.is_ascii_digit());
            whole <= 12 && (1..=3).contains(&fraction.len())
        } else {
            whole <= 15
        };
        within_bounds.then_some(())
    }

    /// Parses an optional sign and at least one digit, and returns the number of digits.
    fn integer_digits(&mut self) -> Option<usize> {
        let _sign = self.take(b'-');
        let digits = self.run(|byte| byte.is_ascii_digit()).len();
        (digits > 0).then_some(digits)
    }

    fn string(&mut self) -> Option<()> {
        self.take(b'"')?;
        loop {
            match self.next()? {
                b'"' => return Some(()),
                b'\\' => {
                    let escaped = self.next()?;
                    matches!(escaped, b'"' | b'\\').then_some(())?;
                }
                b' '..=b'~' => {}
                _ => return None,
            }
        }
    }

    fn byte_sequence(&mut self) -> Option<()> {
        self.take(b':')?;
        self.skip(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='));
        self.take(b':')
    }

    fn boolean(&mut self) -> Option<()> {
        self.take(b'?')?;
        matches!(self.next()?, b'0' | b'1').then_some(())
    }

    fn date(&mut self) -> Option<()> {
        self.take(b'@')?;
        let digits = self.integer_digits()?;
        (digits <= 15 && self.rest.first() != Some(&b'.')).then_some(())
    }

    /// Parses `%"…"` with lower-case escapes, which must decode to UTF-8.
    fn display_string(&mut self) -> Option<()> {
        self.take(b'%')?;
        self.take(b'"')?;
        let mut text = Vec::new();
        loop {
            match self.next()? {
                b'"' => return core::str::from_utf8(&text).ok().map(|_| ()),
                b'%' => {
                    let [high, low] = [self.next()?, self.next()?].map(lower_hex_digit);
                    text.push(high? << 4 | low?);
                }
                byte @ b' '..=b'~' => text.push(byte),
                _ => return None,
            }
        }
    }

    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    pub(crate) fn take(&mut self, byte: u8) -> Option<()> {
        self.rest = self.rest.strip_prefix(&[byte])?;
        Some(())
    }

    pub(crate) fn run(&mut self, belongs: impl Fn(u8) -> bool) -> &'v [u8] {
        let end = self.rest.iter().position(|&byte| !belongs(byte));
        let (run, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        run
    }

    pub(crate) fn skip(&mut self, belongs: impl Fn(u8) -> bool) {
        self.run(belongs);
    }
}

/// Returns whether the byte is `tchar`, `:` or `/`.
fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~:/".contains(&byte)
}

fn lower_hex_digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}

/// Returns whether the byte is a space or TAB, as in `OWS` of RFC 9110.
pub(crate) fn is_space_or_tab(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    fn member<'v>(bytes: &'v str, key: &str) -> Option<Member<'v>> {
        let dictionary = Dictionary::parse(bytes.as_bytes()).unwrap();
        dictionary.member(key.as_bytes())
    }

    #[test]
    fn members_are_keys_with_values() {
        let bytes = "  a=y ,\tb=n;x;y=1, c;q=\"s\",*=t";
        assert_eq!(member(bytes, "a"), Some(Member::Token(b"y")));
        assert_eq!(member(bytes, "b"), Some(Member::Token(b"n")));
        assert_eq!(member(bytes, "c"), Some(Member::Other));
        assert_eq!(member(bytes, "*"), Some(Member::Token(b"t")));
        assert_eq!(member(bytes, "d"), None);
        assert_eq!(member("", "a"), None);
        assert_eq!(member("   ", "a"), None);
    }

    #[test]
    fn the_last_of_a_repeated_key_counts() {
        assert_eq!(member("a=y, b=n, a=n", "a"), Some(Member::Token(b"n")));
        assert_eq!(member("a=y, a", "a"), Some(Member::Other));
    }

    #[test]
    fn every_type_of_value_is_read() {
        for value in [
            "-999999999999999",
            "123456789012.123",
            "-0.5",
            r#""a \" \\ b""#,
            r#""""#,
            "tok:en/*~",
            "*",
            ":aGVsbG8=:",
            "::",
            "?0",
            "?1",
            "@1659578233",
            "@-1",
            r#"%"f%c3%bc""#,
            "()",
            "( 1 )",
            "(a \"b\";p   ?1);q=(",
        ] {
            let bytes = format!("k={value}");
            let read = Dictionary::parse(bytes.as_bytes());
            assert_eq!(read.is_ok(), value != "(a \"b\";p   ?1);q=(", "{value}");
        }
        assert_eq!(
            member("k=(a \"b\";p   ?1);q=1,z=y", "z"),
            Some(Member::Token(b"y"))
        );
    }

    #[test]
    fn one_fault_spoils_all() {
        for bytes in [
            "A=y",
            "a=y,",
            "a=y, ",
            ",a=y",
            "a=y b=n",
            "a=y;",
            "a = y",
            "a=",
            "\ta=y",
            "1=y",
            "a=y\u{e9}",
            "\u{e9}",
            "a=1234567890123456",
            "a=1234567890123.1",
            "a=1.",
            "a=1.1234",
            "a=-",
            "a=--1",
            "a=\"x",
            "a=\"\\x\"",
            "a=\"\u{7f}\"",
            "a=:a-b:",
            "a=:ab",
            "a=?2",
            "a=?",
            "a=@1.5",
            "a=@",
            "a=%x",
            "a=%\"%C3%BC\"",
            "a=%\"%c3\"",
            "a=%\"%c",
            "a=(1",
            "a=(1,2)",
            "a=(1\"x\")",
            "a=((1))",
            "a=(1)x",
            "a=y;B",
            "a=y;b=",
        ] {
            let read = Dictionary::parse(bytes.as_bytes());
            assert_eq!(read, Err(NotADictionary), "{bytes:?}");
        }
    }
}
