//! The tree is consistent: lines cover the body, records lie on their lines, groups contain their records, and
//! the most specific match applies.
#![no_main]

use libfuzzer_sys::fuzz_target;
use verger::{Crawler, LineKind, ParseEvent, Reason, RobotsTxt, TargetPath};
use verger_fuzz::{question, readings};

fuzz_target!(|input: &[u8]| {
    let (body, name, url) = question(input);
    for reading in readings() {
        let robots = RobotsTxt::parse(body, reading);
        assert_eq!(robots.body(), body);
        let mut end = 0;
        let mut records = 0;
        for line in robots.lines() {
            let between = &body[end..line.span().start as usize];
            assert!(
                between
                    .iter()
                    .all(|byte| b"\r\n\xEF\xBB\xBF".contains(byte)),
                "bytes between lines"
            );
            assert!(!line.bytes().iter().any(|byte| b"\r\n".contains(byte)));
            end = line.span().end as usize;
            if let LineKind::Record(record) = line.kind() {
                records += 1;
                assert_eq!(record.line(), line.number());
                assert_eq!(robots.record_at(line.number()).unwrap().key(), record.key());
                assert!(!record.key().is_empty());
            }
        }
        assert_eq!(robots.records().len(), records);
        let events = robots.parse_events();
        let of_records = events.filter(|event| {
            matches!(
                event,
                ParseEvent::Record { .. } | ParseEvent::UnknownAction { .. }
            )
        });
        assert_eq!(of_records.count(), records);
        for found in robots.diagnostics() {
            assert!(found.span.end as usize <= body.len());
            assert!(!found.kind.to_string().is_empty());
        }
        let Ok(target) = TargetPath::new(url, reading) else {
            continue;
        };
        let crawler = Crawler::named(&name, reading).unwrap();
        let policy = robots.policy(&crawler);
        let verdict = policy.decide(&target);
        assert_eq!(
            verger::Policy::read(body, &crawler, reading).decide(&target),
            verdict
        );
        let matching = robots.matching_rules(&crawler, &target);
        let exempt = verdict.reason() == Reason::RobotsTxtItself;
        if !exempt {
            let rule = verdict.rule().and_then(|id| policy.rule(id));
            assert_eq!(rule, matching.first().map(|matching| matching.rule));
        }
    }
});
