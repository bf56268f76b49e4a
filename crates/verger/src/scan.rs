//! One question about one body, answered in one pass, without a tree. [`allowed`] allocates nothing
//! where the rules and the URL are written as most are; [`effect`] allocates a row of names.
//!
//! Only lines that can matter are looked at: those that start with `u`, `a`, `d` or white space,
//! and while no group in question is open, only those that start with `u` or white space. A line
//! that matters is read as the tree reads it (`record::read_line`), unless a glance at its first
//! octets tells that the rule does not match, or that the user-agent line names somebody else. A
//! glance cannot see a control octet farther on, which makes the line absent; so none is taken
//! where the line might change which groups are open.
//!
//! The plain twin is the tree: `RobotsTxt::parse`, `RobotsTxt::policy`, `Policy::decide`.

use alloc::vec::Vec;
use core::fmt;

use verger_simd::{Kernel, Masks, dispatch};

use crate::crawler::Crawler;
use crate::dialect::{
    AgentList, AllowLines, BlankLine, EncodingMismatch, GroupWithoutRules, Precedence, Reading,
    RobotsTxtItself, SeveralGroups,
};
use crate::group::{GroupMachine, GroupStep};
use crate::group_match::{agent_values, is_star, names};
use crate::limits::{self, is_line_end};
use crate::line::{byte_order_mark_octets, line_end};
use crate::path_pattern::Specificity;
use crate::product_token::{self, ProductTokenError};
use crate::raw_rule::SeenTarget;
use crate::record::{LineContent, RecordKind, RecordLine, read_line};
use crate::robots_txt::RobotsTxt;
use crate::span::Span;
use crate::target_path::{TargetPath, TargetPathError};
use crate::usual_key::{ALLOW, DISALLOW, USER_AGENT, WINDOW};
use crate::verdict::Effect;

/// Whether the crawler of that product token may fetch `url`, by RFC 9309.
///
/// For other dialects or crawlers with several tokens there is [`effect`]; for the reason, or to
/// ask more than once about a body, [`RobotsTxt::parse`] and [`RobotsTxt::policy`].
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
    let mut slots = [Slot::of(Some(token)), Slot::of(None)];
    let asked = if token == "*" {
        &mut slots[1..]
    } else {
        product_token::check(token).map_err(QuestionError::ProductToken)?;
        &mut slots[..]
    };
    let target = TargetPath::new(url, reading).map_err(QuestionError::TargetPath)?;
    Ok(effect_for(body.as_ref(), asked, &target, &reading) == Effect::Allow)
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
    let body = body.as_ref();
    // A body that must be bridged is read in two passes in any case, and each user-agent line is
    // held against each token here.
    let is_bridged = reading.encoding_mismatch == EncodingMismatch::Bridge;
    if is_bridged || crawler.tokens().len() > TOKENS_MAX {
        let policy = RobotsTxt::parse(body, reading).policy(crawler);
        return policy.decide(target).effect();
    }
    let tokens = crawler.tokens().iter().map(|token| Some(token.as_str()));
    let star = crawler.honours_star().then_some(None);
    let mut slots: Vec<Slot<'_>> = tokens.chain(star).map(Slot::of).collect();
    effect_for(body, &mut slots, target, &reading)
}

/// Tokens of a crawler that are asked for in one pass; of more the tree is asked.
const TOKENS_MAX: usize = 16;

fn effect_for(
    body: &[u8],
    slots: &mut [Slot<'_>],
    target: &TargetPath<'_>,
    reading: &Reading,
) -> Effect {
    let form = target.form(reading.comparison);
    // "The /robots.txt URI is implicitly allowed."                             R9309-2.2.2-8
    let exempt = reading.robots_txt_itself == RobotsTxtItself::ImplicitlyAllowed;
    if exempt && *form == *b"/robots.txt" {
        return Effect::Allow;
    }
    let body = &body[..limits::octets_read(body, reading.body_limit)];
    dispatch(Scan {
        body,
        reading,
        target: SeenTarget::new(&form, reading),
        groups: GroupMachine::new(reading.blank_line),
        slots,
        is_open: false,
    })
}

/// A name that groups are asked for: a product token, or `*`. Slots stand in the order in which
/// they are asked for; the first one that a group names decides.
struct Slot<'t> {
    token: Option<&'t str>,
    /// The open group speaks to it.
    is_named: bool,
    /// A group speaks to it, so no later slot matters.
    is_found: bool,
    /// Only the first group counts, and it is complete.
    is_closed: bool,
    best: Option<(Specificity, Effect)>,
}

impl<'t> Slot<'t> {
    fn of(token: Option<&'t str>) -> Self {
        Self {
            token,
            is_named: false,
            is_found: false,
            is_closed: false,
            best: None,
        }
    }

