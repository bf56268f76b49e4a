//! How far a mistyped name is from a known one.

/// Shorter input than this is not completed.
const PREFIX_LENGTH_MIN: usize = 3;

/// How near two names are; the smaller, the nearer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Nearness {
    /// So many letters inserted, removed or replaced, or neighbours in the other order.
    Misspelt(usize),
    /// One begins with the other, which lacks so many letters.
    Prefix(usize),
}

/// How near `typed` is to `known`, compared without regard to ASCII case, or
/// `None` if they have nothing to do with each other.
///
/// At most two letters may differ, and at most one in three, so that short names
/// do not match everything.
pub(crate) fn nearness(typed: &str, known: &str) -> Option<Nearness> {
    let typed = typed.to_ascii_lowercase().into_bytes();
    let known = known.to_ascii_lowercase().into_bytes();
    let distance = edit_distance(&typed, &known);
    if distance <= 2 && distance * 3 <= typed.len() {
        return Some(Nearness::Misspelt(distance));
    }
    let (shorter, longer) = if typed.len() < known.len() {
        (&typed, &known)
    } else {
        (&known, &typed)
    };
    if shorter.len() >= PREFIX_LENGTH_MIN && longer.starts_with(shorter) {
        return Some(Nearness::Prefix(longer.len() - shorter.len()));
    }
    None
}

/// In how many letters `typed` differs from `known`, where these are so few that it is probably a
/// misspelling: one letter of four, and no more than two.
#[must_use]
pub fn misspelling(typed: &str, known: &str) -> Option<usize> {
    match nearness(typed, known)? {
        Nearness::Misspelt(distance) if distance * 4 <= typed.len() => Some(distance),
        Nearness::Misspelt(_) | Nearness::Prefix(_) => None,
    }
}

/// The Levenshtein distance, in which two neighbours that change places count as one letter (optimal
/// string alignment), one row of the table at a time.
fn edit_distance(left: &[u8], right: &[u8]) -> usize {
    let mut earlier = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in right.iter().enumerate() {
            let replaced = last[j] + usize::from(a != b);
            let mut fewest = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == right[j - 1] && left[i - 1] == *b {
                fewest = fewest.min(earlier[j - 1] + 1);
            }
            row.push(fewest);
        }
        earlier = std::mem::replace(&mut last, row);
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use super::{Nearness, edit_distance, nearness};

    #[test]
    fn edit_distance_counts_letters() {
        assert_eq!(edit_distance(b"", b""), 0);
        assert_eq!(edit_distance(b"", b"abc"), 3);
        assert_eq!(edit_distance(b"abc", b""), 3);
        assert_eq!(edit_distance(b"googlebot", b"gogglebot"), 1);
        assert_eq!(edit_distance(b"kitten", b"sitting"), 3);
        assert_eq!(edit_distance(b"ccbto", b"ccbot"), 1);
        assert_eq!(edit_distance(b"abcd", b"badc"), 2);
    }

    #[test]
    fn nearness_tells_misspelt_from_prefix() {
        assert_eq!(
            nearness("GoogelBot", "googlebot"),
            Some(Nearness::Misspelt(1))
        );
        assert_eq!(nearness("google", "googlebot"), Some(Nearness::Prefix(3)));
        assert_eq!(
            nearness("gptbot-training", "gptbot"),
            Some(Nearness::Prefix(9))
        );
    }

    #[test]
    fn short_names_do_not_match_everything() {
        assert_eq!(nearness("ab", "xy"), None);
        assert_eq!(nearness("wgot", "wget"), Some(Nearness::Misspelt(1)));
        assert_eq!(nearness("wgot", "wgettt"), None);
        assert_eq!(nearness("go", "googlebot"), None);
        assert_eq!(nearness("", "googlebot"), None);
    }
}
