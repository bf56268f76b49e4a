//! All views of a tree agree, whichever way a caller reaches its parts.

use proptest::prelude::*;
use verger::{Crawler, Dialect, Group, GroupIndex, LineKind, NamedBy, RobotsTxt, TargetPath};
use verger_testkit::generate::{self, Rng};

/// Calls `check` with many generated bodies, read in each dialect.
fn for_each_tree(check: impl Fn(&RobotsTxt)) {
    for seed in 0..400 {
        let body = generate::body(&mut Rng::new(seed));
        for &dialect in Dialect::ALL {
            check(&RobotsTxt::parse(body.as_slice(), dialect));
        }
    }
}

#[test]
fn records_and_groups_are_reached_by_index() {
    for_each_tree(|robots| {
        for (index, record) in robots.records().enumerate() {
            assert_eq!(record.index(), index);
            let same = robots.record(index).unwrap();
            assert_eq!((same.line(), same.text()), (record.line(), record.text()));
        }
        assert!(robots.record(robots.records().len()).is_none());
        let mut grouped = 0;
        for (index, group) in robots.groups().enumerate() {
            assert_eq!(group.index(), index);
            assert_eq!(robots.group(index).unwrap().line(), group.line());
            for record in group.records() {
                assert_eq!(record.group().unwrap().index(), index);
                grouped += 1;
            }
        }
        assert!(robots.group(robots.groups().len()).is_none());
        let of_no_group = robots.records().filter(|it| it.group().is_none());
        assert_eq!(of_no_group.count() + grouped, robots.records().len());
    });
}

#[test]
fn invalid_lines_are_counted_as_they_are_listed() {
    for_each_tree(|robots| {
        let invalid = |line: &verger::Line<'_>| matches!(line.kind(), LineKind::Invalid(_));
        let listed: Vec<_> = robots
            .lines()
            .filter(invalid)
            .map(|it| it.number())
            .collect();
        let counted = robots.invalid_lines();
        assert_eq!(counted.first(), listed.first().copied());
        assert_eq!(counted.len() as usize, listed.len());
        assert_eq!(counted.is_empty(), listed.is_empty());
    });
}

#[test]
fn the_group_open_behind_a_line_is_the_one_that_its_records_belong_to() {
    for_each_tree(|robots| {
        for line in robots.lines() {
            let LineKind::Record(record) = line.kind() else {
                continue;
            };
            let group = record.group();
            let expected = group.map(|group| {
                let mut rules = group.rules();
                let has_rule = rules.any(|rule| rule.line() <= line.number());
                (group.line(), has_rule)
            });
            let open = line.open_group().map(|open| (open.line, open.has_rule));
            assert_eq!(open, expected, "line {}", line.number());
        }
    });
}

#[test]
fn a_blank_line_closes_a_group_in_koster1996_alone() {
    let body = "User-agent: *\n\nUser-agent: *\nDisallow: /\n# no blank line\n \t\nAllow: /";
    let open = |dialect| {
        let robots = RobotsTxt::parse(body, dialect);
        let lines = robots.lines();
        let open: Vec<_> = lines
            .map(|line| {
                line.open_group()
                    .map(|open| (open.line.get(), open.has_rule))
            })
            .collect();
        open
    };
    let one_group = [false, false, false, true, true, true, true];
    assert_eq!(
        open(Dialect::Rfc9309),
        one_group.map(|ruled| Some((1, ruled)))
    );
    assert_eq!(
        open(Dialect::Koster1996),
        [
            Some((1, false)),
            None,
            Some((3, false)),
            Some((3, true)),
            Some((3, true)),
            None,
            None
        ]
    );
}

#[test]
fn the_selecting_line_is_the_first_that_alone_would_select_the_crawler() {
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let body = generate::body(&mut rng);
        let names = [generate::agent(&mut rng), generate::agent(&mut rng)];
        for &dialect in Dialect::ALL {
            let names = names.iter().map(String::as_str);
            let Ok(crawler) = Crawler::named_in_order(names, dialect) else {
                continue;
            };
            let robots = RobotsTxt::parse(body.as_slice(), dialect);
            let Some(found) = robots.groups_for(&crawler) else {
                continue;
            };
            let token = found.token_index().map(|index| &crawler.tokens()[index]);
            assert_eq!(found.token(), token);
            assert_eq!(found.named_by() == NamedBy::Token, token.is_some());
            let selected = token.map_or_else(Crawler::unnamed, |token| token.clone().into());
            let mut lines = found.groups()[0].user_agents();
            let expected = lines.find(|line| {
                let alone = [line.text(), b"\nDisallow: /"].concat();
                let alone = RobotsTxt::parse(alone, dialect);
                let found = alone.groups_for(&selected);
                found.is_some_and(|it| it.token_index().is_some() == token.is_some())
            });
            assert_eq!(found.line(), expected.unwrap().line());
        }
    }
}