    /// Whether a user-agent value that starts with `octet` may name it.
    #[inline]
    fn may_start_with(&self, octet: u8) -> bool {
        match self.token.map(str::as_bytes) {
            None => octet == b'*',
            Some([first, ..]) => first.eq_ignore_ascii_case(&octet),
            Some([]) => true,
        }
    }

    fn is_named_by(&self, value: &[u8], reading: &Reading) -> bool {
        match self.token {
            None => is_star(value, reading.agent_value),
            Some(token) => names(value, token, reading.agent_value),
        }
    }

    fn apply(&mut self, fit: Specificity, effect: Effect, precedence: Precedence) {
        let decides = match (self.best, precedence) {
            (None, _) => true,
            (Some(_), Precedence::FirstMatch) => false,
            (Some((best, of_best)), Precedence::MostSpecific) => {
                let allow_first = effect == Effect::Allow && of_best == Effect::Disallow;
                fit > best || fit == best && allow_first
            }
        };
        if decides {
            self.best = Some((fit, effect));
        }
    }
}

struct Scan<'q, 't> {
    body: &'q [u8],
    reading: &'q Reading,
    target: SeenTarget<'q>,
    groups: GroupMachine,
    slots: &'q mut [Slot<'t>],
    /// A group is open that speaks to a slot which still matters.
    is_open: bool,
}

impl Kernel for Scan<'_, '_> {
    type Output = Effect;

    #[expect(
        clippy::inline_always,
        reason = "it is compiled for the processor it runs on"
    )]
    #[inline(always)]
    fn run<M: Masks>(mut self, masks: M) -> Effect {
        let body = self.body;
        self.line_apart(
            masks,
            byte_order_mark_octets(body, self.reading.byte_order_mark),
        );
        let (blocks, rest) = body.as_chunks::<64>();
        for (nth, block) in blocks.iter().enumerate() {
            let mut ends = masks.line_ends(block);
            while ends != 0 {
                let start = nth * 64 + ends.trailing_zeros() as usize + 1;
                ends &= ends - 1;
                if self.matters(masks, start) {
                    self.read(masks, start);
                }
            }
        }
        let mut last = [0; 64];
        last[..rest.len()].copy_from_slice(rest);
        let start_of_rest = body.len() - rest.len();
        let mut ends = masks.line_ends(&last);
        while ends != 0 {
            self.line_apart(masks, start_of_rest + ends.trailing_zeros() as usize + 1);
            ends &= ends - 1;
        }
        let found = self.slots.iter().find(|slot| slot.is_found);
        let best = found.and_then(|slot| slot.best);
        best.map_or(Effect::Allow, |(_, effect)| effect)
    }
}

impl Scan<'_, '_> {
    /// A line outside the loop over blocks.
    #[inline(never)]
    fn line_apart<M: Masks>(&mut self, masks: M, start: usize) {
        if self.matters(masks, start) {
            self.read(masks, start);
        }
    }

