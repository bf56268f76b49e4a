//! Rules compared as they stand in a body, without being compiled.
//!
//! Most rules are written as their comparison form is, so that their octets can be compared with
//! the target's form at once. [`SeenTarget::rejects`] tells most of them off by the octet at
//! which they part from it; [`SeenTarget::fit`] compares a whole value. What is written otherwise
//! (`%XX`, non-ASCII, octets that no URI has) is compiled, as [`crate::path_pattern`] does it for
//! every rule; that is the plain twin of this file.

use verger_simd::{Masks, OctetSet};

use crate::dialect::{Comparison, IndexPage, Reading};
use crate::octet_search::{Alignment, find, find_member, is_aligned};
use crate::pair_set::{Pair, PairSet};
use crate::path_pattern::{PathPattern, Specificity, find_octets, is_plain, strip_anchor};
use crate::usual_key::WINDOW;
use crate::verdict::Effect;

/// Octets compared before anything else is looked at.
const GLANCE: usize = 16;

/// A target, and what must be known of it to compare rules as they stand.
pub(crate) struct SeenTarget<'t> {
    form: &'t [u8],
    /// The first octets of the form, and how many there are.
    glance: [u8; GLANCE],
    glance_octets: usize,
    comparison: Comparison,
    index_page: IndexPage,
    /// `%` in the form: an escape in a rule may be spelled otherwise.
    has_escapes: bool,
    care: Care,
    pairs: PairSet,
    pairs_sought: u8,
}

/// So many pairs are sought in the target before the set of its pairs is made, which costs about
/// as much.
const PAIRS_SOUGHT_MAX: u8 = 12;

/// What must be thought of where a rule parts from the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Care {
    /// Nothing.
    None,
    /// Escapes, or index pages.
    Some,
    /// The form has octets that mean more in a rule than in a target, or rules are decoded.
    NeverGlance,
}

impl Care {
    fn for_target(form: &[u8], reading: &Reading) -> Self {
        let decoded = reading.comparison == Comparison::DecodedOctets;
        if decoded || find_member(form, &ODD).is_some() {
            return Self::NeverGlance;
        }
        let index_page = reading.index_page == IndexPage::StandsForItsDirectory;
        if index_page || memchr::memchr(b'%', form).is_some() {
            Self::Some
        } else {
            Self::None
        }
    }
}

/// What the octet tells at which a rule parts from a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parting {
    /// The rule does not match: the octet has one form, ends nothing and stands for nothing else.
    Tells,
    /// A wildcard goes on from here.
    Star,
    /// The value may end here, or go on in another spelling.
    SaysNothing,
}

static PARTING: [Parting; 256] = {
    let mut table = [Parting::SaysNothing; 256];
    let mut octet = 0_u8;
    while octet < 0x80 {
        if PARTS.contains(octet) {
            table[octet as usize] = Parting::Tells;
        }
        octet += 1;
    }
    table[b'*' as usize] = Parting::Star;
    table
};

/// What stars a rule, or ends or cuts its value. Only Google compares raw control octets.
static ODD: OctetSet = OctetSet::of(b"*#\0\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0B\x0C\r\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F ");

impl<'t> SeenTarget<'t> {
    pub(crate) fn new(form: &'t [u8], reading: &Reading) -> Self {
        let mut first = [0; GLANCE];
        let there = form.len().min(GLANCE);
        first[..there].copy_from_slice(&form[..there]);
        Self {
            form,
            glance: first,
            glance_octets: there,
            comparison: reading.comparison,
            index_page: reading.index_page,
            has_escapes: memchr::memchr(b'%', form).is_some(),
            care: Care::for_target(form, reading),
            pairs: PairSet::default(),
            pairs_sought: 0,
        }
    }

