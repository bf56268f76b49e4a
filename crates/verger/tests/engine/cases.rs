//! The cases of `testdata/`.

use verger::dialect::{AgentList, AllowLines, EncodingMismatch, LenientLines, OtherRecords};
use verger::{Crawler, ProductToken, Reading, RobotsTxt, TargetPath};
use verger_testkit::case::{
    CaseOption, Corpus, Failure, Listing, check, check_case, load_all, testdata_dir,
};
use verger_testkit::oracle::{LenientOracle, Oracle};
use verger_testkit::subject::{Answer, DialectName, Question, ReasonName, Subject};

use crate::subjects::{Tree, answer_in, dialect};

fn corpus() -> Corpus {
    load_all(&testdata_dir()).unwrap()
}

fn assert_none(failures: &[Failure]) {
    let report: Vec<String> = failures.iter().map(ToString::to_string).collect();
    assert!(report.is_empty(), "{}", report.join("\n"));
}

#[test]
fn the_tree_answers_every_case() {
    let corpus = corpus();
    assert!(corpus.plain_cases().count() > 100);
    assert_none(&check(&corpus, &Tree, &DialectName::ALL));
}

#[test]
fn the_oracle_answers_every_case() {
    assert_none(&check(&corpus(), &Oracle, &DialectName::ALL));
}

/// The tree with one option on.
struct With(CaseOption);

impl Subject for With {
    fn name(&self) -> &'static str {
        "tree with an option"
    }

    fn answer(&self, question: &Question<'_>) -> Result<Answer, String> {
        let reading = Reading::new(dialect(question.dialect));
        answer_in(
            question,
            match self.0 {
                CaseOption::OtherRecordsLenient => {
                    reading.with_other_records(OtherRecords::Lenient)
                }
                CaseOption::LenientLines => reading.with_lenient_lines(LenientLines::Read),
                CaseOption::IgnoreAllow => reading.with_allow_lines(AllowLines::Ignored),
                CaseOption::Bridge => reading.with_encoding_mismatch(EncodingMismatch::Bridge),
                CaseOption::CommaAgents => reading.with_agent_list(AgentList::CommaSeparated),
            },
        )
    }
}

#[test]
fn every_option_answers_its_cases() {
    let corpus = corpus();
    for option in CaseOption::ALL {
        assert!(corpus.cases_with(option).count() > 0, "{}", option.as_str());
        for case in corpus.cases_with(option) {
            assert_none(&check_case(case, &With(option), &DialectName::ALL));
        }
    }
}

#[test]
fn the_oracle_answers_the_cases_of_lenient_lines() {
    for case in corpus().cases_with(CaseOption::LenientLines) {
        assert_none(&check_case(case, &LenientOracle, &DialectName::ALL));
    }
}

#[test]
fn every_pattern_matches_as_stated() {
    for pattern in corpus().patterns {
        for name in DialectName::ALL {
            let reading = dialect(name);
            let mut robots = b"User-agent: *\nDisallow: ".to_vec();
            robots.extend_from_slice(&pattern.rule);
            let robots = RobotsTxt::parse(robots, reading);
            let target = TargetPath::new(&pattern.target, reading).unwrap();
            let matching = robots.matching_rules(&Crawler::unnamed(), &target);
            assert_eq!(
                !matching.is_empty(),
                pattern.matches(name),
                "{} in {}",
                pattern.id,
                name.as_str()
            );
            let bytes = match name {
                DialectName::Google => pattern.google_bytes,
                DialectName::Rfc9309 | DialectName::Draft2019 => pattern.bytes,
                DialectName::Koster1996 => None,
            };
            if let (Some(bytes), Some(rule)) = (bytes, matching.first()) {
                assert_eq!(rule.specificity.bytes(), bytes, "{}", pattern.id);
            }
        }
    }
}

#[test]
fn every_url_has_the_stated_target() {
    for case in corpus().targets {
        for name in DialectName::ALL {
            let expected = match name {
                DialectName::Google => Some(&case.google),
                _ => case.other.as_ref(),
            };
            let target = TargetPath::new(&case.url, dialect(name)).ok();
            assert_eq!(
                target.as_ref().map(TargetPath::as_bytes),
                expected.map(String::as_bytes),
                "{} in {}",
                case.id,
                name.as_str()
            );
        }
    }
}

#[test]
fn every_token_is_accepted_or_refused_as_stated() {
    for case in corpus().tokens {
        let token = ProductToken::new(&case.text);
        let identifier = token.as_ref().is_ok_and(ProductToken::is_identifier);
        assert_eq!(identifier, case.identifier, "{}", case.id);
        let asked = Crawler::named(
            &case.text,
            DialectName::Rfc9309
                .as_str()
                .parse::<verger::Dialect>()
                .unwrap(),
        );
        assert_eq!(asked.is_ok(), case.accepted, "{}", case.id);
        if let (Err(error), Some(likely)) = (asked, &case.likely) {
            assert_eq!(error.likely(), Some(likely.as_str()), "{}", case.id);
        }
    }
}

#[test]
fn every_listing_is_enumerated_as_stated() {
    for listing in corpus().listings {
        for &name in &listing.dialects {
            let robots = RobotsTxt::parse(listing.robots.clone(), dialect(name));
            let at = format!("{} in {}", listing.id, name.as_str());
            assert_groups(&robots, &listing, &at);
            if let Some(lines) = listing.lines {
                assert_eq!(robots.lines().count(), lines as usize, "{at}");
            }
        }
    }
}

fn assert_groups(robots: &RobotsTxt, listing: &Listing, at: &str) {
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let Some(expected) = &listing.groups else {
        return;
    };
    let groups: Vec<_> = robots.groups().collect();
    assert_eq!(groups.len(), expected.len(), "{at}");
    for (group, expected) in groups.iter().zip(expected) {
        let agents: Vec<_> = group
            .user_agents()
            .map(|line| lossy(line.value()))
            .collect();
        assert_eq!(agents, expected.agents, "{at}");
        let rules: Vec<_> = group
            .rules()
            .map(|rule| format!("{} {}", rule.effect().as_str(), lossy(rule.pattern())))
            .collect();
        let expected: Vec<_> = expected.rules.iter().map(|rule| rule.trim_end()).collect();
        let rules: Vec<_> = rules.iter().map(|rule| rule.trim_end()).collect();
        assert_eq!(rules, expected, "{at}");
    }
}

#[test]
fn a_rule_is_the_reason_exactly_where_a_line_is_given() {
    for case in corpus().cases {
        for ask in &case.asks {
            let question = Question {
                dialect: DialectName::Rfc9309,
                robots: &case.robots,
                agents: &ask.agents,
                url: &ask.url,
            };
            if let Ok(answer) = Tree.answer(&question) {
                let ruled = answer.reason == ReasonName::Rule;
                assert_eq!(ruled, answer.line.is_some(), "{}", case.id);
            }
        }
    }
}
