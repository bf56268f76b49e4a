//! `vergerd`: settings, logs, signals, and the server.

use std::error::Error;
use std::process::ExitCode;

use clap::Parser as _;
use tracing_subscriber::EnvFilter;
use vergerd::{Given, Server, Settings};

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
    let prints = given.print_config;
    let settings = given.with_file()?.settings();
    if prints {
        print!("{}", toml::to_string(&settings)?);
        return Ok(());
    }
    tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_env_filter(EnvFilter::try_new(&settings.log)?)
        .with_writer(std::io::stderr)
        .init();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(serve(settings))
}

async fn serve(settings: Settings) -> Result<(), Box<dyn Error>> {
    let server = Server::new(settings)?;
    let listeners = server.listeners().await?;
    for listener in &listeners {
        tracing::info!(address = %listener.local_addr()?, "listening");
    }
    let asked_to_end = vergerd::asked_to_end()?;
    let stop = async move {
        asked_to_end.await;
        tracing::info!("shutting down: finishing accepted requests");
    };
    server.serve(listeners, stop).await;
    Ok(())
}
