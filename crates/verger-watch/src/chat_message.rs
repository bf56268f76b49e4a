use serde::Serialize;

/// Maximum length of a message in characters. Slack cuts at 40,000.
const MESSAGE_CHARS_MAX: usize = 30_000;

/// A chat message that serializes to the JSON that Slack and Mattermost webhooks accept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChatMessage {
    text: String,
}

impl ChatMessage {
    /// Creates a message from the text of a change, without colors.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let text = chat_text(text);
        Self { text }
    }
}

/// Puts all but the first line into a code block, with markup disabled. Sites control names and
/// rules: `<!channel>` would notify everyone, and a backtick could end the block.
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
