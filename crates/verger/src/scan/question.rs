//! Questions about one body, answered in one pass, without a tree; one question without an
//! allocation, where the rules and the URL are written as most are.
//!
//! The reference is the tree: `RobotsTxt::parse`, `RobotsTxt::policy`, `Policy::decide`.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use super::asked_names::{AskedName, AskedNames, Asking, effect_for_first_found, effect_for_union};
use super::body_scan::scan_body;
use crate::compare::target_path::{TargetPath, TargetPathError};
use crate::crawler::Crawler;
use crate::dialect::{AgentValue, EncodingMismatch, Reading};
use crate::limits;
use crate::product_token::{self, ProductToken, ProductTokenError, ignoring_case};
use crate::read::encoding;
use crate::verdict::Effect;

/// Whether the crawler of that product token may fetch `url`, by RFC 9309.
///
/// For other dialects or crawlers with several tokens there is [`effect`]; for the reason, or to
/// ask more than once about a body, [`crate::RobotsTxt::parse`] and [`crate::RobotsTxt::policy`].
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
/// Where `token` is not a product token ([`crate::ProductToken::new`]; `*` asks for a crawler
/// that no group names), or `url` is neither absolute nor a path ([`TargetPath::new`]).
pub fn allowed(
    body: &(impl AsRef<[u8]> + ?Sized),
    token: &str,
    url: &(impl AsRef<[u8]> + ?Sized),
) -> Result<bool, QuestionError> {
    let reading = Reading::default();
    let (mut names, first) = names_of(token, &reading).map_err(QuestionError::ProductToken)?;
    let target = TargetPath::new(url, reading).map_err(QuestionError::TargetPath)?;
    // This reading bridges no encoding, so the body is read as it is.
    let effect = effect_for(body.as_ref(), &mut names[first..], &target, &reading);
    Ok(effect == Effect::Allow)
}

/// What [`effect`] says for the crawler of one name ([`Crawler::named`]), without making the crawler.
///
/// # Errors
///
/// Where the name is not a product token, outside `google`.
pub fn effect_for_name(
    body: &(impl AsRef<[u8]> + ?Sized),
    name: &str,
    target: &TargetPath<'_>,
    reading: impl Into<Reading>,
) -> Result<Effect, ProductTokenError> {
    let reading = reading.into();
    let (mut names, first) = names_of(name, &reading)?;
    let body = read_body(body.as_ref(), &reading);
    Ok(effect_for(&body, &mut names[first..], target, &reading))
}

/// A name and `*`, and from which of both on they are looked for. V-3, V-4.
fn names_of<'n>(
    name: &'n str,
    reading: &Reading,
) -> Result<([AskedName<'n>; 2], usize), ProductTokenError> {
    let names = [AskedName::token(name), AskedName::STAR];
    match reading.agent_value {
        AgentValue::GoogleIdentifier => Ok((names, 0)),
        AgentValue::LeadingToken | AgentValue::Whole if name == "*" => Ok((names, 1)),
        AgentValue::LeadingToken | AgentValue::Whole => {
            product_token::check(name).map(|()| (names, 0))
        }
    }
}

/// What the rules for `crawler` do about `target`, in any dialect: the effect of the verdict that
/// [`crate::Policy::decide`] gives, without making a policy.
#[must_use]
pub fn effect(
    body: &(impl AsRef<[u8]> + ?Sized),
    crawler: &Crawler,
    target: &TargetPath<'_>,
    reading: impl Into<Reading>,
) -> Effect {
    let reading = reading.into();
    let body = read_body(body.as_ref(), &reading);
    // Most crawlers have few tokens, and need no long row of names.
    match crawler.tokens().len() {
        _ if crawler.merges_names(&reading) => one_of_effects(&body, crawler, target, &reading),
        0..FEW => effect_for_names::<FEW>(&body, crawler, target, &reading),
        FEW..=TOKENS_MAX => {
            effect_for_names::<{ TOKENS_MAX + 1 }>(&body, crawler, target, &reading)
        }
        _ => one_of_effects(&body, crawler, target, &reading),
    }
}

fn one_of_effects(
    body: &[u8],
    crawler: &Crawler,
    target: &TargetPath<'_>,
    reading: &Reading,
) -> Effect {
    let effects = effects_for(body, &[crawler], target, reading);
    effects.first().copied().unwrap_or(Effect::Allow)
}

/// The body as it is read; it is copied only where it must be bridged.
fn read_body<'b>(body: &'b [u8], reading: &Reading) -> Cow<'b, [u8]> {
    match reading.encoding_mismatch {
        EncodingMismatch::KeepOctets => Cow::Borrowed(body),
        EncodingMismatch::Bridge => {
            Cow::Owned(encoding::bridged(body.to_vec(), reading.encoding_mismatch))
        }
    }
}

