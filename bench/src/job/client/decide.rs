//! J7, `decide`: a URL to a decision, of a site that was asked before.

use std::sync::Arc;
use std::thread;
use std::time::Instant;

use tokio::runtime::Builder;

use crate::contestant::Contestant;
use crate::corpus::Corpus;
use crate::figure::{Block, Figure};
use crate::generator;
use crate::holder::{Holder, NAMES, PolicyMap, RobotxtMap, VergerClient};
use crate::job::Job;
use crate::options::Options;
use crate::race::{Outcome, Pace, median, race};
use crate::sites::{Bodies, Sites};

const INPUTS: [&str; 2] = ["decide-hot", "decide-wide"];

/// How many sites are hot; what is held about them fits into a processor's second cache.
const HOT: usize = 1000;

/// How many URLs of each of them are asked about.
const HOT_URLS_EACH: usize = 10;

/// Everyone that is asked, with answers about all sites.
struct Holders {
    client: VergerClient,
    policies: PolicyMap,
    robotxt: Option<RobotxtMap>,
}

/// A block for each input that is wanted.
pub(crate) fn blocks(
    options: &Options,
    corpus: Option<&Arc<Corpus>>,
) -> Result<Vec<Block>, String> {
    let inputs = INPUTS.iter().filter(|name| options.wants_input(name));
    let inputs: Vec<&str> = inputs.copied().collect();
    if inputs.is_empty() || !wants_any(options) {
        return Ok(Vec::new());
    }
    let sites = Arc::new(Sites {
        count: options.hosts,
        bodies: corpus.map_or(Bodies::Generated, |corpus| Bodies::Real(Arc::clone(corpus))),
    });
    let robotxt = options.wants_engine("robotxt");
    let holders = Holders {
        client: VergerClient::filled(&sites, &options.agent, sites.octets_max())?,
        policies: PolicyMap::filled(&sites, &options.agent)?,
        robotxt: robotxt.then(|| RobotxtMap::filled(&sites, &options.agent)),
    };
    let detail = sites.detail();
    let block = |input| block(input, &detail, &urls(&sites, input), &holders, options);
    inputs.into_iter().map(block).collect()
}

fn wants_any(options: &Options) -> bool {
    let mut engines = NAMES.iter().filter_map(|name| name.split('/').next());
    engines.any(|engine| options.wants_engine(engine))
}

fn urls(sites: &Sites, input: &str) -> Vec<String> {
    let order = generator::shuffled(sites.count, input);
    if input == INPUTS[0] {
        let hot = &order[..HOT.min(order.len())];
        return sites.urls(hot, HOT_URLS_EACH, input);
    }
    sites.urls(&order, 1, input)
}

fn block(
    input: &str,
    sites: &str,
    urls: &[String],
    holders: &Holders,
    options: &Options,
) -> Result<Block, String> {
    let differ = compare(holders, urls)?;
    let runtime = Builder::new_current_thread().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let client = &holders.client;
    let mut contestants = Vec::new();
    if options.wants_engine("verger-client") {
        contestants.push(asking(NAMES[0], client, urls));
        let mut next = 0;
        let ask_all = move |calls| {
            let allowed = client.allowed_count(&runtime, urls, &mut next, calls);
            allowed.expect("everything is held")
        };
        contestants.push(Contestant::looping("verger-client/async", ask_all));
    }
    if options.wants_engine("verger") {
        contestants.push(asking(NAMES[1], &holders.policies, urls));
    }
    if let Some(robotxt) = &holders.robotxt {
        contestants.push(asking(NAMES[2], robotxt, urls));
    }
    let pace = Pace {
        rounds: options.rounds,
        round: options.round,
    };
    let outcomes = race(&mut contestants, pace);
    let figures = contestants
        .iter()
        .zip(outcomes)
        .map(|(contestant, outcome)| {
            let is_robotxt = contestant.label == NAMES[2];
            let remark = format!("differs in {differ} of {}", urls.len());
            let figure = Figure::of(&contestant.label, outcome);
            Figure {
                remark: (is_robotxt && differ > 0)
                    .then_some(remark)
                    .or(figure.remark),
                ..figure
            }
        });
    let mut figures: Vec<Figure> = figures.collect();
    if options.wants_engine("verger-client") {
        figures.extend(together(client, urls, options.rounds));
    }
    let asked = if input == INPUTS[0] { HOT } else { urls.len() };
    Ok(Block {
        job: Job::Client.name(),
        input: input.to_owned(),
        detail: format!(": {sites}; {asked} of them are asked about"),
        reference: NAMES[0],
        octets_per_call: None,
        rules: None,
        figures,
    })
}

fn asking<'i>(label: &str, holder: &'i impl Holder, urls: &'i [String]) -> Contestant<'i> {
    let urls = urls.iter().map(String::as_str).collect();
    Contestant::new(label, urls, |url| holder.allowed(url) == Some(true))
}

/// Has the client answer as its policies do, and says for how many URLs `robotxt` differs.
fn compare(holders: &Holders, urls: &[String]) -> Result<usize, String> {
    let mut differ = 0;
    for url in urls {
        let (client, policy) = (holders.client.allowed(url), holders.policies.allowed(url));
        if client != policy || client.is_none() {
            return Err(format!(
                "verger is not one: {url}: client {client:?}, policy {policy:?}"
            ));
        }
        let robotxt = holders.robotxt.as_ref();
        differ += usize::from(robotxt.is_some_and(|robotxt| robotxt.allowed(url) != client));
    }
    Ok(differ)
}

/// One thread, then two, that ask one client, by the clock on the wall: each asks all URLs, and a
/// decision's share of the time is told.
fn together(client: &VergerClient, urls: &[String], rounds: usize) -> Vec<Figure> {
    let threads = [
        (1, "verger-client/1-thread"),
        (2, "verger-client/2-threads"),
    ];
    let mut spans = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        for ((count, _), spans) in threads.into_iter().zip(&mut spans) {
            spans.push(asked_together(client, urls, count));
        }
    }
    let figure = |((_, label), spans)| Figure {
        remark: Some("by the clock on the wall".to_owned()),
        ..Figure::of(label, Outcome::Nanoseconds(median(spans)))
    };
    threads.into_iter().zip(spans).map(figure).collect()
}

/// Nanoseconds by decision of all threads.
fn asked_together(client: &VergerClient, urls: &[String], threads: usize) -> f64 {
    // Ten thousand questions take less time than a thread takes to begin.
    let turns = 200_000_usize.div_ceil(urls.len());
    let start = Instant::now();
    thread::scope(|scope| {
        for nth in 0..threads {
            let (before, after) = urls.split_at(urls.len() * nth / threads);
            scope.spawn(move || {
                for _ in 0..turns {
                    let urls = after.iter().chain(before);
                    let allowed = urls.filter(|url| client.allowed(url) == Some(true));
                    std::hint::black_box(allowed.count());
                }
            });
        }
    });
    #[allow(clippy::cast_precision_loss)]
    let decisions = (urls.len() * turns * threads) as f64;
    start.elapsed().as_secs_f64() * 1e9 / decisions
}
