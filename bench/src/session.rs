//! `Session`: runs the options.

use std::collections::BTreeSet;
use std::panic;
use std::sync::Arc;

use verger::{Crawler, Dialect, RobotsTxt};

use crate::agreement::{self, Budget};
use crate::contestant::Contestant;
use crate::corpus::Corpus;
use crate::engine::{self, Engine, Pass};
use crate::figure::{Block, Figure};
use crate::input::{Body, Input, Question};
use crate::input_set;
use crate::job::corpus_pass::{self, File, Measured};
use crate::job::{COLD_QUESTIONS, Job, memory};
use crate::options::{Options, Single};
use crate::probe::{Probed, probe};
use crate::race::{Outcome, Pace, race};
use crate::report::{Report, with_commas};

pub(crate) struct Session<'o> {
    options: &'o Options,
    engines: Vec<Box<dyn Engine>>,
    corpus: Option<Arc<Corpus>>,
    report: Report,
    compared: BTreeSet<String>,
}

impl<'o> Session<'o> {
    pub(crate) fn new(options: &'o Options) -> Result<Self, String> {
        let engines = engine::all(&options.peers, |name| options.wants_engine(name))?;
        if engines.is_empty() && options.jobs.iter().any(|job| job.asks_engines()) {
            let mut why = "no engine has the name that --engine asks for".to_owned();
            if cfg!(not(feature = "peers")) {
                why += "; other parsers are compiled with the feature `peers`";
            }
            return Err(why);
        }
        let corpus = options.corpus.as_deref().map(Corpus::read);
        Ok(Self {
            options,
            engines,
            corpus: corpus.transpose()?.map(Arc::new),
            report: Report::new(options.json),
            compared: BTreeSet::new(),
        })
    }

    pub(crate) fn measure(mut self) -> Result<(), String> {
        silence_peers();
        let wanted = |job: &Job| {
            self.options
                .jobs
                .iter()
                .any(|wanted| job.is_part_of(*wanted))
        };
        for job in Job::ALL.into_iter().filter(wanted).collect::<Vec<_>>() {
            match job {
                Job::CorpusPass => self.corpus_pass()?,
                Job::ColdHost => self.cold_hosts(),
                Job::Store => self.store()?,
                Job::Client => self.client()?,
                Job::Sets => self.sets()?,
                _ => self.engines_asked(job)?,
            }
        }
        Ok(())
    }

    fn engines_asked(&mut self, job: Job) -> Result<(), String> {
        for input in self.inputs(job)? {
            self.agree(&input)?;
            if job == Job::Memory {
                self.memory(&input);
            } else {
                self.report.block(&self.raced(job, &input));
            }
        }
        Ok(())
    }

    /// Makes untimed calls for a profiler.
    pub(crate) fn run_one(self, single: &Single) -> Result<(), String> {
        #[cfg(feature = "store")]
        if single.job == Job::Store && single.input == crate::job::store::growth::INPUT {
            return crate::job::store::growth::run_one(single);
        }
        #[cfg(feature = "client")]
        if single.job == Job::Client {
            return crate::job::client::run_one(self.options, self.corpus.as_ref(), single);
        }
        if single.job == Job::ColdHost {
            return self.run_cold_hosts(single);
        }
        let inputs = self.giants(single.job);
        let giant = inputs.into_iter().find(|input| input.name == single.input);
        let input = match giant {
            Some(giant) => giant,
            None => input_set::load(&single.input, self.options)?,
        };
        let question = single.job.narrowed(input.question(&self.options.agent));
        let mut asked = 0;
        for engine in &self.engines {
            let name = engine.name();
            let is_asked = single.engine.split('/').next() == Some(name);
            if !is_asked {
                continue;
            }
            let contestants = single.job.contestants(&**engine, question);
            let has_label = |contestant: &Contestant<'_>| contestant.label == single.engine;
            let exact = contestants.iter().any(has_label) && !single.job.is_hostile();
            for mut contestant in contestants {
                if !exact || has_label(&contestant) {
                    contestant.run(single.calls);
                    asked += 1;
                }
            }
        }
        match asked {
            0 => Err(format!("unknown contestant {} of this job", single.engine)),
            _ => Ok(()),
        }
    }

    /// Runs J9 on one generated input, `NAME/QUESTIONS`, or on the real files in turn, `corpus/QUESTIONS`.
    fn run_cold_hosts(&self, single: &Single) -> Result<(), String> {
        let problem = || format!("invalid input {}: expected NAME/QUESTIONS", single.input);
        let (name, questions) = single.input.split_once('/').ok_or_else(problem)?;
        let questions: usize = questions.parse().map_err(|_| problem())?;
        let passes = self.engines.iter().flat_map(|engine| engine.cold());
        let mut passes = passes.filter(|pass| pass.label == single.engine);
        let pass = passes
            .next()
            .ok_or_else(|| format!("unknown contestant {} of this job", single.engine))?;
        let calls = usize::try_from(single.calls).unwrap_or(usize::MAX);
        let ask = |body: &Body, urls: &[String]| {
            std::hint::black_box((pass.allowed_count)(&[(body, urls)], &self.options.agent));
        };
        if let Some(corpus) = self.corpus.as_ref().filter(|_| name == "corpus") {
            let files = corpus_pass::with_urls(corpus.files(), questions);
            let files = files.iter().cycle().take(calls);
            files.for_each(|file| ask(file.body, &file.urls));
            return Ok(());
        }
        let input = input_set::load(name, self.options)?;
        // Each call uses different questions, as long as there are any.
        let chunks = input.urls.chunks_exact(questions).cycle().take(calls);
        chunks.for_each(|urls| ask(&input.body, urls));
        Ok(())
    }

