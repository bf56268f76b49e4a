//! The name under which the store keeps what a receiver took.

/// A name that is given has so many bytes.
const RECEIVER_NAME_MAX: usize = 64;

/// Reads a name of a receiver, under which the store keeps what it took.
///
/// # Errors
///
/// In words, where it has other characters, or too many.
pub fn receiver_name(text: &str) -> Result<String, &'static str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if text.is_empty() || text.len() > RECEIVER_NAME_MAX || !text.bytes().all(is_plain) {
        return Err("a name has 1 to 64 letters, digits, `-`, `_` and `.`");
    }
    Ok(text.to_owned())
}

/// The name of a receiver in the store. A given name differs from all others, which have no colon after the
/// kind.
pub(super) fn stored_name(
    kind: &str,
    name: Option<&str>,
    otherwise: impl FnOnce() -> String,
) -> String {
    name.map_or_else(otherwise, |name| format!("{kind}:{name}"))
}

/// Which watch delivers what is still due to a receiver that has a name, or else is known by `what` it is.
pub(super) fn next_watch(name: Option<&str>, what: &str) -> String {
    match name {
        Some(name) => {
            format!("the next watch with `--receiver {name}` delivers it, also to another {what}")
        }
        None => format!("the next watch with this {what} delivers it, one with another does not"),
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
