//! Selects the groups that apply to a crawler (RFC 9309 2.2.1).

use alloc::vec::Vec;

use crate::crawler::Crawler;
use crate::dialect::{
    AgentList, AgentValue, GroupWithoutRules, Reading, SeveralGroups, WhiteSpace,
};
use crate::product_token::{ProductToken, is_identifier_byte, is_token_byte};
use crate::read::robots_txt::{Group, Record, RobotsTxt};
use crate::read::white_space;
use crate::span::LineNumber;
use crate::verdict::{AppliedGroup, NamedBy};

/// The groups that apply to one crawler. There is at least one.
///
/// ```
/// use verger::{Crawler, Dialect, RobotsTxt};
///
/// let body = "User-agent: AnyBot\nUser-agent: examplebot\nDisallow: /";
/// let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
/// let crawler = Crawler::named_in_order(["ExampleBot-News", "ExampleBot"], Dialect::Rfc9309)?;
/// let found = robots.groups_for(&crawler).unwrap();
/// assert_eq!(found.token().unwrap().as_str(), "ExampleBot");
/// assert_eq!(found.line().get(), 2);
/// # Ok::<(), verger::ProductTokenError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GroupMatch<'r, 'c> {
    groups: Vec<Group<'r>>,
    /// The token and its number. `None` for `*`.
    token: Option<(usize, &'c ProductToken)>,
    /// The line, if an index found it.
    line: Option<Record<'r>>,
}

impl<'r, 'c> GroupMatch<'r, 'c> {
    /// Returns the groups in file order. Their rules apply as if they were in one group.
    /// R9309-2.2.1-7.
    #[must_use]
    pub fn groups(&self) -> &[Group<'r>] {
        &self.groups
    }

    /// Returns whether the groups name the crawler or are for `*`.
    #[must_use]
    pub fn named_by(&self) -> NamedBy {
        match self.token {
            Some(_) => NamedBy::Token,
            None => NamedBy::Star,
        }
    }

    /// Returns the product token that selected these groups, or `None` if they are for `*`. If
    /// several tokens did ([`Crawler::union`]), it is the first token named in the first group.
    #[must_use]
    pub fn token(&self) -> Option<&'c ProductToken> {
        self.token.map(|(_, token)| token)
    }

    /// Returns the number of that token among the crawler's tokens, counted from 0
    /// ([`Crawler::tokens`]).
    #[must_use]
    pub fn token_index(&self) -> Option<usize> {
        self.token.map(|(index, _)| index)
    }

    /// Returns the user-agent line that names the crawler or is for `*`: the first such line of the
    /// first group.
    #[must_use]
    pub fn user_agent(&self) -> Record<'r> {
        let group = &self.groups[0];
        let line = self.line.or_else(|| match self.token {
            Some((_, token)) => group.user_agent_naming(token),
            None => group.user_agent_for_star(),
        });
        line.unwrap_or_else(|| group.first_record())
    }

    /// Returns the line of [`GroupMatch::user_agent`].
    #[must_use]
    pub fn line(&self) -> LineNumber {
        self.user_agent().line()
    }

    /// Returns the first of the groups, as verdicts report it.
    #[must_use]
    pub fn applied(&self) -> AppliedGroup {
        AppliedGroup {
            line: self.groups[0].line(),
            named_by: self.named_by(),
        }
    }

    pub(crate) fn body(&self) -> &'r [u8] {
        self.groups[0].robots().body()
    }

    /// Reports the token on the first line that names any.
    pub(crate) fn from_union(
        groups: Vec<Group<'r>>,
        tokens: &'c [ProductToken],
        reading: &Reading,
    ) -> Option<Self> {
        let nth = first_in(groups.first()?, tokens, reading)?;
        Self::of(groups, Some((nth, tokens.get(nth)?)))
    }

    pub(crate) fn of(
        groups: Vec<Group<'r>>,
        token: Option<(usize, &'c ProductToken)>,
    ) -> Option<Self> {
        (!groups.is_empty()).then_some(Self {
            groups,
            token,
            line: None,
        })
    }

    pub(crate) fn by_line(self, line: Option<Record<'r>>) -> Self {
        Self { line, ..self }
    }
}

