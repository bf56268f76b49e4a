//! The parse events of a `google` tree equal those of Google's library.

use verger::{Dialect, LineMetadata, ParseEvent, RecordKind, RobotsTxt};

/// Returns the events of a body, one short line each.
fn events(body: &[u8]) -> Vec<String> {
    let text = |bytes: &[u8]| bytes.escape_ascii().to_string();
    RobotsTxt::parse(body, Dialect::Google)
        .parse_events()
        .map(|event| match event {
            ParseEvent::Start => "start".to_owned(),
            ParseEvent::Record { line, kind, value } => {
                format!("{line} {kind:?} {}", text(&value))
            }
            ParseEvent::UnknownAction {
                line,
                action,
                value,
            } => format!("{line} unknown {} {}", text(action), text(&value)),
            ParseEvent::LineMetadata { line, metadata } => {
                format!("{line} {}", flags(metadata).join("+"))
            }
            ParseEvent::End => "end".to_owned(),
        })
        .collect()
}

fn flags(metadata: LineMetadata) -> Vec<&'static str> {
    [
        (metadata.is_empty, "empty"),
        (metadata.has_comment, "has-comment"),
        (metadata.is_comment, "comment"),
        (metadata.has_directive, "directive"),
        (metadata.is_acceptable_typo, "typo"),
        (metadata.is_line_too_long, "too-long"),
        (metadata.is_missing_colon_separator, "no-colon"),
    ]
    .into_iter()
    .filter_map(|(set, name)| set.then_some(name))
    .collect()
}

#[test]
fn each_line_has_its_event_before_its_metadata() {
    let body = b"user-agent: a # c\n#\n\ndissallow /caf\xC3\xA9\nfoo: %aa\n:x\nsite-map: %aa";
    assert_eq!(
        events(body),
        [
            "start",
            "1 UserAgent a",
            "1 has-comment+directive",
            "2 has-comment+comment",
            "3 empty",
            "4 Disallow /caf%C3%A9",
            "4 directive+typo+no-colon",
            "5 unknown foo %AA",
            "5 directive",
            "6 ",
            "7 Sitemap %aa",
            "7 directive+typo",
            "end",
        ]
    );
}

#[test]
fn the_empty_last_line_is_reported() {
    assert_eq!(events(b""), ["start", "1 empty", "end"]);
    let after_line_end = ["start", "1 Allow /", "1 directive", "2 empty", "end"];
    assert_eq!(events(b"allow:/\r\n"), after_line_end);
}

#[test]
fn a_nul_ends_its_line_before_a_comment_is_seen() {
    assert_eq!(events(b"\0#x"), ["start", "1 empty", "end"]);
    let cut = ["start", "1 Allow /a", "1 directive", "end"];
    assert_eq!(events(b"allow: /a\0b"), cut);
}

#[test]
fn a_line_is_too_long_from_16664_bytes_on() {
    let bytes_max = verger::limits::GOOGLE_LINE_BYTES_MAX;
    for (length, too_long) in [
        (bytes_max - 1, false),
        (bytes_max, false),
        (bytes_max + 1, true),
    ] {
        let body = format!("allow: /{}", "a".repeat(length - 8));
        let robots = RobotsTxt::parse(body, Dialect::Google);
        let line = robots.lines().next().unwrap();
        assert_eq!(line.metadata().is_line_too_long, too_long, "{length}");
        let allow = robots.records_of(RecordKind::Allow).next().unwrap();
        assert_eq!(allow.value().len(), length.min(bytes_max) - 7, "{length}");
    }
}
