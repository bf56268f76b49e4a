//! The comparison forms suffice to decide: a short matcher that uses nothing else agrees with the
//! engine.

use std::collections::BTreeMap;

use proptest::prelude::*;
use verger::dialect::Comparison;
use verger::{
    Crawler, Dialect, EscapeStart, FragmentPlace, PathPattern, Reason, RobotsTxt, TargetPath,
};

/// Returns the bytes that a request has as escapes, by their place in the form.
fn sent_escapes(target: &TargetPath<'_>, form: &[u8]) -> BTreeMap<usize, u8> {
    let mut escapes = BTreeMap::new();
    let (mut at, mut rest) = (0, target.as_bytes());
    while let Some(&unit) = form.get(at) {
        let digits = rest
            .get(1..3)
            .and_then(|digits| str::from_utf8(digits).ok());
        let digits =
            digits.filter(|it| rest[0] == b'%' && it.bytes().all(|it| it.is_ascii_hexdigit()));
        if let Some(digits) = digits {
            let byte = u8::from_str_radix(digits, 16).unwrap();
            if !byte.is_ascii_alphanumeric() && !b"-._~".contains(&byte) {
                escapes.insert(at, byte);
            }
            rest = &rest[3..];
        } else {
            if !rest[0].is_ascii_graphic() {
                escapes.insert(at, rest[0]);
            }
            rest = &rest[1..];
        }
        at += if unit == b'%' { 3 } else { 1 };
    }
    escapes
}

/// Returns all ends of an [`EscapeStart`] at `at`.
fn ends_of_escape(escape: EscapeStart, at: usize, form: &[u8], sent: Option<&u8>) -> Vec<usize> {
    let written_out: Vec<u8> = b"%25".iter().copied().chain(escape.digit()).collect();
    let unit = if form[at..].starts_with(b"%") { 3 } else { 1 };
    let begun = sent.filter(|byte| escape.begins_escape_of(**byte));
    let begun = begun.map(|_| at + unit);
    let literal = form[at..].starts_with(&written_out);
    begun
        .into_iter()
        .chain(literal.then_some(at + written_out.len()))
        .collect()
}

/// Returns whether a rule matches a target, by the contract of [`PathPattern`] alone.
fn matches(rule: &PathPattern, path: &TargetPath<'_>, comparison: Comparison) -> bool {
    let target = &*path.comparison_form(comparison);
    if !target.starts_with(rule.head()) {
        return false;
    }
    let question_mark = target.iter().position(|&byte| byte == b'?');
    let splits_an_escape = |at: usize| {
        let after = |back: usize| at.checked_sub(back).is_some_and(|at| target[at] == b'%');
        comparison == Comparison::Units && at < target.len() && (after(1) || after(2))
    };
    let mut ends = vec![rule.head().len()];
    for fragment in rule.fragments() {
        let first = ends[0];
        let last = match fragment.place {
            FragmentPlace::AfterHead => first,
            FragmentPlace::AfterWildcard => target.len(),
        };
        let starts = (first..=last).filter(|&at| !splits_an_escape(at));
        ends = starts
            .filter_map(|at| {
                let is_behind = question_mark.is_some_and(|mark| at > mark);
                let form = if is_behind {
                    fragment.in_query
                } else {
                    fragment.in_path
                };
                target[at..].starts_with(form).then_some(at + form.len())
            })
            .flat_map(|end| match fragment.escape {
                Some(escape) => {
                    let sent = sent_escapes(path, target);
                    ends_of_escape(escape, end, target, sent.get(&end))
                }
                None => vec![end],
            })
            .collect();
        ends.sort_unstable();
        if ends.is_empty() {
            return false;
        }
    }
    !rule.is_anchored() || ends.contains(&target.len())
}

