//! Records of fields, the format of questions and answers of the test programs
//! (`bindings/c/tests/fields.h`).

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

/// The fields of a record.
pub type Record = Vec<Vec<u8>>;

/// Creates a record of these fields.
pub fn record<'f>(fields: impl IntoIterator<Item = &'f [u8]>) -> Record {
    fields.into_iter().map(<[u8]>::to_vec).collect()
}

/// Runs a program with questions, passed in a file next to it, and returns its answer to each.
///
/// # Errors
///
/// Returns an error if the program fails or does not answer every question.
pub fn ask(program: &Path, questions: &[Record]) -> Result<Vec<Record>, String> {
    let file = program.with_extension("questions");
    let problem = |error| format!("{}: {error}", file.display());
    fs::write(&file, written(questions)).map_err(problem)?;
    let output = Command::new(program)
        .stdin(File::open(&file).map_err(problem)?)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("{} cannot be run: {error}", program.display()))?;
    if !output.status.success() {
        return Err(format!("{} failed: {}", program.display(), output.status));
    }
    let answers = read(&output.stdout).ok_or("the answers are no records")?;
    if answers.len() != questions.len() {
        let (answers, questions) = (answers.len(), questions.len());
        return Err(format!("{answers} answers to {questions} questions"));
    }
    Ok(answers)
}

fn written(records: &[Record]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for record in records {
        bytes.extend_from_slice(format!("{}\n", record.len()).as_bytes());
        for field in record {
            bytes.extend_from_slice(format!("{}:", field.len()).as_bytes());
            bytes.extend_from_slice(field);
            bytes.push(b'\n');
        }
    }
    bytes
}

fn read(mut bytes: &[u8]) -> Option<Vec<Record>> {
    let mut records = Vec::new();
    while !bytes.is_empty() {
        let count = number(&mut bytes, b'\n')?;
        let mut record = Vec::new();
        for _ in 0..count {
            let length = number(&mut bytes, b':')?;
            let (field, rest) = bytes.split_at_checked(length)?;
            bytes = rest.strip_prefix(b"\n")?;
            record.push(field.to_vec());
        }
        records.push(record);
    }
    Some(records)
}

fn number(bytes: &mut &[u8], end: u8) -> Option<usize> {
    let at = bytes.iter().position(|&byte| byte == end)?;
    let digits = str::from_utf8(&bytes[..at]).ok()?;
    *bytes = &bytes[at + 1..];
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let records = [
            record([&b"a\n1:b"[..], b"", b"\0"]),
            record([]),
            record([&b"x"[..]]),
        ];
        assert_eq!(read(&written(&records)).unwrap(), records);
        assert_eq!(read(b"1\n3:ab"), None);
    }
}
