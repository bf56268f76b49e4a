//! Hover texts: which crawlers a rule applies to, whether it decides, and whom a user-agent line
//! names. Known crawlers are judged as their operators read.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Value, json};
use verger::{
    Crawler, Group, GroupIndex, GroupMatch, LineNumber, Policy, Reason, RecordKind, RuleId,
    TargetPath,
};
use verger_answer::text::{legible, start_of};
use verger_answer::{ReadAs, ReadIndexes, ResolvedCrawler};
use verger_compare::{Budget, PolicySet, RuleUse};
use verger_crawlers::{KnownCrawler, Registry};

use crate::client_features::ClientFeatures;
use crate::crawler_facts::{about_token, count, names};
use crate::document::{Document, bytes};
use crate::text::{Position, capitalized};

/// Budget for one list of rules.
const BUDGET: Budget = Budget::from_states(100_000);

/// Maximum number of lists of rules checked for one rule in one reading. Each may belong to
/// different crawlers.
const POLICIES_MAX: usize = 16;

/// Maximum number of overruling rules named.
const RULES_MAX: usize = 5;

/// Returns the hover text for the record at a position, or null.
pub(crate) fn hover(document: &Document, position: Position, client: ClientFeatures) -> Value {
    let mut files = ReadIndexes::new(Cow::Borrowed(document.linted().index()));
    for known in Registry::bundled() {
        files.read(&judged(known));
    }
    let offset = document.text().offset(position);
    // Some lines are records, or rules, only as one of the operators reads.
    let mut records = files
        .all()
        .filter_map(|it| document.record_at(it.robots(), offset));
    let Some(record) = records.find(|it| {
        use RecordKind::{Allow, Disallow, UserAgent};
        matches!(it.kind(), UserAgent | Allow | Disallow)
    }) else {
        return Value::Null;
    };
    let paragraphs = match record.kind() {
        RecordKind::UserAgent => about_agent(&files, record.value()),
        _ => about_rule(&files, record.line()),
    };
    json!({
        "contents": {
            "kind": if client.markdown { "markdown" } else { "plaintext" },
            "value": paragraphs.join("\n\n"),
        },
        "range": document.text().range(bytes(record.span())),
    })
}

/// Returns a known crawler, judged as its operator reads.
fn judged(known: &'static KnownCrawler) -> ResolvedCrawler {
    ResolvedCrawler::from_known(known, known.name())
}