impl RobotsTxt {
    /// Returns the groups that apply to `crawler`: those that name the first of its tokens that any
    /// group names. If no group names any, these are the groups for `*`, if the crawler obeys them.
    /// For a [`Crawler::union`], groups that name any of its tokens apply. Returns `None` if no
    /// rules apply. R9309-2.2.1-6 to R9309-2.2.1-11, V-1.
    #[must_use]
    pub fn groups_for<'c>(&self, crawler: &'c Crawler) -> Option<GroupMatch<'_, 'c>> {
        self.groups_among(self.groups().filter(Group::is_record), crawler)
    }

    /// Returns the members of `groups` that apply to `crawler`. [`RobotsTxt::groups_for`] does this
    /// for all groups. `groups` must be groups of this file or parts of them ([`Group::part`]), in
    /// file order.
    #[must_use]
    pub fn groups_among<'r, 'c>(
        &'r self,
        groups: impl Iterator<Item = Group<'r>> + Clone,
        crawler: &'c Crawler,
    ) -> Option<GroupMatch<'r, 'c>> {
        let reading = self.reading();
        // "Crawlers MUST use case-insensitive matching to find the group that matches the
        //  product token and then obey the rules of the group."                  R9309-2.2.1-6
        let tokens = crawler.tokens();
        let named = if crawler.merges_names(reading) {
            union_of(groups.clone(), tokens, reading)
        } else {
            first_named(groups.clone(), tokens, reading).and_then(|(nth, token)| {
                let several = reading.several_named_groups;
                let groups = matching(groups.clone(), several, |value| {
                    names(value, token.as_str(), reading.agent_value)
                });
                GroupMatch::of(groups, Some((nth, token)))
            })
        };
        // "If no matching group exists, crawlers MUST obey the group with a user-agent line with
        //  the "*" value, if present."                                           R9309-2.2.1-9
        named.or_else(|| {
            if !crawler.honours_star() {
                return None;
            }
            let groups = matching(groups, reading.several_star_groups, |value| {
                is_star(value, reading.agent_value)
            });
            GroupMatch::of(groups, None)
        })
    }
}

fn first_named<'r, 'c>(
    groups: impl Iterator<Item = Group<'r>>,
    tokens: &'c [ProductToken],
    reading: &Reading,
) -> Option<(usize, &'c ProductToken)> {
    let nth = groups
        .flat_map(|group| group.user_agents())
        .filter_map(|line| first_on(line, tokens, reading))
        .min()?;
    Some((nth, tokens.get(nth)?))
}

/// GL-group-2.
fn union_of<'r, 'c>(
    groups: impl Iterator<Item = Group<'r>>,
    tokens: &'c [ProductToken],
    reading: &Reading,
) -> Option<GroupMatch<'r, 'c>> {
    let groups = groups.filter(|group| first_in(group, tokens, reading).is_some());
    GroupMatch::from_union(groups.collect(), tokens, reading)
}

/// Selects only the first such group if the reading says so.
fn matching<'r>(
    groups: impl Iterator<Item = Group<'r>>,
    several: SeveralGroups,
    selects: impl Fn(&[u8]) -> bool,
) -> Vec<Group<'r>> {
    let take = match several {
        SeveralGroups::Merged => usize::MAX,
        SeveralGroups::First => 1,
    };
    groups
        .filter(|group| group.user_agent_with(&selects).is_some())
        .take(take)
        .collect()
}

fn first_on(line: Record<'_>, tokens: &[ProductToken], reading: &Reading) -> Option<usize> {
    let is_named = |token: &ProductToken| {
        let names = |value: &[u8]| names(value, token.as_str(), reading.agent_value);
        agent_values(line.value(), reading).any(names)
    };
    tokens.iter().position(is_named)
}

fn first_in(group: &Group<'_>, tokens: &[ProductToken], reading: &Reading) -> Option<usize> {
    let mut lines = group.user_agents();
    lines.find_map(|line| first_on(line, tokens, reading))
}

impl<'r> Group<'r> {
    /// Returns whether the group can apply to a crawler. False only in `koster1996`, for user-agent
    /// lines without a rule. K96-3.3-2.
    #[must_use]
    pub fn is_record(&self) -> bool {
        match self.reading().group_without_rules {
            GroupWithoutRules::AllowsEverything => true,
            GroupWithoutRules::IsNoRecord => self.has_rules(),
        }
    }

    /// Returns whether a user-agent line of the group names this token.
    #[must_use]
    pub fn names(&self, token: &ProductToken) -> bool {
        self.user_agent_naming(token).is_some()
    }

