//! Assembles records into groups: user-agent lines, then rules.

use super::records::{Content, Effect, Record};
use crate::subject::DialectName;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    /// Counted from 1.
    pub(super) line: u32,
    pub(super) effect: Effect,
    /// The value as written, perhaps empty.
    pub(super) value: Vec<u8>,
}

/// One or more user-agent lines, then one or more rules.                   R9309-2.1-3
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// The first user-agent line, counted from 1.
    pub(super) first_line: u32,
    pub(super) agents: Vec<Vec<u8>>,
    /// The rules in file order, including empty ones.
    pub(super) rules: Vec<Rule>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before the first group, or after a blank line that ended a record.
    Outside,
    AmongAgents,
    AmongRules,
}

pub(super) fn assemble(records: &[Record], dialect: DialectName) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut place = Place::Outside;
    for record in records {
        match &record.content {
            Content::UserAgent(value) => {
                // A user-agent line ends the previous group.              R9309-2.1-3
                if place != Place::AmongAgents {
                    groups.push(Group {
                        first_line: record.line,
                        agents: Vec::new(),
                        rules: Vec::new(),
                    });
                }
                let group = groups.last_mut().expect("a group is open");
                group.agents.push(value.clone());
                place = Place::AmongAgents;
            }
            // Rules outside any group are ignored.                        R9309-2.2.2-17
            Content::Rule(..) if place == Place::Outside => {}
            Content::Rule(effect, value) => {
                groups
                    .last_mut()
                    .expect("a group is open")
                    .rules
                    .push(Rule {
                        line: record.line,
                        effect: *effect,
                        value: value.clone(),
                    });
                place = Place::AmongRules;
            }
            // Blank lines separate records.                               K96-3.2-1
            Content::Blank if dialect == DialectName::Koster1996 => place = Place::Outside,
            // Elsewhere empty lines are insignificant.                    R9309-2.2-1
            // Other records must not disturb the defined ones.            R9309-2.2.4-3
            Content::Blank | Content::Other => {}
        }
    }
    if dialect == DialectName::Koster1996 {
        // A record has at least one rule line.                            K96-3.3-2
        groups.retain(|group| !group.rules.is_empty());
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{lines, records};

    fn shape(body: &str, dialect: DialectName) -> Vec<String> {
        let lines = lines::read(body.as_bytes(), dialect);
        assemble(&records::read(&lines, dialect), dialect)
            .iter()
            .map(|group| {
                let agents: Vec<_> = group
                    .agents
                    .iter()
                    .map(|agent| String::from_utf8_lossy(agent))
                    .collect();
                let rules: Vec<_> = group
                    .rules
                    .iter()
                    .map(|rule| rule.line.to_string())
                    .collect();
                format!(
                    "{}: {} / {}",
                    group.first_line,
                    agents.join(" "),
                    rules.join(" ")
                )
            })
            .collect()
    }

    #[test]
    fn a_user_agent_line_after_a_rule_opens_a_group() {
        let body =
            "Disallow: /early\nUser-agent: a\nUser-agent: b\nDisallow: /x\nUser-agent: c\nAllow:\n";
        for dialect in DialectName::ALL {
            assert_eq!(shape(body, dialect), ["2: a b / 4", "5: c / 6"]);
        }
    }

    #[test]
    fn other_records_and_comments_disturb_nothing() {
        let body = "User-agent: a\nSitemap: u\n# c\nCrawl-delay: 5\nUser-agent: b\nDisallow: /\n";
        for dialect in DialectName::ALL {
            assert_eq!(shape(body, dialect), ["1: a b / 6"]);
        }
    }

    #[test]
    fn a_blank_line_ends_a_record_of_1996_alone() {
        let body = "User-agent: a\nDisallow: /x\n \t\nDisallow: /y\n\nUser-agent: b\n\nUser-agent: c\nDisallow: /z\n";
        assert_eq!(
            shape(body, DialectName::Koster1996),
            ["1: a / 2", "8: c / 9"]
        );
        for dialect in [
            DialectName::Rfc9309,
            DialectName::Google,
            DialectName::Draft2019,
        ] {
            assert_eq!(shape(body, dialect), ["1: a / 2 4", "6: b c / 9"]);
        }
    }

    #[test]
    fn the_last_group_may_have_no_rules_except_in_1996() {
        let body = "User-agent: a";
        assert_eq!(shape(body, DialectName::Rfc9309), ["1: a / "]);
        assert!(shape(body, DialectName::Koster1996).is_empty());
        assert_eq!(
            shape("User-agent: a\nDisallow:", DialectName::Koster1996),
            ["1: a / 2"]
        );
    }
}
