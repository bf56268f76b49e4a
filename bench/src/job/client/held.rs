//! J7, `held`: memory of a process with answers about many sites. Each holder runs in a process of its own, which
//! measures its resident set before and after.

use std::fs;
use std::sync::Arc;

use crate::corpus::Corpus;
use crate::figure::{Block, Figure};
use crate::holder::{self, Holder, NAMES, VergerClient};
use crate::job::Job;
use crate::options::{Options, Single};
use crate::probe;
use crate::site_transport::Head;
use crate::sites::{Bodies, Sites};

pub(super) const INPUTS: [&str; 5] = [
    "held",
    "held-corpus",
    "held-full",
    "held-default",
    "held-hostile",
];

/// Memory limit of a client for `held-hostile`, in bytes.
const HOSTILE_BYTES_MAX: u64 = 12 << 20;

/// Header fields before each body in that input.
const HOSTILE_HEAD: Head = Head::Junk {
    fields: 60,
    bytes: 1000,
};

/// Memory limit per site for a full client, in bytes. It fits about a quarter of the sites.
const FULL_BYTES_A_SITE: u64 = 256;

/// Number of sites queried before memory is measured.
const WARM_UP: usize = 1000;

struct Seen {
    resident: u64,
    told: Option<u64>,
    sites: u64,
    detail: String,
}

pub(crate) fn blocks(options: &Options) -> Result<Vec<Block>, String> {
    let has_bodies = |name: &str| name != INPUTS[1] || options.corpus.is_some();
    let inputs = INPUTS.into_iter();
    let inputs = inputs.filter(|name| options.wants_input(name) && has_bodies(name));
    inputs.map(|input| block(input, options)).collect()
}

fn block(input: &str, options: &Options) -> Result<Block, String> {
    let most = most(input, options);
    let is_full = most.is_some();
    let is_client = is_full || input == INPUTS[3];
    let names = NAMES.iter().filter(|name| {
        let engine = name.split('/').next().unwrap_or_default();
        options.wants_engine(engine) && (!is_client || **name == NAMES[0])
    });
    let mut figures = Vec::new();
    let mut detail = String::new();
    for name in names {
        let seen = asked(input, name, options)?;
        let each = |bytes: u64| {
            if is_full {
                bytes
            } else {
                bytes / seen.sites.max(1)
            }
        };
        let figure = |label: String, bytes| Figure {
            label,
            bytes: Some(bytes),
            ..Figure::default()
        };
        let mut resident = figure((*name).to_owned(), each(seen.resident));
        if !is_full && seen.sites < options.hosts as u64 {
            resident.remark = Some(format!("holds {} sites only", seen.sites));
        }
        figures.push(resident);
        if let Some(told) = seen.told {
            figures.push(figure(format!("{name}/told"), each(told)));
        }
        if let Some(most) = most {
            figures.push(figure(format!("{name}/most"), most));
        }
        detail = seen.detail;
    }
    let what = if is_full {
        "bytes of the whole"
    } else {
        "bytes a host"
    };
    Ok(Block {
        job: Job::Client.name(),
        input: input.to_owned(),
        detail: format!(": {detail}: {what}, by the resident set"),
        reference: NAMES[0],
        bytes_per_call: None,
        rules: None,
        figures,
    })
}

/// Returns the memory limit of the client, for the rows that report it.
fn most(input: &str, options: &Options) -> Option<u64> {
    match input {
        "held-full" => Some(full_bytes(options)),
        "held-hostile" => Some(HOSTILE_BYTES_MAX * 3 / 2 + (64 << 20)),
        _ => None,
    }
}

fn full_bytes(options: &Options) -> u64 {
    FULL_BYTES_A_SITE * options.hosts as u64
}

fn asked(input: &str, name: &str, options: &Options) -> Result<Seen, String> {
    let mut arguments = vec![format!("--hosts={}", options.hosts)];
    if let Some(corpus) = options.corpus.as_ref().filter(|_| input == INPUTS[1]) {
        arguments.push(format!("--corpus={}", corpus.display()));
    }
    let one = format!("{}:{input}:{name}:{}", Job::Client.name(), options.hosts);
    let line = probe::said(options, &arguments, &one)?;
    let seen: serde_json::Value = serde_json::from_str(&line)
        .map_err(|error| format!("unexpected output of --one {one}: {error}: {line}"))?;
    let number = |key: &str| seen[key].as_u64();
    Ok(Seen {
        resident: number("resident").unwrap_or_default(),
        told: number("told"),
        sites: number("sites").unwrap_or_default(),
        detail: seen["detail"].as_str().unwrap_or_default().to_owned(),
    })
}

/// The work of the child process, which prints its measurements as one line of JSON.
pub(crate) fn run_one(
    options: &Options,
    corpus: Option<&Arc<Corpus>>,
    single: &Single,
) -> Result<(), String> {
    let sites = |count| {
        let bodies = match (single.input.as_str(), corpus) {
            ("held" | "held-full" | "held-default" | "held-hostile", _) => Bodies::Generated,
            ("held-corpus", Some(corpus)) => Bodies::Real(Arc::clone(corpus)),
            (input, _) => return Err(format!("unknown input {input}, or missing --corpus")),
        };
        Ok(Arc::new(Sites { count, bodies }))
    };
    let agent = &options.agent;
    let fill = |sites: &Arc<Sites>| {
        let whole = |head, bytes_max| {
            let client = VergerClient::whole(sites, agent, head, bytes_max);
            client.map(|client| Box::new(client) as Box<dyn Holder>)
        };
        match single.input.as_str() {
            "held-default" => return whole(Head::Usual, None),
            "held-hostile" => return whole(HOSTILE_HEAD, Some(HOSTILE_BYTES_MAX)),
            _ => {}
        }
        let bytes_max = if single.input == INPUTS[2] {
            full_bytes(options)
        } else {
            sites.bytes_max()
        };
        holder::filled(&single.engine, sites, agent, bytes_max)
    };
    let count = usize::try_from(single.calls).map_err(|error| error.to_string())?;
    let sites_held = sites(count)?;
    let detail = sites_held.detail();
    // Allocates threads, runtime tables and the like before the first measurement.
    drop(fill(&sites(WARM_UP)?)?);
    let before = resident()?;
    let holder = fill(&sites_held)?;
    let resident = if single.input == INPUTS[4] {
        resident_at_most()?
    } else {
        resident()?.saturating_sub(before)
    };
    let seen = serde_json::json!({
        "resident": resident,
        "told": holder.bytes_told(),
        "sites": holder.sites(),
        "detail": detail,
    });
    println!("{seen}");
    Ok(())
}

/// Returns the peak resident set of this process in bytes.
fn resident_at_most() -> Result<u64, String> {
    let path = "/proc/self/status";
    let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    let number = number.ok_or_else(|| format!("unexpected content of {path}: {text}"))?;
    Ok(number << 10)
}

fn resident() -> Result<u64, String> {
    let path = "/proc/self/statm";
    let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let pages = text
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse::<u64>().ok());
    let pages = pages.ok_or_else(|| format!("unexpected content of {path}: {text}"))?;
    Ok(pages * rustix::param::page_size() as u64)
}
