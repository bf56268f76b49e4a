//! Writes a first claim file from an existing robots.txt.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use verger::{Effect, Policy, RobotsTxt};
use verger_answer::ReadAs;
use verger_answer::text::legible;
use verger_compare::{Budget, Extent, ExtentClass, PolicySet, RuleUse};

use crate::crawler_list::crawlers_of;
use crate::file_policies::{FilePolicies, FilePolicy};
use crate::who::who_row::names;

/// Maximum number of URLs per policy.
const URLS_MAX: usize = 20;

/// Returns the text of a `robots.test.toml` that the robots.txt fulfils today.
///
/// For each crawler that the file names, and for all others, it claims everything, nothing, or a
/// URL for each of the first 20 rules that ever decide. `robots_path` is the path to write into the
/// claims. `site` is an origin such as `https://example.com`.
#[must_use]
pub fn claims_of_file(
    robots: RobotsTxt,
    read_as: ReadAs,
    (robots_path, site): (&str, &str),
    budget: Budget,
) -> String {
    let mut text = format!("robots = {}\n", quoted(robots_path));
    if let ReadAs::Stated(reading) = read_as {
        let _ = writeln!(text, "dialect = {}", quoted(reading.dialect().as_str()));
    }
    let crawlers = crawlers_of([&robots], read_as);
    let mut policies = FilePolicies::new(robots);
    let mut together: BTreeMap<usize, (FilePolicy, Vec<String>)> = BTreeMap::new();
    for crawler in &crawlers {
        let is_named = policies
            .groups_for(crawler)
            .is_some_and(|groups| names(crawler, &groups));
        let is_unnamed = crawler.crawler().tokens().is_empty();
        if !is_named && !is_unnamed {
            continue;
        }
        let Some(policy) = policies.policy(crawler) else {
            continue;
        };
        let (_, together) = together
            .entry(policy.number)
            .or_insert_with(|| (policy, Vec::new()));
        together.push(quoted(crawler.name()));
    }
    for (policy, names) in together.values() {
        let _ = writeln!(text, "\n[[claim]]\ncrawlers = [{}]", names.join(", "));
        write_claims(&mut text, &policy.policy, site, budget);
    }
    text
}

fn write_claims(text: &mut String, policy: &Policy, site: &str, budget: Budget) {
    let set = PolicySet::new(policy);
    let extent = Extent::new(&set, budget);
    match extent.class() {
        Some(ExtentClass::NothingDisallowed) => text.push_str("allowed_under = [\"/\"]\n"),
        Some(ExtentClass::EverythingDisallowed) => text.push_str("disallowed_under = [\"/\"]\n"),
        Some(ExtentClass::SomeDisallowed) | None => {
            let allowed = extent.allowed().witness().map(|it| it.url(site));
            let mut urls = [Vec::from_iter(allowed), Vec::new()];
            for id in policy.rule_ids().take(URLS_MAX) {
                if let Some(RuleUse::Decides(witness)) = RuleUse::new(&set, id, budget) {
                    let effect = policy.decide(witness.target()).effect();
                    let list = &mut urls[usize::from(effect == Effect::Disallow)];
                    let url = witness.url(site);
                    if !list.contains(&url) {
                        list.push(url);
                    }
                }
            }
            for (key, urls) in ["allowed", "disallowed"].into_iter().zip(urls) {
                if !urls.is_empty() {
                    let urls: Vec<String> = urls.iter().map(|url| quoted(url)).collect();
                    let _ = writeln!(text, "{key} = [\n    {},\n]", urls.join(",\n    "));
                }
            }
        }
    }
}

/// Returns a TOML basic string in which every character that can control a terminal is escaped.
fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|character| {
        let written = character.to_string();
        match character {
            '"' | '\\' => format!("\\{character}"),
            _ if legible(written.as_bytes()) == written => written,
            _ => format!("\\U{:08X}", u32::from(character)),
        }
    });
    format!("\"{}\"", escaped.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::checked_claim::{ClaimResult, check_claims};
    use crate::claims::claim_file::ClaimFile;
    use verger::Dialect;
    use verger_compare::EXAMPLE_SITE;

    #[test]
    fn the_name_of_a_file_is_read_as_it_was() {
        let robots = RobotsTxt::parse("", Dialect::Rfc9309);
        let name = "a\n\u{1b}\u{202e}\u{9b}\"b\\u0041 \u{e9}.txt";
        let text = claims_of_file(
            robots,
            Dialect::Rfc9309.into(),
            (name, EXAMPLE_SITE),
            Budget::default(),
        );
        assert_eq!(ClaimFile::parse(&text, None).unwrap().robots(), Some(name));
        let first = text.lines().next().unwrap();
        assert_eq!(legible(first.as_bytes()), first);
    }

    #[test]
    fn a_file_fulfils_what_was_written_of_it() {
        let body = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a\nDisallow: /*?q=\"\nDisallow: /x y\n\
                    Disallow: //h/z\nDisallow: //\n\n\
                    User-agent: GPTBot\nUser-agent: homegrown\nDisallow: /\n\n\
                    User-agent: bingbot\nDisallow:\n\n\
                    User-agent: OpenAI\nUser-agent: Yahoo!\nUser-agent: kangaroo-bot\nUser-agent: ia-archiver\n\
                    Disallow: /openai\n\nUser-agent: Kangaroo\nDisallow: /k\n\n\
                    User-agent: ia_archiver\nDisallow: /i\n";
        for &dialect in Dialect::ALL {
            let robots = RobotsTxt::parse(body, dialect);
            let text = claims_of_file(
                robots.clone(),
                dialect.into(),
                ("robots.txt", EXAMPLE_SITE),
                Budget::default(),
            );
            let file = ClaimFile::parse(&text, None).unwrap();
            assert_eq!(file.robots(), Some("robots.txt"));
            let checked = check_claims(file.claims(), robots, EXAMPLE_SITE, Budget::default());
            assert!(checked.len() >= 12, "{text}");
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
