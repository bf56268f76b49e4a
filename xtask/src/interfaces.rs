//! `cargo xtask interfaces <dir>`: files of the corpus through every command that answers.
//!
//! The questions are those of the sample of the corpus: its crawlers and its URLs, each with each, of each
//! file in one of the four dialects. However the command is asked, it must answer as the engine does in
//! this process.

mod asked_file;
mod verger_command;

use std::num::NonZero;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use verger::Dialect;

use self::asked_file::{AskedFile, Urls};
use self::verger_command::{INTERFACES, Room, VergerCommand};
use crate::corpus::archive;
use crate::corpus::sample::Samples;

/// How many files are asked about where the number is not given.
pub(crate) const FILES: usize = 2000;

/// How many differences are printed; all are counted.
const DIFFERENCES_SHOWN_MAX: usize = 50;

/// Asks about the first `files_max` files of the corpus in `dir` that every interface takes.
///
/// # Errors
///
/// Where the corpus cannot be read, or an interface answers otherwise than the engine.
pub(crate) fn run(dir: &Path, files_max: usize) -> Result<(), String> {
    let files = asked_files(dir, files_max)?;
    let questions: usize = files
        .iter()
        .map(|file| file.answers(Urls::AsGiven).len())
        .sum();
    println!(
        "{} files, {questions} questions to each interface",
        files.len()
    );
    let command = VergerCommand::built()?;
    let differences = ask_all(&command, &files)?;
    for difference in differences.iter().take(DIFFERENCES_SHOWN_MAX) {
        println!("{difference}");
    }
    match differences.len() {
        0 if questions == 0 => Err("there was no question".to_owned()),
        0 => Ok(()),
        count => Err(format!("{count} answers are not those of the engine")),
    }
}

/// The first files with questions that every interface takes.
fn asked_files(dir: &Path, files_max: usize) -> Result<Vec<AskedFile>, String> {
    let mut samples = Samples::read(&dir.join("verdicts-sample.tsv.gz"))?;
    let mut files = Vec::new();
    archive::for_each_file(&dir.join("corpus.tar.zst"), |name, body| {
        if files.len() < files_max {
            let dialect = Dialect::ALL[files.len() % Dialect::ALL.len()];
            let questions = samples.take(name);
            files.extend(AskedFile::of(name, body, &questions, dialect));
        }
    })?;
    Ok(files)
}

/// Asks about all files on all processors; returns the differences.
fn ask_all(command: &VergerCommand, files: &[AskedFile]) -> Result<Vec<String>, String> {
    let next = Mutex::new(files.iter());
    let differences = Mutex::new(Vec::new());
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let (next, differences) = (&next, &differences);
        let mut workers = Vec::new();
        for worker in 0..processors {
            let room = command.room(&worker.to_string())?;
            workers.push(scope.spawn(move || ask_each(&room, next, differences)));
        }
        workers
            .into_iter()
            .try_for_each(|worker| match worker.join() {
                Ok(asked) => asked,
                Err(panic) => std::panic::resume_unwind(panic),
            })
    })?;
    Ok(differences
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner))
}

fn ask_each<'f>(
    room: &Room<'_>,
    next: &Mutex<impl Iterator<Item = &'f AskedFile>>,
    differences: &Mutex<Vec<String>>,
) -> Result<(), String> {
    loop {
        let Some(file) = lock(next).next() else {
            return Ok(());
        };
        room.hold(file)?;
        for (name, urls_are, interface) in INTERFACES {
            let answers = interface(room, file)?;
            lock(differences).extend(file.differences(name, urls_are, answers));
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
