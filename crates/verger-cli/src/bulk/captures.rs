//! `verger bulk captures`: WARC files to a row for each capture.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;
use verger_bulk::{CaptureInput, CaptureRun};
use verger_files::{RunFiles, Source};

use super::capture_progress::CaptureProgress;
use crate::octet_text::legible;
use crate::outcome::{CommandResult, Outcome};

/// Turn WARC files with captures of robots.txt into Parquet: one row a capture
///
/// A 404 and a 503 are rows, as is what is damaged or cut; the column `mark` says so. Redirects are
/// followed to what the same file has captured, by the rules of each access profile. Exit code 0:
/// everything was read; 3: some records are damaged; 2: a file could not be read or written.
#[derive(Args, Clone, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CapturesArguments {
    /// WARC files: gzip or Zstandard by record, or plain; `-` for standard input
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<OsString>,

    /// A Parquet file for all of them; or a directory, which exists or is named with a `/` at its end,
    /// for one of each
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Keep the parts in the directory that are whole, without damage, and of the same input, by name and size
    #[arg(long)]
    resume: bool,

    /// How many files are read at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,

    /// Print nothing but errors on standard error
    #[arg(long)]
    quiet: bool,
}

const AFTER_HELP: &str = "\
docs/columns.md has the columns, and every mark. Parts appear whole or not at all.

Examples:
  verger bulk captures robotstxt.warc.gz -o captures.parquet
  verger bulk captures 2026-11/*.warc.gz -o captures/ --resume
  curl -s https://example.com/a.warc.gz | verger bulk captures - -o a.parquet";

/// Runs the command.
pub(crate) fn run(arguments: &CapturesArguments) -> CommandResult {
    let mut files = RunFiles::default();
    for input in &arguments.inputs {
        files.read(&Source::from(input.clone()))?;
    }
    if arguments.output.as_os_str() == "-" {
        return Err(Box::new(Mistake::StandardOutput));
    }
    let inputs: Vec<CaptureInput> = arguments
        .inputs
        .iter()
        .map(|it| CaptureInput::of(it))
        .collect();
    let is_directory = is_directory(&arguments.output);
    if arguments.resume && !is_directory {
        return Err(Box::new(Mistake::ResumeWithoutDirectory));
    }
    let outputs = if is_directory {
        parts(&inputs, &arguments.output)?
    } else {
        vec![arguments.output.clone()]
    };
    // Where the directory is still to be made, none of its files is there.
    if !is_directory || arguments.output.is_dir() {
        for output in &outputs {
            files.write(output)?;
        }
    }
    let processors = || thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let threads = arguments.threads.unwrap_or_else(processors);
    let progress = CaptureProgress::start(&inputs, arguments.quiet);
    let run = CaptureRun::new(&inputs, threads, &progress);
    let totals = if is_directory {
        let made = fs::create_dir_all(&arguments.output);
        made.map_err(|error| Mistake::NoDirectory(arguments.output.clone(), error.to_string()))?;
        run.to_parts(&outputs, arguments.resume)
    } else {
        run.to_file(&arguments.output)?
    };
    progress.finish(&totals);
    Ok(match (totals.is_whole, totals.tally.damaged() > 0) {
        (false, _) => Outcome::Unanswered,
        (true, true) => Outcome::Unknown,
        (true, false) => Outcome::Success,
    })
}

/// Whether the output is a directory with a part for each input.
fn is_directory(output: &Path) -> bool {
    output.is_dir() || output.as_os_str().as_encoded_bytes().ends_with(b"/")
}

/// The part of each input.
fn parts(inputs: &[CaptureInput], directory: &Path) -> Result<Vec<PathBuf>, Mistake> {
    let mut names = BTreeSet::new();
    let mut parts = Vec::new();
    for input in inputs {
        let name = input.part_name();
        if !names.insert(name.clone()) {
            return Err(Mistake::SameName(name));
        }
        parts.push(directory.join(name));
    }
    Ok(parts)
}

/// Arguments that do not go together, and a directory that cannot be made.
#[derive(Debug, thiserror::Error)]
enum Mistake {
    #[error(
        "captures are written to a file or a directory, not to standard output (`./-` is a file)"
    )]
    StandardOutput,
    #[error(
        "`--resume` needs a directory as the output: one that exists, or a name with `/` at its end"
    )]
    ResumeWithoutDirectory,
    #[error(
        "two inputs would have the same part, `{}`: give them different names, or run twice",
        shown(.0)
    )]
    SameName(OsString),
    #[error("cannot make the directory `{}`: {}", shown(.0.as_os_str()), .1)]
    NoDirectory(PathBuf, String),
}

fn shown(name: &OsStr) -> String {
    legible(name.to_string_lossy().as_bytes())
}
