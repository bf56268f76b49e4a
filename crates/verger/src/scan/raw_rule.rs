//! Compares rules as they are written in a body, without compiling them.
//!
//! *Idea.* Most rules are written in comparison form, so their bytes can be compared directly with
//! the target's form. [`fit_of_short`] uses masks for a line that fits in one window, and [`fit`]
//! handles any value. Rules written differently (`%XX`, non-ASCII, bytes that no URI has) are
//! compiled, unless the target lacks a run of their bytes.
//!
//! *Invariant.* The answers equal those of [`crate::compare::path_pattern`], which compiles every
//! rule and is the reference.
//!
//! *Measured* (`bench/ablation.md`): without windows J1 `b_ecommerce` takes 14 % more instructions,
//! and J5 three times as many. Without [`lacks_run`] all files of J1c take 20 to 30 % more time.

use verger_simd::{ByteSet, Masks};

use super::asked_names::Rank;
use super::scan_target::ScanTarget;
use crate::compare::byte_search::{Alignment, find};
use crate::compare::bytes::{OWN_FORM, Written, WrittenBytes};
use crate::compare::escape_start::EscapeStart;
use crate::compare::path_pattern::PathPattern;
use crate::compare::pattern_value::{google_directory_of_index_page, strip_anchor};
use crate::compare::plain_bytes::{SINGLE_FORM, is_plain};
use crate::compare::plain_pattern::PlainPattern;
use crate::compare::specificity::{Specificity, counted_thrice};
use crate::dialect::Comparison;
use crate::read::line_text::LINE_WINDOW;
use crate::verdict::Effect;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShortFit {
    /// The rule matches, with this rank.
    Matches(Rank),
    /// The rule does not match, or its rank is not above the bar.
    IsNothing,
    Unknown,
}

/// White space in every dialect.
pub(crate) static WHITE: ByteSet = ByteSet::new(b" \t");

/// Decides whether a rule whose value starts at `line[at]` matches, if its line ends within the
/// window and nothing in it needs to be compiled. If the bytes of the target are known, a rule with
/// other bytes is not compared.
#[inline(always)]
pub(crate) fn fit_of_short<M: Masks>(
    masks: M,
    target: &ScanTarget<'_>,
    bytes_of_target: Option<&ByteSet>,
    (effect, line, at): (Effect, &[u8; LINE_WINDOW], usize),
    bar: Rank,
) -> ShortFit {
    let plain = masks.members_of_two(line, &OWN_FORM) >> at;
    let bytes = (!plain).trailing_zeros() as usize;
    let mut after = at + bytes;
    if let Some(b' ' | b'\t') = line.get(after) {
        after += (masks.members_of_two(line, &WHITE) >> after).trailing_ones() as usize;
    }
    let (Some(value), Some(b'\n' | b'\r' | b'#')) = (line.get(at..at + bytes), line.get(after))
    else {
        return ShortFit::Unknown;
    };
    if !matches!(value.first(), Some(b'/' | b'*')) {
        return ShortFit::IsNothing;
    }
    let there = (1 << bytes) - 1;
    let anchor = u64::from(value.ends_with(b"$")) << (bytes - 1);
    let thrice = counted_thrice(masks, line, at, target.comparison()) & there & !anchor;
    let specificity = Specificity::of_bytes(bytes + 2 * thrice.count_ones() as usize);
    let rank = Rank::of(specificity, effect);
    if rank <= bar {
        return ShortFit::IsNothing;
    }
    if has_directory(target, effect, value) {
        return ShortFit::Unknown;
    }
    let stars = masks.equals_of_two(line, b'*') >> at & there;
    if let Some(set) = bytes_of_target {
        let literal = there & !stars & !anchor;
        if literal & !(masks.members_of_two(line, set) >> at) != 0 {
            return ShortFit::IsNothing;
        }
    }
    let pattern = PlainPattern::of(value);
    if pattern.matches_target(target.form(), alignment(target)) {
        ShortFit::Matches(rank)
    } else {
        ShortFit::IsNothing
    }
}