fn about_agent(files: &ReadIndexes<'_>, value: &[u8]) -> Vec<String> {
    if value == b"*" {
        let applies = |it: &&'static KnownCrawler| {
            let index = files.index_for(&judged(it));
            index.selection(&it.crawler()) == index.selection(&Crawler::unnamed())
        };
        let in_use = Registry::bundled().iter().filter(|it| !it.is_retired());
        return vec![format!(
            "It applies to every crawler that no group names, unless it ignores `*`: {} here.",
            count(in_use.filter(applies).count())
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

fn about_rule(files: &ReadIndexes<'_>, line: LineNumber) -> Vec<String> {
    let applied = Applied::of(files, line);
    let known = match applied.known.as_slice() {
        [] => "no known crawler".to_owned(),
        crawlers => format!("{}, {}", count(crawlers.len()), names(crawlers)),
    };
    let who = if applied.is_for_others {
        format!("It applies to every crawler that no other group names: {known}.")
    } else if applied.lists.is_empty()
        && let Some(why) = why_to_no_crawler(files, line)
    {
        format!("It applies to no crawler: {why}.")
    } else {
        format!("It applies to {known}.")
    };
    let mut paragraphs = vec![who];
    paragraphs.extend(applied.uses(files, line));
    paragraphs
}

/// Returns the reason why a rule applies to no crawler. Returns `None` if its group names crawlers
/// but their operators read no such rule in that group.
fn why_to_no_crawler<'a>(files: &'a ReadIndexes<'_>, line: LineNumber) -> Option<String> {
    let group_of_rule = |file: &'a GroupIndex| {
        let record = file.robots().record_at(line)?;
        let group = record.group().filter(|_| record.kind().is_rule())?;
        Some((file, group))
    };
    let Some((file, group)) = files.all().find_map(group_of_rule) else {
        return Some("there is no `User-agent` line before it".to_owned());
    };
    let is_name = |value: &[u8]| value == b"*" || token(value).is_some();
    if !group.user_agents().any(|it| is_name(it.value())) {
        return Some("its group names none".to_owned());
    }
    if std::ptr::eq(file, files.file()) {
        return None;
    }
    let mut known = Registry::bundled().iter();
    let reader = known.find(|it| std::ptr::eq(files.index_for(&judged(it)), file))?;
    let operator = reader.operator();
    Some(format!(
        "only {operator} reads it as a rule of this group, and the group is for none of {operator}'s crawlers"
    ))
}

/// The crawlers that a rule applies to.
struct Applied {
    known: Vec<&'static KnownCrawler>,
    /// Whether it applies to crawlers that no group names.
    is_for_others: bool,
    /// One crawler for each list of rules that includes the rule.
    lists: Vec<ResolvedCrawler>,
}

impl Applied {
    fn of(files: &ReadIndexes<'_>, line: LineNumber) -> Self {
        let group = files
            .file()
            .robots()
            .record_at(line)
            .and_then(|it| it.group());
        let agents = group.iter().flat_map(Group::user_agents);
        let agents = agents.filter_map(|it| {
            ResolvedCrawler::from_name(token(it.value())?, ReadAs::default()).ok()
        });
        let agents: Vec<_> = agents.collect();
        let (mut known, mut lists) = (Vec::new(), Vec::new());
        let mut has_rule = BTreeMap::new();
        let mut applies = |crawler: ResolvedCrawler| {
            let index = files.index_for(&crawler);
            let selection = (index.robots().dialect(), index.selection(crawler.crawler()));
            *has_rule.entry(selection).or_insert_with(|| {
                let found = index.groups_for(crawler.crawler());
                let groups = found.as_ref().map(GroupMatch::groups).unwrap_or_default();
                let mut rules = groups.iter().flat_map(Group::rules);
                let applies = rules.any(|rule| rule.line() == line);
                if applies {
                    lists.push(crawler);
                }
                applies
            })
        };
        for crawler in Registry::bundled() {
            if applies(judged(crawler)) && !crawler.is_retired() {
                known.push(crawler);
            }
        }
        let is_for_others = applies(ResolvedCrawler::unnamed());
        for crawler in agents {
            applies(crawler);
        }
        Self {
            known,
            is_for_others,
            lists,
        }
    }

    /// Describes whether the rule decides anything, in each reading in which the answer differs.
    fn uses(&self, files: &ReadIndexes<'_>, line: LineNumber) -> Vec<String> {
        let (mut uses, mut texts) = (Vec::new(), Vec::new());
        for file in files.all() {
            let is_read_so = |it: &&ResolvedCrawler| std::ptr::eq(files.index_for(it), file);
            let crawlers: Vec<_> = self.lists.iter().filter(is_read_so).collect();
            let Some(first) = crawlers.first() else {
                continue;
            };
            let found = use_of(file, &crawlers, line);
            if uses.contains(&found) {
                continue;
            }
            let text = match first.as_its_operator_reads() {
                Some(reads) => format!("{reads}, {found}"),
                None => found.clone(),
            };
            texts.push(capitalized(&text));
            uses.push(found);
        }
        texts
    }
}

/// Describes whether a rule decides anything for any of the crawlers, which read alike.
fn use_of(index: &GroupIndex, crawlers: &[&ResolvedCrawler], line: LineNumber) -> String {
    let mut overruled = None;
    let mut is_proven = crawlers.len() <= POLICIES_MAX;
    for crawler in crawlers.iter().take(POLICIES_MAX) {
        let policy = index.policy(crawler.crawler());
        let Some(id) = rule_on(&policy, line) else {
            continue;
        };
        match RuleUse::new(&PolicySet::new(&policy), id, BUDGET) {
            Some(RuleUse::Decides(witness)) => {
                let witness = witness.to_string();
                return format!("it decides some URLs, such as `{}`.", start_of(&witness));
            }
            Some(RuleUse::NeverDecides { shadowed_by }) => {
                overruled.get_or_insert_with(|| match shadowed_by.as_slice() {
                    [] => never_by_itself(&policy, id).to_owned(),
                    others => never(index, &policy, others),
                });
            }
            Some(RuleUse::NotDecided { .. }) => is_proven = false,
            None => {}
        }
    }
    match overruled {
        _ if !is_proven => {
            let states = BUDGET.states();
            format!("whether it ever decides is unknown: the check stopped after {states} states.")
        }
        Some(overruled) => overruled,
        None => "it matches no URL: its path is empty or does not start with `/`.".to_owned(),
    }
}

fn rule_on(policy: &Policy, line: LineNumber) -> Option<RuleId> {
    let mut rules = policy.rule_ids().zip(policy.rules());
    let found = rules.find(|(_, rule)| rule.line == line);
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
    let more = match shadowed_by.len() - named.len() {
        0 => String::new(),
        more => format!("\n- and {more} more"),
    };
    format!(
        "it never decides. Wherever it matches, one of these takes precedence:\n{}{more}",
        named.join("\n")
    )
}

/// Says why a rule never decides although no other rule overrules it.
fn never_by_itself(policy: &Policy, id: RuleId) -> &'static str {
    let itself = TargetPath::from_form(b"/robots.txt", policy.comparison());
    let is_exempt = |it: &TargetPath<'_>| policy.decide(it).reason() == Reason::RobotsTxtItself;
    let itself = itself.filter(is_exempt).zip(policy.path_pattern(id));
    if itself.is_some_and(|(target, pattern)| pattern.matches(&target)) {
        return "it never decides: `/robots.txt` may always be fetched.";
    }
    let is_escaped = |byte: &u8| *byte == b' ' || byte.is_ascii_control();
    match policy.rule(id) {
        Some(rule) if rule.pattern.iter().any(is_escaped) => {
            "it matches no URL: crawlers send spaces and other characters escaped."
        }
        _ => "it matches no URL that a crawler can send.",
    }
}
