//! Decimal digits, saturating.

/// Parses decimal digits, saturating at `u64::MAX`. Returns `None` if there are other bytes or no
/// digits.
pub(crate) fn saturating_number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0_u64, |number, digit| {
        number
            .saturating_mul(10)
            .saturating_add(u64::from(digit - b'0'))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digits_are_a_number() {
        assert_eq!(saturating_number(b"0010"), Some(10));
        assert_eq!(saturating_number(b"18446744073709551615"), Some(u64::MAX));
        assert_eq!(saturating_number(b"18446744073709551616"), Some(u64::MAX));
        assert_eq!(saturating_number(&[b'9'; 100]), Some(u64::MAX));
        for value in ["", "-1", "+1", " 1", "1 ", "1.0", "1e3", "\u{0661}"] {
            assert_eq!(saturating_number(value.as_bytes()), None, "{value:?}");
        }
    }
}