/// Tokens of a crawler for which there is a row that needs no allocation.
const TOKENS_MAX: usize = 16;

/// Names that most crawlers are content with, `*` among them.
const FEW: usize = 3;

fn effect_for_names<const ROOM: usize>(
    body: &[u8],
    crawler: &Crawler,
    target: &TargetPath<'_>,
    reading: &Reading,
) -> Effect {
    let mut names = [const { AskedName::STAR }; ROOM];
    let tokens = crawler.tokens();
    for (name, token) in names.iter_mut().zip(tokens) {
        *name = AskedName::token(token.as_str());
    }
    let asked = tokens.len() + usize::from(crawler.honours_star());
    effect_for(body, &mut names[..asked.min(ROOM)], target, reading)
}

/// What the rules for each of several crawlers do about `target`: what [`effect`] says of each, in
/// their order, found in one pass over the body.
///
/// The lines of the body are found and most rules ruled out once for 256 names; each user-agent line
/// is held against each name.
///
/// ```
/// use verger::{Crawler, Dialect, Effect, TargetPath, effects};
///
/// let body = "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private";
/// let crawlers = ["GPTBot", "CCBot"].map(|name| Crawler::named(name, Dialect::Rfc9309).unwrap());
/// let target = TargetPath::new("/about", Dialect::Rfc9309)?;
/// assert_eq!(
///     effects(body, &crawlers, &target, Dialect::Rfc9309),
///     [Effect::Disallow, Effect::Allow]
/// );
/// # Ok::<(), verger::TargetPathError>(())
/// ```
#[must_use]
pub fn effects<'c>(
    body: &(impl AsRef<[u8]> + ?Sized),
    crawlers: impl IntoIterator<Item = &'c Crawler>,
    target: &TargetPath<'_>,
    reading: impl Into<Reading>,
) -> Vec<Effect> {
    let reading = reading.into();
    let body = read_body(body.as_ref(), &reading);
    let crawlers: Vec<&Crawler> = crawlers.into_iter().collect();
    effects_for(&body, &crawlers, target, &reading)
}

/// Names that are asked for in one pass; with more of them there are more passes.
const NAMES_AT_ONCE: usize = 256;

fn effects_for(
    body: &[u8],
    crawlers: &[&Crawler],
    target: &TargetPath<'_>,
    reading: &Reading,
) -> Vec<Effect> {
    let mut tokens: Vec<&str> = crawlers
        .iter()
        .flat_map(|crawler| crawler.tokens().iter().map(ProductToken::as_str))
        .collect();
    tokens.sort_by(|left, right| ignoring_case(left.as_bytes(), right.as_bytes()));
    tokens.dedup_by(|left, right| left.eq_ignore_ascii_case(right));
    let mut names: Vec<AskedName<'_>> = tokens.iter().map(|name| AskedName::token(name)).collect();
    names.push(AskedName::STAR);
    for at_once in names.chunks_mut(NAMES_AT_ONCE) {
        let mut asked = AskedNames::new(at_once, Asking::EachName, reading);
        if scan(body, &mut asked, target, reading) == Exemption::Exempt {
            return crawlers.iter().map(|_| Effect::Allow).collect();
        }
    }
    let effect_for = |crawler: &&Crawler| {
        let place = |token: &ProductToken| {
            tokens
                .binary_search_by(|other| {
                    ignoring_case(other.as_bytes(), token.as_str().as_bytes())
                })
                .ok()
        };
        let star = crawler.honours_star().then_some(tokens.len());
        let places = crawler.tokens().iter().filter_map(place);
        if crawler.merges_names(reading) {
            return effect_for_union(&names, places, star);
        }
        effect_for_first_found(&names, places.chain(star))
    };
    crawlers.iter().map(effect_for).collect()
}

fn effect_for(
    body: &[u8],
    names: &mut [AskedName<'_>],
    target: &TargetPath<'_>,
    reading: &Reading,
) -> Effect {
    let places = 0..names.len();
    let mut asked = AskedNames::new(names, Asking::FirstFound, reading);
    match scan(body, &mut asked, target, reading) {
        Exemption::Exempt => Effect::Allow,
        Exemption::None => effect_for_first_found(names, places),
    }
}

/// Whether a target is allowed whatever the rules are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exemption {
    None,
    Exempt,
}

fn scan(
    body: &[u8],
    names: &mut AskedNames<'_, '_>,
    target: &TargetPath<'_>,
    reading: &Reading,
) -> Exemption {
    let form = target.form(reading.comparison);
    if reading.robots_txt_itself.exempts(&form) {
        return Exemption::Exempt;
    }
    let body = &body[..limits::octets_read(body, reading.body_limit)];
    scan_body(body, reading, &form, names);
    Exemption::None
}

/// The question cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QuestionError {
    /// The name of the crawler is not a product token.
    ProductToken(ProductTokenError),
    /// What is asked about has no target.
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
