//! The access profiles.

use verger_access::Profile;

use crate::verger::verger_on;

#[test]
fn profiles_stand_side_by_side() {
    let said = verger_on("", "profiles").quietly(0);
    let head = said.lines().next().unwrap();
    for name in Profile::ALL.iter().map(|it| &it.name) {
        assert!(head.contains(&format!("| {name} ")), "{head}");
    }
    let two = verger_on("", "profiles cautious rfc9309").quietly(0);
    let row = two
        .lines()
        .find(|line| line.starts_with("| 401, 403"))
        .unwrap();
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    assert_eq!(cells[2..4], ["closed", "open"]);
}

#[test]
fn a_single_profile_is_told_with_its_clauses() {
    let said = verger_on("", "profiles rfc9309").quietly(0);
    let row = said
        .lines()
        .find(|line| line.starts_with("| 5xx "))
        .unwrap();
    assert!(
        row.contains("unreachable") && row.contains("RFC 9309, 2.3.1.4"),
        "{row}"
    );
}

#[test]
fn an_unknown_profile_is_refused_with_those_there_are() {
    let said = verger_on("", "profiles rfc9390").refused();
    assert!(
        said.contains("rfc9390") && said.contains("rfc9309"),
        "{said}"
    );
}

#[test]
fn json_has_every_choice_with_its_clause() {
    let said = verger_on("", "profiles --json").quietly(0);
    let names: Vec<String> = said
        .lines()
        .map(|line| parsed(line)["name"].to_string())
        .collect();
    assert_eq!(names.len(), 6);
    let said = verger_on("", "profiles --json koster1996 rfc9309").quietly(0);
    let start =
        r#"{"schema":"verger.profile/1","name":"koster1996","dialect":"koster1996","choices":["#;
    assert!(said.starts_with(start), "{said}");
}

fn parsed(line: &str) -> serde_json::Value {
    serde_json::from_str(line).unwrap()
}
