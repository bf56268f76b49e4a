//! `Engine`: what every contestant can be asked, Verger and its peers alike.

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

/// Asks about one URL after the other, of a body that was read before.
pub(crate) type Answerer<'i> = Box<dyn Fn(&str) -> bool + 'i>;

/// Some bodies, each with its URLs.
pub(crate) type Files<'f> = [(&'f Body, &'f [String])];

/// How many of the URLs of files an agent may fetch.
type AllowedCount<'e> = Box<dyn Fn(&Files<'_>, &str) -> usize + 'e>;

/// A pass over many files. The loop is compiled with what is done with a file.
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

/// How many of all URLs are allowed, from how many of one file are.
fn allowed_count(files: &Files<'_>, of_file: impl Fn(&Body, &[String]) -> usize) -> usize {
    files.iter().map(|(body, urls)| of_file(body, urls)).sum()
}

/// Something that is built once and kept, whose size is of interest.
pub(crate) struct Kept<'i> {
    pub(crate) label: String,
    pub(crate) build: Box<dyn Fn() -> Box<dyn Any> + 'i>,
}

pub(crate) trait Engine {
    /// What `--engine` calls it. Labels of contestants add a `/` and how it was asked.
    fn name(&self) -> &str;

    /// Whether its answers mean something.
    fn answers(&self) -> bool {
        true
    }

    /// One question from the start, with nothing kept. `None` where it refuses the body.
    fn allowed(&self, body: &Body, agent: &str, url: &str) -> Option<bool>;

    /// Every URL of each file from the start.
    fn pass(&self) -> Pass<'_> {
        Pass::new(self.name(), |files, agent| {
            allowed_count(files, |body, urls| {
                let is_allowed = |url: &&String| self.allowed(body, agent, url) == Some(true);
                urls.iter().filter(is_allowed).count()
            })
        })
    }

    /// The ways in which a crawler meets a host: the body is read, then the URLs are asked about.
    fn cold(&self) -> Vec<Pass<'_>> {
        vec![self.pass()]
    }

    /// Every URL from the start.
    fn one_shot<'i>(&'i self, question: Question<'i>) -> Vec<Contestant<'i>> {
        vec![rereading(self, self.name(), question)]
    }

    /// The body read, for as many agents as the engine can.
    fn parse<'i>(&'i self, question: Question<'i>) -> Vec<Contestant<'i>>;

    /// Every URL, of a body read before. Empty where the engine can only start anew.
    fn compiled<'i>(&'i self, question: Question<'i>) -> Vec<Contestant<'i>>;

    /// [`Engine::compiled`], or starting anew where there is no such thing.
    fn hot<'i>(&'i self, question: Question<'i>) -> Vec<Contestant<'i>> {
        let compiled = self.compiled(question);
        if compiled.is_empty() && self.answers() {
            let label = format!("{}/rereads", self.name());
            return vec![rereading(self, &label, question)];
        }
        compiled
    }

    /// Not timed; for comparing answers. `None` where the engine can only start anew.
    fn answerer<'i>(&'i self, question: Question<'i>) -> Option<Answerer<'i>>;

    /// What it can keep of a body. Empty where nothing is known of its heap.
    fn kept<'i>(&'i self, question: Question<'i>) -> Vec<Kept<'i>>;

    /// Whether its allocations are seen.
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

/// A contestant that builds something and drops it again, over and over.
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

/// All engines that are wanted by name, Verger first.
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

/// Verger's engines, whatever the options want.
pub(crate) fn verger() -> [(&'static str, Box<dyn Engine>); 2] {
    [verger::Verger::rfc9309(), verger::Verger::google()]
        .map(|engine| (engine.name, Box::new(engine) as Box<dyn Engine>))
}
