//! `verger bulk captures`: converts WARC files to a row for each capture.

use std::ffi::OsString;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use indicatif::{BinaryBytes, HumanCount, HumanDuration};
use verger_answer::{CountOf, HumanCountOf};
use verger_bulk::{
    CaptureInput, CaptureObserver, CaptureRun, CaptureRunError, CaptureTally, Damage,
};
use verger_inputs::thread_count;
use verger_inputs::{RunFiles, Source};

use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::legible_path;
use crate::screen::message::Message;
use crate::screen::notice;
use crate::screen::progress::{Counting, Drawing, Rate, each_second};

/// Convert WARC files with captures of robots.txt to Parquet
///
/// Writes a row for each capture, also for a 404, a 503 and damaged or truncated records, which the column
/// `mark` names. Redirects are followed to captures in the same file, by the rules of each access profile. Exit
/// code 0: everything was read. 3: some records are damaged. 2: a file could not be read or written.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, after_long_help = AFTER_HELP)]
pub(crate) struct CapturesArguments {
    /// WARC files, plain, gzip or Zstandard (`-` is standard input)
    ///
    /// Each record is compressed by itself.
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<OsString>,

    /// A Parquet file for all, or a directory (ending with `/`) for one of each
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Keep parts that are complete and of the same input
    ///
    /// A part is kept if it has no damage and its input has the same name and size.
    #[arg(long)]
    resume: bool,

    /// Number of files to read at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,

    /// Print only errors to standard error
    #[arg(long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  verger bulk captures robotstxt.warc.gz -o captures.parquet
  verger bulk captures 2026-11/*.warc.gz -o captures/ --resume
  curl -s https://example.com/a.warc.gz | verger bulk captures - -o a.parquet";

const AFTER_HELP: &str = "\
docs/columns.md describes the columns and marks. A part appears whole or not at all.

Examples:
  verger bulk captures robotstxt.warc.gz -o captures.parquet
  verger bulk captures 2026-11/*.warc.gz -o captures/ --resume
  curl -s https://example.com/a.warc.gz | verger bulk captures - -o a.parquet";

pub(crate) fn run(arguments: &CapturesArguments) -> CommandResult {
    let mut files = RunFiles::default();
    for input in &arguments.inputs {
        files.read(&Source::from(input.clone()))?;
    }
    if arguments.output.as_os_str() == "-" {
        let what = "captures cannot be written to standard output";
        let help = "name a file or a directory with `--output`; `./-` is a file";
        return Err(Message::new(what).help(help).into());
    }
    let inputs: Vec<CaptureInput> = arguments
        .inputs
        .iter()
        .map(|it| CaptureInput::new(it))
        .collect();
    let is_directory = is_directory(&arguments.output);
    if arguments.resume && !is_directory {
        let what = "`--resume` needs a directory as the output";
        let help = "name one that exists, or end its name with `/`";
        return Err(Message::new(what).help(help).into());
    }
    let outputs = if is_directory {
        CaptureInput::parts(&inputs, &arguments.output)?
    } else {
        vec![arguments.output.clone()]
    };
    // If the directory does not exist yet, neither do its files.
    if !is_directory || arguments.output.is_dir() {
        for output in &outputs {
            files.write(output)?;
        }
    }
    let threads = thread_count(arguments.threads);
    let progress = CaptureProgress::start(&inputs, arguments.quiet);
    let run = CaptureRun::new(&inputs, threads, &progress);
    let totals = if is_directory {
        let made = fs::create_dir_all(&arguments.output);
        made.map_err(|error| {
            let directory = legible_path(&arguments.output);
            Message::new(format_args!(
                "cannot create the directory `{directory}`: {error}"
            ))
        })?;
        run.to_parts(&outputs, arguments.resume)
    } else {
        run.to_file(&arguments.output)?
    };
    let kept = match totals.kept {
        0 => String::new(),
        kept => format!(" ({kept} kept)"),
    };
    let (files, tally) = (CountOf(inputs.len(), "file", "files"), &totals.tally);
    (progress.counting).finish(format_args!("{files}{kept}, {tally}\n"), tally.records);
    Ok(match (totals.is_whole, totals.tally.damaged() > 0) {
        (false, _) => Outcome::Unanswered,
        (true, true) => Outcome::Unknown,
        (true, false) => Outcome::Success,
    })
}

fn is_directory(output: &Path) -> bool {
    output.is_dir() || output.as_os_str().as_encoded_bytes().ends_with(b"/")
}

struct CaptureProgress {
    is_quiet: bool,
    counting: Counting<4>,
}

const FILES: usize = 0;
const RECORDS: usize = 1;
const BYTES: usize = 2;
/// Bytes of files that are kept.
const KEPT: usize = 3;

impl CaptureProgress {
    fn start(inputs: &[CaptureInput], is_quiet: bool) -> Self {
        let files = inputs.len() as u64;
        let bytes: Option<u64> = inputs.iter().map(CaptureInput::bytes).sum();
        let all = [files, bytes.unwrap_or(0)];
        let drawing = Drawing::Alone.unless(is_quiet);
        Self {
            is_quiet,
            counting: Counting::new(drawing, move |done, elapsed| line(all, done, elapsed)),
        }
    }
}

/// Returns the progress line. The number of bytes is 0 if the length of an input is not known.
fn line([all, all_bytes]: [u64; 2], done: [u64; 4], elapsed: Duration) -> String {
    let [files, records, bytes, kept] = done;
    let to_read = all_bytes.saturating_sub(kept);
    let each_second = each_second(bytes, elapsed);
    let left = to_read.saturating_sub(bytes).checked_div(each_second);
    let left = left.filter(|_| to_read > 0).map_or(String::new(), |left| {
        format!(", {} left", HumanDuration(Duration::from_secs(left)))
    });
    format!(
        "{} of {}, {}, {}, {}/s{left}",
        HumanCount(files),
        HumanCountOf(all, "file", "files"),
        HumanCountOf(records, "record", "records"),
        Rate(records, elapsed),
        BinaryBytes(each_second)
    )
}

impl CaptureObserver for CaptureProgress {
    fn read(&self, bytes: u64, records: u64) {
        self.counting.add(BYTES, bytes);
        self.counting.add(RECORDS, records);
    }

    fn file_read(&self, input: &CaptureInput, tally: &CaptureTally, damage: Option<&Damage>) {
        if self.is_quiet {
            return;
        }
        let source = match input.path() {
            Some(path) => Source::File(path.into()),
            None => Source::Stdin,
        };
        if tally.records == 0 {
            notice::warning(format_args!("{source} has no WARC record"));
        }
        if let Some(Damage { offset, problem }) = damage {
            let places = CountOf(tally.damaged(), "place", "places");
            notice::warning(format_args!(
                "{source} is damaged in {places}, first at offset {offset}: {problem}"
            ));
        }
    }

    fn file_kept(&self, input: &CaptureInput) {
        self.counting.add(KEPT, input.bytes().unwrap_or(0));
    }

    fn file_failed(&self, _input: &CaptureInput, error: &CaptureRunError) {
        notice::error(Message::from_text(error));
    }

    fn file_ended(&self) {
        self.counting.add(FILES, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_files_records_rates_and_the_time_left() {
        let done = [1, 3000, 100 << 20, 0];
        assert_eq!(
            line([4, 300 << 20], done, Duration::from_secs(2)),
            "1 of 4 files, 3,000 records, 1,500/s, 50.00 MiB/s, 4 seconds left"
        );
        assert_eq!(
            line([1, 0], [0; 4], Duration::ZERO),
            "0 of 1 file, 0 records, 0/s, 0 B/s"
        );
    }
}
