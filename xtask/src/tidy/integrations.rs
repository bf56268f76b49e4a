//! What others run from this repository: the hook of pre-commit and the GitHub Action. Neither can be run
//! here, so their files are checked for what these two read.

use saphyr::{LoadableYamlNode as _, Yaml};

use super::finding::Finding;

/// The hooks of pre-commit.
pub(super) const HOOKS: &str = ".pre-commit-hooks.yaml";

/// The GitHub Action.
pub(super) const ACTION: &str = "action.yml";

/// The directory of the scripts of both.
const SCRIPTS: &str = "hooks/";

/// The findings in the file of hooks. `is_script` says whether a file can be run.
pub(super) fn hook_findings(text: &str, is_script: impl Fn(&str) -> bool) -> Vec<Finding> {
    let finding = |sentence: String| Finding::new(HOOKS, 1, sentence);
    let document = match document(text) {
        Ok(document) => document,
        Err(sentence) => return vec![finding(sentence)],
    };
    let Some(hooks) = document.as_sequence().filter(|hooks| !hooks.is_empty()) else {
        return vec![finding("is no list of hooks".to_owned())];
    };
    let mut sentences = Vec::new();
    for hook in hooks {
        let text = |key: &str| hook.as_mapping_get(key).and_then(|it| it.as_str());
        for key in ["id", "name", "description", "entry", "language", "files"] {
            if text(key).is_none_or(str::is_empty) {
                sentences.push(format!("a hook has no `{key}`"));
            }
        }
        if let Some(entry) = text("entry").filter(|entry| !is_script(entry)) {
            sentences.push(format!("the entry `{entry}` is no file that can be run"));
        }
        // This repository has no package at its root, which the other languages need.
        if text("language").is_some_and(|language| language != "script") {
            sentences.push("the language of a hook is not `script`".to_owned());
        }
    }
    sentences.into_iter().map(finding).collect()
}

/// The findings in the file of the Action. `is_script` says whether a file can be run.
pub(super) fn action_findings(text: &str, is_script: impl Fn(&str) -> bool) -> Vec<Finding> {
    let finding = |sentence: String| Finding::new(ACTION, 1, sentence);
    let document = match document(text) {
        Ok(document) => document,
        Err(sentence) => return vec![finding(sentence)],
    };
    let mut sentences = Vec::new();
    for key in ["name", "description"] {
        if document
            .as_mapping_get(key)
            .and_then(|it| it.as_str())
            .is_none()
        {
            sentences.push(format!("has no `{key}`"));
        }
    }
    let declared = document.as_mapping_get("inputs");
    let declared = declared
        .and_then(|it| it.as_mapping())
        .into_iter()
        .flatten();
    for (name, input) in declared {
        let name = name.as_str().unwrap_or_default();
        for key in ["description", "default"] {
            if input
                .as_mapping_get(key)
                .and_then(|it| it.as_str())
                .is_none()
            {
                sentences.push(format!("the input `{name}` has no `{key}` that is text"));
            }
        }
        if !text.contains(&format!("${{{{ inputs.{name} }}}}")) {
            sentences.push(format!("the input `{name}` is not used"));
        }
    }
    for used in used_inputs(text) {
        let inputs = document.as_mapping_get("inputs");
        if inputs.and_then(|it| it.as_mapping_get(used)).is_none() {
            sentences.push(format!("there is no input `{used}`"));
        }
    }
    sentences.extend(step_sentences(&document));
    for script in scripts(text).filter(|script| !is_script(script)) {
        sentences.push(format!("`{script}` is no file that can be run"));
    }
    sentences.into_iter().map(finding).collect()
}

/// What a workflow, the Action or a page for readers uses of others by a name that can be moved.
pub(super) fn pin_findings(path: &str, text: &str) -> Vec<Finding> {
    let used = |line: &str| {
        let used = line
            .trim_start()
            .trim_start_matches("- ")
            .strip_prefix("uses: ")?;
        let used = used.split_whitespace().next()?;
        let (_, name) = used.split_once('@')?;
        let is_commit = name.len() == 40 && name.bytes().all(|octet| octet.is_ascii_hexdigit());
        // Readers put the commit of this repository there.
        (!is_commit && name != "COMMIT").then(|| used.to_owned())
    };
    let lines = text.lines().enumerate();
    let found = lines.filter_map(|(nth, line)| Some((nth + 1, used(line)?)));
    found
        .map(|(line, used)| Finding::new(path, line, format!("`{used}` is not pinned by a commit")))
        .collect()
}

