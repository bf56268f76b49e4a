//! `Text`: bytes as the text of a page, which no markup in them can leave.

use std::fmt::{self, Write};

use verger_answer::text::legible;

/// Bytes as the text of a page, or as the value of an attribute in quotes: markup becomes character
/// references, and the rest is as [`legible`] shows it.
///
/// Every text of a page that is not the page's own goes through it.
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

/// The bytes, or as many of their first as a page shows of a line; and how many it leaves out.
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
