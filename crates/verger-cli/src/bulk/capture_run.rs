//! `CaptureRun`: several files through several threads. A file is read by one of them.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use verger_bulk::{CaptureError, CaptureFile, CaptureReader, CaptureSettings, RecordBatch};

use super::capture_input::CaptureInput;
use super::capture_progress::CaptureProgress;
use super::damage::Damage;
use crate::notice;
use crate::octet_text::legible;

/// Batches of a file that wait for those of the files before it.
const BATCHES_WAITING: usize = 2;

/// What is to be done.
pub(super) struct CaptureRun<'a> {
    pub(super) inputs: &'a [CaptureInput],
    pub(super) threads: usize,
    pub(super) settings: CaptureSettings,
    /// Octets in memory at which a row group ends.
    pub(super) group_octets: usize,
    pub(super) progress: CaptureProgress,
}

impl CaptureRun<'_> {
    /// Makes a part of each input, and reports those that failed; whether none did.
    pub(super) fn to_parts(&self, parts: &[PathBuf], resumes: bool) -> bool {
        let next = AtomicUsize::new(0);
        let is_whole = AtomicBool::new(true);
        let work = || {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let (Some(input), Some(part)) = (self.inputs.get(at), parts.get(at)) else {
                    return;
                };
                if let Err(error) = self.to_part(input, part, resumes) {
                    is_whole.store(false, Ordering::Relaxed);
                    notice::error(&*error);
                }
                self.progress.end_file();
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(work);
            }
            work();
        });
        is_whole.load(Ordering::Relaxed)
    }

    fn to_part(
        &self,
        input: &CaptureInput,
        part: &Path,
        resumes: bool,
    ) -> Result<(), Box<dyn Error>> {
        let identity = input.identity();
        if resumes && identity.is_some() && CaptureFile::sound_inputs_of(part) == identity {
            self.progress.keep_file(input);
            return Ok(());
        }
        let identity = identity.unwrap_or_else(|| input.name());
        let mut file = CaptureFile::create(part, &identity, self.group_octets)?;
        self.read(input, |batch| file.write(&batch).map_err(Box::from))?;
        file.finish()?;
        Ok(())
    }

    /// Makes one file of all inputs, in their order.
    pub(super) fn to_file(&self, output: &Path) -> Result<(), Box<dyn Error>> {
        let identities = self
            .inputs
            .iter()
            .map(|input| input.identity().unwrap_or_else(|| input.name()));
        let identities: Vec<String> = identities.take(100).collect();
        let mut file = CaptureFile::create(output, &identities.join("\n"), self.group_octets)?;
        let (senders, receivers): (Vec<_>, Vec<_>) = self
            .inputs
            .iter()
            .map(|_| sync_channel::<Sent>(BATCHES_WAITING))
            .unzip();
        let senders = Mutex::new(senders.into_iter().enumerate());
        let is_over = AtomicBool::new(false);
        let work = || {
            while !is_over.load(Ordering::Relaxed) {
                let next = senders
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .next();
                let Some((at, sender)) = next else {
                    return;
                };
                self.send(&self.inputs[at], &sender);
            }
        };
        thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(work);
            }
            let received = self.receive(receivers, &mut file);
            // After an error no other input is opened.
            is_over.store(true, Ordering::Relaxed);
            received
        })?;
        file.finish()?;
        Ok(())
    }

    /// Reads a file for the thread that writes.
    fn send(&self, input: &CaptureInput, sender: &SyncSender<Sent>) {
        let read = self.read(input, |batch| {
            // The thread that writes has ended, because another file failed.
            sender.send(Ok(batch)).map_err(|_| Box::from(Abandoned))
        });
        if let Err(error) = read {
            let _ = sender.send(Err(error.to_string()));
        }
    }

    fn receive(
        &self,
        receivers: Vec<Receiver<Sent>>,
        file: &mut CaptureFile,
    ) -> Result<(), Box<dyn Error>> {
        for receiver in receivers {
            for sent in receiver {
                file.write(&sent?)?;
            }
            self.progress.end_file();
        }
        Ok(())
    }

    /// Reads a file, and calls `each` with its batches.
    fn read(
        &self,
        input: &CaptureInput,
        mut each: impl FnMut(RecordBatch) -> Result<(), Box<dyn Error>>,
    ) -> Result<(), Box<dyn Error>> {
        let opened = input.open().map_err(|error| CaptureError::Io {
            file: input.name(),
            offset: 0,
            error,
        })?;
        let mut reader = CaptureReader::new(opened, input.name(), self.settings);
        if let Some(octets) = input.octets() {
            reader = reader.of_octets(octets);
        }
        let mut progress = self.progress.of_file();
        let mut damage = None;
        while let Some(batch) = reader.next() {
            progress.update(&reader);
            let batch = batch.map_err(Legible)?;
            damage = damage.or_else(|| Damage::first_of(&batch));
            each(batch)?;
        }
        progress.end(input, &reader, damage);
        Ok(())
    }
}

/// A batch, or why there is none.
type Sent = Result<RecordBatch, String>;

/// The run has failed elsewhere.
#[derive(Debug)]
struct Abandoned;

impl fmt::Display for Abandoned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("another file could not be read or written")
    }
}

impl Error for Abandoned {}

/// An error whose text may have the name of a file.
#[derive(Debug)]
struct Legible(CaptureError);

impl fmt::Display for Legible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        legible(self.0.to_string().as_bytes()).fmt(f)
    }
}

impl Error for Legible {}
