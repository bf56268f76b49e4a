/// Returns every string of exactly `length` bytes over `alphabet`, in the order of the alphabet.
///
/// There are `alphabet.len()` to the power of `length` of them, so one, the empty string, for
/// length 0.
pub fn exhaustive(alphabet: &[u8], length: usize) -> impl Iterator<Item = Vec<u8>> {
    let first = (length == 0 || !alphabet.is_empty()).then(|| vec![0; length]);
    let places = std::iter::successors(first, move |places| following(places, alphabet.len()));
    places.map(move |places| places.iter().map(|&place| alphabet[place]).collect())
}

/// Increments a number in base `base`, least digit first.
fn following(places: &[usize], base: usize) -> Option<Vec<usize>> {
    let raised = places.iter().rposition(|&place| place + 1 < base)?;
    let mut next = places.to_vec();
    next[raised] += 1;
    next[raised + 1..].fill(0);
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_come_in_order_and_once() {
        let strings: Vec<Vec<u8>> = exhaustive(b"ab", 2).collect();
        assert_eq!(strings, [b"aa", b"ab", b"ba", b"bb"]);
        assert_eq!(exhaustive(b"abc", 5).count(), 243);
        assert_eq!(exhaustive(b"x", 3).count(), 1);
    }

    #[test]
    fn length_0_is_the_empty_string_and_no_alphabet_is_nothing() {
        assert_eq!(exhaustive(b"ab", 0).collect::<Vec<_>>(), [b""]);
        assert_eq!(exhaustive(b"", 0).collect::<Vec<_>>(), [b""]);
        assert_eq!(exhaustive(b"", 2).count(), 0);
    }
}