    /// Whether a rule surely does not match, told by the first octets of its value, which starts
    /// at `window[value]`, without looking for the end of its line. False says nothing.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    pub(crate) fn rejects<M: Masks>(
        &mut self,
        masks: M,
        effect: Effect,
        window: &[u8; WINDOW],
        value: usize,
    ) -> bool {
        let Some(first) = window.get(value..).and_then(<[u8]>::first_chunk::<GLANCE>) else {
            return false;
        };
        let parting = masks.differs(first, &self.glance).trailing_zeros() as usize;
        let parting = parting.min(self.glance_octets);
        let Some(&octet) = first.get(parting) else {
            return false;
        };
        match (PARTING[usize::from(octet)], self.care) {
            (Parting::Tells, Care::None) => true,
            (Parting::SaysNothing, _) | (_, Care::NeverGlance) => false,
            (Parting::Tells, Care::Some) => self.tells_with_care(effect, first, parting),
            (Parting::Star, _) => {
                let behind = &window[value + parting + 1..];
                // Google tries the directory of an index page too, which has no `i` there.
                let for_directory = self.index_page == IndexPage::StandsForItsDirectory
                    && effect == Effect::Allow
                    && behind.starts_with(b"/i");
                !for_directory && self.lacks_pair(behind)
            }
        }
    }

    /// Whether parting there tells that the rule does not match, where escapes may be spelled
    /// otherwise or index pages stand for directories.
    fn tells_with_care(&self, effect: Effect, first: &[u8; GLANCE], parting: usize) -> bool {
        let in_escape =
            self.has_escapes && first[parting.saturating_sub(2)..parting].contains(&b'%');
        let of_index_page = self.index_page == IndexPage::StandsForItsDirectory
            && effect == Effect::Allow
            && first[parting] == b'i'
            && parting == self.form.len();
        !in_escape && !of_index_page
    }

    /// How specific the rule of that effect and value is, if it matches.
    pub(crate) fn fit(&mut self, effect: Effect, value: &[u8]) -> Option<Specificity> {
        let index_page = self.index_page == IndexPage::StandsForItsDirectory
            && effect == Effect::Allow
            && memchr::memmem::find(value, b"/index.htm").is_some();
        if index_page || !is_plain(value, self.comparison) {
            return self.fit_of_compiled(effect, value);
        }
        let (octets, anchored) = strip_anchor(value);
        let starts_right = matches!(value.first(), Some(b'/' | b'*'));
        (starts_right && self.matches_plain(octets, anchored))
            .then(|| Specificity::of_plain(octets, anchored, self.comparison))
    }

    fn fit_of_compiled(&self, effect: Effect, value: &[u8]) -> Option<Specificity> {
        let directory = match (self.index_page, effect) {
            (IndexPage::StandsForItsDirectory, Effect::Allow) => {
                PathPattern::google_directory_of_index_page(value)
            }
            (IndexPage::StandsForItsDirectory | IndexPage::IsAPage, _) => None,
        };
        PathPattern::new(value, self.comparison)
            .ok()
            .into_iter()
            .chain(directory)
            .filter(|pattern| pattern.matches(self.form))
            .map(|pattern| pattern.specificity())
            .max()
    }

    /// A value whose fragments are their own forms, matched as `PathPattern::matches` does it.
    fn matches_plain(&self, value: &[u8], anchored: bool) -> bool {
        let alignment = match self.comparison {
            Comparison::Units if self.has_escapes => Alignment::Units,
            Comparison::Units | Comparison::Octets | Comparison::DecodedOctets => Alignment::Octets,
        };
        let head_end = memchr::memchr(b'*', value).unwrap_or(value.len());
        let (head, behind) = value.split_at(head_end);
        if !self.form.starts_with(head) {
            return false;
        }
        if behind.is_empty() {
            return !anchored || head.len() == self.form.len();
        }
        let mut from = head.len();
        let mut fragments = behind[1..].split(|&octet| octet == b'*').peekable();
        while let Some(fragment) = fragments.next() {
            if fragments.peek().is_none() && anchored {
                let start = self.form.len().checked_sub(fragment.len());
                return start.is_some_and(|start| {
                    start >= from
                        && self.form.ends_with(fragment)
                        && is_aligned(self.form, start, alignment)
                });
            }
            match find_octets(fragment, self.form, from, alignment) {
                Some(end) => from = end,
                None => return false,
            }
        }
        true
    }

    /// Whether the two octets behind a `*` do not stand together anywhere in the target.
    #[inline]
    fn lacks_pair(&mut self, behind_star: &[u8]) -> bool {
        match *behind_star {
            [left, right, ..] if PARTS.contains(left) && PARTS.contains(right) => {
                if self.pairs_sought < PAIRS_SOUGHT_MAX {
                    self.pairs_sought += 1;
                    return find(self.form, 0, &[left, right]).is_none();
                }
                let pair = Pair::of(left, right);
                !self.pairs.of(self.form).has_both([pair, pair])
            }
            _ => false,
        }
    }
}

/// Octets at which a rule that is unlike the target cannot match: they have one form, end nothing
/// and stand for nothing else. The form of a raw octet among them is the octet itself.
const PARTS: OctetSet = OctetSet::of(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?[]@!&'()+,;=",
);
