//! The names that a pass looks for on user-agent lines, and for each name the best rule that
//! matched.
//!
//! A name is a product token or `*`. The answer only depends on the best *rank* among the matching
//! rules, so nothing else is stored about them.

use crate::compare::byte_search::first_bytes;
use crate::compare::specificity::Specificity;
use crate::dialect::{
    AgentList, AllowLines, GroupWithoutRules, Precedence, Reading, SeveralGroups,
};
use crate::group_match::{agent_values, is_star, names};
use crate::read::white_space::trimmed;
use crate::verdict::{Effect, NamedBy};

/// The precedence of a matching rule: the more specific one first, allow first if two are equally
/// specific. R9309-2.2.2-4, -6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank(u32);

impl Rank {
    pub(crate) const NONE: Self = Self(0);
    const HIGHEST: Self = Self(u32::MAX);

    #[inline]
    pub(crate) fn of(specificity: Specificity, effect: Effect) -> Self {
        let allows = match effect {
            Effect::Allow => 1,
            Effect::Disallow => 0,
        };
        Self(specificity.bytes() << 1 | allows)
    }

    /// Returns the effect of the rule. Without a rule everything is allowed. R9309-2.2.2-7.
    fn effect(self) -> Effect {
        match self {
            Self::NONE => Effect::Allow,
            Self(rank) if rank & 1 == 1 => Effect::Allow,
            Self(_) => Effect::Disallow,
        }
    }
}

pub(crate) struct AskedName<'t> {
    token: Option<&'t str>,
    start: NameStart,
    is_named: bool,
    is_found: bool,
    /// Whether only the first group applies to it and that group is complete.
    is_closed: bool,
    best: Rank,
    best_at: u32,
    /// Position of the first line that names it, in the groups that apply.
    named_at: u32,
}

impl<'t> AskedName<'t> {
    pub(crate) const STAR: Self = Self {
        token: None,
        start: NameStart::STAR,
        is_named: false,
        is_found: false,
        is_closed: false,
        best: Rank::NONE,
        best_at: 0,
        named_at: 0,
    };

    pub(crate) fn token(token: &'t str) -> Self {
        Self {
            token: Some(token),
            start: NameStart::of(token.as_bytes()),
            ..Self::STAR
        }
    }

    #[inline]
    fn is_named_by(
        &self,
        UserAgentValue { value, first_eight }: UserAgentValue<'_>,
        reading: &Reading,
    ) -> bool {
        if !self.start.starts(first_eight) {
            return false;
        }
        let value = trimmed(value, reading.white_space);
        match self.token {
            None => is_star(value, reading.agent_value),
            Some(token) => names(value, token, reading.agent_value),
        }
    }
}

/// The value of a user-agent line, without leading white space.
#[derive(Clone, Copy)]
pub(crate) struct UserAgentValue<'v> {
    pub(crate) value: &'v [u8],
    /// Eight bytes from its start on. If the value is shorter, the byte after its end is one that
    /// no name contains: white space, `#`, a line end or NUL.
    pub(crate) first_eight: [u8; 8],
}

impl<'v> UserAgentValue<'v> {
    pub(crate) fn of(value: &'v [u8]) -> Self {
        Self {
            value,
            first_eight: first_bytes(value),
        }
    }
}

/// The first bytes of a name, for one comparison that ignores case. In every dialect, a value that
/// names it starts with them. Without this check J1 `c_aibots` takes 11 % more instructions and
/// `a_wordpress` 6 % (`bench/ablation.md`).
#[derive(Clone, Copy)]
struct NameStart {
    folded: u64,
    /// The case bit of each letter.
    cases: u64,
    mask: u64,
}

impl NameStart {
    const STAR: Self = Self {
        folded: b'*' as u64,
        cases: 0,
        mask: 0xFF,
    };

    fn of(name: &[u8]) -> Self {
        let bytes = u64::from_le_bytes(first_bytes(name));
        let mask = match name.len() {
            bytes @ 0..8 => (1 << (8 * bytes)) - 1,
            _ => u64::MAX,
        };
        // The top bit of each ASCII byte from `@` on: every letter, and a few other bytes, for
        // which the check then passes more values than necessary.
        let ascii = bytes & eight(0x7F);
        let letters = (ascii + eight(0x40)) & !bytes & eight(0x80);
        let cases = letters >> 2;
        Self {
            folded: bytes | cases,
            cases,
            mask,
        }
    }

