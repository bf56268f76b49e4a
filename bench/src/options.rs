//! Command-line options.

use std::path::PathBuf;
use std::time::Duration;

use lexopt::prelude::{Long, Short, ValueExt};

use crate::job::Job;
use crate::peer::Peer;

pub(crate) const HELP: &str = "\
verger-bench: Verger and its peers, interleaved in one process, by thread CPU time

  --job LIST          of J1,J1c,J2,J3,J4,J5,J6,J7,J8,J9 (default: all; J1c and J9 need --corpus)
  --engine LIST       only these engines, by name before any '/' (default: all)
  --input LIST        only these inputs (default: all of each job)
  --inputs DIR        read NAME.txt and NAME.urls instead of generating them
  --corpus DIR        real files: corpus.tar.zst, or *.txt, in DIR or DIR/corpus
  --peer NAME=PATH    another engine, as a shared library (see README.md). May be repeated
  --agent NAME        product token of the crawler (default: ExampleBot)
  --rounds N          number of rounds, whose median is reported (default: 7)
  --round-ms N        CPU time of one engine in one round (default: 35)
  --urls N            URLs per generated input, snapshots in a store, and fetches of a client
                      (default: 10000)
  --authorities LIST  numbers of authorities at which a growing store is measured, such as
                      10k,100k,1m (default: 1k,10k)
  --hosts N           number of hosts in a client (default: 100000)
  --patience SECONDS  time limit of a peer for one hostile call (default: 5)
  --quick             a smoke test: 3 rounds of 4 ms, 1000 URLs and hosts, 1 second of patience
  --json              print one line of JSON per figure instead of tables
  --one JOB:INPUT:ENGINE:COUNT   make COUNT calls without measuring.
                      INPUT of J9 is NAME/QUESTIONS
  --write-inputs DIR  write the generated inputs and stop
";

const WITH_VALUE: [&str; 15] = [
    "authorities",
    "job",
    "engine",
    "input",
    "inputs",
    "corpus",
    "peer",
    "agent",
    "rounds",
    "round-ms",
    "urls",
    "hosts",
    "patience",
    "one",
    "write-inputs",
];

pub(crate) enum Task {
    Help,
    Measure,
    One(Single),
    WriteInputs(PathBuf),
}

/// `JOB:INPUT:ENGINE:COUNT`: calls of one engine, for a profiler.
pub(crate) struct Single {
    pub(crate) job: Job,
    pub(crate) input: String,
    pub(crate) engine: String,
    pub(crate) calls: u64,
}

pub(crate) struct Options {
    pub(crate) task: Task,
    pub(crate) jobs: Vec<Job>,
    /// Empty for all.
    pub(crate) engines: Vec<String>,
    /// Empty for all.
    pub(crate) inputs: Vec<String>,
    pub(crate) inputs_directory: Option<PathBuf>,
    pub(crate) corpus: Option<PathBuf>,
    pub(crate) peers: Vec<Peer>,
    pub(crate) agent: String,
    pub(crate) rounds: usize,
    pub(crate) round: Duration,
    pub(crate) urls: usize,
    pub(crate) hosts: usize,
    /// Numbers of authorities at which a store is measured.
    pub(crate) authorities: Vec<usize>,
    pub(crate) patience: Duration,
    pub(crate) json: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            task: Task::Measure,
            jobs: Job::ALL.to_vec(),
            engines: Vec::new(),
            inputs: Vec::new(),
            inputs_directory: None,
            corpus: None,
            peers: Vec::new(),
            agent: "ExampleBot".to_owned(),
            rounds: 7,
            round: Duration::from_millis(35),
            urls: 10_000,
            hosts: 100_000,
            authorities: vec![1000, 10_000],
            patience: Duration::from_secs(5),
            json: false,
        }
    }
}

