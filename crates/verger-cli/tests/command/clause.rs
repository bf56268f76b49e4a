//! The clauses that answers cite.

use crate::verger::verger_on;

#[test]
fn a_clause_is_printed_with_its_place_and_a_choice_with_its_reason() {
    let said = verger_on("", "clause R9309-2.3.1.3-1").quietly(0);
    assert!(
        said.starts_with("R9309-2.3.1.3-1  RFC 9309, 2.3.1.3\n  The file is unavailable"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 2);
    for (id, place) in [
        ("R9309-2.2.2-6", "RFC 9309, 2.2.2  SHOULD\n"),
        ("D00-2.3.1.5-1", "draft-koster-rep-00, 2.3.1.5  SHOULD\n"),
        ("K96-3.4-3", "Koster 1996, 3.4  should\n"),
    ] {
        let said = verger_on("", &format!("clause {id}")).quietly(0);
        assert!(said.starts_with(&format!("{id}  {place}")), "{said}");
    }
    let choice = verger_on("", "clause v-12").quietly(0);
    assert!(choice.starts_with("V-12  Verger's choice 12\n"), "{choice}");
    assert!(choice.contains("\n  Why: "), "{choice}");
}

#[test]
fn a_section_and_all_clauses_are_listed() {
    let section = verger_on("", "clause R9309-2.3.1.3").quietly(0);
    assert_eq!(section.lines().count(), 4);
    let json = verger_on("", "clause --json V-9").quietly(0);
    let start = r#"{"schema":"verger.clause/1","id":"V-9","#;
    assert!(
        json.starts_with(start) && json.lines().count() == 1,
        "{json}"
    );
    let all = verger_on("", "clause").quietly(0);
    assert!(all.contains("\nV-1  "), "{all}");
}

#[test]
fn an_unknown_clause_is_refused_with_the_form_of_ids() {
    let said = verger_on("", "clause R9309-9.9-9").refused();
    assert!(
        said.contains("`R9309-9.9-9`") && said.contains("verger clause"),
        "{said}"
    );
}
