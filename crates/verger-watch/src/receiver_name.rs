/// Maximum length of a given name, in bytes.
const RECEIVER_NAME_MAX: usize = 64;

/// Checks a name for a receiver.
///
/// # Errors
///
/// Returns an error if the name is empty, too long, or has characters other than letters, digits,
/// `-`, `_` and `.`.
pub fn receiver_name(text: &str) -> Result<String, &'static str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if text.is_empty() || text.len() > RECEIVER_NAME_MAX || !text.bytes().all(is_plain) {
        return Err("a name has 1 to 64 letters, digits, `-`, `_` and `.`");
    }
    Ok(text.to_owned())
}

/// Returns the name in the store. Only generated names have a colon after the kind, so given names
/// never collide with them.
pub(super) fn stored_name(
    kind: &str,
    name: Option<&str>,
    otherwise: impl FnOnce() -> String,
) -> String {
    name.map_or_else(otherwise, |name| format!("{kind}:{name}"))
}

/// Describes which watch delivers what is due to a receiver, given its name or else `what` it is.
pub(super) fn next_watch(name: Option<&str>, what: &str) -> String {
    match name {
        Some(name) => {
            format!(
                "the next watch with a receiver named `{name}` delivers it, even to another {what}"
            )
        }
        None => {
            format!("the next watch with this {what} delivers it, but not one with another {what}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_1_to_64_plain_characters() {
        let long = "a".repeat(RECEIVER_NAME_MAX);
        for good in ["a", "A-b_c.9", &long] {
            assert_eq!(receiver_name(good).as_deref(), Ok(good));
        }
        for bad in ["", "a b", "a:b", "é", &format!("{long}a")] {
            assert!(receiver_name(bad).is_err(), "{bad}");
        }
    }
}
