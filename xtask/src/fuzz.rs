//! Runs the fuzz targets of a crate, seeded with the cases of `testdata/`.

use std::fs;
use std::path::Path;
use std::process::Command;

use verger_testkit::case::{Case, Corpus, load_all, testdata_dir};

use crate::workspace::{self, at};
use crate::{parallel, process};

/// Maximum input size in bytes: long enough for any rule, and short enough for speed.
const INPUT_BYTES_MAX: usize = 4096;

/// Encodes a question of a case in the input format of the target.
fn input(target: &str, robots: &[u8], name: &[u8], url: &[u8]) -> Vec<u8> {
    match target {
        // One request, and a format.
        "log" => {
            let [name, url] = [name, url].map(String::from_utf8_lossy);
            let time = "01/Nov/2026:00:00:00 +0000";
            let line =
                format!("1.2.3.4 - - [{time}] \"GET {url} HTTP/1.1\" 200 1 \"-\" \"{name}\"");
            format!("{line}\n%h %l %u %t \"%r\" %>s %b \"%{{Referer}}i\" \"%{{User-Agent}}i\"")
                .into()
        }
        // The last byte selects what the target does with the others.
        "warc" => {
            let url = String::from_utf8_lossy(url);
            let reply = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n";
            let head = format!(
                "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2026-11-01T00:00:00Z\r\n\
                 WARC-Target-URI: {url}\r\nContent-Type: application/http\r\n\
                 Content-Length: {}\r\n\r\n",
                reply.len() + robots.len()
            );
            [head.as_bytes(), reply, robots, b"\r\n\r\n\0"].concat()
        }
        "page" => {
            let [name, url] = [name, url].map(String::from_utf8_lossy);
            let link = format!("<link rel=canonical href=\"{url}\">");
            format!("<title>{name}</title><meta name={name} content=none>{link}<p>").into()
        }
        "lists" => [b"url\n", url, b"\n\x01"].concat(),
        // The body, a line with the name, and a line with the URL.
        _ => [robots, name, url].join(&b'\n'),
    }
}

/// Runs each target of the crate in `folder` for `seconds`, on all processors.
pub(crate) fn run(folder: &str, seconds: &str) -> Result<(), String> {
    let seconds: u32 = seconds
        .parse()
        .map_err(|_| format!("invalid number of seconds `{seconds}`"))?;
    let fuzz = workspace::root().join(folder);
    process::run(&mut cargo_fuzz("build", &fuzz))?;
    let corpus = load_all(&testdata_dir()).map_err(|error| error.to_string())?;
    let runs = parallel::map(&targets(&fuzz)?, |_, target| {
        seed(&fuzz.join("corpus").join(target), &corpus, target)?;
        fuzz_one(&fuzz, target, seconds)
    });
    runs.into_iter().collect()
}

/// Returns the sorted names of the targets.
fn targets(fuzz: &Path) -> Result<Vec<String>, String> {
    let files = workspace::files_in(&fuzz.join("fuzz_targets"), "rs")?;
    let names = files.iter().filter_map(|path| path.file_stem()?.to_str());
    Ok(names.map(str::to_owned).collect())
}

/// Writes the head and the elements of each page as an input.
fn seed_pages(dir: &Path, corpus: &Corpus) -> Result<(), String> {
    for page in &corpus.pages {
        let metas = page.metas.iter().chain(&page.body_metas);
        let metas = metas.map(|it| it.replacen(": ", "=", 1).into_bytes());
        let lines: Vec<_> = page
            .headers
            .iter()
            .cloned()
            .chain([Vec::new()])
            .chain(metas)
            .collect();
        let input = lines.join(&b'\n');
        if input.len() < INPUT_BYTES_MAX {
            fs::write(dir.join(&page.id), input).map_err(at(dir))?;
        }
    }
    Ok(())
}

/// Writes each question of the cases as an input.
fn seed(dir: &Path, corpus: &Corpus, target: &str) -> Result<(), String> {
    fs::create_dir_all(dir).map_err(at(dir))?;
    if target == "directives" {
        return seed_pages(dir, corpus);
    }
    let is_short = |case: &&Case| case.robots.len() < INPUT_BYTES_MAX;
    for case in corpus.cases.iter().filter(is_short) {
        for (nth, ask) in case.asks.iter().enumerate() {
            let name = ask.agents.first().map_or("*", String::as_str);
            let input = input(target, &case.robots, name.as_bytes(), &ask.url);
            fs::write(dir.join(format!("{}-{nth}", case.id)), input).map_err(at(dir))?;
        }
    }
    Ok(())
}

fn fuzz_one(fuzz: &Path, target: &str, seconds: u32) -> Result<(), String> {
    let words = fuzz.join("words.dict");
    let mut command = cargo_fuzz("run", fuzz);
    command
        .args([target, "--", "-print_final_stats=1", "-verbosity=0"])
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-max_len={INPUT_BYTES_MAX}"))
        .arg(format!("-dict={}", words.display()));
    process::run(&mut command)
}

fn cargo_fuzz(task: &str, fuzz: &Path) -> Command {
    let mut command = Command::new("cargo");
    command.args(["+nightly", "fuzz", task, "--fuzz-dir"]);
    command.arg(fuzz).current_dir(workspace::root());
    command
}
