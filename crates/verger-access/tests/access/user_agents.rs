//! Warnings about the `User-Agent` that a crawler sends.

use verger::{Crawler, Dialect};
use verger_access::{Warning, user_agent_warnings};

use crate::scenarios::corpus;

#[test]
fn every_user_agent_of_the_test_data_has_its_warnings() {
    for it in &corpus().user_agents {
        let tokens = it.tokens.iter().map(String::as_str);
        let crawler = Crawler::named_in_order(tokens, Dialect::Google).unwrap();
        let warnings = user_agent_warnings(&crawler, &it.sent);
        let names: Vec<&str> = warnings.iter().map(Warning::as_str).collect();
        assert_eq!(names, it.warnings, "{}", it.id);
    }
}
