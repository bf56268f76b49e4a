//! Hostile input yields an answer and diagnostics, never a panic.
//!
//! Growth of the work is checked by counts, such as the number of records and the ratios of the
//! benchmarks, never by a clock.

use std::fmt::Write as _;

use proptest::prelude::*;
use verger::{
    Crawler, DiagnosticKind, Dialect, InvalidLine, LineKind, NotUtf8, Reading, Reason, RobotsTxt,
    TargetPath,
};

/// Reads a body in every dialect, walks everything that can be enumerated, and decides.
fn exercise(body: &[u8], url: &[u8]) -> Vec<bool> {
    let answers = Dialect::ALL.iter().map(|&dialect| {
        let robots = RobotsTxt::parse(body, dialect);
        let mut read = 0;
        for line in robots.lines() {
            read += line.bytes().len();
            if let LineKind::Record(record) = line.kind() {
                assert_eq!(record.line(), line.number());
                assert!(record.column() as usize <= line.bytes().len());
                assert!(record.text().starts_with(record.key()));
                assert!(record.text().ends_with(record.value()));
            }
        }
        assert!(read <= robots.bytes_read());
        assert!(robots.diagnostics().count() <= 4 * robots.lines().count() + 5);
        let of_groups: usize = robots.groups().map(|group| group.records().count()).sum();
        assert!(of_groups <= robots.records().len());
        let crawler = Crawler::unnamed();
        let policy = robots.policy(&crawler);
        let Ok(target) = TargetPath::new(url, dialect) else {
            return true;
        };
        let verdict = policy.decide(&target);
        let best = robots
            .matching_rules(&crawler, &target)
            .first()
            .map(|rule| rule.rule);
        if verdict.reason() != Reason::RobotsTxtItself {
            assert_eq!(verdict.rule().and_then(|id| policy.rule(id)), best);
        }
        verdict.is_allowed()
    });
    answers.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_bytes_have_an_answer(body: Vec<u8>, url: Vec<u8>) {
        exercise(&body, &url);
    }

    #[test]
    fn any_text_has_an_answer(body in "(?s)[ \t\r\nuU:#*$%/?=&a\0\u{85}\u{FEFF}é-]{0,200}", url in "(?s)/.{0,40}") {
        exercise(body.as_bytes(), url.as_bytes());
    }
}

#[test]
fn fifty_thousand_groups() {
    let mut body = "User-agent: *\nDisallow: /a\n".to_owned();
    for nth in 0..50_000 {
        writeln!(body, "User-agent: bot-{nth}x\nDisallow: /").unwrap();
    }
    // The limit of the other dialects falls into a later group, not into the first one.
    assert_eq!(exercise(body.as_bytes(), b"/a"), [false; 4]);
    assert_eq!(
        RobotsTxt::parse(body, Dialect::Google).groups().len(),
        50_001
    );
}

#[test]
fn fifteen_thousand_rules_of_stars() {
    let rule = format!("Disallow: /{}b\n", "*a".repeat(10));
    let body = format!("User-agent: *\n{}", rule.repeat(15_000));
    let url = format!("/{}", "a".repeat(2_000));
    assert_eq!(exercise(body.as_bytes(), url.as_bytes()), [true; 4]);
}

#[test]
fn a_line_of_two_megabytes() {
    let body = format!("User-agent: *\nDisallow: /{}", "ab*".repeat(700_000));
    // Google keeps the first 16,663 bytes. In other dialects the body's limit drops the whole line.
    assert_eq!(exercise(body.as_bytes(), b"/ab"), [true; 4]);
    let many = format!("/{}", "ab".repeat(6_000));
    assert_eq!(
        exercise(body.as_bytes(), many.as_bytes()),
        [true, false, true, true]
    );
}

#[test]
fn five_megabytes_of_junk_keep_their_rules() {
    let junk = "<a href=\"x\">:</a>\u{1}\n".repeat(260_000);
    let body = format!("User-agent: *\nDisallow: /a\n{junk}Disallow: /b\n");
    assert_eq!(exercise(body.as_bytes(), b"/a"), [false; 4]);
    assert_eq!(exercise(body.as_bytes(), b"/b"), [true, false, true, true]);
    let cut = RobotsTxt::parse(body, Dialect::Rfc9309);
    let kinds: Vec<_> = cut.diagnostics().map(|found| found.kind).collect();
    assert!(kinds.contains(&DiagnosticKind::BodyCut));
}

#[test]
fn utf16_and_compressed_data_and_html_are_told() {
    let utf16: Vec<u8> = "\u{FEFF}User-agent: *\nDisallow: /\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let told = |body: &[u8], dialect: Dialect| -> Vec<String> {
        RobotsTxt::parse(body, dialect)
            .diagnostics()
            .map(|found| format!("{:?}", found.kind))
            .collect()
    };
    assert_eq!(exercise(&utf16, b"/"), [true; 4]);
    for &dialect in Dialect::ALL {
        let expected = format!("{:?}", DiagnosticKind::NotUtf8(NotUtf8::Utf16LittleEndian));
        assert_eq!(told(&utf16, dialect)[0], expected);
        assert_eq!(told(b"\x1F\x8B\x08\0", dialect)[0], "Compressed");
        let near = [b"#".repeat(7_999), b"\0".to_vec()].concat();
        assert_eq!(told(&near, dialect)[0], "LooksBinary");
        let far = [b"#".repeat(8_000), b"\0".to_vec()].concat();
        assert!(!told(&far, dialect).contains(&"LooksBinary".to_owned()));
        assert!(told(b"\n <html>", dialect).contains(&"LooksLikeHtml".to_owned()));
    }
    let control = DiagnosticKind::InvalidLine(InvalidLine::ControlByte);
    assert_eq!(
        told(b"Allow: \x01", Dialect::Rfc9309),
        [format!("{control:?}")]
    );
}

#[test]
fn a_target_keeps_the_path_that_its_dialect_finds() {
    let robots = RobotsTxt::parse("User-agent: *\nDisallow: /x", Dialect::Rfc9309);
    let policy = robots.policy(&Crawler::unnamed());
    let is_allowed = |url: &str, dialect| {
        policy
            .decide(&TargetPath::new(url, dialect).unwrap())
            .is_allowed()
    };
    assert!(is_allowed("//host/x", Dialect::Rfc9309));
    assert!(!is_allowed("//host/x", Dialect::Google));
    assert!(!is_allowed("https://host;p/x", Dialect::Rfc9309));
    assert!(is_allowed("https://host;p/x", Dialect::Google));
}

#[test]
fn a_policy_answers_targets_of_every_dialect() {
    for &of_policy in Dialect::ALL {
        let robots = RobotsTxt::parse("User-agent: *\nDisallow: /a%62", Reading::new(of_policy));
        let policy = robots.policy(&Crawler::unnamed());
        let expected = policy.decide(&TargetPath::new("/ab", of_policy).unwrap());
        for &of_target in Dialect::ALL {
            let target = TargetPath::new("/ab", of_target).unwrap();
            assert_eq!(policy.decide(&target), expected);
        }
    }
}