    fn inputs(&self, job: Job) -> Result<Vec<Input>, String> {
        let wanted = job
            .input_names()
            .iter()
            .filter(|name| self.options.wants_input(name));
        let loaded: Result<Vec<Input>, String> = wanted
            .map(|name| input_set::load(name, self.options))
            .collect();
        let mut inputs = loaded?;
        inputs.extend(self.giants(job));
        Ok(inputs)
    }

    fn giants(&self, job: Job) -> Vec<Input> {
        let corpus = self.corpus.as_ref().filter(|_| job == Job::Hot);
        let mut giants = corpus.map_or_else(Vec::new, |corpus| corpus.giants(self.options.urls));
        giants.retain(|giant| self.options.wants_input(&giant.name));
        giants
    }

    fn agree(&mut self, input: &Input) -> Result<(), String> {
        if self.compared.insert(input.name.clone()) {
            let budget = Budget {
                verger: self.options.round * 30,
                peer: self.options.round * 8,
            };
            let agent = &self.options.agent;
            let words = agreement::compare(&self.engines, input, agent, budget)?;
            self.report.note(&words);
        }
        Ok(())
    }

    fn raced(&self, job: Job, input: &Input) -> Block {
        let question = job.narrowed(input.question(&self.options.agent));
        let mut contestants = Vec::new();
        let mut figures = Vec::new();
        let mut refusing = Vec::new();
        for engine in &self.engines {
            if let Some(outcome) = self.hindrance(job, &**engine, input) {
                figures.push(Figure::of(engine.name(), outcome));
                continue;
            }
            contestants.extend(job.contestants(&**engine, question));
            if refuses(&**engine, question) {
                refusing.push(engine.name());
            }
        }
        let pace = Pace {
            rounds: self.options.rounds,
            round: self.options.round,
        };
        let outcomes = race(&mut contestants, pace);
        let raced = contestants.iter().zip(outcomes);
        let raced = raced.map(|(contestant, outcome)| {
            let mut figure = Figure::of(&contestant.label, outcome);
            let name = figure.label.split('/').next().unwrap_or_default();
            if refusing.contains(&name) {
                figure.remark = Some("refuses the body".to_owned());
            }
            figure
        });
        figures.splice(..0, raced);
        let bytes = input.body.bytes().len();
        let size = with_commas(&bytes.to_string());
        let rules = with_commas(&rule_count(input, &self.options.agent).to_string());
        #[allow(clippy::cast_precision_loss)]
        let bytes_per_call = job.reads_body().then_some(bytes as f64);
        Block {
            job: job.name(),
            input: input.name.clone(),
            detail: format!(", {size} B, {rules} rules for the agent"),
            reference: "verger",
            bytes_per_call,
            rules: None,
            figures,
        }
    }

    /// Returns the reason why an engine cannot be timed here, if any.
    fn hindrance(&self, job: Job, engine: &dyn Engine, input: &Input) -> Option<Outcome> {
        let is_peer = engine::verger()
            .iter()
            .all(|(name, _)| *name != engine.name());
        if !job.is_hostile() || !is_peer || !engine.answers() {
            return None;
        }
        match probe(self.options, job.name(), &input.name, engine.name()) {
            Probed::Finished => None,
            Probed::Failed => Some(Outcome::Panicked),
            Probed::TooSlow => Some(Outcome::TooSlow(self.options.patience)),
        }
    }

    fn memory(&self, input: &Input) {
        let agent = &self.options.agent;
        let rules = rule_count(input, agent);
        let question = input.question(agent);
        for block in memory::blocks(&self.engines, &input.name, rules, question) {
            self.report.block(&block);
        }
    }

    #[cfg(feature = "store")]
    fn store(&self) -> Result<(), String> {
        let files = self.corpus.as_ref().map(|corpus| corpus.files());
        for block in crate::job::store::blocks(self.options, files)? {
            self.report.block(&block);
        }
        for block in crate::job::store::growth::blocks(self.options)? {
            self.report.block(&block);
        }
        Ok(())
    }

    #[cfg(not(feature = "store"))]
    #[allow(clippy::unnecessary_wraps)]
    fn store(&self) -> Result<(), String> {
        self.report.note("J6  needs the feature `store`\n");
        Ok(())
    }

    #[cfg(feature = "client")]
    fn client(&self) -> Result<(), String> {
        for block in crate::job::client::blocks(self.options, self.corpus.as_ref())? {
            self.report.block(&block);
        }
        Ok(())
    }

