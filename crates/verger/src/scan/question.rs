//! Answers questions about one body in one pass, without a tree. If the rules and the URL are
//! spelled in the usual way, it does not allocate.
//!
//! The reference is the tree: `RobotsTxt::parse`, `RobotsTxt::policy`, `Policy::decide`.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use super::answering::answer;
use super::asked_names::{AskedName, AskedNames, Asking, FoundGroup};
use super::gathering::gather;
use super::group_scan::{is_white, line_content};
use super::line_count::{line_at, number_lines};
use crate::compare::target_path::{TargetPath, TargetPathError};
use crate::crawler::Crawler;
use crate::dialect::{AgentValue, BlankLine, EncodingMismatch, Reading};
use crate::limits;
use crate::product_token::{self, ProductTokenError};
use crate::read::encoding;
use crate::read::line::byte_order_mark_bytes;
use crate::read::record::{LineContent, RecordKind};
use crate::rows::rule_rows::{GatheredRows, RuleRows};
use crate::span::{Span, offset};
use crate::verdict::{AppliedGroup, BodyVerdict, Effect, Reason};

/// Decides whether the crawler with this product token may fetch `url`, by RFC 9309.
///
/// [`verdict`] also gives the reason. To ask about a body more than once, keep a [`crate::Policy`]. For other
/// dialects and for crawlers with several tokens, use [`crate::scan`].
///
/// ```
/// let body = "User-agent: *\nDisallow: /private";
/// assert!(verger::allowed(body, "ExampleBot", "https://example.com/")?);
/// assert!(!verger::allowed(body, "ExampleBot", "https://example.com/private/x")?);
/// # Ok::<(), verger::QuestionError>(())
/// ```
///
/// # Errors
///
/// Returns an error if `token` is not a product token (`*` stands for a crawler that no group names), or if `url`
/// is neither an absolute URL nor a path ([`TargetPath::new`]).
pub fn allowed(
    body: &(impl AsRef<[u8]> + ?Sized),
    token: &str,
    url: &(impl AsRef<[u8]> + ?Sized),
) -> Result<bool, QuestionError> {
    let reading = Reading::default();
    // An invalid token is reported before an invalid URL.
    let effect = with_name(token, &reading, |names, asking| {
        let target = TargetPath::new(url, reading)?;
        Ok(effect_for(body.as_ref(), names, asking, &target, &reading))
    });
    let effect = effect.map_err(QuestionError::ProductToken)?;
    Ok(effect.map_err(QuestionError::TargetPath)? == Effect::Allow)
}

/// Decides as [`allowed`] does, and returns the rule, its line, the group and the reason.
///
/// ```
/// let body = "User-agent: *\nAllow: /\nDisallow: /private # mine\n";
/// let verdict = verger::verdict(body, "ExampleBot", "https://example.com/private/x")?;
/// assert!(!verdict.is_allowed());
/// assert_eq!(verdict.to_string(), "disallowed by line 3");
/// assert_eq!(verdict.pattern(), Some(&b"/private"[..]));
/// # Ok::<(), verger::QuestionError>(())
/// ```
///
/// # Errors
///
/// Returns an error in the same cases as [`allowed`].
pub fn verdict<'b>(
    body: &'b (impl AsRef<[u8]> + ?Sized),
    token: &str,
    url: &(impl AsRef<[u8]> + ?Sized),
) -> Result<BodyVerdict<'b>, QuestionError> {
    let reading = Reading::default();
    let verdict = with_name(token, &reading, |names, asking| {
        let target = TargetPath::new(url, reading)?;
        Ok(verdict_for(body.as_ref(), names, asking, &target, &reading))
    });
    verdict
        .map_err(QuestionError::ProductToken)?
        .map_err(QuestionError::TargetPath)
}

/// Returns the effect that [`effect_for_crawler`] returns for [`Crawler::named`], without making
/// the crawler.
///
/// # Errors
///
/// Returns an error if `name` is not a product token, outside `google`.
pub fn effect_for_name(
    body: &(impl AsRef<[u8]> + ?Sized),
    name: &str,
    target: &TargetPath<'_>,
    reading: impl Into<Reading>,
) -> Result<Effect, ProductTokenError> {
    let reading = reading.into();
    let body = read_body(body.as_ref(), &reading);
    with_name(name, &reading, |names, asking| {
        effect_for(&body, names, asking, target, &reading)
    })
}

