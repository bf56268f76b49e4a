//! `PathPattern`: what an allow or disallow line matches, and how specific it is (RFC 9309 2.2.2
//! and 2.2.3).
//!
//! *Idea.* A pattern is split at each `*` into fragments. The first one, the head, must be at the
//! start of the target, and each further one somewhere after the one before. With a final `$`, the
//! last one must be at the end. Always taking the leftmost match is enough: whether a fragment
//! matches at a place depends only on the target there, so an earlier match never rules out a later
//! one. There is no backtracking, and a match costs at most O(target bytes × pattern bytes).
//!
//! In *units* a fragment after a `*` may match in the path or in the query, which differ in the
//! meaning of the escapes of `/`, `?`, `&` and `=` (`bytes.rs`). A fragment without such an escape
//! has one form and is searched for in the whole target. A fragment with such an escape has two:
//! `in_path`, which turns into the query form after its first raw `?`, and `in_query`. This is
//! exact because of three facts:
//! - A fragment before the target's `?` only matches path units, and it has no raw `?`, because a
//!   raw `?` in the path is by definition the start of the query.
//! - A fragment that covers the target's `?` must have its first raw `?` there. That leaves one
//!   place to look at, with the path form before it and the query form after it.
//! - A fragment after the target's `?` only matches query units.
//!
//! The head has an `in_path` form only.
//!
//! A fragment that ends with the beginning of an escape (`escape_start.rs`) has the bytes before it
//! as its forms. It is searched for from each escape of the target backwards. All such fragments
//! of a pattern share one pass over the escapes. If the head ends so, a fragment without bytes
//! follows the head directly.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::allocated_bytes::allocated_bytes;
use crate::compare::byte_search::{Alignment, find_aligned, is_aligned, question_mark_of};
use crate::compare::bytes::{
    self, ComparedTarget, Component, UNRESERVED, Written, WrittenBytes, push_unit,
};
use crate::compare::escape_start::{EscapableUnits, EscapeStart};
use crate::compare::pattern_value::{UnusablePattern, check_usable, strip_anchor};
use crate::compare::plain_bytes::is_plain;
use crate::compare::specificity::{Specificity, bytes_in_canonical_rule};
use crate::compare::target_path::TargetPath;
use crate::dialect::{Comparison, Reading};
use crate::span::offset;

/// A path-pattern of an allow or disallow line, compiled for comparison. RFC 9309 2.2.2.
///
/// ```
/// use verger::{Dialect, PathPattern, TargetPath};
///
/// let pattern = PathPattern::new("/%62log/*.html$", Dialect::Rfc9309)?;
/// let target = TargetPath::new("https://example.com/blog/1.html", Dialect::Rfc9309)?;
/// assert!(pattern.matches(&target));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Comparison form
///
/// A pattern matches a target form ([`TargetPath::comparison_form`]) that starts with
/// [`PathPattern::head`] and contains the fragments in order and without overlap. With
/// [`PathPattern::is_anchored`], the last fragment, or otherwise the head, must be at the end of
/// the target. Bytes are compared as they are. If a fragment has an [`EscapeStart`], a match of
/// that follows its bytes.
///
/// In [`Comparison::Units`] a fragment only matches at the start of a unit, never inside the three
/// bytes of an escape. In `DecodedBytes` a form writes an escaped slash as `\0s`, the first raw `?`
/// as `\0q` and a NUL as `\0\0`, and nothing in a pattern is special.
///
/// ```
/// use verger::{Dialect, PathPattern};
///
/// let pattern = PathPattern::new("/%61*.pdf$", Dialect::Rfc9309)?;
/// assert_eq!(pattern.head(), b"/a");
/// assert_eq!(pattern.fragments().next().unwrap().in_path, b".pdf");
/// assert!(pattern.is_anchored());
/// # Ok::<(), verger::UnusablePattern>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPattern {
    forms: Box<[u8]>,
    /// End of the head in `forms`.
    head_end: u32,
    /// The fragments after each `*`.
    tail: Box<[Fragment]>,
    anchored: bool,
    comparison: Comparison,
    specificity: Specificity,
}

/// The part of a pattern between a `*` and the next one. An empty fragment matches everywhere. The
/// beginning of an escape at the end of the head is a fragment as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FragmentForm<'f> {
    /// The bytes to compare if the fragment starts in the path of the target, or at the `?` that
    /// starts the query.
    pub in_path: &'f [u8],
    /// The bytes to compare if the fragment starts after that `?`. Usually the same.
    pub in_query: &'f [u8],
    /// The beginning of an escape after these bytes.
    pub escape: Option<EscapeStart>,
    /// The place at which the fragment may start.
    pub place: FragmentPlace,
}

