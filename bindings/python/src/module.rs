//! The module that Python imports.

use pyo3::prelude::*;

/// `verger._verger`. It has no state that needs the global lock.
#[pymodule(gil_used = false)]
#[pyo3(name = "_verger")]
mod extension {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::access::access_policy::AccessPolicy;
    #[pymodule_export]
    use crate::access::answer::{Answer, answer_of_parts};
    #[pymodule_export]
    use crate::access::asked::authority;
    #[pymodule_export]
    use crate::access::client::{ClientCore, Question, Task};
    #[pymodule_export]
    use crate::access::decision::{Decision, decision_of_parts};
    #[pymodule_export]
    use crate::access::fetch::Fetch;
    #[pymodule_export]
    use crate::access::headers::decoded;
    #[pymodule_export]
    use crate::access::knowledge::{Knowledge, knowledge_of_parts};
    #[pymodule_export]
    use crate::access::runtime::Runtime;
    #[pymodule_export]
    use crate::access::session::LoopSession;
    #[pymodule_export]
    use crate::access::store::{Lease, Store};
    #[pymodule_export]
    use crate::columns::captures::{Captures, captures_of};
    #[pymodule_export]
    use crate::columns::output::Columns;
    #[pymodule_export]
    use crate::columns::rulebook::{Rulebook, authority_column, class_column};
    #[pymodule_export]
    use crate::command::run_command;
    #[pymodule_export]
    use crate::guard::panic_now;
    #[pymodule_export]
    use crate::known_crawler::{Crawler, crawlers};
    #[pymodule_export]
    use crate::owner::{diff_json, lint_json, page_json, parse_json, who_json};
    #[pymodule_export]
    use crate::pacing::{Pacing, pacing_of_parts};
    #[pymodule_export]
    use crate::product_token::ProductToken;
    #[pymodule_export]
    use crate::question::{allowed, verdict};
    #[pymodule_export]
    use crate::robots_txt::parse;
    #[pymodule_export]
    use crate::verdict::{Verdict, restored};
    #[pymodule_export]
    use crate::wrapped::{Policy, RobotsTxt};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let encoded = verger_client::encoded_bytes_max(verger_access::BODY_BYTES_WANTED);
        module.add("_ENCODED_BYTES_MAX", encoded)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
