//! Places inside a place.

use std::ops::Range;

use verger::Span;

/// Returns the place of some bytes of a place, counted from its start.
pub(crate) fn part(place: Span, bytes: Range<usize>) -> Span {
    let at = |byte| {
        place
            .start
            .saturating_add(u32::try_from(byte).unwrap_or(u32::MAX))
    };
    Span {
        start: at(bytes.start),
        end: at(bytes.end),
    }
}

/// Returns the places before and after a part of a place.
pub(crate) fn around(place: Span, part: Span) -> [Span; 2] {
    let (start, end) = (place.start, part.start);
    let before = Span { start, end };
    let (start, end) = (part.end, place.end);
    [before, Span { start, end }]
}
