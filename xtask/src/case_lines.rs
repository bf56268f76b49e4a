//! `cargo xtask cases`: the case files as JSON Lines, for tests in other languages. Bytes are base64. Dialects,
//! verdicts and groups are as in the case files. `kind` names the table of each line.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value as Json;
use verger_testkit::case::{load_all, testdata_dir};
use verger_testkit::scenario::{TIME_ZERO, load_scenarios};

use crate::workspace::{self, at};

pub(crate) fn print() -> Result<(), String> {
    write(io::stdout().lock())
}

/// Writes the tables to the file that the tests of a binding read.
pub(crate) fn write_file(package: &str) -> Result<(), String> {
    let path = file_of(package)?;
    write(File::create(&path).map_err(at(&path))?)
}

/// Returns the file that the tests of a binding read, and creates its directory.
pub(crate) fn file_of(package: &str) -> Result<PathBuf, String> {
    let folder = workspace::root().join(package).join("tmp");
    fs::create_dir_all(&folder).map_err(at(&folder))?;
    Ok(folder.join("cases.jsonl"))
}

fn write(out: impl Write) -> Result<(), String> {
    let unwritable = |error: io::Error| format!("cannot print the cases: {error}");
    let mut out = BufWriter::new(out);
    for line in lines()? {
        writeln!(out, "{line}").map_err(unwritable)?;
    }
    out.flush().map_err(unwritable)
}

fn lines() -> Result<Vec<Json>, String> {
    let corpus = load_all(&testdata_dir()).map_err(|error| error.to_string())?;
    let access = load_scenarios(&testdata_dir()).map_err(|error| error.to_string())?;
    let mut scenarios = of_kind("scenario", &access.scenarios)?;
    for scenario in &mut scenarios {
        scenario["time_zero"] = TIME_ZERO.into();
    }
    Ok([
        of_kind("case", &corpus.cases)?,
        of_kind("target", &corpus.targets)?,
        of_kind("token", &corpus.tokens)?,
        of_kind("listing", &corpus.listings)?,
        of_kind("value", &corpus.values)?,
        of_kind("preference", &corpus.preferences)?,
        of_kind("answer", &corpus.answers)?,
        scenarios,
        of_kind("location", &access.locations)?,
    ]
    .concat())
}

fn of_kind(kind: &str, tables: &[impl Serialize]) -> Result<Vec<Json>, String> {
    let line = |table| {
        let mut line = serde_json::to_value(table)?;
        line["kind"] = kind.into();
        Ok(line)
    };
    let lines: serde_json::Result<_> = tables.iter().map(line).collect();
    lines.map_err(|error| format!("{kind}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_a_line() {
        let corpus = load_all(&testdata_dir()).unwrap();
        let scenarios = load_scenarios(&testdata_dir()).unwrap();
        let mut out = Vec::new();
        write(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let rows: Vec<Json> = text
            .lines()
            .map(|it| serde_json::from_str(it).unwrap())
            .collect();
        for (kind, expected) in [
            ("case", corpus.cases.len()),
            ("target", corpus.targets.len()),
            ("token", corpus.tokens.len()),
            ("listing", corpus.listings.len()),
            ("value", corpus.values.len()),
            ("preference", corpus.preferences.len()),
            ("answer", corpus.answers.len()),
            ("scenario", scenarios.scenarios.len()),
            ("location", scenarios.locations.len()),
        ] {
            let count = rows.iter().filter(|it| it["kind"] == kind).count();
            assert_eq!(count, expected, "{kind}");
            assert!(count > 0, "{kind}");
        }
        let asks: usize = corpus.cases.iter().map(|case| case.asks.len()).sum();
        let written = rows.iter().filter_map(|it| it.get("asks")?.as_array());
        assert_eq!(written.map(Vec::len).sum::<usize>(), asks);
    }
}
