//! `CaptureRun`: reads several files in several threads.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use arrow_array::RecordBatch;

use super::capture_error::CaptureError;
use super::capture_file::{CaptureFile, CaptureFileError};
use super::capture_input::CaptureInput;
use super::capture_reader::{CaptureReader, CaptureSettings};
use super::capture_tally::CaptureTally;
use super::damage::Damage;

/// Memory shared by all threads, in bytes, excluding the counters of a part.
const MEMORY: usize = 1 << 30;

const THREAD_MEMORY_MAX: usize = 128 << 20;

/// Number of batches of a file that may wait for earlier files.
const BATCHES_WAITING: usize = 2;

/// Receives the events of a run, from several threads.
pub trait CaptureObserver: Sync {
    /// Reports the bytes and records read from any file since the last call.
    fn read(&self, _bytes: u64, _records: u64) {}

    /// A file was read to its end. `damage` is its first damaged record.
    fn file_read(&self, _input: &CaptureInput, _tally: &CaptureTally, _damage: Option<&Damage>) {}

    /// The part of a file exists already.
    fn file_kept(&self, _input: &CaptureInput) {}

    /// The part of a file could not be made. The run continues.
    fn file_failed(&self, _input: &CaptureInput, _error: &CaptureRunError) {}

    /// A file is finished, whatever the result.
    fn file_ended(&self) {}
}

/// Converts WARC files to Parquet: one file for all, or a part for each.
#[derive(Debug)]
pub struct CaptureRun<'a, O> {
    inputs: &'a [CaptureInput],
    threads: usize,
    settings: CaptureSettings,
    /// Size in memory at which a row group ends, in bytes.
    group_bytes: usize,
    observer: &'a O,
    tally: Mutex<CaptureTally>,
    kept: AtomicU64,
}

/// The totals of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CaptureTotals {
    /// The counts of all files that were read to their end.
    pub tally: CaptureTally,
    /// Number of files whose part existed already.
    pub kept: u64,
    /// Whether every file was read to its end or kept.
    pub is_whole: bool,
}

/// A file cannot be read, or a part cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CaptureRunError {
    /// A WARC file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] CaptureError),
    /// A Parquet file cannot be written.
    #[error(transparent)]
    Unwritable(#[from] CaptureFileError),
}

impl<'a, O: CaptureObserver> CaptureRun<'a, O> {
    /// Creates a run over `inputs` in at most `threads` threads, which share 1 GiB of memory.
    pub fn new(inputs: &'a [CaptureInput], threads: NonZero<usize>, observer: &'a O) -> Self {
        let threads = threads.get().min(inputs.len()).max(1);
        let memory = (MEMORY / threads).min(THREAD_MEMORY_MAX);
        Self {
            inputs,
            threads,
            settings: CaptureSettings {
                batch_bytes: memory / 16,
                window_bytes: memory / 2,
                ..CaptureSettings::default()
            },
            group_bytes: memory / 4,
            observer,
            tally: Mutex::default(),
            kept: AtomicU64::new(0),
        }
    }

    /// Makes a part for each input. If `resumes` is set, keeps parts that are complete, undamaged,
    /// and from the same input.
    #[must_use]
    pub fn to_parts(self, parts: &[PathBuf], resumes: bool) -> CaptureTotals {
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
                    self.observer.file_failed(input, &error);
                }
                self.observer.file_ended();
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(work);
            }
            work();
        });
        self.totals(is_whole.into_inner())
    }

    fn to_part(
        &self,
        input: &CaptureInput,
        part: &Path,
        resumes: bool,
    ) -> Result<(), CaptureRunError> {
        let identity = input.identity();
        if resumes && identity.is_some() && CaptureFile::sound_inputs_of(part) == identity {
            self.kept.fetch_add(1, Ordering::Relaxed);
            self.observer.file_kept(input);
            return Ok(());
        }
        let identity = identity.unwrap_or_else(|| input.name());
        let mut file = CaptureFile::create(part, &identity, self.group_bytes)?;
        self.read(input, |batch| {
            file.write(&batch).map_err(CaptureRunError::from)
        })?;
        Ok(file.finish()?)
    }

    /// Makes one file from all inputs, in order.
    ///
    /// # Errors
    ///
    /// Returns an error if an input cannot be read or the file cannot be written. An existing file
    /// is then unchanged.
    pub fn to_file(self, output: &Path) -> Result<CaptureTotals, CaptureRunError> {
        let identities = self
            .inputs
            .iter()
            .map(|input| input.identity().unwrap_or_else(|| input.name()));
        let identities: Vec<String> = identities.take(100).collect();
        let mut file = CaptureFile::create(output, &identities.join("\n"), self.group_bytes)?;
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
            // After an error, no other input is opened.
            is_over.store(true, Ordering::Relaxed);
            received
        })?;
        file.finish()?;
        Ok(self.totals(true))
    }

    fn send(&self, input: &CaptureInput, sender: &SyncSender<Sent>) {
        // If sending fails, the writing thread has ended because another file failed.
        let read = self.read(input, |batch| sender.send(Ok(batch)).map_err(|_| None));
        if let Err(Some(error)) = read {
            let _ = sender.send(Err(error));
        }
    }

    fn receive(
        &self,
        receivers: Vec<Receiver<Sent>>,
        file: &mut CaptureFile,
    ) -> Result<(), CaptureRunError> {
        for receiver in receivers {
            for sent in receiver {
                file.write(&sent?)?;
            }
            self.observer.file_ended();
        }
        Ok(())
    }

    fn read<E: From<CaptureError>>(
        &self,
        input: &CaptureInput,
        mut each: impl FnMut(RecordBatch) -> Result<(), E>,
    ) -> Result<(), E> {
        let opened = input.open().map_err(|error| CaptureError::Io {
            file: input.name(),
            offset: 0,
            error,
        })?;
        let mut reader = CaptureReader::new(opened, input.name(), self.settings);
        if let Some(bytes) = input.bytes() {
            reader = reader.of_bytes(bytes);
        }
        let mut counted = (0, 0);
        let mut damage = None;
        loop {
            let batch = reader.next();
            let (bytes, records) = (reader.bytes_read(), reader.tally().records);
            self.observer.read(bytes - counted.0, records - counted.1);
            counted = (bytes, records);
            let Some(batch) = batch else {
                break;
            };
            let batch = batch?;
            damage = damage.or_else(|| Damage::first_of(&batch));
            each(batch)?;
        }
        let tally = reader.tally();
        self.observer.file_read(input, tally, damage.as_ref());
        let mut all = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        all.add(tally);
        Ok(())
    }

    fn totals(self, is_whole: bool) -> CaptureTotals {
        let tally = self.tally.into_inner();
        CaptureTotals {
            tally: tally.unwrap_or_else(PoisonError::into_inner),
            kept: self.kept.into_inner(),
            is_whole,
        }
    }
}

/// A batch, or the error that ended the file.
type Sent = Result<RecordBatch, CaptureError>;