    #[cfg(not(feature = "client"))]
    #[allow(clippy::unnecessary_wraps)]
    fn client(&self) -> Result<(), String> {
        self.report.note("J7  needs the feature `client`\n");
        Ok(())
    }

    #[cfg(feature = "sets")]
    fn sets(&self) -> Result<(), String> {
        for block in crate::job::sets::blocks(self.options)? {
            self.report.block(&block);
        }
        let corpus = self.corpus.as_ref().map(|corpus| corpus.files());
        for block in crate::job::lint::blocks(self.options, corpus)? {
            self.report.block(&block);
        }
        Ok(())
    }

    #[cfg(not(feature = "sets"))]
    #[allow(clippy::unnecessary_wraps)]
    fn sets(&self) -> Result<(), String> {
        self.report.note("J8  needs the feature `sets`\n");
        Ok(())
    }

    fn corpus_pass(&self) -> Result<(), String> {
        let Some(corpus) = &self.corpus else {
            self.report.note("J1c  needs --corpus\n");
            return Ok(());
        };
        let (files, agent) = (corpus.files(), self.options.agent.as_str());
        self.agree_on_corpus(files)?;
        let passes = self.engines.iter().map(|engine| engine.pass()).collect();
        let measured = Measured {
            job: Job::CorpusPass,
            prefix: String::new(),
            agent,
            rounds: self.options.rounds,
        };
        self.passes(passes, &corpus_pass::whole(files), &measured);
        Ok(())
    }

    fn cold_hosts(&self) {
        let Some(corpus) = &self.corpus else {
            self.report.note("J9  needs --corpus\n");
            return;
        };
        for questions in COLD_QUESTIONS {
            let name = format!("k={questions}");
            if !self.options.wants_input(&name) {
                continue;
            }
            let answering = self.engines.iter().filter(|engine| engine.answers());
            let measured = Measured {
                job: Job::ColdHost,
                prefix: format!("{name} "),
                agent: &self.options.agent,
                rounds: self.options.rounds,
            };
            let files = corpus_pass::with_urls(corpus.files(), questions);
            self.passes(
                answering.flat_map(|engine| engine.cold()).collect(),
                &files,
                &measured,
            );
        }
    }

    /// Reports the number of files for which each pass differs from the first, and times all of them.
    fn passes(&self, passes: Vec<Pass<'_>>, files: &[File<'_>], measured: &Measured<'_>) {
        let passes = passes.into_iter().map(|pass| {
            let first = corpus_pass::first_pass(&pass, files, measured.agent);
            (pass, first)
        });
        let passes: Vec<_> = passes.collect();
        let verger = passes.iter().find(|(pass, _)| pass.label == "verger");
        let answers = |pass: &Pass<'_>| {
            let mut engines = self.engines.iter();
            engines.any(|engine| engine.answers() && pass.label.starts_with(engine.name()))
        };
        for (pass, first) in passes.iter().filter(|(pass, _)| answers(pass)) {
            let Some((_, verger)) = verger else { break };
            let pairs = first.allowed.iter().zip(&verger.allowed);
            let differ = pairs.filter(|(ours, theirs)| ours != theirs).count();
            let (name, asked) = (&pass.label, first.allowed.len());
            self.report.note(&format!(
                "agreement  {}corpus: {name} of {asked}: {differ} ≠ verger",
                measured.prefix
            ));
        }
        for block in corpus_pass::blocks(&passes, files, measured) {
            self.report.block(&block);
        }
    }

    /// Checks that Verger's one-shot and policy agree on every file.
    fn agree_on_corpus(&self, files: &[Input]) -> Result<(), String> {
        let agent = &self.options.agent;
        for (name, engine) in engine::verger() {
            for file in files {
                let url = &file.urls[0];
                let one_shot = engine.allowed(&file.body, agent, url);
                let answerer = engine.answerer(file.question(agent));
                let policy = answerer.map(|answer| answer(url));
                if one_shot != policy {
                    let file = &file.name;
                    return Err(format!(
                        "{name} is not one: {file}, {url}: one-shot {one_shot:?}, policy {policy:?}"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Whether an engine rejects the question, which makes its time meaningless.
fn refuses(engine: &dyn Engine, question: Question<'_>) -> bool {
    let Question { body, agent, urls } = question;
    let ask = || engine.allowed(body, agent, &urls[0]);
    matches!(panic::catch_unwind(panic::AssertUnwindSafe(ask)), Ok(None))
}

fn rule_count(input: &Input, agent: &str) -> usize {
    let robots = RobotsTxt::parse(input.body.bytes(), Dialect::Rfc9309);
    let crawler = Crawler::named(agent, Dialect::Rfc9309);
    crawler.map_or(0, |crawler| robots.policy(&crawler).rules().len())
}

/// Panics of peers are counted and reported. Only our own are printed in full.
fn silence_peers() {
    let tell = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let file = info.location().map_or("", |location| location.file());
        if file.starts_with("src/") || file.contains("crates/verger") {
            tell(info);
        }
    }));
}
