//! `vergerd`: settings, logs, signals, and the server.

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser as _;
use tracing_subscriber::EnvFilter;
use vergerd::{Given, Mode, Server, Settings};

fn main() -> ExitCode {
    match run(Given::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("vergerd: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(given: Given) -> Result<(), Box<dyn Error>> {
    if given.print_openapi {
        print!("{}", vergerd::openapi());
        return Ok(());
    }
    let settings = given.clone().with_file()?.settings();
    if given.print_config {
        print!("{}", toml::to_string(&settings)?);
        return Ok(());
    }
    tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_env_filter(EnvFilter::try_new(&settings.log)?)
        .with_writer(std::io::stderr)
        .init();
    let runtime = tokio::runtime::Runtime::new()?;
    let served = match given.mode {
        Some(Mode::Mcp) => runtime.block_on(async { Server::new(settings)?.serve_mcp().await }),
        None => runtime.block_on(serve(given, settings)),
    };
    // Threads that wait for a disk, a database or standard input do not keep the process.
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

async fn serve(given: Given, settings: Settings) -> Result<(), Box<dyn Error>> {
    let asked_to_end = vergerd::asked_to_end()?;
    let mut asked_to_reload = vergerd::asked_to_reload()?;
    let server = Server::new(settings)?;
    let listeners = server.listeners().await?;
    let reloaded = server.clone();
    let reloading = async {
        loop {
            asked_to_reload().await;
            match reloaded.reload(&given) {
                Ok(()) => tracing::info!("reloaded tokens, sites and overrides"),
                Err(error) => tracing::error!(%error, "cannot reload some settings"),
            }
        }
    };
    tokio::select! {
        () = server.serve(listeners, asked_to_end) => {}
        () = reloading => {}
    }
    Ok(())
}
