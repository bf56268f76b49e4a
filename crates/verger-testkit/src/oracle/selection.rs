use super::groups::{Group, Rule};
use super::product_token::{is_everyone, names};
use crate::subject::DialectName;

/// The groups that apply to a crawler, at least one.
#[derive(Debug)]
pub(super) enum Selection<'g> {
    /// They name one of its product tokens.
    Named(Vec<&'g Group>),
    /// They apply to every crawler that no group names.
    Everyone(Vec<&'g Group>),
}

impl<'g> Selection<'g> {
    pub(super) fn first_line(&self) -> u32 {
        self.groups()[0].first_line
    }

    pub(super) fn first_lines(&self) -> impl Iterator<Item = u32> {
        self.groups().iter().map(|group| group.first_line)
    }

    pub(super) fn is_named(&self) -> bool {
        matches!(self, Selection::Named(_))
    }

    /// Returns all rules in file order: "combined into one group".       R9309-2.2.1-7
    pub(super) fn rules(&self) -> impl Iterator<Item = &'g Rule> {
        self.groups().iter().flat_map(|group| &group.rules)
    }

    fn groups(&self) -> &[&'g Group] {
        match self {
            Selection::Named(groups) | Selection::Everyone(groups) => groups,
        }
    }
}

/// Selects by the first agent that any group names, else the groups of `*`, else nothing.
pub(super) fn select<'g>(
    groups: &'g [Group],
    agents: &[String],
    dialect: DialectName,
) -> Option<Selection<'g>> {
    for agent in agents {
        let mut naming = groups_with(groups, |value| names(value, agent, dialect));
        if dialect == DialectName::Koster1996 {
            // The first record that names the robot is its record.        V-9
            naming.truncate(1);
        }
        if !naming.is_empty() {
            return Some(Selection::Named(naming));
        }
    }
    // "… MUST obey the group with a user-agent line with the "*" value"   R9309-2.2.1-9
    let mut everyone = groups_with(groups, |value| is_everyone(value, dialect));
    match dialect {
        // Several groups are merged.                                      V-8
        DialectName::Rfc9309 | DialectName::Google => {}
        // Only the first one.                                             D00-2.2.1-9
        DialectName::Draft2019 | DialectName::Koster1996 => everyone.truncate(1),
    }
    (!everyone.is_empty()).then_some(Selection::Everyone(everyone))
}

fn groups_with(groups: &[Group], speaks: impl Fn(&[u8]) -> bool) -> Vec<&Group> {
    groups
        .iter()
        .filter(|group| group.agents.iter().any(|value| speaks(value)))
        .collect()
}
