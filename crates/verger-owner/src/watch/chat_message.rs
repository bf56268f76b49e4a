//! `ChatMessage`: a change as a message in a chat.

use serde::Serialize;

/// A message has so many characters; Slack cuts at 40,000.
const MESSAGE_CHARS_MAX: usize = 30_000;

/// A message that Slack and Mattermost show; `Serialize` writes what their webhooks take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChatMessage {
    text: String,
}

impl ChatMessage {
    /// The message of a change that a text says to people, without colours.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let text = chat_text(text);
        Self { text }
    }
}

/// The first line, and the others in a block in which nothing is markup or notifies people. Names and rules come from
/// sites: `<!channel>` would call all people, and a grave accent could end the block.
fn chat_text(text: &str) -> String {
    let safe = text.trim_end().replace('`', "'").replace('&', "&amp;");
    let safe = safe.replace('<', "&lt;").replace('>', "&gt;");
    let mut cut: String = safe.chars().take(MESSAGE_CHARS_MAX).collect();
    if cut.len() < safe.len() {
        cut.truncate(cut.rfind('\n').unwrap_or(0));
        cut.push_str("\n… and more");
    }
    match cut.split_once('\n') {
        Some((first, rest)) => format!("{first}\n```\n{rest}\n```"),
        None => cut,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_no_markup_of_what_a_site_says() {
        let text = "T  https://h.example  changed\n  /<!channel>&a`\u{60}\u{60}\n  second\n";
        let expected =
            "T  https://h.example  changed\n```\n  /&lt;!channel&gt;&amp;a'''\n  second\n```";
        assert_eq!(chat_text(text), expected);
        assert_eq!(chat_text("one line\n"), "one line");
    }

    #[test]
    fn a_long_message_is_cut_at_a_line() {
        let text = format!("first\n{}", "é line\n".repeat(10_000));
        let message = chat_text(&text);
        assert!(message.chars().count() <= MESSAGE_CHARS_MAX + 20);
        assert!(message.ends_with("é line\n… and more\n```"), "{message}");
    }
}
