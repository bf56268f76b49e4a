//! The engine agrees with the oracle, in every dialect, with and without lenient lines.
#![no_main]

use libfuzzer_sys::fuzz_target;
use verger_fuzz::{
    question,
    subjects::{LenientTree, Tree},
};
use verger_testkit::oracle::{LenientOracle, Oracle};
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
        let pairs: [(&dyn Subject, &dyn Subject); 2] =
            [(&Tree, &Oracle), (&LenientTree, &LenientOracle)];
        for (asked, of_documents) in pairs {
            let (tree, oracle) = (asked.answer(&question), of_documents.answer(&question));
            assert!(
                tree == oracle || tree.is_err() && oracle.is_err(),
                "{}, {}: tree {tree:?}, oracle {oracle:?}",
                asked.name(),
                dialect.as_str()
            );
        }
    }
});
