//! `Engine`: the questions that every contestant answers, Verger and its peers.

mod line_walk;
#[cfg(feature = "peers")]
mod robotstxt;
#[cfg(feature = "peers")]
mod robotxt;
mod shared_library;
#[cfg(feature = "peers")]
mod texting_robots;
mod verger;

use std::any::Any;

use crate::contestant::Contestant;
use crate::input::{Body, Question};
use crate::peer::Peer;

/// Answers URLs about a body that was parsed before.
pub(crate) type Answerer<'i> = Box<dyn Fn(&str) -> bool + 'i>;

pub(crate) type Files<'f> = [(&'f Body, &'f [String])];

type AllowedCount<'e> = Box<dyn Fn(&Files<'_>, &str) -> usize + 'e>;

/// A pass over many files. The loop is compiled with the work per file.
pub(crate) struct Pass<'e> {
    pub(crate) label: String,
    pub(crate) allowed_count: AllowedCount<'e>,
}

impl<'e> Pass<'e> {
    pub(crate) fn new(
        label: impl Into<String>,
        allowed_count: impl Fn(&Files<'_>, &str) -> usize + 'e,
    ) -> Self {
        Self {
            label: label.into(),
            allowed_count: Box::new(allowed_count),
        }
    }
}

fn allowed_count(files: &Files<'_>, of_file: impl Fn(&Body, &[String]) -> usize) -> usize {
    files.iter().map(|(body, urls)| of_file(body, urls)).sum()
}

/// Something that is built once and kept, whose size is measured.
pub(crate) struct Kept<'i> {
    pub(crate) label: String,
    pub(crate) build: Box<dyn Fn() -> Box<dyn Any> + 'i>,
}

pub(crate) trait Engine {
    /// The name for `--engine`. Labels of contestants append `/` and the kind of question.
    fn name(&self) -> &str;

    /// Whether its answers mean anything.
    fn answers(&self) -> bool {
        true
    }

    /// Answers one question from scratch. Returns `None` if the engine rejects the body.
    fn allowed(&self, body: &Body, agent: &str, url: &str) -> Option<bool>;

    /// Answers every URL of each file from scratch.
    fn pass(&self) -> Pass<'_> {
        Pass::new(self.name(), |files, agent| {
            allowed_count(files, |body, urls| {
                let is_allowed = |url: &&String| self.allowed(body, agent, url) == Some(true);
                urls.iter().filter(is_allowed).count()
            })
        })
    }

    /// The ways a crawler handles a new host: parse the body, then check URLs.
    fn cold(&self) -> Vec<Pass<'_>> {
        vec![self.pass()]
    }

    /// Answers every URL from scratch.
    fn one_shot<'i>(&'i self, question: Question<'i>) -> Vec<Contestant<'i>> {
        vec![rereading(self, self.name(), question)]
    }

    /// Parses the body, for as many agents as the engine supports.
    fn parse<'i>(&'i self, question: Question<'i>) -> Vec<Contestant<'i>>;

    /// Answers every URL of a parsed body. Empty if the engine can only start from scratch.
    fn compiled<'i>(&'i self, question: Question<'i>) -> Vec<Contestant<'i>>;

    /// [`Engine::compiled`], or from scratch if that is empty.
    fn hot<'i>(&'i self, question: Question<'i>) -> Vec<Contestant<'i>> {
        let compiled = self.compiled(question);
        if compiled.is_empty() && self.answers() {
            let label = format!("{}/rereads", self.name());
            return vec![rereading(self, &label, question)];
        }
        compiled
    }

    /// Untimed, for comparing answers. `None` if the engine can only start from scratch.
    fn answerer<'i>(&'i self, question: Question<'i>) -> Option<Answerer<'i>>;

    /// The structures that it can keep of a body. Empty if its heap cannot be measured.
    fn kept<'i>(&'i self, question: Question<'i>) -> Vec<Kept<'i>>;

    fn heap_is_counted(&self) -> bool {
        true
    }
}

fn rereading<'i, E: Engine + ?Sized>(
    engine: &'i E,
    label: &str,
    question: Question<'i>,
) -> Contestant<'i> {
    let Question { body, agent, urls } = question;
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    Contestant::new(label, urls, move |url| {
        engine.allowed(body, agent, url) == Some(true)
    })
}

fn building<'i, T>(label: impl Into<String>, build: impl Fn() -> T + 'i) -> Contestant<'i> {
    Contestant::new(label, vec![()], move |()| {
        drop(std::hint::black_box(build()));
        true
    })
}

fn kept<'i, T: Any>(label: impl Into<String>, build: impl Fn() -> T + 'i) -> Kept<'i> {
    Kept {
        label: label.into(),
        build: Box::new(move || Box::new(build())),
    }
}

/// Returns all engines selected by name, Verger first.
pub(crate) fn all(
    peers: &[Peer],
    wants: impl Fn(&str) -> bool,
) -> Result<Vec<Box<dyn Engine>>, String> {
    let mut engines: Vec<Box<dyn Engine>> = vec![
        Box::new(verger::Verger::rfc9309()),
        Box::new(verger::Verger::google()),
        #[cfg(feature = "peers")]
        Box::new(robotxt::Robotxt),
        #[cfg(feature = "peers")]
        Box::new(texting_robots::TextingRobots),
        #[cfg(feature = "peers")]
        Box::new(robotstxt::Robotstxt),
        Box::new(line_walk::LineWalk),
    ];
    for peer in peers {
        engines.push(Box::new(shared_library::SharedLibrary::open(peer)?));
    }
    engines.retain(|engine| wants(engine.name()));
    Ok(engines)
}

/// Returns Verger's engines, regardless of the options.
pub(crate) fn verger() -> [(&'static str, Box<dyn Engine>); 2] {
    [verger::Verger::rfc9309(), verger::Verger::google()]
        .map(|engine| (engine.name, Box::new(engine) as Box<dyn Engine>))
}
