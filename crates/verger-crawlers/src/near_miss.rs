//! Measures how close a mistyped name is to a known one.

/// Minimum length of input that is completed.
const PREFIX_LENGTH_MIN: usize = 3;

/// Maximum number of wrong letters in a misspelled name.
const DISTANCE_MAX: usize = 2;

/// Maximum number of suggestions for a mistyped name.
const SUGGESTIONS_MAX: usize = 8;

/// How close two names are. Smaller is closer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Nearness {
    /// This number of letters were inserted, removed, replaced or swapped with a neighbor.
    Misspelt(usize),
    /// One name starts with the other and has this number of letters more.
    Prefix(usize),
}

/// Returns how close `typed` is to `known`, ignoring ASCII case, or `None` if they are unrelated.
///
/// At most two letters, and at most one in three, may be wrong. Otherwise short names would match
/// everything.
pub(crate) fn nearness(typed: &str, known: &str) -> Option<Nearness> {
    let (typed, known) = (typed.as_bytes(), known.as_bytes());
    if may_be_near(typed, known) {
        let distance = edit_distance(&typed.to_ascii_lowercase(), &known.to_ascii_lowercase());
        if distance <= DISTANCE_MAX && distance * 3 <= typed.len() {
            return Some(Nearness::Misspelt(distance));
        }
    }
    let (shorter, longer) = if typed.len() < known.len() {
        (typed, known)
    } else {
        (known, typed)
    };
    let is_prefix = longer[..shorter.len()].eq_ignore_ascii_case(shorter);
    (is_prefix && shorter.len() >= PREFIX_LENGTH_MIN)
        .then(|| Nearness::Prefix(longer.len() - shorter.len()))
}

/// Returns the closest names, the closest first.
pub(crate) fn nearest(mut near: Vec<(Nearness, &str)>) -> Vec<&str> {
    near.sort_unstable();
    near.truncate(SUGGESTIONS_MAX);
    near.into_iter().map(|(_, name)| name).collect()
}

/// Returns whether two names can be that close, judging by their lengths and sets of letters.
/// Replacing a letter removes one and adds one. A name is compared with hundreds, and this rules
/// out nearly all of them.
fn may_be_near(left: &[u8], right: &[u8]) -> bool {
    // A letter has the same low five bits in both cases.
    let letters = |name: &[u8]| {
        let bits = name.iter().map(|byte| 1_u32 << (byte & 31));
        bits.fold(0, |all, bit| all | bit)
    };
    left.len().abs_diff(right.len()) <= DISTANCE_MAX
        && (letters(left) ^ letters(right)).count_ones() as usize <= 2 * DISTANCE_MAX
}

/// Returns the number of wrong letters in `typed`, if it is probably a misspelling of `known`: at
/// most two letters, and at most one in four.
#[must_use]
pub fn misspelling(typed: &str, known: &str) -> Option<usize> {
    match nearness(typed, known)? {
        Nearness::Misspelt(distance) if distance * 4 <= typed.len() => Some(distance),
        Nearness::Misspelt(_) | Nearness::Prefix(_) => None,
    }
}

/// Computes the Levenshtein distance with swaps of neighbors (optimal string alignment), row by
/// row.
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
    use super::{DISTANCE_MAX, Nearness, edit_distance, may_be_near, nearness};

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

    /// Names of few letters, each changed at random. Every pair that is ruled out is also far apart
    /// by distance.
    #[test]
    fn what_may_not_be_near_is_far() {
        let mut random = 1_u32;
        let mut below = |count: usize| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 16) as usize % count
        };
        let mut near = 0;
        for _ in 0..20_000 {
            let left: Vec<u8> = (0..below(9)).map(|_| b"abcXYZ-_19"[below(10)]).collect();
            let mut right = left.clone();
            for _ in 0..below(5) {
                let (at, letter) = (below(right.len() + 1), b"abcxyz-_19"[below(10)]);
                match right.get_mut(at) {
                    Some(replaced) if below(2) == 0 => *replaced = letter,
                    Some(_) if below(2) == 0 => drop(right.remove(at)),
                    _ => right.insert(at, letter),
                }
            }
            let distance = edit_distance(&left.to_ascii_lowercase(), &right.to_ascii_lowercase());
            if distance <= DISTANCE_MAX {
                near += 1;
                assert!(may_be_near(&left, &right), "{left:?} {right:?}");
            }
        }
        assert!(near > 5_000, "{near}");
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