/// The place at which a fragment may start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FragmentPlace {
    /// Directly at the end of the head. Such a fragment is the first one and has no bytes.
    AfterHead,
    /// Anywhere after the part before the `*`.
    #[default]
    AfterWildcard,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Prefix,
    Whole,
    Wildcards,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fragment {
    /// `forms[start..path_end]` is the form used in the path.
    start: u32,
    path_end: u32,
    /// `forms[path_end..query_end]` is the form used in the query. Empty if it is the same.
    query_end: u32,
    /// Offset in `in_path` of the raw `?` that can only match the target's own.
    question_mark: Option<u32>,
    escape: Option<EscapeStart>,
    place: FragmentPlace,
}

impl PathPattern {
    /// Returns the heap memory in use, in bytes, including allocator overhead.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        allocated_bytes(self.forms.len()) + allocated_bytes(size_of_val(&*self.tail))
    }

    /// Compiles the value of an allow or disallow line, without surrounding white space.
    ///
    /// # Errors
    ///
    /// Returns an error if the pattern cannot match anything.
    pub fn new<P: AsRef<[u8]> + ?Sized>(
        pattern: &P,
        reading: impl Into<Reading>,
    ) -> Result<Self, UnusablePattern> {
        Self::compile(pattern.as_ref(), reading.into().comparison)
    }

    pub(crate) fn compile(value: &[u8], comparison: Comparison) -> Result<Self, UnusablePattern> {
        check_usable(value, comparison)?;
        Ok(match comparison {
            Comparison::Units => Self::in_units(value),
            Comparison::Bytes => Self::in_bytes(value),
            Comparison::DecodedBytes => Self::decoded(value),
        })
    }

    fn in_units(value: &[u8]) -> Self {
        let (bytes, anchored) = strip_anchor(value);
        if is_plain(value, Comparison::Units) {
            return Self::plain(bytes, anchored, Comparison::Units);
        }
        let mut builder = Builder {
            in_path: Vec::with_capacity(bytes.len()),
            ..Builder::default()
        };
        let mut component = Component::Path;
        let mut rest = WrittenBytes::of(bytes);
        loop {
            let run = rest.raw_run(&UNRESERVED);
            builder.push(run);
            builder.specificity += run.len();
            let Some(written) = rest.next() else {
                break;
            };
            builder.specificity += usize::from(bytes_in_canonical_rule(written, component));
            let after = &value[bytes.len() - rest.rest().len()..];
            match (written, EscapeStart::of(after)) {
                (Written::Raw(b'*'), _) => builder.next_fragment(),
                (Written::Raw(b'%'), Some(escape)) => {
                    let digit = escape.digit().and_then(|_| rest.next());
                    builder.specificity += usize::from(digit.is_some());
                    builder.end_with_escape(escape);
                }
                _ => builder.push_written(written),
            }
            if written == Written::Raw(b'?') {
                component = Component::Query;
            }
        }
        builder.finish(anchored, Comparison::Units)
    }

    fn in_bytes(value: &[u8]) -> Self {
        let escaped = if is_plain(value, Comparison::Bytes) {
            Cow::Borrowed(value)
        } else {
            Cow::Owned(bytes::google_escaped(value))
        };
        let (bytes, anchored) = strip_anchor(&escaped);
        Self::plain(bytes, anchored, Comparison::Bytes)
    }

    /// Creates a pattern whose fragments are already in comparison form.
    fn plain(bytes: &[u8], anchored: bool, comparison: Comparison) -> Self {
        let mut fragments = bytes.split(|&byte| byte == b'*');
        let mut builder = Builder::default();
        builder.push(fragments.next().unwrap_or_default());
        for fragment in fragments {
            builder.next_fragment();
            builder.push(fragment);
        }
        builder.specificity = Specificity::of_plain(bytes, false, comparison).bytes() as usize;
        builder.finish(anchored, comparison)
    }

    fn decoded(value: &[u8]) -> Self {
        let mut builder = Builder::default();
        builder.push(&bytes::decoded(value));
        builder.specificity = value.len();
        builder.finish(false, Comparison::DecodedBytes)
    }

    /// Returns how specific a rule with this pattern is.
    #[must_use]
    pub fn specificity(&self) -> Specificity {
        self.specificity
    }

    /// Returns the form of the part before the first `*`, with which every matching target starts.
    #[must_use]
    pub fn head(&self) -> &[u8] {
        &self.forms[..self.head_end as usize]
    }

    /// Returns the form of the part after each `*`, in order. Consecutive `*` are read as one. The
    /// beginning of an escape that ends the head comes first.
    pub fn fragments(&self) -> impl ExactSizeIterator<Item = FragmentForm<'_>> {
        self.tail.iter().map(|&fragment| {
            let in_path = self.in_path(fragment);
            FragmentForm {
                in_path,
                in_query: self.in_query(fragment).unwrap_or(in_path),
                escape: fragment.escape,
                place: fragment.place,
            }
        })
    }

    /// Returns whether the pattern has a final `$`, which anchors it at the end of the target.
    #[must_use]
    pub fn is_anchored(&self) -> bool {
        self.anchored
    }

    pub(crate) fn shape(&self) -> Shape {
        match (&*self.tail, self.anchored) {
            ([], false) => Shape::Prefix,
            ([], true) => Shape::Whole,
            ([fragment], _) if fragment.start == fragment.path_end && fragment.escape.is_none() => {
                Shape::Prefix
            }
            _ => Shape::Wildcards,
        }
    }

    /// Visits bytes without which a target cannot match: the head, and of the other fragments the
    /// parts that are the same in path and query.
    pub(crate) fn for_each_run<'p>(&'p self, mut visit: impl FnMut(&'p [u8])) {
        visit(self.head());
        for &fragment in &self.tail {
            match self.in_query(fragment) {
                None => visit(self.in_path(fragment)),
                Some(in_query) => for_each_common_run(self.in_path(fragment), in_query, &mut visit),
            }
        }
    }

    /// Returns whether the pattern matches the target from its first byte on. R9309-2.2.2-3.
    #[must_use]
    pub fn matches(&self, target: &TargetPath<'_>) -> bool {
        self.matches_form(&target.with_form(&target.form(self.comparison)))
    }

    /// *Invariant*: `from` is the least end of a match of the fragments so far. Whether the
    /// remaining fragments match depends only on the target from `from` on, and a smaller `from`
    /// leaves more of it. So the leftmost match is always the right one, no match is tried twice,
    /// and `from` never decreases.
    pub(crate) fn matches_form(&self, target: &ComparedTarget<'_>) -> bool {
        let head = self.head();
        if !target.form.starts_with(head) {
            return false;
        }
        let Some((last, middle)) = self.tail.split_last() else {
            return !self.anchored || head.len() == target.form.len();
        };
        let mut from = head.len();
        let mut units = None;
        for fragment in middle {
            match self.find(*fragment, target, &mut units, from) {
                Some(end) => from = end,
                None => return false,
            }
        }
        if self.anchored {
            self.stands_at_end(*last, target.form, || question_mark_of(target.form), from)
        } else {
            self.find(*last, target, &mut units, from).is_some()
        }
    }

    /// No earlier fragment has passed the `units`.
    fn find<'t>(
        &self,
        fragment: Fragment,
        target: &ComparedTarget<'t>,
        units: &mut Option<EscapableUnits<'t>>,
        from: usize,
    ) -> Option<usize> {
        if let Some(escape) = fragment.escape {
            let units = units.get_or_insert_with(|| EscapableUnits::of(target));
            return self.find_before_escape(fragment, escape, units, from);
        }
        let (target, in_path) = (target.form, self.in_path(fragment));
        let Some(in_query) = self.in_query(fragment) else {
            return self.find_bytes(in_path, target, from);
        };
        let Some(question_mark) = question_mark_of(target) else {
            // A raw "?" cannot match in a target without a query.
            return match fragment.question_mark {
                None => self.find_bytes(in_path, target, from),
                Some(_) => None,
            };
        };
        let at_or_before_question_mark = match fragment.question_mark {
            None if from > question_mark => None,
            None => self.find_bytes(in_path, &target[..question_mark], from),
            Some(at) => question_mark
                .checked_sub(at as usize)
                .filter(|&start| start >= from && self.stands_at(in_path, target, start))
                .map(|start| start + in_path.len()),
        };
        at_or_before_question_mark
            .or_else(|| self.find_bytes(in_query, target, from.max(question_mark + 1)))
    }

    /// *Invariant*: the end of the first match is the least one. A later match ends at a later
    /// escape, and both ways to match at one escape end there or with the digit after it.
    ///
    /// No later fragment needs a unit read here: those before the match lie before its end, from
    /// which the next fragment starts, and so does the unit that it ends with.
    fn find_before_escape(
        &self,
        fragment: Fragment,
        escape: EscapeStart,
        units: &mut EscapableUnits<'_>,
        from: usize,
    ) -> Option<usize> {
        let (target, question_mark) = (units.target(), units.question_mark());
        for unit in units {
            let (before, form) = target.split_at_checked(unit.at)?;
            let in_place = fragment.place == FragmentPlace::AfterWildcard || unit.at == from;
            let mark_before = || question_mark.filter(|mark| *mark < unit.at);
            if let Some(bytes) = escape.match_bytes(unit.written, form, unit.bytes)
                && in_place
                && self.stands_at_end(fragment, before, mark_before, from)
            {
                return Some(unit.at + bytes);
            }
        }
        None
    }

    /// Returns whether the fragment ends the target and starts at or after `from`.
    fn stands_at_end(
        &self,
        fragment: Fragment,
        target: &[u8],
        question_mark: impl FnOnce() -> Option<usize>,
        from: usize,
    ) -> bool {
        let stands_from = |form: &[u8], from: usize| {
            target
                .len()
                .checked_sub(form.len())
                .is_some_and(|start| start >= from && self.stands_at(form, target, start))
        };
        let in_path = self.in_path(fragment);
        let Some(in_query) = self.in_query(fragment) else {
            return stands_from(in_path, from);
        };
        match (question_mark(), fragment.question_mark) {
            (None, None) => stands_from(in_path, from),
            (None, Some(_)) => false,
            (Some(question_mark), None) => stands_from(in_query, from.max(question_mark + 1)),
            (Some(question_mark), Some(at)) => {
                let covers = target.len() + at as usize == question_mark + in_path.len();
                covers && stands_from(in_path, from)
                    || stands_from(in_query, from.max(question_mark + 1))
            }
        }
    }

    fn in_path(&self, fragment: Fragment) -> &[u8] {
        &self.forms[fragment.start as usize..fragment.path_end as usize]
    }

    fn in_query(&self, fragment: Fragment) -> Option<&[u8]> {
        let (start, end) = (fragment.path_end as usize, fragment.query_end as usize);
        (start < end).then(|| &self.forms[start..end])
    }

    fn find_bytes(&self, form: &[u8], target: &[u8], from: usize) -> Option<usize> {
        let start = find_aligned(target, from, form, self.alignment())?;
        Some(start + form.len())
    }

    fn stands_at(&self, form: &[u8], target: &[u8], start: usize) -> bool {
        target[start..].starts_with(form) && is_aligned(target, start, self.alignment())
    }

    fn alignment(&self) -> Alignment {
        match self.comparison {
            Comparison::Units => Alignment::Units,
            Comparison::Bytes | Comparison::DecodedBytes => Alignment::Bytes,
        }
    }
}