    /// Returns the first user-agent line that names this token.
    #[must_use]
    pub fn user_agent_naming(&self, token: &ProductToken) -> Option<Record<'r>> {
        let agent_value = self.reading().agent_value;
        self.user_agent_with(|value| names(value, token.as_str(), agent_value))
    }

    /// Returns the texts that its user-agent lines name, in file order. The group names a token
    /// ([`Group::names`]) exactly if the token is one of them, ignoring ASCII case.
    pub fn named_texts(&self) -> impl Iterator<Item = &'r [u8]> + use<'r> {
        let reading = self.reading();
        self.user_agents()
            .flat_map(move |line| agent_values(line.value(), reading))
            .flat_map(move |value| named_texts(value, reading.agent_value))
    }

    /// Returns whether a user-agent line of the group is for `*`.
    #[must_use]
    pub fn is_for_star(&self) -> bool {
        self.user_agent_for_star().is_some()
    }

    /// Returns the first user-agent line that is for `*`.
    #[must_use]
    pub fn user_agent_for_star(&self) -> Option<Record<'r>> {
        let agent_value = self.reading().agent_value;
        self.user_agent_with(|value| is_star(value, agent_value))
    }

    fn user_agent_with(&self, selects: impl Fn(&[u8]) -> bool) -> Option<Record<'r>> {
        let reading = self.reading();
        self.user_agents()
            .find(|line| agent_values(line.value(), reading).any(&selects))
    }
}

/// Returns an empty text if the line names no crawler, and `*` if it is for every crawler.
pub(crate) fn token_of<'v>(value: &'v [u8], reading: &Reading) -> &'v [u8] {
    if is_star(value, reading.agent_value) {
        return b"*";
    }
    match reading.agent_value {
        AgentValue::LeadingToken => leading_run(value, is_token_byte),
        AgentValue::GoogleIdentifier => leading_run(value, is_identifier_byte),
        AgentValue::Whole => value,
    }
}

/// Returns the value, or the parts between commas.
pub(crate) fn agent_values<'v>(
    value: &'v [u8],
    reading: &Reading,
) -> impl Iterator<Item = &'v [u8]> + use<'v> {
    let separates = match reading.agent_list {
        AgentList::OneName => false,
        AgentList::CommaSeparated => true,
    };
    let white_space = reading.white_space;
    value
        .split(move |&byte| separates && byte == b',')
        .map(move |part| white_space::trimmed(part, white_space))
}

pub(crate) fn is_star(value: &[u8], agent_value: AgentValue) -> bool {
    match agent_value {
        AgentValue::LeadingToken | AgentValue::Whole => value == b"*",
        // Google: "*" followed by white space is global, whatever follows.
        AgentValue::GoogleIdentifier => match value {
            [b'*'] => true,
            [b'*', next, ..] => white_space::is_white_space(*next, WhiteSpace::AsciiSix),
            _ => false,
        },
    }
}

/// Returns the texts that equal a token exactly if [`names`] is true for it. One is cut for tokens
/// of letters, `_` and `-`, the other for tokens with digits or dots. No token can equal both
/// unless they are the same.
pub(crate) fn named_texts(value: &[u8], agent_value: AgentValue) -> impl Iterator<Item = &[u8]> {
    let identifier = leading_run(value, is_identifier_byte);
    let token = leading_run(value, is_token_byte);
    let not_empty = |text: &&[u8]| !text.is_empty();
    let texts = match agent_value {
        AgentValue::LeadingToken => {
            [Some(identifier), Some(token)].map(|text| text.filter(not_empty))
        }
        AgentValue::Whole => [Some(value).filter(not_empty), None],
        AgentValue::GoogleIdentifier => [Some(identifier), None],
    };
    let is_star = is_star(value, agent_value);
    texts.into_iter().flatten().filter(move |_| !is_star)
}

pub(crate) fn names(value: &[u8], token: &str, agent_value: AgentValue) -> bool {
    if is_star(value, agent_value) {
        return false;
    }
    let named = match agent_value {
        AgentValue::LeadingToken if token.bytes().all(is_identifier_byte) => {
            leading_run(value, is_identifier_byte)
        }
        AgentValue::LeadingToken => leading_run(value, is_token_byte),
        AgentValue::Whole => value,
        AgentValue::GoogleIdentifier => {
            // Google: a value that names no crawler equals the empty name.
            let identifier = leading_run(value, is_identifier_byte);
            return identifier.eq_ignore_ascii_case(token.as_bytes());
        }
    };
    !named.is_empty() && named.eq_ignore_ascii_case(token.as_bytes())
}

fn leading_run(value: &[u8], belongs: fn(u8) -> bool) -> &[u8] {
    let end = value.iter().position(|&byte| !belongs(byte));
    &value[..end.unwrap_or(value.len())]
}