/// Returns the specificity of the rule if it matches, and how many bytes were compiled to find out.
pub(crate) fn fit(
    target: &ScanTarget<'_>,
    effect: Effect,
    value: &[u8],
) -> (Option<Specificity>, usize) {
    let is_plain = is_plain(value, target.comparison());
    if has_directory(target, effect, value) || !is_plain && !lacks_run(target, value) {
        return (fit_of_compiled(target, effect, value), value.len());
    }
    (is_plain.then(|| fit_of_form(target, value)).flatten(), 0)
}

fn fit_of_form(target: &ScanTarget<'_>, value: &[u8]) -> Option<Specificity> {
    let comparison = target.comparison();
    if comparison == Comparison::DecodedBytes {
        let matches = value.starts_with(b"/") && target.form().starts_with(value);
        return matches.then(|| Specificity::of_bytes(value.len()));
    }
    let (bytes, anchored) = strip_anchor(value);
    let starts_right = matches!(value.first(), Some(b'/' | b'*'));
    let matches = || PlainPattern::of(value).matches_target(target.form(), alignment(target));
    (starts_right && matches()).then(|| Specificity::of_plain(bytes, anchored, comparison))
}

/// Returns whether the target lacks something that every match of the value has: its literal runs
/// in order, and an escape if the value needs one. The beginning of an escape requires nothing.
fn lacks_run(target: &ScanTarget<'_>, value: &[u8]) -> bool {
    if target.comparison() == Comparison::DecodedBytes {
        return false;
    }
    let mut rest = value;
    let mut from = 0;
    while let Some(&next) = rest.first() {
        let run = rest.iter().position(|byte| !SINGLE_FORM.contains(*byte));
        let (run, after) = rest.split_at(run.unwrap_or(rest.len()));
        if !run.is_empty() {
            match find(target.form(), from, run) {
                Some(start) => from = start + run.len(),
                None => return true,
            }
            rest = after;
            continue;
        }
        let escaped = WrittenBytes::of(rest).next();
        if let (Some(Written::Raw(b'%')), Comparison::Units) = (escaped, target.comparison())
            && let Some(escape) = EscapeStart::of(&rest[1..])
        {
            rest = &rest[1 + escape.digit().map_or(0, |_| 1)..];
            continue;
        }
        let is_escape = matches!(escaped, Some(Written::Escaped(_)));
        let needs_escape = match (escaped, target.comparison()) {
            (Some(Written::Escaped(byte)), Comparison::Units) => !byte.is_ascii(),
            (Some(Written::Raw(byte)), Comparison::Units) => !matches!(byte, b'*' | b'$'),
            _ => next == b'%' || !next.is_ascii(),
        };
        if needs_escape && !target.has_escapes() {
            return true;
        }
        rest = &rest[if is_escape { 3 } else { 1 }..];
    }
    false
}

/// Returns whether Google's library may try a directory instead of an index page.
#[inline]
fn has_directory(target: &ScanTarget<'_>, effect: Effect, value: &[u8]) -> bool {
    target.may_stand_for_directory(effect) && memchr::memmem::find(value, b"/index.htm").is_some()
}

fn fit_of_compiled(target: &ScanTarget<'_>, effect: Effect, value: &[u8]) -> Option<Specificity> {
    let directory = if target.may_stand_for_directory(effect) {
        google_directory_of_index_page(value)
            .and_then(|directory| PathPattern::compile(&directory, target.comparison()).ok())
    } else {
        None
    };
    PathPattern::compile(value, target.comparison())
        .ok()
        .into_iter()
        .chain(directory)
        .filter(|pattern| pattern.matches_form(target.compared()))
        .map(|pattern| pattern.specificity())
        .max()
}

#[inline]
fn alignment(target: &ScanTarget<'_>) -> Alignment {
    match target.comparison() {
        Comparison::Units if target.has_escapes() => Alignment::Units,
        Comparison::Units | Comparison::Bytes | Comparison::DecodedBytes => Alignment::Bytes,
    }
}