/// The forms differ where one has an escape and the other the byte that it encodes.
fn for_each_common_run<'p>(left: &'p [u8], right: &[u8], visit: &mut impl FnMut(&'p [u8])) {
    let (mut left, mut right) = (left, right);
    while !left.is_empty() {
        let pairs = left.iter().zip(right);
        let common = pairs.take_while(|(left, right)| left == right).count();
        visit(&left[..common]);
        let bytes = |rest: &[u8]| if rest.first() == Some(&b'%') { 3 } else { 1 };
        let after = |form: &'p [u8]| form.get(common + bytes(&form[common..])..);
        let of_right = right.get(common..).unwrap_or_default();
        right = of_right.get(bytes(of_right)..).unwrap_or_default();
        left = after(left).unwrap_or_default();
    }
}

#[derive(Default)]
struct Builder {
    forms: Vec<u8>,
    head_end: Option<usize>,
    tail: Vec<Fragment>,
    in_path: Vec<u8>,
    in_query: Vec<u8>,
    question_mark: Option<u32>,
    escape: Option<EscapeStart>,
    place: FragmentPlace,
    specificity: usize,
}

impl Builder {
    fn push(&mut self, bytes: &[u8]) {
        self.in_path.extend_from_slice(bytes);
        if self.head_end.is_some() {
            self.in_query.extend_from_slice(bytes);
        }
    }

