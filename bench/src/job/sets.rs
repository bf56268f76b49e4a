//! J8: policies as sets: the disallowed share, and the effect of one changed line. A call starts with two policies
//! and includes all preparation.

use std::collections::{HashSet, VecDeque};
use std::time::Duration;

use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::util::syntax;
use regex_automata::{Anchored, MatchKind, util::start};
use verger::{Crawler, Dialect, Effect, Policy, RobotsTxt};
use verger_compare::{Budget, Difference, Extent, PolicySet};

use crate::clock::CpuInstant;
use crate::figure::{Block, Figure};
use crate::input::Input;
use crate::input_set;
use crate::job::Job;
use crate::options::Options;
use crate::race::median;
use crate::report::with_commas;

const INPUTS: [&str; 7] = [
    "a_wordpress",
    "b_ecommerce",
    "c_aibots",
    "j3_50_mix",
    "j3_500_mix",
    "j3_15000_lit",
    "d_big15k",
];

/// Maximum number of rounds. A peer may need a minute for one.
const ROUNDS_MAX: usize = 3;

/// Slower calls are not repeated.
const SLOW: Duration = Duration::from_secs(1);

/// Maximum size of the peer's automaton, in bytes.
const AUTOMATON_BYTES_MAX: usize = 8 << 20;

/// Whether each of two questions has a target, or `None` if the search was abandoned.
type Answer = Option<[bool; 2]>;

type Ask = fn(&Policy, &Policy) -> Answer;

const QUESTIONS: [(&str, [(&str, Ask); 2]); 2] = [
    (
        "extent",
        [
            ("verger-compare", extent_by_search),
            ("regex-automata/dense", extent_by_automaton),
        ],
    ),
    (
        "difference",
        [
            ("verger-compare", difference_by_search),
            ("regex-automata/dense", difference_by_automaton),
        ],
    ),
];

pub(crate) fn blocks(options: &Options) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    for name in INPUTS.into_iter().filter(|name| options.wants_input(name)) {
        let input = input_set::load(name, options)?;
        let [before, after] = policies(&input);
        let rules = with_commas(&before.rules().len().to_string());
        for (question, contestants) in QUESTIONS {
            blocks.push(Block {
                job: Job::Sets.name(),
                input: format!("{question} {name}"),
                detail: format!(", {rules} rules"),
                reference: "verger-compare",
                bytes_per_call: None,
                rules: None,
                figures: raced(contestants, [&before, &after], options.rounds)?,
            });
        }
    }
    Ok(blocks)
}

/// Returns the policy of a body as Google's library parses it, and of the same body without the wildcard or last byte
/// of its middle rule.
fn policies(input: &Input) -> [Policy; 2] {
    let body = input.body.text();
    let is_rule =
        |line: &&str| line.starts_with("Disallow: /") && line.len() > "Disallow: /x".len();
    let rules: Vec<&str> = body.lines().filter(is_rule).collect();
    let middle = rules[rules.len() / 2];
    let changed = body.replacen(
        &format!("{middle}\n"),
        &format!("{}\n", &middle[..middle.len() - 1]),
        1,
    );
    [body, &changed].map(|body| RobotsTxt::parse(body, Dialect::Google).policy(&Crawler::unnamed()))
}

fn raced(
    contestants: [(&str, Ask); 2],
    [before, after]: [&Policy; 2],
    rounds: usize,
) -> Result<Vec<Figure>, String> {
    let mut answers = Vec::new();
    let mut figures = Vec::new();
    for (label, ask) in contestants {
        let mut spans = Vec::new();
        let mut answer = None;
        for _ in 0..rounds.clamp(1, ROUNDS_MAX) {
            let start = CpuInstant::now();
            answer = ask(before, after);
            spans.push(start.elapsed().as_secs_f64() * 1e9);
            if answer.is_none() || start.elapsed() > SLOW {
                break;
            }
        }
        answers.extend(answer);
        figures.push(Figure {
            label: label.to_owned(),
            nanoseconds: Some(median(spans)),
            remark: answer.is_none().then(|| "gave up at 8 MiB".to_owned()),
            ..Figure::default()
        });
    }
    match answers[..] {
        [ours, theirs] if ours != theirs => Err(format!("J8: {ours:?} and {theirs:?}")),
        _ => Ok(figures),
    }
}

fn extent_by_search(policy: &Policy, _: &Policy) -> Answer {
    let extent = Extent::new(&PolicySet::new(policy), Budget::default());
    extent.class()?;
    Some([extent.allowed(), extent.disallowed()].map(|found| found.witness().is_some()))
}

