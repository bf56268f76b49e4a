use std::fmt::{self, Write};

use verger_answer::text::legible;

/// Escapes bytes for the text of a page or a quoted attribute. Markup becomes character references.
/// The rest is shown as by [`legible`], and spaces and hyphens that only look like those of ASCII are
/// shown as escapes too.
///
/// All text that does not come from this crate must go through it.
#[derive(Clone, Copy)]
pub(crate) struct Text<T>(pub(crate) T);

impl<T: AsRef<[u8]>> fmt::Display for Text<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in legible(self.0.as_ref()).chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                _ if !character.is_ascii() && LOOKALIKES.contains(character) => {
                    write!(f, "{}", character.escape_unicode())?;
                }
                _ => f.write_char(character)?,
            }
        }
        Ok(())
    }
}

/// Characters that look like a space, a hyphen or nothing.
const LOOKALIKES: &str = "\u{a0}\u{34f}\u{115f}\u{1160}\u{1680}\u{180e}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\
    \u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200a}\u{2010}\u{2011}\u{2012}\u{202f}\u{205f}\u{2212}\u{2800}\u{3000}\
    \u{3164}\u{fe0e}\u{fe0f}\u{fe58}\u{fe63}\u{ff0d}\u{ffa0}";

/// Escapes a message like [`Text`]. Text between backticks becomes `code`.
pub(crate) struct Message<T>(pub(crate) T);

impl<T: AsRef<[u8]>> fmt::Display for Message<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = self.0.as_ref().split(|byte| *byte == b'`').peekable();
        let mut is_code = false;
        while let Some(part) = parts.next() {
            match (is_code, parts.peek()) {
                (true, Some(_)) => write!(f, "<code>{}</code>", Text(part))?,
                // The last backtick has no partner.
                (true, None) => write!(f, "`{}", Text(part))?,
                (false, _) => write!(f, "{}", Text(part))?,
            }
            is_code = !is_code;
        }
        Ok(())
    }
}

/// Maximum number of names in a sentence.
const NAMES_MAX: usize = 5;

/// Joins names for a sentence: `a`, `a and b`, `a, b and c`. If there are many, it gives four and
/// the number of others.
pub(crate) fn joined(names: &[String]) -> String {
    let shown = if names.len() > NAMES_MAX {
        &names[..NAMES_MAX - 1]
    } else {
        names
    };
    let more = names.len() - shown.len();
    match shown {
        _ if more > 0 => format!("{} and {more} more", shown.join(", ")),
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => shown.concat(),
    }
}

/// Cuts a line to `bytes_max` bytes and returns the number of omitted bytes.
pub(crate) fn start_of_line(bytes: &[u8], bytes_max: usize) -> (&[u8], usize) {
    let shown = bytes.len().min(bytes_max);
    (&bytes[..shown], bytes.len() - shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_markup_leaves_a_text() {
        let markup = "</td><script>alert('x')</script><a href=\"javascript:x\">&amp;";
        assert_eq!(
            Text(markup).to_string(),
            "&lt;/td&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;\
             &lt;a href=&quot;javascript:x&quot;&gt;&amp;amp;"
        );
    }

    #[test]
    fn what_looks_like_ascii_is_shown_as_what_it_is() {
        assert_eq!(
            Text("User\u{2011}agent:\u{a0}a b-c – é").to_string(),
            "User\\u{2011}agent:\\u{a0}a b-c – é"
        );
    }

    #[test]
    fn backticks_of_a_message_are_code() {
        for (message, shown) in [
            (
                "use `<b>` or `*`",
                "use <code>&lt;b&gt;</code> or <code>*</code>",
            ),
            ("`a", "`a"),
            ("`a` and `b", "<code>a</code> and `b"),
            ("no code", "no code"),
        ] {
            assert_eq!(Message(message).to_string(), shown);
        }
    }

    #[test]
    fn names_are_joined_as_in_a_sentence() {
        let joined =
            |names: &[&str]| joined(&names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>());
        assert_eq!(joined(&["a"]), "a");
        assert_eq!(joined(&["a", "b"]), "a and b");
        assert_eq!(joined(&["a", "b", "c", "d", "e"]), "a, b, c, d and e");
        assert_eq!(joined(&["a"; 6]), "a, a, a, a and 2 more");
    }

    #[test]
    fn a_line_is_cut_at_its_limit() {
        assert_eq!(start_of_line(b"abc", 3), (&b"abc"[..], 0));
        assert_eq!(start_of_line(b"abcd", 3), (&b"abc"[..], 1));
        assert_eq!(start_of_line(b"", 3), (&b""[..], 0));
    }
}
