//! What is printed of the URLs.

use std::io::Write;

use verger::{Effect, Policy, RobotsTxt, Verdict};

/// Which URLs are printed, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Printed {
    /// Lines with allowed URLs, as they came.
    Allowed,
    /// Lines with disallowed URLs, as they came.
    Disallowed,
    /// All URLs, each after its verdict, the line of the rule, and the rule or the reason.
    Annotated,
}

/// The result for a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UrlResult {
    Allowed,
    Disallowed,
    /// Its authority has no body; what that means, if an option says it.
    WithoutBody(Option<Effect>),
    /// It is no URL, or its body cannot be read.
    Unanswered,
}

impl UrlResult {
    fn as_str(self) -> &'static str {
        match self.effect() {
            Some(Effect::Allow) => "allowed",
            Some(Effect::Disallow) => "disallowed",
            None => "unknown",
        }
    }

    fn effect(self) -> Option<Effect> {
        match self {
            Self::Allowed => Some(Effect::Allow),
            Self::Disallowed => Some(Effect::Disallow),
            Self::WithoutBody(effect) => effect,
            Self::Unanswered => None,
        }
    }
}

/// Why that is the result.
#[derive(Clone, Copy, Debug)]
pub(super) enum Because<'v> {
    /// A verdict, its policy, and the body where lines are annotated.
    Verdict(Verdict, &'v Policy, Option<&'v RobotsTxt>),
    /// A word for it.
    Word(&'static str),
}

/// The most octets of a rule that are shown: a body must not make the output large.
const RULE_OCTETS_MAX: usize = 256;

impl Printed {
    /// Prints a line of the input, whose URL is `url`.
    pub(super) fn print(
        self,
        line: &[u8],
        url: &[u8],
        result: UrlResult,
        because: Because<'_>,
        output: &mut Vec<u8>,
    ) {
        match (self, result.effect()) {
            (Self::Allowed, Some(Effect::Allow)) | (Self::Disallowed, Some(Effect::Disallow)) => {
                output.extend_from_slice(line);
                if !line.ends_with(b"\n") {
                    output.push(b'\n');
                }
            }
            (Self::Allowed | Self::Disallowed, _) => {}
            (Self::Annotated, _) => {
                output.extend_from_slice(result.as_str().as_bytes());
                output.push(b'\t');
                print_reason(because, output);
                output.push(b'\t');
                output.extend_from_slice(url);
                output.push(b'\n');
            }
        }
    }
}

/// The line of the rule and the rule as written, or `-` and the reason.
fn print_reason(because: Because<'_>, output: &mut Vec<u8>) {
    let word = match because {
        Because::Word(word) => word,
        Because::Verdict(verdict, policy, robots) => {
            match verdict.rule().and_then(|id| policy.rule(id)) {
                Some(rule) => {
                    // Writing to a vector cannot fail.
                    let _ = write!(output, "{}\t", rule.line);
                    let record = robots.and_then(|robots| robots.record_at(rule.line));
                    print_rule(record.map_or(rule.pattern, |record| record.text()), output);
                    return;
                }
                None => verdict.reason().as_str(),
            }
        }
    };
    output.extend_from_slice(b"-\t");
    output.extend_from_slice(word.as_bytes());
}

/// A tab in a rule would be taken for the end of its column.
fn print_rule(rule: &[u8], output: &mut Vec<u8>) {
    let shown = &rule[..rule.len().min(RULE_OCTETS_MAX)];
    let without_tab = |&octet: &u8| if octet == b'\t' { b' ' } else { octet };
    output.extend(shown.iter().map(without_tab));
    if shown.len() < rule.len() {
        output.extend_from_slice("…".as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_keeps_to_its_column() {
        let printed = |rule: &[u8]| {
            let mut output = Vec::new();
            print_rule(rule, &mut output);
            String::from_utf8(output).unwrap()
        };
        assert_eq!(printed(b"Disallow:\t/a"), "Disallow: /a");
        assert_eq!(printed(&[b'a'; 256]), "a".repeat(256));
        assert_eq!(printed(&[b'a'; 257]), "a".repeat(256) + "…");
    }
}
