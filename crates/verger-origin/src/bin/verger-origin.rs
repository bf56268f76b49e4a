//! `verger-origin`: a server for testing crawlers.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;

use clap::Parser;
use verger_origin::{Origin, OriginSettings, listing, planned_listing};

/// Serve robots.txt in every way a server can go wrong, each on its own port, until interrupted.
/// The server is hostile by design: bind it to loopback or to your own network.
#[derive(Parser)]
#[command(name = "verger-origin", version)]
struct CommandLine {
    /// Port of the first behaviour. The others follow.
    #[arg(long, value_name = "BASE", default_value_t = 8600)]
    port: u16,
    /// Address to listen on.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    host: IpAddr,
    /// Host in URLs and certificates [default: the address].
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Another name of the same host, for redirects across hosts.
    #[arg(long, value_name = "NAME", default_value = "localhost")]
    other_name: String,
    /// Write the root certificate to this file as PEM, for a crawler to trust.
    #[arg(long, value_name = "FILE")]
    root_certificate: Option<PathBuf>,
    /// List the behaviours and exit.
    #[arg(long)]
    list: bool,
}

fn main() -> ExitCode {
    match run(CommandLine::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the listing may have closed its pipe.
        Err(error) if is_broken_pipe(error.as_ref()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("verger-origin: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command_line: CommandLine) -> Result<(), Box<dyn Error>> {
    let settings = OriginSettings {
        address: command_line.host,
        first_port: Some(command_line.port),
        host: command_line
            .name
            .unwrap_or_else(|| command_line.host.to_string()),
        other_host: command_line.other_name,
        ..OriginSettings::loopback()
    };
    let mut output = io::stdout();
    if command_line.list {
        output.write_all(planned_listing(&settings)?.as_bytes())?;
        return Ok(output.flush()?);
    }
    let origin = Origin::start_with(settings)?;
    if let Some(path) = command_line.root_certificate {
        fs::write(path, origin.root_certificate_pem())?;
    }
    output.write_all(listing(&origin).as_bytes())?;
    output.flush()?;
    // The origin runs in its own threads.
    loop {
        thread::park();
    }
}

fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