    fn push_written(&mut self, written: Written) {
        let component = match self.question_mark {
            None => Component::Path,
            Some(_) => Component::Query,
        };
        if written == Written::Raw(b'?') && self.question_mark.is_none() {
            self.question_mark = Some(offset(self.in_path.len()));
        }
        push_unit(&mut self.in_path, written, component);
        if self.head_end.is_some() {
            push_unit(&mut self.in_query, written, Component::Query);
        }
    }

    /// Reads consecutive `*` as one, though each counts in the specificity.
    fn next_fragment(&mut self) {
        if self.head_end.is_none() || !self.in_path.is_empty() || self.escape.is_some() {
            self.end_fragment();
        }
    }

    fn end_with_escape(&mut self, escape: EscapeStart) {
        if self.head_end.is_none() {
            self.end_fragment();
            self.place = FragmentPlace::AfterHead;
        }
        self.escape = Some(escape);
    }

    fn end_fragment(&mut self) {
        let start = self.forms.len();
        if start == 0 {
            self.forms = core::mem::take(&mut self.in_path);
        } else {
            self.forms.append(&mut self.in_path);
        }
        let path_end = self.forms.len();
        if self.head_end.is_none() {
            self.head_end = Some(path_end);
        } else {
            if self.forms[start..] != self.in_query {
                self.forms.extend_from_slice(&self.in_query);
            }
            let [start, path_end, query_end] =
                [start, path_end, self.forms.len()].map(crate::span::offset);
            self.tail.push(Fragment {
                start,
                path_end,
                query_end,
                question_mark: self.question_mark,
                escape: self.escape.take(),
                place: core::mem::take(&mut self.place),
            });
        }
        self.in_query.clear();
        self.question_mark = None;
    }

