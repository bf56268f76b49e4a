//! Rust code without its words: comments become spaces, and what stands between the quotes of
//! strings and characters becomes underscores. Every octet keeps its place.

/// The code of `text`, as long as `text` itself.
pub(super) fn mask(text: &str) -> String {
    let mut masker = Masker {
        text: text.as_bytes(),
        at: 0,
        masked: Vec::with_capacity(text.len()),
    };
    while masker.at < masker.text.len() {
        masker.step();
    }
    String::from_utf8_lossy(&masker.masked).into_owned()
}

struct Masker<'t> {
    text: &'t [u8],
    at: usize,
    masked: Vec<u8>,
}

impl Masker<'_> {
    fn step(&mut self) {
        let rest = &self.text[self.at..];
        if rest.starts_with(b"//") {
            let end = rest.iter().position(|&octet| octet == b'\n');
            self.replace(end.unwrap_or(rest.len()), b' ');
        } else if rest.starts_with(b"/*") {
            self.replace(block_comment_length(rest), b' ');
        } else if let Some(hashes) = self.raw_string_hashes() {
            self.raw_string(hashes);
        } else if rest.starts_with(b"\"") {
            self.quoted(b'"');
        } else if rest.starts_with(b"'") && is_character(rest) {
            self.quoted(b'\'');
        } else {
            self.keep(1);
        }
    }

    fn keep(&mut self, length: usize) {
        self.masked
            .extend_from_slice(&self.text[self.at..self.at + length]);
        self.at += length;
    }

    /// Puts `with` in the place of the next octets, line ends excepted.
    fn replace(&mut self, length: usize, with: u8) {
        let replaced = self.text[self.at..self.at + length].iter();
        self.masked
            .extend(replaced.map(|&octet| if octet == b'\n' { octet } else { with }));
        self.at += length;
    }

    /// A string or a character, up to the closing quote that no backslash precedes.
    fn quoted(&mut self, quote: u8) {
        self.keep(1);
        let rest = &self.text[self.at..];
        let mut length = 0;
        while length < rest.len() && rest[length] != quote {
            length += if rest[length] == b'\\' { 2 } else { 1 };
        }
        self.replace(length.min(rest.len()), b'_');
        self.keep(usize::from(self.at < self.text.len()));
    }

    /// The number of hashes of the raw string that starts here, if one does: `r"`, `r#"`, `br##"`.
    fn raw_string_hashes(&self) -> Option<usize> {
        let is_inside_a_word = self
            .masked
            .last()
            .is_some_and(|&octet| octet.is_ascii_alphanumeric() || octet == b'_');
        if is_inside_a_word {
            return None;
        }
        let rest = &self.text[self.at..];
        let prefix = usize::from(matches!(rest[0], b'b' | b'c'));
        let after_r = rest[prefix..].strip_prefix(b"r")?;
        let hashes = after_r.iter().take_while(|&&octet| octet == b'#').count();
        (after_r.get(hashes) == Some(&b'"')).then_some(hashes)
    }

    fn raw_string(&mut self, hashes: usize) {
        let rest = &self.text[self.at..];
        let quote = rest.iter().position(|&octet| octet == b'"').unwrap_or(0);
        self.keep(quote + 1);
        let mut closing = vec![b'"'];
        closing.extend(std::iter::repeat_n(b'#', hashes));
        let rest = &self.text[self.at..];
        let end = rest
            .windows(closing.len())
            .position(|window| window == closing)
            .unwrap_or(rest.len());
        self.replace(end, b'_');
        self.keep(closing.len().min(self.text.len() - self.at));
    }
}

/// How long the block comment is that starts here; they nest.
fn block_comment_length(rest: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0);
    while at < rest.len() {
        if rest[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

/// Whether the quote that starts here opens a character and not a lifetime.
fn is_character(rest: &[u8]) -> bool {
    match rest.get(1) {
        Some(b'\\') => true,
        Some(&first) => {
            let length = match first {
                0..0x80 => 1,
                0x80..0xE0 => 2,
                0xE0..0xF0 => 3,
                _ => 4,
            };
            rest.get(1 + length) == Some(&b'\'')
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[test]
    fn comments_become_spaces() {
        assert_eq!(mask("a // b\nc"), "a     \nc");
        assert_eq!(mask("a /* b /* c */\n d */ e"), "a             \n      e");
    }

    #[test]
    fn strings_and_characters_become_underscores() {
        assert_eq!(mask(r#"f("a\"b{", 'x', '\'')"#), r#"f("_____", '_', '__')"#);
        assert_eq!(mask("\"//\" // x"), "\"__\"     ");
        assert_eq!(mask(r##"r#"a"b"# + br"{""##), r##"r#"___"# + br"_""##);
        assert_eq!(mask("'ツ'"), "'___'");
    }

    #[test]
    fn lifetimes_and_raw_names_stay() {
        assert_eq!(
            mask("fn f<'a>(r#type: &'a str)"),
            "fn f<'a>(r#type: &'a str)"
        );
    }
}
