//! `cargo xtask corpus <dir>`: parses every robots.txt of the corpus in all four dialects, and checks a sample of
//! verdicts of Google's library.
//!
//! The archive is streamed: only one file is in memory at a time.

pub(crate) mod archive;
pub(crate) mod sample;
mod total;

use std::path::Path;
use std::time::Instant;

use verger::{Dialect, RobotsTxt};

use self::sample::{Question, Samples};
use self::total::Total;
use crate::process::no_difference;
use crate::question::{ask, effect, is_googles};

pub(crate) fn run(dir: &Path) -> Result<(), String> {
    let started = Instant::now();
    let mut samples = Samples::read(&dir.join("verdicts-sample.tsv.gz"))?;
    let mut totals: Vec<Total> = Dialect::ALL.iter().copied().map(Total::new).collect();
    let mut differences = Vec::new();
    let contents = archive::for_each_file(&dir.join("corpus.tar.zst"), |name, body| {
        let questions = samples.take(name);
        for total in &mut totals {
            differences.extend(read_and_ask(name, body, &questions, total));
        }
        true
    })?;
    let read = &totals[0];
    println!(
        "{} files, {} bytes; {} questions of the sample; {:.1} s",
        read.files,
        read.bytes,
        read.questions(),
        started.elapsed().as_secs_f64()
    );
    println!("{}", total::table(&totals));
    contents.check(read.files)?;
    samples.check_all_taken()?;
    let means = "answers in `google` differ from Google's library";
    no_difference(&differences, means)
}

/// Parses one body in one dialect and asks its questions. Returns the differences from Google's library.
fn read_and_ask(name: &str, body: &[u8], questions: &[Question], total: &mut Total) -> Vec<String> {
    let started = Instant::now();
    let robots = RobotsTxt::parse(body, total.dialect);
    total.count_body(&robots, started.elapsed());
    let mut differences = Vec::new();
    for question in questions {
        let agents = [question.agent.clone()];
        let answer = ask(&robots, &agents, question.url.as_bytes());
        total.count_answer(&answer);
        if total.dialect == Dialect::Google
            && !is_googles(&answer, &robots, question.allowed, question.line)
        {
            differences.push(format!(
                "{name}: [{}] {}: Google's library: {} by line {}, Verger: {answer}",
                question.agent,
                question.url,
                effect(question.allowed),
                question.line
            ));
        }
    }
    differences
}