fn assert_forms_decide(body: &str, target: &[u8]) {
    for &dialect in Dialect::ALL {
        let policy = RobotsTxt::parse(body, dialect).policy(&Crawler::unnamed());
        let comparison = policy.comparison();
        let Ok(target) = TargetPath::new(target, dialect) else {
            continue;
        };
        let form = target.comparison_form(comparison);
        let verdict = policy.decide(&target);
        if verdict.reason() != Reason::RobotsTxtItself {
            let mut ids = policy.rule_ids();
            let deciding = ids.find(|id| {
                let rule = policy.path_pattern(*id).unwrap();
                matches(&rule, &target, comparison)
            });
            assert_eq!(verdict.rule(), deciding, "{dialect} {body} {form:?}");
        }
        // A target of this form exists if a client sends one, and it gets the same verdict unless a
        // rule asks how it is written.
        let is_sent = comparison != Comparison::Bytes || form.iter().all(u8::is_ascii_graphic);
        let other = TargetPath::from_form(&form, comparison);
        assert_eq!(other.is_some(), is_sent, "{dialect} {form:?}");
        if let Some(other) = other {
            assert_eq!(other.comparison_form(comparison), form);
            let begins_escape = |rule: PathPattern| rule.fragments().any(|it| it.escape.is_some());
            let rules = policy.rule_ids().filter_map(|id| policy.path_pattern(id));
            if !rules.into_iter().any(begins_escape) {
                assert_eq!(policy.decide(&other), verdict);
            }
        }
    }
}

/// A fragment in the path is not compared in the form of the query, even at its `?`.
#[test]
fn a_fragment_at_the_end_keeps_to_its_component() {
    for (rule, target, matches) in [
        ("/x*%2F?c$", "/x/?c", false),
        ("/x*%2F?c$", "/x%2F?c", true),
        ("/x*%2F?c$", "/x?/?c", true),
        ("/x*/?c$", "/xy/?c", true),
        ("/x*%26c$", "/x?&c", false),
        ("/x*%26c$", "/x&c", true),
        ("/x*?%26c$", "/x?%26c", true),
    ] {
        let body = format!("User-agent: *\nDisallow: {rule}\n");
        assert_forms_decide(&body, target.as_bytes());
        let policy = RobotsTxt::parse(body, Dialect::Rfc9309).policy(&Crawler::unnamed());
        let found = TargetPath::new(target, Dialect::Rfc9309).unwrap();
        assert_eq!(
            !policy.decide(&found).is_allowed(),
            matches,
            "{rule} {target}"
        );
    }
}

/// The forms of the draft of 1996, and targets with these forms.
#[test]
fn decoded_forms_are_written_as_urls_have_them() {
    for (form, written) in [
        (&b"/a\0sb"[..], Some("/a%2Fb")),
        (b"/a\0q*?=", Some("/a?*?=")),
        (b"/a?", Some("/a%3F")),
        (b"/\0\0%", Some("/%00%25")),
        (b"/\0x", None),
        (b"/\0q\0q", None),
        (b"a", None),
    ] {
        let target = TargetPath::from_form(form, Comparison::DecodedBytes);
        let found = target.as_ref().map(TargetPath::as_bytes);
        assert_eq!(found, written.map(str::as_bytes), "{form:?}");
    }
    // Targets in Google's comparison are as clients send them: without a fragment, and escaped.
    for form in [&b"/a#b"[..], b"/a\0", b"/a b", b"/\xc3\xa9", b"/\x7f"] {
        assert!(
            TargetPath::from_form(form, Comparison::Bytes).is_none(),
            "{form:?}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn forms_alone_decide_as_the_engine_does(
        rules in prop::collection::vec(
            "(Allow|Disallow): [/*]([ab/?&=]|\\*|%2F|%2f|%3F|%62|é|%2?\\*|index.html){0,6}(%|%[2C]|\\$)?",
            0..6,
        ),
        target in "/([ab/?&=$*]|%2f|%3F|%26|%61|%00|%|é|index.html){0,7}",
    ) {
        let body = ["User-agent: *\n", &rules.join("\n")].concat();
        assert_forms_decide(&body, target.as_bytes());
    }

    #[test]
    fn a_target_of_a_form_has_that_form(form in prop::collection::vec(any::<u8>(), 0..12)) {
        for comparison in [Comparison::Units, Comparison::Bytes, Comparison::DecodedBytes] {
            for form in [form.clone(), [b"/", &form[..]].concat()] {
                if let Some(target) = TargetPath::from_form(&form, comparison) {
                    prop_assert_eq!(&*target.comparison_form(comparison), &form[..]);
                }
            }
        }
    }
}
