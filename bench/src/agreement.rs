//! Compares the answers of engines before anything is timed.
//!
//! Verger must agree with itself. Differences of peers are only reported.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use crate::clock::CpuInstant;
use crate::engine::{self, Engine};
use crate::generator;
use crate::input::Input;
use crate::report::with_commas;

/// Maximum time to query one engine about one input.
#[derive(Clone, Copy)]
pub(crate) struct Budget {
    pub(crate) verger: Duration,
    pub(crate) peer: Duration,
}

type Answers = Vec<Option<bool>>;

/// Compares answers, and describes the result. Returns an error if Verger's one-shot answer differs from its
/// policy's.
pub(crate) fn compare(
    engines: &[Box<dyn Engine>],
    input: &Input,
    agent: &str,
    budget: Budget,
) -> Result<String, String> {
    let order = generator::shuffled(input.urls.len(), &input.name);
    let mut references = Vec::new();
    let mut words = format!("agreement  {}:", input.name);
    for (name, engine) in engine::verger() {
        let answers = answers(&*engine, input, agent, &order, budget.verger);
        let compared =
            equal_to_one_shot(&*engine, input, agent, (&order, &answers), budget.verger)?;
        let compared = with_commas(&compared.to_string());
        let _ = write!(words, " {name} one-shot = policy on {compared} URLs;");
        references.push((name, answers));
    }
    let peers = engines.iter().filter(|engine| engine.answers());
    for peer in peers.filter(|peer| !references.iter().any(|(name, _)| *name == peer.name())) {
        if input.is_hostile() {
            continue;
        }
        let asked = || answers(&**peer, input, agent, &order, budget.peer);
        let answers = catch_unwind(AssertUnwindSafe(asked)).unwrap_or_default();
        words += &difference(peer.name(), &answers, &references);
    }
    words.truncate(words.trim_end_matches(';').len());
    Ok(words)
}

fn answers(
    engine: &dyn Engine,
    input: &Input,
    agent: &str,
    order: &[usize],
    budget: Duration,
) -> Answers {
    let answerer = engine.answerer(input.question(agent));
    let answer = |url: &String| match &answerer {
        Some(answer) => Some(answer(url)),
        None => engine.allowed(&input.body, agent, url),
    };
    let start = CpuInstant::now();
    let in_time = order.iter().take_while(|_| start.elapsed() < budget);
    in_time.map(|&at| answer(&input.urls[at])).collect()
}

fn equal_to_one_shot(
    engine: &dyn Engine,
    input: &Input,
    agent: &str,
    (order, answers): (&[usize], &Answers),
    budget: Duration,
) -> Result<usize, String> {
    let start = CpuInstant::now();
    let mut compared = 0;
    for (&at, policy) in order.iter().zip(answers) {
        let url = &input.urls[at];
        let one_shot = engine.allowed(&input.body, agent, url);
        if one_shot != *policy {
            let (name, input) = (engine.name(), &input.name);
            return Err(format!(
                "{name} is not one: {input}, {url}: one-shot {one_shot:?}, policy {policy:?}"
            ));
        }
        compared += 1;
        if start.elapsed() >= budget {
            break;
        }
    }
    Ok(compared)
}

fn difference(peer: &str, answers: &Answers, references: &[(&str, Answers)]) -> String {
    if answers.is_empty() {
        return format!(" {peer} panicked;");
    }
    if answers.iter().all(Option::is_none) {
        return format!(" {peer} refused;");
    }
    let differences: Vec<String> = references
        .iter()
        .map(|(name, reference)| {
            let pairs = answers.iter().zip(reference);
            let differ = pairs.filter(|(ours, theirs)| ours != theirs).count();
            format!("{differ} ≠ {name}")
        })
        .collect();
    let asked = with_commas(&answers.len().to_string());
    format!(" {peer} of {asked}: {};", differences.join(", "))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Budget, compare};
    use crate::engine;
    use crate::generator;

    #[test]
    fn verger_agrees_with_itself_on_every_input() {
        let engines = engine::all(&[], |_| true).unwrap();
        let budget = Budget {
            verger: Duration::from_millis(50),
            peer: Duration::from_millis(5),
        };
        for name in generator::NAMES {
            let input = generator::input(name, 50).unwrap();
            let words = compare(&engines, &input, "ExampleBot", budget).unwrap();
            assert!(words.starts_with("agreement"), "{words}");
        }
    }
}
