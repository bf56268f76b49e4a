//! Hover texts: which crawlers a rule applies to, whether it decides, and whom a user-agent line
//! names.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use verger::{Crawler, Dialect, Group, GroupIndex, Policy, Record, RecordKind, RuleId};
use verger_compare::{Budget, PolicySet, RuleUse};
use verger_crawlers::{KnownCrawler, Registry};

use crate::client_features::ClientFeatures;
use crate::crawler_facts::{about_token, count, names};
use crate::document::{Document, bytes};
use crate::text::Position;
use verger_answer::text::{legible, start_of};

/// Budget for one list of rules.
const BUDGET: Budget = Budget::from_states(100_000);

/// Maximum number of lists of rules checked for one rule. Each may belong to different crawlers.
const POLICIES_MAX: usize = 16;

/// Maximum number of overruling rules named.
const RULES_MAX: usize = 5;

/// Returns the hover text for the record at a position, or null.
pub(crate) fn hover(document: &Document, position: Position, client: ClientFeatures) -> Value {
    let Some(record) = document.record_at(document.text().offset(position)) else {
        return Value::Null;
    };
    let index = document.linted().index();
    let paragraphs = match (record.kind(), record.group()) {
        (RecordKind::UserAgent, _) => about_agent(index, &record),
        (RecordKind::Allow | RecordKind::Disallow, Some(group)) => {
            about_rule(index, &record, &group)
        }
        (RecordKind::Allow | RecordKind::Disallow, None) => {
            vec!["It applies to no crawler: there is no `User-agent` line before it.".to_owned()]
        }
        _ => return Value::Null,
    };
    json!({
        "contents": {
            "kind": if client.markdown { "markdown" } else { "plaintext" },
            "value": paragraphs.join("\n\n"),
        },
        "range": document.text().range(bytes(record.span())),
    })
}

fn about_agent(index: &GroupIndex, record: &Record<'_>) -> Vec<String> {
    let value = record.value();
    if value == b"*" {
        let unnamed = index.selection(&Crawler::unnamed());
        let crawlers = Registry::bundled().iter().filter(|it| !it.is_retired());
        let applies = |it: &&KnownCrawler| index.selection(&it.crawler()) == unnamed;
        let crawlers: Vec<_> = crawlers.filter(applies).collect();
        return vec![format!(
            "It applies to every crawler that no group names, unless it ignores `*`: {} here.",
            count(crawlers.len())
        )];
    }
    match token(value) {
        Some(token) => about_token(token),
        None => vec!["It names no crawler.".to_owned()],
    }
}

/// Returns the product token at the start of a value. Digits and dots count, because crawler names
/// contain them.
fn token(value: &[u8]) -> Option<&str> {
    let belongs = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    let end = value.iter().position(|byte| !belongs(byte));
    let token = std::str::from_utf8(&value[..end.unwrap_or(value.len())]).ok()?;
    (!token.is_empty() && token.len() <= 100).then_some(token)
}

fn about_rule(index: &GroupIndex, record: &Record<'_>, group: &Group<'_>) -> Vec<String> {
    let applied = Applied::of(index, group);
    let known = match applied.known.as_slice() {
        [] => "no known crawler".to_owned(),
        crawlers => format!("{}, {}", count(crawlers.len()), names(crawlers)),
    };
    let who = if group.is_for_star() {
        format!("It applies to every crawler that no other group names: {known}.")
    } else {
        format!("It applies to {known}.")
    };
    vec![who, applied.use_of(index, record)]
}

/// The crawlers that a group applies to.
struct Applied {
    known: Vec<&'static KnownCrawler>,
    /// One crawler for each list of rules that includes the group.
    crawlers: Vec<Crawler>,
}

impl Applied {
    fn of(index: &GroupIndex, group: &Group<'_>) -> Self {
        let (mut known, mut crawlers) = (Vec::new(), Vec::new());
        let mut has_group = BTreeMap::new();
        let mut applies = |crawler: Crawler| {
            let is_of = |other: &Group<'_>| other.index() == group.index();
            *has_group
                .entry(index.selection(&crawler))
                .or_insert_with(|| {
                    let groups = index.groups_for(&crawler);
                    let applies = groups.is_some_and(|it| it.groups().iter().any(is_of));
                    if applies {
                        crawlers.push(crawler);
                    }
                    applies
                })
        };
        for crawler in Registry::bundled() {
            if applies(crawler.crawler()) && !crawler.is_retired() {
                known.push(crawler);
            }
        }
        applies(Crawler::unnamed());
        let agents = group.user_agents().filter_map(|line| {
            let token = token(line.value())?;
            Crawler::named(token, Dialect::Rfc9309).ok()
        });
        for crawler in agents {
            applies(crawler);
        }
        Self { known, crawlers }
    }

    /// Describes whether a rule decides anything for any of the crawlers.
    fn use_of(&self, index: &GroupIndex, record: &Record<'_>) -> String {
        let mut overruled = None;
        let mut is_proven = self.crawlers.len() <= POLICIES_MAX;
        for crawler in self.crawlers.iter().take(POLICIES_MAX) {
            let policy = index.policy(crawler);
            let Some(id) = rule_of(&policy, record) else {
                continue;
            };
            match RuleUse::new(&PolicySet::new(&policy), id, BUDGET) {
                Some(RuleUse::Decides(witness)) => {
                    let witness = witness.to_string();
                    return format!("It decides some URLs, such as `{}`.", start_of(&witness));
                }
                Some(RuleUse::NeverDecides { shadowed_by }) => {
                    overruled.get_or_insert_with(|| never(index, &policy, &shadowed_by));
                }
                Some(RuleUse::NotDecided { .. }) => is_proven = false,
                None => {}
            }
        }
        match overruled {
            _ if !is_proven => {
                let states = BUDGET.states();
                format!(
                    "Whether it ever decides is unknown: the check stopped after {states} states."
                )
            }
            Some(overruled) => overruled,
            None => "It matches no URL: its path is empty or does not start with `/`.".to_owned(),
        }
    }
}

fn rule_of(policy: &Policy, record: &Record<'_>) -> Option<RuleId> {
    let mut rules = policy.rule_ids().zip(policy.rules());
    let found = rules.find(|(_, rule)| rule.line == record.line());
    found.map(|(id, _)| id)
}

/// Names the rules that overrule a rule.
fn never(index: &GroupIndex, policy: &Policy, shadowed_by: &[RuleId]) -> String {
    let named = shadowed_by.iter().take(RULES_MAX);
    let named = named.filter_map(|&id| {
        let rule = policy.rule(id)?;
        let record = index.robots().record_at(rule.line)?;
        let text = legible(record.text()).replace('`', "'");
        Some(format!("- line {}: `{}`", rule.line.get(), start_of(&text)))
    });
    let named: Vec<_> = named.collect();
    if named.is_empty() {
        return "It never decides: `/robots.txt` may always be fetched.".to_owned();
    }
    let more = match shadowed_by.len() - named.len() {
        0 => String::new(),
        more => format!("\n- and {more} more"),
    };
    format!(
        "It never decides. Wherever it matches, one of these takes precedence:\n{}{more}",
        named.join("\n")
    )
}