#[test]
fn what_a_dialect_does_can_be_read() {
    use verger::Reading;
    use verger::dialect::{BlankLine, Precedence};

    for &dialect in Dialect::ALL {
        let reading = Reading::new(dialect);
        let is_old = dialect == Dialect::Koster1996;
        assert_eq!(reading.precedence() == Precedence::FirstMatch, is_old);
        assert_eq!(reading.blank_line() == BlankLine::EndsTheRecord, is_old);
    }
}

#[test]
fn a_verdict_outlives_its_policy_and_names_a_rule_of_it() {
    let body = b"User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /\xFF";
    let robots = RobotsTxt::parse(&body[..], Dialect::Rfc9309);
    let decide = |path| {
        let policy = robots.policy(&Crawler::unnamed());
        let target = TargetPath::new(path, Dialect::Rfc9309).unwrap();
        policy.decide(&target)
    };
    let verdicts = ["/a", "/a/b", "/c", "/robots.txt"].map(decide);
    let told = verdicts.map(|verdict| verdict.to_string());
    assert_eq!(
        told,
        [
            "disallowed by line 2",
            "allowed by line 3",
            "allowed: no rule matches",
            "allowed: /robots.txt itself is always allowed"
        ]
    );
    assert_eq!(verdicts[0], decide("/a/x"));
    assert_ne!(verdicts[0], verdicts[1]);
    let policy = robots.policy(&Crawler::unnamed());
    let rules: Vec<_> = policy.rules().map(|rule| rule.to_string()).collect();
    assert_eq!(
        rules,
        ["Allow: /a/b", "Disallow: /\u{FFFD}", "Disallow: /a"]
    );
    let index = |verdict: &verger::Verdict| verdict.rule().unwrap().index();
    assert_eq!(verdicts[..2].iter().map(index).collect::<Vec<_>>(), [0, 1]);
    for verdict in &verdicts[..2] {
        let rule = policy.rule(verdict.rule().unwrap()).unwrap();
        assert_eq!(
            (Some(rule.line), rule.effect),
            (verdict.line(), verdict.effect())
        );
    }
    let nowhere = RobotsTxt::parse("", Dialect::Rfc9309).policy(&Crawler::unnamed());
    assert!(nowhere.rule(verdicts[0].rule().unwrap()).is_none());
    let none = nowhere.decide(&TargetPath::new("/a", Dialect::Rfc9309).unwrap());
    assert_eq!(none.to_string(), "allowed: no group applies to the crawler");
    assert_eq!(none.reason().as_str(), "no-group");
}