/// Looks up one name and `*`, or `*` alone. V-3, V-4.
fn with_name<'n, T>(
    name: &'n str,
    reading: &Reading,
    ask: impl FnOnce(&mut [AskedName<'n>], Asking) -> T,
) -> Result<T, ProductTokenError> {
    let mut names = [AskedName::token(name), AskedName::STAR];
    let is_verbatim = reading.agent_value == AgentValue::GoogleIdentifier;
    let first = usize::from(name == "*" && !is_verbatim);
    if first == 0 && !is_verbatim {
        product_token::check(name)?;
    }
    Ok(ask(&mut names[first..], Asking::FirstFound))
}

/// Decides in one pass over the body, in any dialect, and returns the effect of the verdict that
/// [`crate::Policy::decide`] would return.
#[must_use]
pub fn effect_for_crawler(
    body: &(impl AsRef<[u8]> + ?Sized),
    crawler: &Crawler,
    target: &TargetPath<'_>,
    reading: impl Into<Reading>,
) -> Effect {
    let reading = reading.into();
    let body = read_body(body.as_ref(), &reading);
    with_names_of(crawler, &reading, |names, asking| {
        effect_for(&body, names, asking, target, &reading)
    })
}

/// Decides in one pass over the body, in any dialect, and returns the rule, its line and the group.
///
/// The answer equals that of [`crate::Policy::decide`]. It costs as much as [`effect_for_crawler`],
/// plus counting the lines before the rule that decides.
#[must_use]
pub fn verdict_for_crawler<'b>(
    body: &'b (impl AsRef<[u8]> + ?Sized),
    crawler: &Crawler,
    target: &TargetPath<'_>,
    reading: impl Into<Reading>,
) -> BodyVerdict<'b> {
    let reading = reading.into();
    with_names_of(crawler, &reading, |names, asking| {
        verdict_for(body.as_ref(), names, asking, target, &reading)
    })
}

/// Returns the verdict that [`verdict_for_crawler`] returns for [`Crawler::named`], without making
/// the crawler.
///
/// # Errors
///
/// Returns an error if `name` is not a product token, outside `google`.
pub fn verdict_for_name<'b>(
    body: &'b (impl AsRef<[u8]> + ?Sized),
    name: &str,
    target: &TargetPath<'_>,
    reading: impl Into<Reading>,
) -> Result<BodyVerdict<'b>, ProductTokenError> {
    let reading = reading.into();
    with_name(name, &reading, |names, asking| {
        verdict_for(body.as_ref(), names, asking, target, &reading)
    })
}

fn verdict_for<'b>(
    body: &'b [u8],
    names: &mut [AskedName<'_>],
    asking: Asking,
    target: &TargetPath<'_>,
    reading: &Reading,
) -> BodyVerdict<'b> {
    let body = read_body(body, reading);
    let form = target.form(reading.comparison);
    let part = part_that_is_read(&body, reading);
    answer(
        part,
        reading,
        &target.with_form(&form),
        &mut AskedNames::new(names, asking, reading),
    );
    let found = FoundGroup::of(names, asking);
    let group = found.as_ref().map(|found| AppliedGroup {
        line: line_at(part, group_start(part, found.named_at, reading)),
        named_by: found.named_by,
    });
    if reading.robots_txt_itself.exempts(&form) {
        return BodyVerdict::without_rule(Reason::RobotsTxtItself, group);
    }
    let Some(found) = found else {
        return BodyVerdict::without_rule(Reason::NoGroup, group);
    };
    let Some((effect, at)) = found.best else {
        return BodyVerdict::without_rule(Reason::NoRuleMatched, group);
    };
    let value = value_at(part, at, reading);
    let line = line_at(part, at);
    // A converted body is dropped here, so its pattern must be copied.
    let pattern = match &body {
        Cow::Borrowed(body) => Cow::Borrowed(value.of(part_that_is_read(body, reading))),
        Cow::Owned(_) => Cow::Owned(value.of(part).to_vec()),
    };
    BodyVerdict::by_rule(effect, line, pattern, group)
}

/// Gathers the rules of a body for one crawler in one pass, and returns them with the group that
/// applies.
pub(crate) fn rules_for(
    body: &[u8],
    crawler: &Crawler,
    reading: &Reading,
) -> (RuleRows, Option<AppliedGroup>) {
    let body = read_body(body, reading);
    let part = part_that_is_read(&body, reading);
    with_names_of(crawler, reading, |names, asking| {
        let mut asked = AskedNames::new(names, asking, reading);
        let mut gathered = GatheredRows::default();
        gather(part, reading, &mut asked, &mut gathered);
        let Some(found) = FoundGroup::of(names, asking) else {
            return (RuleRows::default(), None);
        };
        let start = group_start(part, found.named_at, reading);
        let (line, rules) = number_lines(part, start, &gathered);
        let named_by = found.named_by;
        (rules, Some(AppliedGroup { line, named_by }))
    })
}

