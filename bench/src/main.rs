//! `verger-bench`: Verger and its peers, interleaved in one process, by thread CPU time.
//!
//! README.md says what is measured and how. In reading order: `options`; what is asked: `input`,
//! `generator`, `input_set`, `corpus`, `sites`; who is asked: `contestant`, `engine`; who keeps:
//! `keeper`; who holds answers, over what: `holder`, `site_transport`, `forgetful_store`; who is
//! fetched from: `loopback_server`; how it is measured: `clock`, `heap`, `race`, `probe`,
//! `scratch_folder`; what is done with it: `agreement`, `job`, `figure`, `report`, `session`.

mod agreement;
mod clock;
mod contestant;
mod corpus;
mod engine;
mod figure;
#[cfg(feature = "client")]
mod forgetful_store;
mod generator;
mod heap;
#[cfg(feature = "client")]
mod holder;
mod input;
mod input_set;
mod job;
#[cfg(feature = "store")]
mod keeper;
#[cfg(feature = "client")]
mod loopback_server;
mod options;
mod peer;
mod probe;
mod race;
mod report;
#[cfg(feature = "store")]
mod scratch_folder;
mod session;
#[cfg(feature = "client")]
mod site_transport;
#[cfg(feature = "client")]
mod sites;

use std::process::ExitCode;

use options::{Options, Task};
use session::Session;

#[global_allocator]
static HEAP: heap::CountingAllocator = heap::CountingAllocator;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("verger-bench: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let options = Options::from_arguments()?;
    match &options.task {
        Task::Help => {
            print!("{}", options::HELP);
            Ok(())
        }
        Task::WriteInputs(directory) => input_set::write(directory, options.urls),
        Task::One(single) => Session::new(&options)?.run_one(single),
        Task::Measure => Session::new(&options)?.measure(),
    }
}
