//! `RuleForm`: the pattern of a rule as it is compared, for those who compare policies with each
//! other instead of with one target.

use crate::compare::path_pattern::{PathPattern, Specificity};
use crate::compare::unusable_pattern::UnusablePattern;
use crate::dialect::Reading;

/// The pattern of a rule in its comparison form. RFC 9309 2.2.2.
///
/// It matches a target form ([`crate::TargetPath::comparison_form`]) that starts with
/// [`RuleForm::head`], and in which the fragments follow in order, none overlapping the one before;
/// with [`RuleForm::is_anchored`] the last one ends where the target ends (the head, where there is
/// no fragment). Octets are compared as they are; [`FragmentForm`] says which of its two forms
/// counts at a place.
///
/// In the comparison [`crate::dialect::Comparison::Units`] a fragment starts at a unit only: never
/// between the three octets of an escape. In `DecodedOctets` a form writes an escaped slash as
/// `\0s`, the first raw `?` as `\0q` and a NUL as `\0\0`, and nothing is special in a pattern.
///
/// ```
/// use verger::{Crawler, Dialect, RobotsTxt};
///
/// let robots = RobotsTxt::parse("User-agent: *\nDisallow: /%61*.pdf$", Dialect::Rfc9309);
/// let policy = robots.policy(&Crawler::unnamed());
/// let id = policy.rule_ids().next().unwrap();
/// let form = policy.rule_form(id).unwrap();
/// assert_eq!(form.head(), b"/a");
/// assert_eq!(form.fragments().next().unwrap().in_path, b".pdf");
/// assert!(form.is_anchored());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleForm {
    pattern: PathPattern,
}

/// What stands behind a `*` of a rule, up to the next one. It may be empty, and then matches
/// everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FragmentForm<'f> {
    /// The octets that count where the fragment starts in the target's path, or at the first `?`
    /// of its form.
    pub in_path: &'f [u8],
    /// The octets that count where it starts behind the first `?`; mostly the same.
    pub in_query: &'f [u8],
}

impl RuleForm {
    /// The form of a path-pattern as an allow or disallow line has it, without white space around it.
    ///
    /// ```
    /// use verger::{Dialect, RuleForm};
    ///
    /// let blog = RuleForm::new("/blog/*.html$", Dialect::Rfc9309)?;
    /// assert_eq!(blog.head(), b"/blog/");
    /// # Ok::<(), verger::UnusablePattern>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the pattern cannot match anything.
    pub fn new<P: AsRef<[u8]> + ?Sized>(
        pattern: &P,
        reading: impl Into<Reading>,
    ) -> Result<Self, UnusablePattern> {
        PathPattern::new(pattern.as_ref(), reading.into().comparison).map(Self::of)
    }

    pub(crate) fn of(pattern: PathPattern) -> Self {
        Self { pattern }
    }

    /// The octets with which a target starts: all before the first `*`.
    #[must_use]
    pub fn head(&self) -> &[u8] {
        self.pattern.head()
    }

    /// What follows each `*`, in order. Of several `*` in a row one is enough.
    pub fn fragments(&self) -> impl ExactSizeIterator<Item = FragmentForm<'_>> {
        self.pattern
            .fragments()
            .map(|(in_path, in_query)| FragmentForm {
                in_path,
                in_query: in_query.unwrap_or(in_path),
            })
    }

    /// Whether the target must end where the pattern does: it has a final `$`.
    #[must_use]
    pub fn is_anchored(&self) -> bool {
        self.pattern.is_anchored()
    }

    /// How specific the rule is.
    #[must_use]
    pub fn specificity(&self) -> Specificity {
        self.pattern.specificity()
    }
}
