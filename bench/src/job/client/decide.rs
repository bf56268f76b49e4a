//! J7, `decide`: a decision about a URL of a known site.

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
use crate::options::{Options, Single};
use crate::race::{Outcome, Pace, median, race};
use crate::sites::{Bodies, Sites};

const INPUTS: [&str; 2] = ["decide-hot", "decide-wide"];

/// Number of hot sites. Their answers fit into the second-level cache.
const HOT: usize = 1000;

const HOT_URLS_EACH: usize = 10;

struct Holders {
    client: Option<VergerClient>,
    policies: Option<PolicyMap>,
    robotxt: Option<RobotxtMap>,
}

pub(crate) fn blocks(
    options: &Options,
    corpus: Option<&Arc<Corpus>>,
) -> Result<Vec<Block>, String> {
    let inputs = INPUTS.iter().filter(|name| options.wants_input(name));
    let inputs: Vec<&str> = inputs.copied().collect();
    let wants = |name: &str| options.wants_engine(name.split('/').next().unwrap_or_default());
    if inputs.is_empty() || !NAMES.into_iter().any(wants) {
        return Ok(Vec::new());
    }
    let sites = sites(options, corpus);
    let holders = Holders::filled(&sites, &options.agent, wants)?;
    let detail = sites.detail();
    let block = |input| block(input, &detail, &urls(&sites, input), &holders, options);
    inputs.into_iter().map(block).collect()
}

/// Makes untimed calls for a profiler.
pub(crate) fn run_one(
    options: &Options,
    corpus: Option<&Arc<Corpus>>,
    single: &Single,
) -> Result<(), String> {
    let (input, engine) = (single.input.as_str(), single.engine.as_str());
    if !INPUTS.contains(&input) {
        return Err(format!("unknown input {input}"));
    }
    let sites = sites(options, corpus);
    let holders = Holders::filled(&sites, &options.agent, |name| engine.starts_with(name))?;
    let urls = urls(&sites, input);
    let mut contestants = holders.contestants(&urls)?;
    let asked = contestants.iter_mut().find(|it| it.label == engine);
    let asked = asked.ok_or_else(|| format!("unknown contestant {engine} of this job"))?;
    asked.run(single.calls);
    Ok(())
}

fn sites(options: &Options, corpus: Option<&Arc<Corpus>>) -> Arc<Sites> {
    let real = corpus.map(|corpus| Bodies::Real(Arc::clone(corpus)));
    Arc::new(Sites {
        count: options.hosts,
        bodies: real.unwrap_or(Bodies::Generated),
    })
}

fn urls(sites: &Sites, input: &str) -> Vec<String> {
    let order = generator::shuffled(sites.count, input);
    if input == INPUTS[0] {
        let hot = &order[..HOT.min(order.len())];
        return sites.urls(hot, HOT_URLS_EACH, input);
    }
    sites.urls(&order, 1, input)
}

impl Holders {
    fn filled(
        sites: &Arc<Sites>,
        agent: &str,
        wants: impl Fn(&str) -> bool,
    ) -> Result<Self, String> {
        let client = || VergerClient::filled(sites, agent, sites.bytes_max());
        let policies = || PolicyMap::filled(sites, agent);
        Ok(Self {
            client: wants(NAMES[0]).then(client).transpose()?,
            policies: wants(NAMES[1]).then(policies).transpose()?,
            robotxt: wants(NAMES[2]).then(|| RobotxtMap::filled(sites, agent)),
        })
    }

    fn contestants<'i>(&'i self, urls: &'i [String]) -> Result<Vec<Contestant<'i>>, String> {
        let mut contestants = Vec::new();
        if let Some(client) = &self.client {
            contestants.push(asking(NAMES[0], client, urls));
            let runtime = Builder::new_current_thread().build();
            let runtime = runtime.map_err(|error| error.to_string())?;
            let mut next = 0;
            let ask_all = move |calls| {
                let allowed = client.allowed_count(&runtime, urls, &mut next, calls);
                allowed.expect("everything is held")
            };
            contestants.push(Contestant::looping("verger-client/async", ask_all));
        }
        if let Some(policies) = &self.policies {
            contestants.push(asking(NAMES[1], policies, urls));
        }
        if let Some(robotxt) = &self.robotxt {
            contestants.push(asking(NAMES[2], robotxt, urls));
        }
        Ok(contestants)
    }

    /// Checks that the client agrees with the policies, and returns the number of URLs for which `robotxt` differs.
    fn compare(&self, urls: &[String]) -> Result<usize, String> {
        let mut differ = 0;
        for url in urls {
            let client = self.client.as_ref().map(|client| client.allowed(url));
            let policy = self.policies.as_ref().map(|policies| policies.allowed(url));
            if client
                .zip(policy)
                .is_some_and(|(client, policy)| client != policy)
            {
                return Err(format!(
                    "verger is not one: {url}: client {client:?}, policy {policy:?}"
                ));
            }
            if client.or(policy) == Some(None) {
                return Err(format!("no answer held about {url}"));
            }
            let robotxt = self.robotxt.as_ref().map(|robotxt| robotxt.allowed(url));
            let pair = client.or(policy).zip(robotxt);
            differ += usize::from(pair.is_some_and(|(ours, theirs)| ours != theirs));
        }
        Ok(differ)
    }
}

fn block(
    input: &str,
    sites: &str,
    urls: &[String],
    holders: &Holders,
    options: &Options,
) -> Result<Block, String> {
    let differ = holders.compare(urls)?;
    let pace = Pace {
        rounds: options.rounds,
        round: options.round,
    };
    let mut contestants = holders.contestants(urls)?;
    let outcomes = race(&mut contestants, pace);
    let raced = contestants.iter().zip(outcomes);
    let mut figures: Vec<Figure> = raced
        .map(|(contestant, outcome)| Figure::of(&contestant.label, outcome))
        .collect();
    if let Some(robotxt) = figures.iter_mut().find(|figure| figure.label == NAMES[2]) {
        let remark = format!("differs about {differ} of {} URLs", urls.len());
        robotxt.remark = (differ > 0).then_some(remark).or(robotxt.remark.take());
    }
    if let Some(client) = &holders.client {
        figures.extend(together(client, urls, options.rounds));
    }
    let each = if input == INPUTS[0] { HOT_URLS_EACH } else { 1 };
    let asked = urls.len() / each;
    Ok(Block {
        job: Job::Client.name(),
        input: input.to_owned(),
        detail: format!(": {sites}; {asked} of them are asked about"),
        reference: NAMES[0],
        bytes_per_call: None,
        rules: None,
        figures,
    })
}

fn asking<'i>(label: &str, holder: &'i impl Holder, urls: &'i [String]) -> Contestant<'i> {
    let urls = urls.iter().map(String::as_str).collect();
    Contestant::new(label, urls, |url| holder.allowed(url) == Some(true))
}

/// One thread, then two, share one client, by wall time. Each checks all URLs, and the figure is the time per
/// decision.
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

/// Returns nanoseconds per decision of all threads.
fn asked_together(client: &VergerClient, urls: &[String], threads: usize) -> f64 {
    // Ten thousand questions take less time than starting a thread.
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