fn value_at(body: &[u8], position: u32, reading: &Reading) -> Span {
    match line_content(body, start_of_line(body, position as usize), reading) {
        LineContent::Record(record) => record.value,
        LineContent::Blank | LineContent::Comment | LineContent::Invalid(_) => Span::within(0, 0),
    }
}

/// Returns the start of the group of that user-agent line: the first user-agent line before which a
/// rule or the start of the body comes.
fn group_start(body: &[u8], user_agent: u32, reading: &Reading) -> u32 {
    let mut first = start_of_line(body, user_agent as usize);
    let mut next = first;
    while let Some(end) = next.checked_sub(1) {
        let start = start_of_line(body, end);
        // In every dialect, the key of a user-agent line or rule starts with one of these.
        let byte = body[start..=end].iter().find(|byte| !is_white(**byte));
        let matters = byte.is_some_and(|byte| match byte.to_ascii_lowercase() {
            b'u' | b'a' | b'd' => true,
            b'\n' | b'\r' => reading.blank_line == BlankLine::EndsTheRecord,
            _ => false,
        });
        if !matters {
            next = start;
            continue;
        }
        match line_content(body, start, reading) {
            LineContent::Record(record) if record.kind == RecordKind::UserAgent => first = start,
            LineContent::Record(record) if record.kind.is_rule() => break,
            // The LF of a CR LF is not a line.
            LineContent::Blank
                if reading.blank_line == BlankLine::EndsTheRecord
                    && !(body[start] == b'\n' && body[..start].ends_with(b"\r")) =>
            {
                break;
            }
            LineContent::Record(_)
            | LineContent::Blank
            | LineContent::Comment
            | LineContent::Invalid(_) => {}
        }
        next = start;
    }
    offset(first)
}

fn start_of_line(body: &[u8], position: usize) -> usize {
    memchr::memrchr2(b'\n', b'\r', &body[..position]).map_or(0, |end| end + 1)
}

/// Returns the body as it is read. It is copied only if it must be converted.
fn read_body<'b>(body: &'b [u8], reading: &Reading) -> Cow<'b, [u8]> {
    match reading.encoding_mismatch {
        EncodingMismatch::KeepBytes => Cow::Borrowed(body),
        EncodingMismatch::Bridge => {
            Cow::Owned(encoding::bridged(body.to_vec(), reading.encoding_mismatch))
        }
    }
}

fn part_that_is_read<'b>(body: &'b [u8], reading: &Reading) -> &'b [u8] {
    let read = &body[..limits::bytes_read(body, reading.body_limit)];
    &read[byte_order_mark_bytes(read, reading.byte_order_mark)..]
}

/// Maximum number of names that are looked up without an allocation.
const TOKENS_MAX: usize = 16;

fn with_names_of<'c, T>(
    crawler: &'c Crawler,
    reading: &Reading,
    ask: impl FnOnce(&mut [AskedName<'c>], Asking) -> T,
) -> T {
    let count = crawler.tokens().len() + usize::from(crawler.honours_star());
    let asking = if crawler.merges_names(reading) {
        Asking::Union
    } else {
        Asking::FirstFound
    };
    let (mut few, mut many);
    let names = if count <= TOKENS_MAX {
        few = [const { AskedName::STAR }; TOKENS_MAX];
        &mut few[..count]
    } else {
        many = Vec::new();
        many.resize_with(count, || AskedName::STAR);
        &mut many[..]
    };
    for (name, token) in names.iter_mut().zip(crawler.tokens()) {
        *name = AskedName::token(token.as_str());
    }
    ask(names, asking)
}

fn effect_for(
    body: &[u8],
    names: &mut [AskedName<'_>],
    asking: Asking,
    target: &TargetPath<'_>,
    reading: &Reading,
) -> Effect {
    let form = target.form(reading.comparison);
    if reading.robots_txt_itself.exempts(&form) {
        return Effect::Allow;
    }
    let mut asked = AskedNames::new(names, asking, reading);
    let (body, target) = (part_that_is_read(body, reading), target.with_form(&form));
    answer(body, reading, &target, &mut asked);
    FoundGroup::of(names, asking).map_or(Effect::Allow, FoundGroup::effect)
}

/// The question is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QuestionError {
    /// The name of the crawler is not a product token.
    ProductToken(ProductTokenError),
    /// The URL has no target.
    TargetPath(TargetPathError),
}

impl fmt::Display for QuestionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ProductToken(error) => error.fmt(f),
            Self::TargetPath(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for QuestionError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::ProductToken(error) => Some(error),
            Self::TargetPath(error) => Some(error),
        }
    }
}
