//! `Specificity`: how specific a rule is (RFC 9309 2.2.2).

use crate::compare::octets::{self, Component, Written};
use crate::dialect::Comparison;
use crate::span::offset;

/// How specific a rule is: the octets of its pattern in comparison form, `*` and `$` counted one
/// each. R9309-2.2.2-4, V-34.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Specificity(u32);

impl Specificity {
    pub(crate) fn of_octets(octets: usize) -> Self {
        Self(offset(octets))
    }

    /// That of a value whose fragments are their own forms, without the `$` that anchors it.
    pub(crate) fn of_plain(value: &[u8], anchored: bool, comparison: Comparison) -> Self {
        let octets = match comparison {
            Comparison::Octets | Comparison::DecodedOctets => value.len(),
            Comparison::Units => {
                let question_mark = value.iter().position(|&octet| octet == b'?');
                let (path, query) = value.split_at(question_mark.map_or(value.len(), |at| at + 1));
                let sum = |octets: &[u8], counts: &[u8; 256]| -> usize {
                    let counts = octets.iter().map(|&octet| counts[usize::from(octet)]);
                    counts.map(usize::from).sum()
                };
                sum(path, &RAW_OCTETS_IN_PATH) + sum(query, &RAW_OCTETS_IN_QUERY)
            }
        };
        Self::of_octets(octets + usize::from(anchored))
    }

    /// The number of octets.
    #[must_use]
    pub fn octets(self) -> u32 {
        self.0
    }
}

/// How many octets an octet of a rule takes in the canonical rule: one where it is written as it is, three where
/// it is written as `%XX`. RFC 9309 writes data as escapes, whatever form is compared here.
pub(crate) const fn octets_in_canonical_rule(written: Written, component: Component) -> u8 {
    match written {
        Written::Raw(b'*') => 1,
        Written::Raw(octet) if component.is_delimited_by(octet) => 1,
        Written::Raw(octet) | Written::Escaped(octet) if octets::is_unreserved(octet) => 1,
        Written::Raw(_) | Written::Escaped(_) => 3,
    }
}

/// The same of raw octets, which most rules are made of.
static RAW_OCTETS_IN_PATH: [u8; 256] = raw_octets_in(Component::Path);
static RAW_OCTETS_IN_QUERY: [u8; 256] = raw_octets_in(Component::Query);

const fn raw_octets_in(component: Component) -> [u8; 256] {
    let mut counts = [0; 256];
    let mut octet = u8::MAX;
    loop {
        counts[octet as usize] = octets_in_canonical_rule(Written::Raw(octet), component);
        if octet == 0 {
            return counts;
        }
        octet -= 1;
    }
}
