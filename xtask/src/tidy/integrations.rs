//! The pre-commit hook and the GitHub Action. Neither can run here, so their files are checked statically.

use std::collections::BTreeSet;

use super::finding::Finding;

pub(super) const HOOKS: &str = ".pre-commit-hooks.yaml";

pub(super) const ACTION: &str = "action.yml";

/// Directory of the scripts of both.
const SCRIPTS: &str = "hooks/";

/// Checks the hooks. `is_script` returns whether a file is executable.
pub(super) fn hook_findings(text: &str, is_script: impl Fn(&str) -> bool) -> Vec<Finding> {
    let keys = ["id", "name", "description", "entry", "language", "files"];
    let lacks = |key: &&str| !text.contains(&format!(" {key}: "));
    let missing = keys.into_iter().filter(lacks);
    let missing = missing.map(|key| format!("hook without `{key}`"));
    let sentences = missing.chain(script_sentences(text, is_script));
    sentences.map(|it| Finding::new(HOOKS, 1, it)).collect()
}

/// Checks the Action. `is_script` returns whether a file is executable.
pub(super) fn action_findings(text: &str, is_script: impl Fn(&str) -> bool) -> Vec<Finding> {
    let inputs = text.lines().skip_while(|line| *line != "inputs:").skip(1);
    let inputs = inputs.take_while(|line| line.is_empty() || line.starts_with(' '));
    let name = |line: &'_ str| -> Option<String> {
        let name = line.strip_prefix("  ")?.strip_suffix(':')?;
        Some(name.to_owned())
    };
    let declared: BTreeSet<String> = inputs.filter_map(name).collect();
    let used: BTreeSet<String> = used_inputs(text).map(str::to_owned).collect();
    let unused = declared.difference(&used);
    let unused = unused.map(|it| format!("unused input `{it}`"));
    let unknown = used.difference(&declared);
    let unknown = unknown.map(|it| format!("unknown input `{it}`"));
    let sentences = unused
        .chain(unknown)
        .chain(script_sentences(text, is_script));
    sentences.map(|it| Finding::new(ACTION, 1, it)).collect()
}

/// Reports actions and hooks of others that are pinned by a movable name, in workflows, the Action and pages.
pub(super) fn pin_findings(path: &str, text: &str) -> Vec<Finding> {
    let used = |line: &str| {
        let used = line.trim_start().trim_start_matches("- ");
        let used = used.strip_prefix("uses: ")?.split_whitespace().next()?;
        let (_, name) = used.split_once('@')?;
        let is_commit = name.len() == 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        // Readers substitute a commit of this repository.
        (!is_commit && name != "COMMIT").then(|| used.to_owned())
    };
    let lines = text.lines().zip(1..);
    let found = lines.filter_map(|(line, number)| Some((number, used(line)?)));
    found
        .map(|(line, used)| Finding::new(path, line, format!("`{used}` is not pinned to a commit")))
        .collect()
}

/// Returns the names after `inputs.` in expressions.
fn used_inputs(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.split("inputs.").skip(1);
    starts.map(|rest| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())]
    })
}

/// Reports scripts that a text names and that are not executable.
fn script_sentences(text: &str, is_script: impl Fn(&str) -> bool) -> impl Iterator<Item = String> {
    let scripts = text.match_indices(SCRIPTS).map(|(at, _)| {
        let rest = &text[at..];
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ')'));
        &rest[..end.unwrap_or(rest.len())]
    });
    let missing = scripts.filter(move |script| !is_script(script));
    missing.map(|script| format!("`{script}` is not an executable file"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(findings: &[Finding]) -> String {
        let lines = findings.iter().map(ToString::to_string);
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_hook_names_a_script_that_can_be_run() {
        let hook = "- id: a\n  name: b\n  description: c\n  entry: hooks/x\n  language: script\n  files: d\n";
        assert!(hook_findings(hook, |script| script == "hooks/x").is_empty());
        assert!(
            sentences(&hook_findings(hook, |_| false))
                .contains("`hooks/x` is not an executable file")
        );
        assert!(sentences(&hook_findings("- id: a", |_| true)).contains("without `entry`"));
    }

    #[test]
    fn what_an_action_declares_is_what_it_uses() {
        let action = "name: a\ninputs:\n  b:\n    default: x\nruns:\n  run: ${{ inputs.b }} \"$X/hooks/y\"\n";
        assert!(action_findings(action, |script| script == "hooks/y").is_empty());
        let wrong = sentences(&action_findings(
            &action.replace("inputs.b", "inputs.c"),
            |_| false,
        ));
        for part in [
            "unused input `b`",
            "unknown input `c`",
            "`hooks/y` is not an executable file",
        ] {
            assert!(wrong.contains(part), "{wrong}");
        }
    }

    #[test]
    fn what_is_used_of_others_is_pinned_by_a_commit() {
        let found = |line: &str| sentences(&pin_findings("a.yml", line));
        let commit = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(
            found(&format!("steps:\n  - uses: a/b@{commit} # v1.2.3")),
            ""
        );
        assert_eq!(found("- uses: a/b@COMMIT"), "");
        assert_eq!(
            found("steps:\n  - uses: a/b@v1"),
            "a.yml:2: `a/b@v1` is not pinned to a commit"
        );
    }
}
