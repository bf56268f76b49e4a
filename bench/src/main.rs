//! `verger-bench`: Verger and its peers, interleaved in one process, by thread CPU time.
//!
//! README.md describes what is measured and how. Modules in reading order: `options`. Inputs: `input`, `generator`,
//! `input_set`, `corpus`, `sites`. Engines: `contestant`, `engine`. Stores: `keeper`. Clients: `holder`,
//! `site_transport`, `forgetful_store`. Server: `loopback_server`. Measurement: `clock`, `heap`, `race`, `probe`,
//! `scratch_folder`. Runs: `agreement`, `job`, `figure`, `report`, `session`.

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