    /// Whether the line that starts at `start` must be read.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn matters<M: Masks>(&mut self, masks: M, start: usize) -> bool {
        let Some(&first) = self.body.get(start) else {
            return false;
        };
        // A chain of tests that mostly go one way is foretold better than a jump.
        let lower = first | 0x20;
        if lower == b'd' || lower == b'a' {
            self.is_open && !self.is_rejected(masks, start)
        } else if lower == b'u' {
            !self.names_another(start)
        } else if is_line_end(first) {
            self.is_blank(start)
        } else {
            is_white(first) && self.white_led_line_matters(start)
        }
    }

    /// A line that starts with white space matters by what follows it; the key of a user-agent
    /// line or rule starts with `u`, `a` or `d` in every dialect.
    fn white_led_line_matters(&self, start: usize) -> bool {
        let mut behind = self.body[start..]
            .iter()
            .skip_while(|octet| is_white(**octet));
        match behind.next().map(u8::to_ascii_lowercase) {
            Some(b'u') => true,
            Some(b'a' | b'd') => self.is_open,
            Some(octet) if is_line_end(octet) => {
                self.reading.blank_line == BlankLine::EndsTheRecord
            }
            Some(_) | None => false,
        }
    }

    /// Whether a user-agent line surely names none that is asked for, while no group is open.
    #[inline]
    fn names_another(&self, start: usize) -> bool {
        if self.is_open || self.reading.agent_list == AgentList::CommaSeparated {
            return false;
        }
        let Some(window) = self.body[start..].first_chunk::<WINDOW>() else {
            return false;
        };
        let value = window[USER_AGENT.value_in(window)];
        let is_white = matches!(value, b' ' | b'\t'..=b'\r');
        USER_AGENT.starts(window)
            && !is_white
            && !self.slots.iter().any(|slot| slot.may_start_with(value))
    }

    /// Whether a rule surely does not match, where another one stands before it in its group.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn is_rejected<M: Masks>(&mut self, masks: M, start: usize) -> bool {
        if !self.groups.is_ruling() {
            return false;
        }
        let Some(window) = self.body[start..].first_chunk::<WINDOW>() else {
            return false;
        };
        if DISALLOW.starts(window) {
            let value = DISALLOW.value_in(window);
            self.target.rejects(masks, Effect::Disallow, window, value)
        } else if ALLOW.starts(window) {
            let value = ALLOW.value_in(window);
            self.target.rejects(masks, Effect::Allow, window, value)
        } else {
            false
        }
    }

    /// Whether an empty line matters. The LF of a CR LF is none.
    #[inline]
    fn is_blank(&self, start: usize) -> bool {
        self.reading.blank_line == BlankLine::EndsTheRecord
            && !(start > 0 && self.body[start - 1..].starts_with(b"\r\n"))
    }

    /// Reads the line as the tree reads it.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn read<M: Masks>(&mut self, masks: M, start: usize) {
        let span = Span::within(start, line_end(self.body, start));
        match read_line(masks, self.body, span, self.reading).content {
            LineContent::Record(record) => self.record(&record),
            LineContent::Blank => self.blank_line(),
            LineContent::Comment | LineContent::Invalid(_) => {}
        }
    }

    fn record(&mut self, record: &RecordLine) {
        let step = self.groups.record(record.kind);
        let value = record.value.of(self.body);
        match record.kind {
            RecordKind::UserAgent => {
                if step == GroupStep::Opened {
                    self.close_group();
                }
                self.user_agent(value);
            }
            RecordKind::Allow if step == GroupStep::Joined => self.rule(Effect::Allow, value),
            RecordKind::Disallow if step == GroupStep::Joined => self.rule(Effect::Disallow, value),
            _ => {}
        }
    }

    fn user_agent(&mut self, value: &[u8]) {
        for slot in self.slots.iter_mut().filter(|slot| !slot.is_closed) {
            let mut values = agent_values(value, self.reading);
            if values.any(|value| slot.is_named_by(value, self.reading)) {
                slot.is_named = true;
                slot.is_found |=
                    self.reading.group_without_rules == GroupWithoutRules::AllowsEverything;
            }
        }
        self.is_open = that_matter(self.slots).iter().any(|slot| slot.is_named);
    }

    fn rule(&mut self, effect: Effect, value: &[u8]) {
        // K96-3.3-2: with its first rule a group becomes a record.
        for slot in self.slots.iter_mut().filter(|slot| slot.is_named) {
            slot.is_found = true;
        }
        let ignored = self.reading.allow_lines == AllowLines::Ignored && effect == Effect::Allow;
        let that_matter = that_matter(self.slots);
        // The first rule that matches decides: K96-3.2.2-2.
        let first_only = self.reading.precedence == Precedence::FirstMatch;
        let is_open = |slot: &Slot<'_>| slot.is_named && !(first_only && slot.best.is_some());
        if ignored || !that_matter.iter().any(is_open) {
            return;
        }
        if let Some(fit) = self.target.fit(effect, value) {
            for slot in that_matter.iter_mut().filter(|slot| slot.is_named) {
                slot.apply(fit, effect, self.reading.precedence);
            }
        }
    }

    fn blank_line(&mut self) {
        self.groups.blank_line();
        if self.reading.blank_line == BlankLine::EndsTheRecord {
            self.close_group();
        }
    }

    fn close_group(&mut self) {
        let first_only = |token: Option<&str>| {
            let several = match token {
                Some(_) => self.reading.several_named_groups,
                None => self.reading.several_star_groups,
            };
            several == SeveralGroups::First
        };
        for slot in self.slots.iter_mut().filter(|slot| slot.is_named) {
            slot.is_named = false;
            slot.is_closed |= slot.is_found && first_only(slot.token);
        }
        self.is_open = false;
    }
}

/// White space before a key, in the dialect that has most of it.
fn is_white(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t' | 0x0B | 0x0C)
}

/// The slots up to the first one that is found; what is said to the others decides nothing.
fn that_matter<'s, 't>(slots: &'s mut [Slot<'t>]) -> &'s mut [Slot<'t>] {
    let found = slots.iter().position(|slot| slot.is_found);
    let end = found.map_or(slots.len(), |found| found + 1);
    &mut slots[..end]
}

/// The question cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuestionError {
    /// Who asks is not a product token.
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
