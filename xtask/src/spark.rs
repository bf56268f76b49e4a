//! `cargo xtask spark`: tests `verger.spark` of `bindings/python` on a Spark from the package index.
//!
//! Needs a Python as for `cargo xtask python`, Java 17 or later, and the packages in `tests/tools.txt`.

use crate::binding::{all_there, install_packages, leave_out, ready_or_installed, run_in};
use crate::case_lines;
use crate::process::words;
use crate::python::{self, PACKAGE};

const NAME: &str = "verger.spark";
const PACKAGES: [&str; 1] = ["openjdk-17-jre-headless"];

/// Builds the wheel and tests it on Spark, or reports that it was skipped.
pub(crate) fn run() -> Result<(), String> {
    let java = || all_there(&["java"]);
    let install = || install_packages(&PACKAGES);
    let pythons = ready_or_installed(java, install).and_then(|()| python::installed());
    let pythons = match pythons {
        Ok(pythons) => pythons,
        Err(why) => return leave_out(NAME, &why),
    };
    let newest = &pythons[pythons.len() - 1];
    // The tools environment already contains Spark, which is large.
    let tools = match python::environment(newest, "tools", "tests/tools.txt") {
        Ok(tools) => tools,
        Err(why) => return leave_out(NAME, &why),
    };
    let wheel = python::wheel(&tools)?;
    case_lines::write_file(PACKAGE)?;
    python::install_wheel(&tools, &wheel)?;
    // Spark leaves sockets open, which is not our fault.
    let options = words("-m pytest --quiet -W default --durations=10 tests/spark");
    run_in(PACKAGE, &python::program(&tools), &options)
}
