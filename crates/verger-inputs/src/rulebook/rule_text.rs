use verger::{Effect, PolicyRule};

/// Maximum number of bytes shown. A body must not make the output large.
const RULE_BYTES_MAX: usize = 256;

/// Replaces `text` with a rule: `Disallow: /private`. Bytes that are not UTF-8 are replaced. A rule
/// longer than 256 bytes is cut and ends with `…`.
pub fn write_rule(rule: &PolicyRule<'_>, text: &mut String) {
    text.clear();
    text.push_str(match rule.effect {
        Effect::Allow => "Allow: ",
        Effect::Disallow => "Disallow: ",
    });
    // A few extra bytes let the cut end at a whole character.
    let pattern = &rule.pattern[..rule.pattern.len().min(RULE_BYTES_MAX + 4)];
    match std::str::from_utf8(pattern) {
        Ok(pattern) => text.push_str(pattern),
        Err(_) => text.push_str(&String::from_utf8_lossy(pattern)),
    }
    if text.len() > RULE_BYTES_MAX {
        let is_boundary = |at: &usize| text.is_char_boundary(*at);
        let end = (0..=RULE_BYTES_MAX).rev().find(is_boundary);
        text.truncate(end.unwrap_or(0));
        text.push('…');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use verger::{Crawler, Dialect, RobotsTxt};

    fn text(body: &[u8]) -> String {
        let policy = RobotsTxt::parse(body, Dialect::Rfc9309).policy(&Crawler::unnamed());
        let mut text = "left over".to_owned();
        write_rule(&policy.rules().next().unwrap(), &mut text);
        text
    }

    #[test]
    fn a_rule_is_text_and_of_a_long_one_the_start() {
        assert_eq!(text(b"User-agent: *\nAllow : /a"), "Allow: /a");
        assert_eq!(
            text(b"User-agent: *\nDisallow: /\xe9"),
            "Disallow: /\u{fffd}"
        );
        let long = format!("User-agent: *\nDisallow: /{}", "ä".repeat(200));
        let shown = text(long.as_bytes());
        assert_eq!(shown.strip_suffix('…').map(str::len), Some(255));
    }
}
