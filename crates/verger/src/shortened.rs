//! Untrusted text in messages: its start, and a sign that it goes on.

use core::fmt;

/// Characters that are shown.
const CHARACTERS_MAX: usize = 200;

/// Shows the start of a text.
pub(crate) struct Shortened<'t>(pub(crate) &'t str);

impl fmt::Display for Shortened<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(CHARACTERS_MAX) {
            Some((end, _)) => write!(f, "{}…", &self.0[..end]),
            None => f.write_str(self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn only_what_is_too_long_is_cut() {
        for (characters, shown) in [(199, 199), (200, 200), (201, 201)] {
            let text = "é".repeat(characters);
            let message = Shortened(&text).to_string();
            assert_eq!(message.chars().count(), shown);
            assert_eq!(message.ends_with('…'), characters > CHARACTERS_MAX);
        }
    }
}