/// Compares lines, terminators, positions and spans of a tree with the bytes of its body.
fn assert_spans_are_true(robots: &RobotsTxt) {
    let body = robots.body();
    let mut end = None;
    for line in robots.lines() {
        let span = line.span();
        // Each line starts where the terminator of the previous one ends, and the first one after a
        // byte order mark.
        assert!(end.map_or(span.start <= 3, |end| end == span.start));
        let terminator = line.terminator_span();
        assert_eq!(terminator.of(body), line.terminator().bytes());
        end = Some(terminator.end);
        // A position costs a walk from the start, so only the first bytes of a long body are tried.
        for byte in span.start..terminator.end.min(3_000) {
            let position = robots.position(byte);
            let expected = (line.number(), byte - span.start + 1);
            assert_eq!((position.line, position.column), expected, "byte {byte}");
        }
    }
    assert_eq!(end.map_or(0, |end| end as usize), {
        // In google an empty body has a line. In other dialects a body with a byte order mark only
        // has none.
        let is_read = robots.lines().next().is_some();
        if is_read { robots.bytes_read() } else { 0 }
    });
    for record in robots.records() {
        let span = record.span();
        assert_eq!(span.of(body), record.text());
        if span.start < 3_000 {
            let position = robots.position(span.start);
            let expected = (record.line(), record.column());
            assert_eq!((position.line, position.column), expected);
        }
        assert!(
            span.start <= record.key_span().start
                && (record.value().is_empty() || record.value_span().end <= span.end)
        );
        if let Some(rule) = record.as_rule() {
            assert_eq!(rule.span(), span);
            assert_eq!(rule.pattern_span().of(body), rule.pattern());
            assert_eq!(robots.rule(rule.index()).unwrap().line(), rule.line());
        } else {
            assert!(robots.rule(record.index()).is_none());
        }
    }
    let mut before = 0;
    for group in robots.groups() {
        let span = group.span();
        assert!(before <= span.start && span.start < span.end);
        assert_eq!(
            robots.record_at(group.line()).unwrap().span().start,
            span.start
        );
        for record in group.records() {
            assert!(span.start <= record.span().start && record.span().end <= span.end);
        }
        before = span.end;
    }
    assert_eq!(
        robots.position(u32::MAX),
        robots.position(body.len().try_into().unwrap())
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn lines_and_spans_are_those_of_the_body(
        mark in "(\u{FEFF})?",
        lines in prop::collection::vec(
            ("(user-agent:|disallow:|disallow|allow :|x:|#|\u{0})?[ \t]?[a/*]{0,4}[ \t]?(#a)?", "\n|\r|\r\n"),
            0..20,
        ),
        last in "(allow: /)?",
    ) {
        let lines: String = lines.into_iter().map(|(line, end)| line + &end).collect();
        for &dialect in Dialect::ALL {
            assert_spans_are_true(&RobotsTxt::parse(mark.clone() + &lines + &last, dialect));
        }
    }
}

#[test]
fn spans_are_true_of_generated_bodies() {
    for_each_tree(assert_spans_are_true);
}

#[test]
fn an_index_of_names_finds_the_groups_that_a_walk_finds() {
    let lists: [&[&str]; 9] = [
        &["a"],
        &["A-b_"],
        &["b", "a"],
        &["a1", "a"],
        &["a.b"],
        &["googlebot-news", "googlebot"],
        &["examplebot"],
        &["foobot", "barbot", "*"],
        &["x"],
    ];
    for_each_tree(|robots| {
        let index = GroupIndex::new(robots.clone());
        let reading = *robots.reading();
        let named = lists.iter().filter_map(|tokens| {
            let tokens = tokens.iter().copied();
            Crawler::named_in_order(tokens, reading).ok()
        });
        let of_file = robots.groups().flat_map(|group| group.user_agents());
        let of_file = of_file.filter_map(|line| {
            let name = str::from_utf8(line.value()).ok()?;
            Crawler::named(name, reading).ok()
        });
        let mut crawlers: Vec<_> = named.chain(of_file).collect();
        crawlers.push(Crawler::unnamed());
        let found = |crawler: &Crawler| {
            let found = index.groups_for(crawler);
            let walked = robots.groups_for(crawler);
            let facts = |found: Option<&verger::GroupMatch<'_, '_>>| {
                let found = found?;
                let groups: Vec<_> = found.groups().iter().map(Group::line).collect();
                Some((groups, found.named_by(), found.token_index(), found.line()))
            };
            assert_eq!(facts(found.as_ref()), facts(walked.as_ref()));
            assert_eq!(
                index.policy(crawler).group(),
                robots.policy(crawler).group()
            );
            facts(found.as_ref()).map(|(groups, named_by, ..)| (groups, named_by))
        };
        let unions = lists.iter().filter_map(|tokens| {
            let tokens = tokens.iter().copied();
            Crawler::union(tokens, reading).ok()
        });
        for union in unions {
            found(&union);
        }
        let found: Vec<_> = crawlers.iter().map(found).collect();
        for (one, of_one) in crawlers.iter().zip(&found) {
            for (other, of_other) in crawlers.iter().zip(&found) {
                let same = index.selection(one) == index.selection(other);
                assert_eq!(same, of_one == of_other);
            }
        }
    });
}

#[test]
fn a_record_without_a_value_ends_with_its_colon() {
    let body = "User-agent: a\n  Disallow \t:  # all\nAllow:/\n";
    for &dialect in Dialect::ALL {
        let robots = RobotsTxt::parse(body, dialect);
        let spans: Vec<_> = robots
            .records()
            .map(|record| &body[record.span().start as usize..record.span().end as usize])
            .collect();
        assert_eq!(
            spans,
            ["User-agent: a", "Disallow \t:", "Allow:/"],
            "{dialect}"
        );
    }
}

#[test]
fn a_group_is_for_star_if_a_line_of_it_says_so() {
    let body = "User-agent: a\nUser-agent: *\nDisallow: /\nUser-agent: b\nDisallow: /\n";
    for &dialect in Dialect::ALL {
        let robots = RobotsTxt::parse(body, dialect);
        let for_star: Vec<_> = robots.groups().map(|group| group.is_for_star()).collect();
        assert_eq!(for_star, [true, false], "{dialect}");
    }
}