fn difference_by_search(before: &Policy, after: &Policy) -> Answer {
    let [before, after] = [before, after].map(PolicySet::new);
    let difference = Difference::between(&before, &after, Budget::default()).ok()?;
    difference.is_none()?;
    let found = [difference.newly_disallowed(), difference.newly_allowed()];
    Some(found.map(|found| found.witness().is_some()))
}

fn extent_by_automaton(policy: &Policy, _: &Policy) -> Answer {
    let decider = Decider::of(policy)?;
    let mut found = [false; 2];
    let mut seen = HashSet::new();
    let mut waiting = VecDeque::from([decider.behind_slash()]);
    while let Some(state) = waiting.pop_front() {
        found[usize::from(decider.effect(state) == Effect::Disallow)] = true;
        if found == [true; 2] {
            break;
        }
        for byte in BYTES {
            let next = decider.automaton.next_state(state, byte);
            if seen.insert(next) {
                waiting.push_back(next);
            }
        }
    }
    Some(found)
}

fn difference_by_automaton(before: &Policy, after: &Policy) -> Answer {
    let (before, after) = (Decider::of(before)?, Decider::of(after)?);
    let mut found = [false; 2];
    let mut seen = HashSet::new();
    let mut waiting = VecDeque::from([(before.behind_slash(), after.behind_slash())]);
    while let Some((old, new)) = waiting.pop_front() {
        match (before.effect(old), after.effect(new)) {
            (Effect::Allow, Effect::Disallow) => found[0] = true,
            (Effect::Disallow, Effect::Allow) => found[1] = true,
            _ => {}
        }
        if found == [true; 2] {
            break;
        }
        for byte in BYTES {
            let next = (
                before.automaton.next_state(old, byte),
                after.automaton.next_state(new, byte),
            );
            if seen.insert(next) {
                waiting.push_back(next);
            }
        }
    }
    Some(found)
}

/// The rules of a policy as one dense automaton.
struct Decider {
    automaton: dense::DFA<Vec<u32>>,
    /// Effects by number of the pattern, in order of precedence.
    effects: Vec<Effect>,
}

impl Decider {
    /// Returns `None` if it needs too much memory.
    fn of(policy: &Policy) -> Option<Self> {
        let patterns = policy.rule_ids().filter_map(|id| {
            let form = policy.path_pattern(id)?;
            let mut pattern = format!("(?s-u)^{}", literal(form.head()));
            for fragment in form.fragments() {
                pattern.push_str(".*");
                pattern.push_str(&literal(fragment.in_path));
            }
            pattern.push_str(if form.is_anchored() { r"\z" } else { r".*\z" });
            Some(pattern)
        });
        let config = dense::Config::new()
            .match_kind(MatchKind::All)
            .start_kind(StartKind::Anchored)
            .dfa_size_limit(Some(AUTOMATON_BYTES_MAX))
            .determinize_size_limit(Some(AUTOMATON_BYTES_MAX));
        let automaton = dense::Builder::new()
            .configure(config)
            .syntax(syntax::Config::new().unicode(false).utf8(false))
            .thompson(thompson::Config::new().utf8(false))
            .build_many(&patterns.collect::<Vec<_>>())
            .ok()?;
        Some(Self {
            automaton,
            effects: policy.rules().map(|rule| rule.effect).collect(),
        })
    }

    fn behind_slash(&self) -> StateID {
        let anchored = start::Config::new().anchored(Anchored::Yes);
        let start = self.automaton.start_state(&anchored);
        start.map_or(StateID::ZERO, |start| {
            self.automaton.next_state(start, b'/')
        })
    }

    /// Returns the effect for a target that ends here.
    fn effect(&self, state: StateID) -> Effect {
        let end = self.automaton.next_eoi_state(state);
        if !self.automaton.is_match_state(end) {
            return Effect::Allow;
        }
        let matches = 0..self.automaton.match_len(end);
        let best = matches.map(|index| self.automaton.match_pattern(end, index).as_usize());
        best.min().map_or(Effect::Allow, |best| self.effects[best])
    }
}

/// The bytes that occur in URLs.
const BYTES: std::ops::RangeInclusive<u8> = b'!'..=b'~';

fn literal(bytes: &[u8]) -> String {
    let mut pattern = String::with_capacity(bytes.len() * 4);
    for byte in bytes {
        pattern.push_str(r"\x");
        let digits = [byte >> 4, byte & 0xF].map(|digit| char::from_digit(digit.into(), 16));
        pattern.extend(digits.into_iter().flatten());
    }
    pattern
}
