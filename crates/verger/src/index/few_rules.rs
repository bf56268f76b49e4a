//! Few rules, compared one after the other in the order of precedence: the first that matches
//! decides.
//!
//! Most rules differ from the target within their first octets, and a comparison of 16 octets
//! rules them out. An index is faster where rules have wildcards, but takes more octets than few
//! rules do, and most of a million policies have few rules.

use core::iter;

use verger_simd::Masks;

use super::kept_rules::{KeptRules, NO_RANK, Rank, StartMatch};
use crate::compare::octet_search::{Alignment, Haystack, Room};
use crate::dialect::Comparison;

/// So many rules are compared in some tens of nanoseconds, or a hundred where all have wildcards.
pub(crate) const FEW_RULES_MAX: usize = 16;

/// Octets that are compared first.
const PREFIX: usize = 16;

/// The rank of the first rule that matches `target`.
#[expect(clippy::inline_always, reason = "it is part of kernels")]
#[inline(always)]
pub(crate) fn first_match<M: Masks>(
    masks: M,
    rules: &KeptRules,
    comparison: Comparison,
    target: &[u8],
) -> Rank {
    // Nothing is special.                                                      K96-3.2.2-4
    if comparison == Comparison::DecodedOctets {
        let first = (0..rules.count()).find(|&rank| rules.is_prefix(rank, target));
        return first.unwrap_or(NO_RANK);
    }
    let start = start_without_specials(target);
    let mut starts =
        (0..rules.count()).map(|rank| (rank, rules.compare_start(masks, rank, &start)));
    let (first, of_first) = match starts.find(|(_, found)| *found != StartMatch::RulesOut) {
        None => return NO_RANK,
        Some((rank, StartMatch::Matches)) => return rank,
        Some(undecided) => undecided,
    };
    let mut room = Room::new();
    let (target, alignment) = prepared(masks, comparison, target, &mut room);
    let mut starts = iter::once((first, of_first)).chain(starts);
    let first = starts.find(|&(rank, found)| match found {
        StartMatch::RulesOut => false,
        StartMatch::Matches => true,
        StartMatch::Wildcard => rules.matches_behind_head(masks, rank, target, alignment),
        StartMatch::Unclear => rules.matches(masks, rank, target, alignment),
    });
    first.map_or(NO_RANK, |(rank, _)| rank)
}

/// The first octets; no octet of a rule equals a zero.
fn start_without_specials(target: &[u8]) -> [u8; PREFIX] {
    let mut start = [0; PREFIX];
    let octets = target.len().min(PREFIX);
    start[..octets].copy_from_slice(&target[..octets]);
    start.map(|octet| {
        if matches!(octet, b'*' | b'$') {
            0
        } else {
            octet
        }
    })
}

/// The target as rules with wildcards are compared with it. Without an escape, every octet starts
/// a unit.
#[expect(clippy::inline_always, reason = "it is part of kernels")]
#[inline(always)]
pub(crate) fn prepared<'t, M: Masks>(
    masks: M,
    comparison: Comparison,
    target: &'t [u8],
    room: &'t mut Room,
) -> (Haystack<'t>, Alignment) {
    let haystack = Haystack::new(target, room);
    let alignment = match comparison {
        Comparison::Units if haystack.has_octet(masks, b'%') => Alignment::Units,
        Comparison::Units | Comparison::Octets | Comparison::DecodedOctets => Alignment::Octets,
    };
    (haystack, alignment)
}
