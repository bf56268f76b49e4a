//! `cargo xtask interfaces <dir>`: files of the corpus through every command that answers questions.
//!
//! The questions combine every crawler with every URL in the sample of the corpus, for each file in one of the four
//! dialects. Each command must give the same answers as the engine in this process.

mod asked_file;
mod room;

use std::path::Path;

use verger::Dialect;

use self::asked_file::{AskedFile, Urls};
use self::room::{INTERFACES, Room};
use crate::corpus::archive;
use crate::corpus::sample::Samples;
use crate::process::no_difference;
use crate::{parallel, workspace};

/// Default number of files.
pub(crate) const FILES: usize = 2000;

/// Compares every interface with the engine on the first `files_max` usable files of the corpus in `dir`.
pub(crate) fn run(dir: &Path, files_max: usize) -> Result<(), String> {
    let files = asked_files(dir, files_max)?;
    let answers = files.iter().map(|file| file.answers(Urls::AsGiven).len());
    let (count, questions) = (files.len(), answers.sum::<usize>());
    println!("{count} files, {questions} questions per interface");
    let command = workspace::program("verger")?;
    let asked = parallel::map(&files, |worker, file| {
        let room = Room::new(&command, &worker.to_string())?;
        room.hold(file)?;
        let mut differences = Vec::new();
        for (name, urls_are, interface) in INTERFACES {
            differences.extend(file.differences(name, urls_are, interface(&room, file)?));
        }
        Ok(differences)
    });
    let differences: Vec<Vec<String>> = asked.into_iter().collect::<Result<_, String>>()?;
    if questions == 0 {
        return Err("no questions found".to_owned());
    }
    let means = "answers differ from the engine";
    no_difference(&differences.concat(), means)
}

/// Returns the first files whose questions every interface accepts.
fn asked_files(dir: &Path, files_max: usize) -> Result<Vec<AskedFile>, String> {
    let mut samples = Samples::read(&dir.join("verdicts-sample.tsv.gz"))?;
    let mut files = Vec::new();
    archive::for_each_file(&dir.join("corpus.tar.zst"), |name, body| {
        let dialect = Dialect::ALL[files.len() % Dialect::ALL.len()];
        let questions = samples.take(name);
        files.extend(AskedFile::of(name, body, &questions, dialect));
        files.len() < files_max
    })?;
    Ok(files)
}
