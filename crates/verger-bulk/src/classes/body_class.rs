use verger::LineNumber;
use verger_compare::{Extent, ExtentClass, Found};
use verger_owner::WhoRow;

/// How much a body disallows to a crawler, with a shortest path for either verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BodyClass {
    /// Everything, some or nothing. `None` if the budget was not enough to decide.
    pub disallowed: Option<ExtentClass>,
    /// The first user-agent line of the group that applies. `None` if no group applies.
    pub group_line: Option<u32>,
    /// Whether that group names the crawler. False if it applies because of `*`.
    pub group_named: Option<bool>,
    /// A shortest disallowed path, with its query.
    pub disallowed_path: Option<String>,
    /// The line of the rule that disallows it.
    pub disallowed_line: Option<u32>,
    /// A shortest allowed path, with its query.
    pub allowed_path: Option<String>,
    /// The line of the rule that allows it. `None` if no rule does.
    pub allowed_line: Option<u32>,
    /// Number of states visited, if that was not enough.
    pub states: Option<u64>,
}

impl BodyClass {
    /// Returns the class for a stance that disallows everything or nothing without rules.
    #[must_use]
    pub fn without_rules(class: ExtentClass) -> Self {
        let root = |is: bool| is.then(|| "/".to_owned());
        Self {
            disallowed: Some(class),
            disallowed_path: root(class == ExtentClass::EverythingDisallowed),
            allowed_path: root(class == ExtentClass::NothingDisallowed),
            ..Self::default()
        }
    }

    /// Returns the class that `verger who` reports for a crawler.
    #[must_use]
    pub fn from_who(row: &WhoRow<'_>) -> Self {
        let group = row.group.as_ref();
        let path = |found: &Found| found.witness().map(|it| it.path().to_owned());
        Self {
            disallowed: row.extent.class(),
            group_line: group.map(|group| group.first_line.get()),
            group_named: group.map(|group| group.token.is_some()),
            disallowed_path: path(row.extent.disallowed()),
            disallowed_line: row.disallowed_by.map(LineNumber::get),
            allowed_path: path(row.extent.allowed()),
            allowed_line: row.allowed_by.map(LineNumber::get),
            states: states(&row.extent),
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let paths = [&self.disallowed_path, &self.allowed_path];
        let bytes = paths.map(|path| path.as_ref().map_or(0, String::capacity));
        bytes.iter().sum()
    }
}

/// Returns how many states were not enough.
fn states(extent: &Extent) -> Option<u64> {
    let found = [extent.allowed(), extent.disallowed()];
    found.into_iter().find_map(|found| match found {
        Found::NotDecided { states } => Some(*states),
        Found::Witness(_) | Found::NoTarget => None,
    })
}