impl Options {
    pub(crate) fn from_arguments() -> Result<Self, String> {
        let mut options = Self::default();
        let mut parser = lexopt::Parser::from_env();
        while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
            let name = match argument {
                Long(name) => name.to_owned(),
                Short('h') => "help".to_owned(),
                other => return Err(format!("{}: see --help", other.unexpected())),
            };
            options.take(&name, &mut parser)?;
        }
        Ok(options)
    }

    fn take(&mut self, name: &str, parser: &mut lexopt::Parser) -> Result<(), String> {
        match name {
            "help" => self.task = Task::Help,
            "quick" => self.quicken(),
            "json" => self.json = true,
            _ if !WITH_VALUE.contains(&name) => {
                return Err(format!("unknown option --{name}: see --help"));
            }
            _ => {
                let value = parser.value().and_then(ValueExt::string);
                self.set(name, &value.map_err(|error| error.to_string())?)?;
            }
        }
        Ok(())
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "job" => self.jobs = list(value).map(Job::named).collect::<Result<_, _>>()?,
            "engine" => self.engines = list(value).map(str::to_owned).collect(),
            "input" => self.inputs = list(value).map(str::to_owned).collect(),
            "inputs" => self.inputs_directory = Some(value.into()),
            "corpus" => self.corpus = Some(value.into()),
            "peer" => self.peers.push(Peer::stated(value)?),
            "agent" => value.clone_into(&mut self.agent),
            "rounds" => self.rounds = number(name, value)?,
            "round-ms" => self.round = Duration::from_millis(number(name, value)?),
            "urls" => self.urls = number(name, value)?,
            "hosts" => self.hosts = number(name, value)?,
            "authorities" => {
                self.authorities = list(value).map(count).collect::<Result<_, _>>()?;
            }
            "patience" => self.patience = Duration::from_secs(number(name, value)?),
            "one" => self.task = Task::One(Single::stated(value)?),
            "write-inputs" => self.task = Task::WriteInputs(value.into()),
            _ => return Err(format!("--{name} takes no value")),
        }
        Ok(())
    }

    fn quicken(&mut self) {
        self.rounds = 3;
        self.round = Duration::from_millis(4);
        self.urls = 1000;
        self.hosts = 1000;
        self.authorities = vec![100, 1000];
        self.patience = Duration::from_secs(1);
    }

    pub(crate) fn wants_engine(&self, name: &str) -> bool {
        self.engines.is_empty() || self.engines.iter().any(|wanted| wanted == name)
    }

    pub(crate) fn wants_input(&self, name: &str) -> bool {
        self.inputs.is_empty() || self.inputs.iter().any(|wanted| wanted == name)
    }

    /// Returns the options with which a child process sees the same inputs and engines.
    pub(crate) fn for_child(&self) -> Vec<String> {
        let mut arguments = vec![
            format!("--agent={}", self.agent),
            format!("--urls={}", self.urls),
        ];
        if let Some(directory) = &self.inputs_directory {
            arguments.push(format!("--inputs={}", directory.display()));
        }
        let peers = self.peers.iter();
        arguments.extend(peers.map(|peer| format!("--peer={}={}", peer.name, peer.path.display())));
        arguments
    }
}

impl Single {
    fn stated(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split(':').collect();
        let [job, input, engine, calls] = parts[..] else {
            return Err(format!(
                "invalid --one {text}: expected JOB:INPUT:ENGINE:COUNT"
            ));
        };
        Ok(Self {
            job: Job::named(job)?,
            input: input.to_owned(),
            engine: engine.to_owned(),
            calls: number("one", calls)?,
        })
    }
}

fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').filter(|part| !part.is_empty())
}

/// Parses a number that may end in `k` or `m`.
fn count(text: &str) -> Result<usize, String> {
    let (digits, times) = match text.as_bytes().last() {
        Some(b'k') => (&text[..text.len() - 1], 1000),
        Some(b'm') => (&text[..text.len() - 1], 1_000_000),
        _ => (text, 1),
    };
    Ok(number::<usize>("authorities", digits)? * times)
}

fn number<N: std::str::FromStr>(option: &str, text: &str) -> Result<N, String> {
    text.parse()
        .map_err(|_| format!("invalid --{option}: {text}"))
}