    #[inline]
    fn starts(self, value: [u8; 8]) -> bool {
        (u64::from_le_bytes(value) | self.cases) & self.mask == self.folded
    }
}

const fn eight(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// The possible first bytes of values that name one of several names. Without this check J1
/// `c_aibots` takes twice as many instructions (`bench/ablation.md`).
#[derive(Clone, Copy)]
struct FirstBytes([u64; 4]);

impl FirstBytes {
    const ALL: Self = Self([u64::MAX; 4]);

    /// White space, after which the value may start with any byte.
    const WHITE: Self = Self([1 << b' ' | 0x3E00, 0, 0, 0]);

    fn add(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    #[inline]
    fn contains(self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }

    fn of(names: &[AskedName<'_>], reading: &Reading) -> Self {
        let mut firsts = match reading.agent_list {
            AgentList::OneName => Self::WHITE,
            AgentList::CommaSeparated => Self::ALL,
        };
        for name in names {
            match name.token.map(str::as_bytes) {
                None => firsts.add(b'*'),
                Some([first, ..]) => {
                    firsts.add(first.to_ascii_lowercase());
                    firsts.add(first.to_ascii_uppercase());
                }
                // Google: the empty name equals a value without a name.
                Some([]) => firsts = Self::ALL,
            }
        }
        firsts
    }
}

/// How the results for several names are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asking {
    /// The first name to which a group applies decides. Later names do not matter. V-1.
    FirstFound,
    /// The groups of all names apply. `*`, the last name, applies only if no group names one.
    /// GL-group-2.
    Union,
}

pub(crate) struct AskedNames<'s, 't> {
    names: &'s mut [AskedName<'t>],
    /// Number of leading names that still matter.
    mattering: usize,
    asking: Asking,
    /// The first bytes of values that may name one of those.
    firsts: FirstBytes,
    /// Whether the open group applies to a name that matters.
    is_open: bool,
    /// Only a rule of a higher rank can change the answer.
    bar: Rank,
}

impl<'s, 't> AskedNames<'s, 't> {
    pub(crate) fn new(names: &'s mut [AskedName<'t>], asking: Asking, reading: &Reading) -> Self {
        Self {
            mattering: names.len(),
            firsts: FirstBytes::of(names, reading),
            names,
            asking,
            is_open: false,
            bar: Rank::HIGHEST,
        }
    }

    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Returns whether a rule of the open group can still change the answer.
    pub(crate) fn takes_rules(&self) -> bool {
        self.bar != Rank::HIGHEST
    }

    #[inline]
    pub(crate) fn bar(&self) -> Rank {
        self.bar
    }

    /// Returns whether a user-agent value with that first byte may name a name that matters.
    #[inline]
    pub(crate) fn may_be_named_by(&self, first: u8) -> bool {
        self.firsts.contains(first)
    }

    /// Applies a user-agent line of the open group.
    pub(crate) fn user_agent(
        &mut self,
        value: UserAgentValue<'_>,
        position: u32,
        reading: &Reading,
    ) {
        let is_found = reading.group_without_rules == GroupWithoutRules::AllowsEverything;
        let mut names_any = false;
        for name in self.names.iter_mut().filter(|name| !name.is_closed) {
            let is_named = match reading.agent_list {
                AgentList::OneName => name.is_named_by(value, reading),
                AgentList::CommaSeparated => agent_values(value.value, reading)
                    .any(|value| name.is_named_by(UserAgentValue::of(value), reading)),
            };
            if is_named {
                if !name.is_named && !name.is_found {
                    name.named_at = position;
                }
                name.is_named = true;
                name.is_found |= is_found;
                names_any = true;
            }
        }
        if names_any {
            self.take_stock(reading);
        }
    }

    /// Applies a rule of the open group. K96-3.3-2: the first rule makes the group a record.
    pub(crate) fn rule(&mut self, reading: &Reading) {
        if reading.group_without_rules == GroupWithoutRules::IsNoRecord {
            for name in self.names.iter_mut().filter(|name| name.is_named) {
                name.is_found = true;
            }
            self.take_stock(reading);
        }
    }

    #[inline]
    pub(crate) fn apply(&mut self, rank: Rank, position: u32, reading: &Reading) {
        let ignored = reading.allow_lines == AllowLines::Ignored && rank.effect() == Effect::Allow;
        if rank > self.bar && !ignored {
            self.raise(rank, position, reading);
        }
    }

    fn raise(&mut self, rank: Rank, position: u32, reading: &Reading) {
        let mattering = self.names[..self.mattering].iter_mut();
        for name in mattering.filter(|name| name.is_named) {
            let decides = match reading.precedence {
                Precedence::MostSpecific => rank > name.best,
                // K96-3.2.2-2: the first matching rule decides.
                Precedence::FirstMatch => name.best == Rank::NONE,
            };
            if decides {
                name.best = rank;
                name.best_at = position;
            }
        }
        self.take_stock(reading);
    }

    /// Returns the names to which the groups so far apply. Results for other names do not matter.
    pub(crate) fn found(&self) -> Option<FoundNames> {
        let is_found = |name: &AskedName<'_>| name.is_found;
        let first = self.names[..self.mattering].iter().position(is_found)?;
        let is_token = self.names[first].token.is_some();
        Some(match self.asking {
            Asking::Union if is_token => FoundNames::AnyToken,
            Asking::FirstFound | Asking::Union => FoundNames::Nth(first),
        })
    }

    pub(crate) fn close_group(&mut self, reading: &Reading) {
        let first_only = |token: Option<&str>| {
            let several = match token {
                Some(_) => reading.several_named_groups,
                None => reading.several_star_groups,
            };
            several == SeveralGroups::First
        };
        for name in self.names.iter_mut().filter(|name| name.is_named) {
            name.is_named = false;
            name.is_closed |= name.is_found && first_only(name.token);
        }
        self.is_open = false;
        self.bar = Rank::HIGHEST;
    }

    fn take_stock(&mut self, reading: &Reading) {
        let mattering = &self.names[..self.mattering];
        let found = mattering.iter().position(|name| name.is_found);
        let still_matter = match (self.asking, found) {
            (Asking::FirstFound, Some(found)) => found + 1,
            (Asking::Union, Some(found)) if mattering[found].token.is_some() => {
                let is_star = |name: &AskedName<'_>| name.token.is_none();
                mattering.iter().position(is_star).unwrap_or(self.mattering)
            }
            (Asking::FirstFound | Asking::Union, _) => self.mattering,
        };
        if still_matter < self.mattering {
            self.mattering = still_matter;
            self.firsts = FirstBytes::of(&self.names[..self.mattering], reading);
        }
        let mattering = self.names[..self.mattering].iter();
        let bars = mattering.filter(|name| name.is_named).map(|name| {
            let is_decided =
                reading.precedence == Precedence::FirstMatch && name.best != Rank::NONE;
            if is_decided { Rank::HIGHEST } else { name.best }
        });
        let lowest = bars.min();
        self.is_open = lowest.is_some();
        self.bar = lowest.unwrap_or(Rank::HIGHEST);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FoundNames {
    Nth(usize),
    AnyToken,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct FoundGroup {
    pub(crate) named_by: NamedBy,
    /// Position of the line that names the crawler or is for `*`, in the first of its groups.
    pub(crate) named_at: u32,
    pub(crate) best: Option<(Effect, u32)>,
}

impl FoundGroup {
    pub(crate) fn of(names: &[AskedName<'_>], asking: Asking) -> Option<Self> {
        let first = names.iter().find(|name| name.is_found)?;
        let is_one_of_them = |name: &&AskedName<'_>| match (asking, first.token) {
            (Asking::Union, Some(_)) => name.is_found && name.token.is_some(),
            _ => core::ptr::eq(*name, first),
        };
        let found = || names.iter().filter(is_one_of_them);
        // Among equal ranks the first rule decides.
        let best = found()
            .map(|name| (name.best, u32::MAX - name.best_at))
            .max();
        Some(Self {
            named_by: match first.token {
                Some(_) => NamedBy::Token,
                None => NamedBy::Star,
            },
            named_at: found().map(|name| name.named_at).min().unwrap_or(0),
            best: best
                .filter(|(best, _)| *best != Rank::NONE)
                .map(|(best, at)| (best.effect(), u32::MAX - at)),
        })
    }

    /// Returns the effect. Without a rule everything is allowed. R9309-2.2.2-7.
    pub(crate) fn effect(self) -> Effect {
        self.best.map_or(Effect::Allow, |(effect, _)| effect)
    }
}
