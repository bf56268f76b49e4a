//! `--purpose`, and preferences in answers.

use crate::verger::{json_lines, verger_on};

const BODY: &str = "\
User-agent: *
Content-Signal: search=yes, ai-train=no, use=reference
Content-Usage: /open/ train-ai=y, ai-use=n
Disallow: /private
Allow: /
";

#[test]
fn one_use_is_shown_and_changes_nothing() {
    for (purpose, expected) in [
        (
            "ai-train",
            "\
allowed     /open/a    line 5: Allow: /   (group at line 1, *; ai-train: no by line 2)
disallowed  /private   line 4: Disallow: /private   (group at line 1, *; ai-train: no by line 2)
",
        ),
        (
            "ai-input",
            "\
allowed     /open/a    line 5: Allow: /   (group at line 1, *; ai-input: no by line 3)
disallowed  /private   line 4: Disallow: /private   (group at line 1, *; ai-input: unstated)
",
        ),
    ] {
        let asked = format!("check -r - -a FooBot --purpose {purpose} /open/a /private");
        assert_eq!(verger_on(BODY, &asked).quietly(1), expected);
    }
    let said = verger_on(BODY, "check -r - -a FooBot --purpose search /a");
    assert_eq!(
        said.quietly(0),
        "allowed     /a   line 5: Allow: /   (group at line 1, *; search: yes by line 2)\n"
    );
    let said = verger_on("", "check -r - --purpose search /a");
    let expected = "allowed     /a   no group applies to this crawler   (search: unstated)\n";
    assert_eq!(said.quietly(0), expected);
}

#[test]
fn all_uses_are_in_json_and_in_explanations() {
    let said = verger_on(BODY, "check -r - -a FooBot --json /open/a").quietly(0);
    let preferences = r#""dialect":"rfc9309","preferences":{"search":"yes","ai_input":"no","ai_train":"no","values":[{"line":2,"kind":"content-signal","key":"search","value":"yes"},{"line":2,"kind":"content-signal","key":"ai-train","value":"no"},{"line":2,"kind":"content-signal","key":"use","value":"reference"},{"line":3,"kind":"content-usage","key":"ai-use","value":"n"},{"line":3,"kind":"content-usage","key":"train-ai","value":"y"}]}}"#;
    assert!(said.ends_with(&format!("{preferences}\n")), "{said}");
    let said = verger_on(BODY, "check -r - -a FooBot --explain /open/a").quietly(0);
    let text = "(group at line 1, *; search: yes by line 2, ai-input: no by line 3, ai-train: no by line 2)";
    assert!(said.contains(text), "{said}");
    let said = verger_on("", "check -r - -a FooBot --json --purpose ai-input /a");
    let line = json_lines(&said.quietly(0)).remove(0);
    let expected = serde_json::json!({"ai_input": "unstated", "values": []});
    assert_eq!(line["preferences"], expected);
}

#[test]
fn a_table_and_a_batch_take_no_purpose() {
    for options in ["--matrix", "--format csv"] {
        let asked = format!("check -r - --purpose search {options} /a");
        let said = verger_on(BODY, &asked);
        assert_eq!((said.code, said.stdout.as_str()), (2, ""));
        assert!(said.stderr.contains("--purpose"), "{}", said.stderr);
    }
    let said = verger_on("", "check --batch - --purpose search");
    assert_eq!(said.code, 2);
    let said = verger_on(BODY, "check -r - --purpose train /a");
    assert!(said.stderr.contains("ai-train"), "{}", said.stderr);
}
