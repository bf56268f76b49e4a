//! Compares the C++ shim with recorded answers of Google's library: suites in `../shared/cases` and a sample in
//! `../shared/corpus`, both outside the repository.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use verger::{Dialect, RobotsTxt};
use verger_testkit::fields::{self, Record, record};

use super::programs::{Linking, compile};
use crate::conformance::{GoogleQuestion, google_questions};
use crate::corpus::archive;
use crate::corpus::sample::Samples;
use crate::process::no_difference;
use crate::question::is_empty_rule;
use crate::workspace::{self, at, target};

/// Maximum size of the bodies in one batch, in bytes.
const BATCH_BYTES: usize = 64 << 20;

#[derive(Default)]
struct Tally {
    asked: usize,
    of_several_names: usize,
    /// Number of questions by suite in which the library reports the line of an empty rule.
    empty_rules: BTreeMap<String, usize>,
    /// These questions, one by one.
    listed: Vec<String>,
    differences: Vec<String>,
}

pub(super) fn ask(prefix: &Path) -> Result<(), String> {
    let driver = compile(prefix, "tests/shim_driver.cc", Linking::Shared, &[])?;
    let shared = workspace::root().join("../shared");
    let suites = shared.join("cases");
    if suites.is_dir() {
        let mut tally = Tally::default();
        tally.ask(&driver, &google_questions(&suites)?)?;
        tally.end("the suites", "empty-rules-of-suites.txt")?;
    } else {
        left_out(&suites);
    }
    let corpus = shared.join("corpus");
    if corpus.is_dir() {
        ask_corpus(&driver, &corpus)
    } else {
        left_out(&corpus);
        Ok(())
    }
}

/// Missing suites and corpora are skipped, even in CI.
fn left_out(folder: &Path) {
    println!(
        "\n== NOT RUN: the shim on {}, which does not exist\n",
        folder.display()
    );
}

fn ask_corpus(driver: &Path, corpus: &Path) -> Result<(), String> {
    let mut samples = Samples::read(&corpus.join("verdicts-sample.tsv.gz"))?;
    let mut tally = Tally::default();
    let (mut batch, mut bytes) = (Vec::new(), 0);
    let mut problem = Ok(());
    archive::for_each_file(&corpus.join("corpus.tar.zst"), |name, body| {
        for question in samples.take(name) {
            bytes += body.len();
            batch.push(GoogleQuestion {
                id: format!("corpus {name}"),
                body: body.to_vec(),
                agents: vec![question.agent],
                url: question.url.into_bytes(),
                allowed: question.allowed,
                line: question.line,
            });
        }
        if bytes > BATCH_BYTES {
            problem = tally.ask(driver, &std::mem::take(&mut batch));
            bytes = 0;
        }
        problem.is_ok()
    })?;
    problem?;
    tally.ask(driver, &batch)?;
    tally.end("the sample of the corpus", "empty-rules-of-corpus.txt")
}

impl Tally {
    fn ask(&mut self, driver: &Path, questions: &[GoogleQuestion]) -> Result<(), String> {
        let records: Vec<Record> = questions.iter().map(written).collect();
        let answers = fields::ask(driver, &records)?;
        for (question, answer) in questions.iter().zip(&answers) {
            self.hold(question, answer);
        }
        Ok(())
    }

    fn hold(&mut self, question: &GoogleQuestion, answer: &Record) {
        self.asked += 1;
        self.of_several_names += usize::from(question.agents.len() != 1);
        let got: Vec<_> = answer
            .iter()
            .map(|it| String::from_utf8_lossy(it))
            .collect();
        let [allowed, disallow, ignoring_global, seen, line] = &got[..] else {
            self.differences.push(format!(
                "{}: unexpected output {}",
                question.id,
                got.join(" ")
            ));
            return;
        };
        let (yes, no) = if question.allowed {
            ("1", "0")
        } else {
            ("0", "1")
        };
        // `disallow_ignore_global` follows from the other two.
        let of_specific = disallow == "1" && seen == "1";
        let agents = question.agents.join(", ");
        let (id, url) = (&question.id, question.url.escape_ascii());
        let is_answer = allowed == yes && disallow == no && (ignoring_global == "1") == of_specific;
        let names_empty_rule = || {
            let robots = RobotsTxt::parse(&*question.body, Dialect::Google);
            line == "0" && is_empty_rule(&robots, question.line)
        };
        if is_answer && *line == question.line.to_string() {
            return;
        }
        if is_answer && names_empty_rule() {
            let suite = question.id.split([' ', '#']).next().unwrap_or_default();
            *self.empty_rules.entry(suite.to_owned()).or_default() += 1;
            self.listed
                .push(format!("{id}: [{agents}] {url}: line {}", question.line));
            return;
        }
        self.differences.push(format!(
            "{id}: [{agents}] {url}: expected {yes} by line {}, got {}",
            question.line,
            got.join(" ")
        ));
    }

    /// Reports the result, and writes the lines of empty rules to the file `list`.
    fn end(self, what: &str, list: &str) -> Result<(), String> {
        let of_empty: usize = self.empty_rules.values().sum();
        let empty = self.empty_rules.iter();
        let empty: Vec<_> = empty
            .map(|(suite, count)| format!("{suite} {count}"))
            .collect();
        println!(
            "shim: {} answers to {what} equal Google's library ({} with several names), and {} lines. \
             {of_empty} lines are empty rules, which the shim reports as 0 ({})",
            self.asked - self.differences.len(),
            self.of_several_names,
            self.asked - self.differences.len() - of_empty,
            empty.join(", "),
        );
        let list = target().join("c").join(list);
        fs::write(&list, self.listed.join("\n") + "\n").map_err(at(&list))?;
        println!("empty rules are listed in {}", list.display());
        if self.asked < 1000 {
            return Err(format!("only {} questions in {what}", self.asked));
        }
        no_difference(&self.differences, "answers differ")
    }
}

fn written(question: &GoogleQuestion) -> Record {
    let fixed = [b"google", &question.body[..], &question.url];
    let agents = question.agents.iter().map(String::as_bytes);
    record(fixed.into_iter().chain(agents))
}