    fn finish(mut self, anchored: bool, comparison: Comparison) -> PathPattern {
        self.end_fragment();
        let bytes = self.specificity + usize::from(anchored);
        PathPattern {
            head_end: offset(self.head_end.unwrap_or(0)),
            forms: self.forms.into_boxed_slice(),
            tail: self.tail.into_boxed_slice(),
            anchored,
            comparison,
            specificity: Specificity::of_bytes(bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    #[test]
    fn runs_are_what_both_forms_have() {
        let value = b"/a%2Fb*x%2Fyz%26%C3w%3D*%2F%2F*plain?q%3Dr";
        let pattern = PathPattern::compile(value, Comparison::Units).unwrap();
        let mut runs: Vec<&[u8]> = Vec::new();
        pattern.for_each_run(|run| runs.push(run));
        runs.retain(|run| !run.is_empty());
        let expected: [&[u8]; 5] = [b"/a%2Fb", b"x", b"yz", b"%C3w", b"plain?q%3Dr"];
        assert_eq!(runs, expected);
    }

    #[test]
    fn fragments_before_escapes_read_each_unit_once() {
        let value = ["/", &"*%*b%2*%26%".repeat(100)].concat();
        let pattern = PathPattern::compile(value.as_bytes(), Comparison::Units).unwrap();
        let written = ["/", &"%20b%2F%26%3C".repeat(100)].concat();
        let target = ComparedTarget {
            form: &bytes::written_in_units(written.as_bytes()),
            written: written.as_bytes(),
        };
        let (mut units, mut from, mut read) = (None, pattern.head().len(), 0);
        for fragment in &pattern.tail {
            from = pattern.find(*fragment, &target, &mut units, from).unwrap();
            let read_before = core::mem::replace(&mut read, units.as_ref().unwrap().read());
            assert!(read_before < read);
            assert_eq!(read, from);
        }
        assert_eq!(read, target.form.len());
        assert!(pattern.matches_form(&target));
    }

    proptest! {
        #[test]
        fn a_target_that_matches_has_all_runs(
            value in "/?(\\*|a|b|%2F|%26|%3D|%3F|[?&=/2%]|%C3){1,8}",
            target in "/(a|b|%2F|%26|%3D|%3F|[?&=/]|%C3){0,12}",
        ) {
            let written = target.as_bytes();
            let target = &*crate::compare::bytes::written_in_units(written);
            if let Ok(pattern) = PathPattern::compile(value.as_bytes(), Comparison::Units)
                && pattern.matches_form(&ComparedTarget { form: target, written })
            {
                pattern.for_each_run(|run| {
                    assert!(run.is_empty() || target.windows(run.len()).any(|at| at == run));
                });
            }
        }
    }
}