/// What is wrong with the steps of an Action.
fn step_sentences(document: &Yaml<'_>) -> Vec<String> {
    let mut sentences = Vec::new();
    let runs = document.as_mapping_get("runs");
    let using = runs.and_then(|it| it.as_mapping_get("using")?.as_str());
    if using != Some("composite") {
        sentences.push("does not run as `composite`".to_owned());
    }
    let steps = runs.and_then(|it| it.as_mapping_get("steps")?.as_sequence());
    if steps.is_none_or(Vec::is_empty) {
        sentences.push("has no steps".to_owned());
    }
    for step in steps.into_iter().flatten() {
        let has = |key: &str| {
            step.as_mapping_get(key)
                .and_then(|it| it.as_str())
                .is_some()
        };
        match (has("uses"), has("run")) {
            (true, false) => {}
            // A step of a composite Action has no shell by itself.
            (false, true) if has("shell") => {}
            (false, true) => sentences.push("a step with `run` has no `shell`".to_owned()),
            _ => sentences.push("a step has not one of `uses` and `run`".to_owned()),
        }
    }
    sentences
}

/// The one document of a text.
fn document(text: &str) -> Result<Yaml<'_>, String> {
    let documents = Yaml::load_from_str(text).map_err(|error| format!("is no YAML: {error}"))?;
    match <[Yaml<'_>; 1]>::try_from(documents) {
        Ok([document]) => Ok(document),
        Err(documents) => Err(format!("has {} documents", documents.len())),
    }
}

/// The names behind `inputs.` in expressions.
fn used_inputs(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.split("inputs.").skip(1);
    starts.map(|rest| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())]
    })
}

/// The scripts that a text names.
fn scripts(text: &str) -> impl Iterator<Item = &str> {
    let places = text.match_indices(SCRIPTS);
    places.map(|(at, _)| {
        let rest = &text[at..];
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ')'));
        &rest[..end.unwrap_or(rest.len())]
    })
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
        let hook = "- {id: a, name: b, description: c, entry: hooks/x, language: script, files: d}";
        assert!(hook_findings(hook, |script| script == "hooks/x").is_empty());
        let wrong = sentences(&hook_findings(&hook.replace("script", "rust"), |_| false));
        assert!(wrong.contains("`hooks/x` is no file") && wrong.contains("is not `script`"));
        for text in ["", "[]", "a: b", "- [", "- a: 1\n---\n- b: 1"] {
            assert!(!hook_findings(text, |_| true).is_empty(), "{text}");
        }
        assert!(sentences(&hook_findings("- id: a", |_| true)).contains("no `entry`"));
    }

    #[test]
    fn what_is_used_of_others_is_pinned_by_a_commit() {
        let found = |line: &str| sentences(&pin_findings("a.yml", line));
        let commit = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(
            found(&format!("steps:\n  - uses: a/b@{commit} # v1.2.3")),
            ""
        );
        assert_eq!(found("uses: ./here\nuses: OWNER/verger@COMMIT"), "");
        for (line, expected) in [
            (
                "a:\n  - uses: a/b@v4",
                "a.yml:2: `a/b@v4` is not pinned by a commit",
            ),
            (
                "uses: a/b@0123abc",
                "a.yml:1: `a/b@0123abc` is not pinned by a commit",
            ),
        ] {
            assert_eq!(found(line), expected);
        }
    }

    #[test]
    fn an_action_uses_its_inputs_and_each_step_has_a_shell() {
        let action = "name: a\ndescription: b\ninputs:\n  x:\n    description: c\n    default: \"\"\n\
                      runs:\n  using: composite\n  steps:\n    - run: hooks/x ${{ inputs.x }}\n      shell: bash\n";
        let is_script = |script: &str| script == "hooks/x";
        assert_eq!(sentences(&action_findings(action, is_script)), "");
        for (from, to, expected) in [
            ("shell: bash", "id: x", "no `shell`"),
            ("${{ inputs.x }}", "", "the input `x` is not used"),
            ("inputs.x", "inputs.y", "there is no input `y`"),
            ("default: \"\"", "default: 1", "no `default` that is text"),
            ("composite", "docker", "does not run as `composite`"),
            ("hooks/x ", "hooks/y ", "`hooks/y` is no file"),
            ("name: a\n", "", "has no `name`"),
            ("run: hooks", "ran: hooks", "not one of `uses` and `run`"),
            ("description: b", "description: b: c", "is no YAML"),
        ] {
            let wrong = action.replace(from, to);
            assert!(wrong != action, "{from}");
            let found = sentences(&action_findings(&wrong, is_script));
            assert!(found.contains(expected), "{from}: {found}");
        }
    }
}
