//! Matches patterns with `*` over the units of any dialect.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step<P> {
    /// "0 or more instances of any character."                             R9309-2.2.3-4
    AnyRun,
    One(P),
}

/// How a pattern must end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Anywhere: the rule ends before a difference in bytes.              R9309-2.2.2-11
    Anywhere,
    /// At the end of the target: the pattern was closed with `$`.          R9309-2.2.3-3
    AtTargetEnd,
}

/// Returns `true` if the steps match from the start of the target. R9309-2.2.2-3
///
/// `taken` returns the least number of units at the start of some units that a part matches.
///
/// Each piece between two runs is placed leftmost. That is enough, because a match depends only on
/// the target's units, so a later place never leaves more room.
pub(super) fn matches<P, T>(
    steps: &[Step<P>],
    end: End,
    target: &[T],
    taken: impl Fn(&P, &[T]) -> Option<usize>,
) -> bool {
    let segments: Vec<&[Step<P>]> = steps.split(|step| matches!(step, Step::AnyRun)).collect();
    let end_of = |segment: &[Step<P>], start: usize| {
        segment.iter().try_fold(start, |at, step| match step {
            Step::One(wanted) => Some(at + taken(wanted, &target[at..])?),
            Step::AnyRun => None,
        })
    };

    let (first, rest) = segments.split_first().expect("splitting leaves one piece");
    let Some(mut at) = end_of(first, 0) else {
        return false;
    };
    let Some((last, middle)) = rest.split_last() else {
        return end == End::Anywhere || at == target.len();
    };
    for segment in middle {
        match (at..=target.len()).find_map(|place| end_of(segment, place)) {
            Some(end) => at = end,
            None => return false,
        }
    }
    let mut ends = (at..=target.len()).filter_map(|place| end_of(last, place));
    match end {
        End::Anywhere => ends.next().is_some(),
        End::AtTargetEnd => ends.any(|end| end == target.len()),
    }
}

/// Takes one unit if it equals the wanted one.
pub(super) fn equal<P: PartialEq>(wanted: &P, units: &[P]) -> Option<usize> {
    (units.first()? == wanted).then_some(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matching(pattern: &str, end: End, target: &str) -> bool {
        let steps: Vec<Step<u8>> = pattern
            .bytes()
            .map(|byte| match byte {
                b'*' => Step::AnyRun,
                byte => Step::One(byte),
            })
            .collect();
        matches(&steps, end, target.as_bytes(), equal)
    }

    #[test]
    fn a_pattern_is_a_prefix_unless_it_is_closed() {
        assert!(matching("/a", End::Anywhere, "/ab"));
        assert!(!matching("/ab", End::Anywhere, "/a"));
        assert!(!matching("/a", End::AtTargetEnd, "/ab"));
        assert!(matching("/a*", End::AtTargetEnd, "/ab"));
    }

    #[test]
    fn runs_may_be_empty_and_may_have_to_be_retried() {
        assert!(matching("/a*b", End::AtTargetEnd, "/abbb"));
        assert!(!matching("/ab*ab", End::AtTargetEnd, "/ab"));
        assert!(matching("/ab*ab", End::AtTargetEnd, "/abxababxab"));
        assert!(matching("/**b*", End::Anywhere, "/b"));
    }

    /// The definition: `*` matches nothing, or one byte followed by another `*`.
    fn matching_by_definition(pattern: &[u8], end: End, target: &[u8]) -> bool {
        match (pattern, target) {
            ([], []) => true,
            ([], _) => end == End::Anywhere,
            ([b'*', after @ ..], _) => {
                matching_by_definition(after, end, target)
                    || (!target.is_empty() && matching_by_definition(pattern, end, &target[1..]))
            }
            ([wanted, after @ ..], [byte, rest @ ..]) => {
                wanted == byte && matching_by_definition(after, end, rest)
            }
            (_, []) => false,
        }
    }

    #[test]
    fn the_leftmost_place_is_enough() {
        let up_to_five = |alphabet: &'static [u8]| {
            (0..=5).flat_map(move |length| crate::generate::exhaustive(alphabet, length))
        };
        for pattern in up_to_five(b"ab*") {
            let text = String::from_utf8(pattern.clone()).expect("ASCII");
            for target in up_to_five(b"ab") {
                for end in [End::Anywhere, End::AtTargetEnd] {
                    let expected = matching_by_definition(&pattern, end, &target);
                    let target = std::str::from_utf8(&target).expect("ASCII");
                    assert_eq!(matching(&text, end, target), expected, "{text} ~ {target}");
                }
            }
        }
    }

    #[test]
    fn many_runs_stay_cheap() {
        let pattern = format!("/{}b", "*a".repeat(1_000));
        assert!(!matching(
            &pattern,
            End::Anywhere,
            &format!("/{}", "a".repeat(2_000))
        ));
    }
}
