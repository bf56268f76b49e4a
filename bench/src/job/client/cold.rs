//! J7, `cold`: the first decision about a site whose robots.txt the transport returns immediately, which is the
//! client's cost without the network. Each real file is used once, in random order. Measures the CPU time of the only
//! thread.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Builder;
use verger::{Crawler, Dialect, Policy, TargetPath};

use crate::clock::CpuInstant;
use crate::corpus::Corpus;
use crate::figure::{Block, Figure};
use crate::generator;
use crate::holder::VergerClient;
use crate::job::Job;
use crate::options::Options;
use crate::race::{Outcome, median};
use crate::sites::{Bodies, Sites};

const INPUT: &str = "cold";

/// The client, and parsing the same bodies without a client, with the transport's copy.
const NAMES: [&str; 2] = ["verger-client", "verger"];

pub(crate) fn blocks(
    options: &Options,
    corpus: Option<&Arc<Corpus>>,
) -> Result<Vec<Block>, String> {
    let names: Vec<&str> = NAMES
        .into_iter()
        .filter(|name| options.wants_engine(name))
        .collect();
    let Some(corpus) = corpus.filter(|_| options.wants_input(INPUT) && !names.is_empty()) else {
        return Ok(Vec::new());
    };
    let sites = Arc::new(Sites {
        count: corpus.files().len(),
        bodies: Bodies::Real(Arc::clone(corpus)),
    });
    let order = generator::shuffled(sites.count, INPUT);
    let urls: Vec<(usize, String)> = order
        .into_iter()
        .flat_map(|number| {
            let urls = sites.urls(&[number], 1, INPUT);
            urls.into_iter().map(move |url| (number, url))
        })
        .collect();
    let mut spans = vec![Vec::new(); names.len()];
    let mut allowed = Vec::new();
    for _ in 0..options.rounds {
        for (name, spans) in names.iter().zip(&mut spans) {
            let (span, count) = if *name == NAMES[0] {
                with_client(&sites, &options.agent, &urls)?
            } else {
                without_client(&sites, &options.agent, &urls)?
            };
            #[allow(clippy::cast_precision_loss)]
            spans.push(span.as_secs_f64() * 1e9 / urls.len().max(1) as f64);
            allowed.push(count);
        }
    }
    if allowed.iter().any(|count| *count != allowed[0]) {
        return Err(format!("verger is not one: {allowed:?} URLs are allowed"));
    }
    let figure = |(name, spans)| Figure::of(name, Outcome::Nanoseconds(median(spans)));
    Ok(vec![Block {
        job: Job::Client.name(),
        input: INPUT.to_owned(),
        detail: format!(": {}, each asked about once", sites.detail()),
        reference: NAMES[0],
        bytes_per_call: None,
        rules: None,
        figures: names.into_iter().zip(spans).map(figure).collect(),
    }])
}

/// Returns the CPU time of a new client for all URLs, and the number of allowed URLs.
fn with_client(
    sites: &Arc<Sites>,
    agent: &str,
    urls: &[(usize, String)],
) -> Result<(Duration, u64), String> {
    let client = VergerClient::empty(sites, agent, sites.bytes_max())?;
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let urls: Vec<String> = urls.iter().map(|(_, url)| url.clone()).collect();
    let start = CpuInstant::now();
    let allowed = client.allowed_count(&runtime, &urls, &mut 0, urls.len() as u64);
    let span = start.elapsed();
    Ok((span, allowed.map_err(|error| error.to_string())?))
}

/// The same with a new policy for each file.
fn without_client(
    sites: &Sites,
    agent: &str,
    urls: &[(usize, String)],
) -> Result<(Duration, u64), String> {
    let crawler = Crawler::named(agent, Dialect::Rfc9309).map_err(|error| error.to_string())?;
    let start = CpuInstant::now();
    let mut allowed = 0;
    for (number, url) in urls {
        let body = black_box(sites.body(*number).into_owned());
        let policy = Policy::read(&body, &crawler, Dialect::Rfc9309);
        let target = TargetPath::new(url, Dialect::Rfc9309).map_err(|error| error.to_string())?;
        allowed += u64::from(policy.decide(&target).is_allowed());
    }
    Ok((start.elapsed(), allowed))
}
