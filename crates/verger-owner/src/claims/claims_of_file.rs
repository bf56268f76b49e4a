//! What a file does today, as a file of claims to begin with.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use verger::{Effect, Policy, RobotsTxt};
use verger_compare::{Budget, Extent, ExtentClass, PolicySet, RuleUse};

use crate::crawler_list::crawlers_of;
use crate::file_policies::{FilePolicies, FilePolicy};

/// So many paths are taken of each policy.
const PATHS_MAX: usize = 20;

/// What a robots.txt does today, as the text of a `robots.test.toml` that it fulfils: for each crawler
/// that it names, and for all others, everything, nothing, or a path for each of the first twenty rules
/// that ever decide.
///
/// `robots_path` is where the claims say that the file is.
#[must_use]
pub fn claims_of_file(robots: RobotsTxt, robots_path: &str, budget: Budget) -> String {
    let dialect = robots.reading().dialect();
    let mut text = format!("robots = {}\n", quoted(robots_path));
    let _ = writeln!(text, "dialect = {}", quoted(dialect.as_str()));
    let crawlers = crawlers_of([&robots]);
    let mut policies = FilePolicies::new(robots);
    let mut together: BTreeMap<usize, (FilePolicy, Vec<String>)> = BTreeMap::new();
    for crawler in &crawlers {
        let is_named = policies
            .groups_for(crawler.crawler())
            .is_some_and(|groups| groups.token_index() == Some(0));
        let is_unnamed = crawler.crawler().tokens().is_empty();
        if !is_named && !is_unnamed {
            continue;
        }
        let Some(policy) = policies.policy(crawler.crawler()) else {
            continue;
        };
        let (_, names) = together
            .entry(policy.number)
            .or_insert_with(|| (policy, Vec::new()));
        names.push(quoted(crawler.name()));
    }
    for (policy, names) in together.values() {
        let _ = writeln!(text, "\n[[claim]]\ncrawlers = [{}]", names.join(", "));
        write_claims(&mut text, &policy.policy, budget);
    }
    text
}

fn write_claims(text: &mut String, policy: &Policy, budget: Budget) {
    let set = PolicySet::new(policy);
    let extent = Extent::of(&set, budget);
    match extent.class() {
        Some(ExtentClass::NothingDisallowed) => text.push_str("allowed_under = [\"/\"]\n"),
        Some(ExtentClass::EverythingDisallowed) => text.push_str("disallowed_under = [\"/\"]\n"),
        Some(ExtentClass::SomeDisallowed) | None => {
            let allowed = extent.allowed().witness().map(ToString::to_string);
            let mut paths = [Vec::from_iter(allowed), Vec::new()];
            for id in policy.rule_ids().take(PATHS_MAX) {
                if let Some(RuleUse::Decides(witness)) = RuleUse::of(&set, id, budget) {
                    let effect = policy.decide(witness.target()).effect();
                    let list = &mut paths[usize::from(effect == Effect::Disallow)];
                    let path = witness.to_string();
                    if !list.contains(&path) {
                        list.push(path);
                    }
                }
            }
            for (key, paths) in ["allowed", "disallowed"].into_iter().zip(paths) {
                if !paths.is_empty() {
                    let paths: Vec<String> = paths.iter().map(|path| quoted(path)).collect();
                    let _ = writeln!(text, "{key} = [\n    {},\n]", paths.join(",\n    "));
                }
            }
        }
    }
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::checked_claim::{ClaimResult, check_claims};
    use crate::claims::claim_file::ClaimFile;
    use verger::Dialect;

    #[test]
    fn a_file_fulfils_what_was_written_of_it() {
        let body = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a\nDisallow: /*?q=\"\n\n\
                    User-agent: GPTBot\nUser-agent: homegrown\nDisallow: /\n\n\
                    User-agent: bingbot\nDisallow:\n";
        for dialect in Dialect::ALL {
            let robots = RobotsTxt::parse(body, dialect);
            let text = claims_of_file(robots.clone(), "robots.txt", Budget::default());
            let file = ClaimFile::parse(&text).unwrap();
            assert_eq!(file.robots(), Some("robots.txt"));
            let checked = check_claims(file.claims(), robots, Budget::default());
            assert!(checked.len() >= 5, "{text}");
            for checked in checked {
                assert_eq!(
                    checked.result,
                    ClaimResult::Holds,
                    "{dialect} {}",
                    checked.claim
                );
            }
        }
    }
}
