use std::fmt;

use super::ask::Ask;
use super::corpus::{Case, Corpus};
use crate::subject::{Answer, DialectName, Question, ReasonName, Subject};

/// A subject's answer that differs from its case.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The name of the subject.
    pub subject: String,
    /// The file of the case.
    pub file: String,
    /// The id of the case.
    pub id: String,
    /// The dialect.
    pub dialect: DialectName,
    /// The agents and the URL.
    pub ask: String,
    /// The expected answer.
    pub expected: String,
    /// The subject's answer.
    pub got: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} ({}) in {}: {}: expected {}, got {}",
            self.subject,
            self.id,
            self.file,
            self.dialect.as_str(),
            self.ask,
            self.expected,
            self.got
        )
    }
}

/// Checks `subject` against every case without an option in `dialects`, and returns the failures.
pub fn check(corpus: &Corpus, subject: &dyn Subject, dialects: &[DialectName]) -> Vec<Failure> {
    corpus
        .plain_cases()
        .flat_map(|case| check_case(case, subject, dialects))
        .collect()
}

/// Checks `subject` against one case, in those of `dialects` that the case covers.
pub fn check_case(case: &Case, subject: &dyn Subject, dialects: &[DialectName]) -> Vec<Failure> {
    let mut failures = Vec::new();
    for ask in &case.asks {
        for (&dialect, &verdict) in &ask.verdicts {
            if !dialects.contains(&dialect) {
                continue;
            }
            let got = subject.answer(&Question {
                dialect,
                robots: &case.robots,
                agents: &ask.agents,
                url: &ask.url,
            });
            let group = ask.groups.get(&dialect);
            if verdict.is_met_by(&got) && group.is_none_or(|group| group.is_met_by(&got)) {
                continue;
            }
            failures.push(Failure {
                subject: subject.name().to_owned(),
                file: case.file.clone(),
                id: case.id.clone(),
                dialect,
                ask: describe_ask(ask),
                expected: match group {
                    Some(group) => format!("`{verdict}`, group `{group}`"),
                    None => format!("`{verdict}`"),
                },
                got: describe_answer(&got),
            });
        }
    }
    failures
}

fn describe_ask(ask: &Ask) -> String {
    let agents = ask.agents.join(", ");
    format!("[{agents}] {}", ask.url.escape_ascii())
}

fn describe_answer(got: &Result<Answer, String>) -> String {
    let answer = match got {
        Ok(answer) => answer,
        Err(sentence) => return format!("error ({sentence})"),
    };
    let effect = if answer.allowed { "allow" } else { "disallow" };
    let reason = match (answer.reason, answer.line) {
        (ReasonName::Rule, Some(line)) => line.to_string(),
        (ReasonName::Rule, None) => "a rule without a line".to_owned(),
        (ReasonName::NoRule, None) => "no-rule".to_owned(),
        (ReasonName::NoGroup, None) => "no-group".to_owned(),
        (ReasonName::RobotsTxt, None) => "robots-txt".to_owned(),
        (reason, Some(line)) => format!("{reason:?} with line {line}"),
    };
    match answer.group {
        Some(group) => {
            let how = if group.named { "named" } else { "star" };
            format!("`{effect} {reason}`, group `{} {how}`", group.line)
        }
        None => format!("`{effect} {reason}`, no group"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::load::load_text;
    use super::*;
    use crate::subject::GroupName;

    struct AllowsAll;

    impl Subject for AllowsAll {
        fn name(&self) -> &'static str {
            "allows-all"
        }

        fn answer(&self, _: &Question<'_>) -> Result<Answer, String> {
            Ok(Answer {
                allowed: true,
                reason: ReasonName::NoRule,
                line: None,
                group: Some(GroupName {
                    line: 1,
                    named: false,
                }),
            })
        }
    }

    const TEXT: &str = r#"
        [[case]]
        id = "a-rule-decides"
        clauses = ["R9309-2.2.2-4"]
        robots = "User-agent: *\nDisallow: /a\n"
        ask = [
          { agent = "FooBot", url = "/a", all = "disallow 2", group = "1 star" },
          { agent = "FooBot", url = "/b", all = "allow no-rule" },
        ]
    "#;

    #[test]
    fn a_failure_says_who_what_where_expected_and_got() {
        let corpus = load_text("few.toml", TEXT).unwrap();
        let failures = check(&corpus, &AllowsAll, &[DialectName::Google]);
        assert_eq!(failures.len(), 1);
        assert_eq!(
            failures[0].to_string(),
            "allows-all: a-rule-decides (few.toml) in google: [FooBot] /a: \
             expected `disallow 2`, group `1 star`, got `allow no-rule`, group `1 star`"
        );
    }

    #[test]
    fn only_the_dialects_asked_for_are_run() {
        let corpus = load_text("few.toml", TEXT).unwrap();
        assert_eq!(check(&corpus, &AllowsAll, &DialectName::ALL).len(), 4);
        assert!(check(&corpus, &AllowsAll, &[]).is_empty());
    }
}
