use std::fmt::{self, Write};

use verger_answer::text::legible;

/// Escapes bytes for the text of a page or a quoted attribute. Markup becomes character references,
/// and the rest is shown as by [`legible`].
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
                _ => f.write_char(character)?,
            }
        }
        Ok(())
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
    fn a_line_is_cut_at_its_limit() {
        assert_eq!(start_of_line(b"abc", 3), (&b"abc"[..], 0));
        assert_eq!(start_of_line(b"abcd", 3), (&b"abc"[..], 1));
        assert_eq!(start_of_line(b"", 3), (&b""[..], 0));
    }
}
