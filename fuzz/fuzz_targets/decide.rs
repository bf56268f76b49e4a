//! The tree answers as the oracle does, in every dialect.
#![no_main]

use libfuzzer_sys::fuzz_target;
use verger_fuzz::{question, subjects::Tree};
use verger_testkit::oracle::Oracle;
use verger_testkit::subject::{DialectName, Question, Subject};

fuzz_target!(|input: &[u8]| {
    let (robots, name, url) = question(input);
    let agents = [name];
    for dialect in DialectName::ALL {
        let question = Question {
            dialect,
            robots,
            agents: &agents,
            url,
        };
        let (tree, oracle) = (Tree.answer(&question), Oracle.answer(&question));
        assert!(
            tree == oracle || tree.is_err() && oracle.is_err(),
            "{}: tree {tree:?}, oracle {oracle:?}",
            dialect.as_str()
        );
    }
});
