//! `verdicts-sample.tsv.gz`: questions about the files, with the verdicts of Google's library.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::read::GzDecoder;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) agent: String,
    pub(crate) url: String,
    pub(crate) allowed: bool,
    /// Reported line, or 0 if nothing matched.
    pub(crate) line: u32,
}

/// Questions not yet asked, by file.
pub(crate) struct Samples {
    by_file: BTreeMap<String, Vec<Question>>,
}

impl Samples {
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let at = |line: usize, error: &dyn std::fmt::Display| {
            format!("{}:{line}: {error}", path.display())
        };
        let file = File::open(path).map_err(|error| at(0, &error))?;
        let mut by_file = BTreeMap::<String, Vec<Question>>::new();
        let lines = BufReader::new(GzDecoder::new(file)).lines();
        // The first line is a header.
        for (line, number) in lines.zip(1..).skip(1) {
            let line = line.map_err(|error| at(number, &error))?;
            let (file, question) = read_line(&line)
                .ok_or_else(|| at(number, &"expected columns file, agent, url, allowed, line"))?;
            by_file.entry(file).or_default().push(question);
        }
        Ok(Self { by_file })
    }

    /// Removes and returns the questions about a file.
    pub(crate) fn take(&mut self, file: &str) -> Vec<Question> {
        self.by_file.remove(file).unwrap_or_default()
    }

    /// Checks that the archive contained every file with questions.
    pub(crate) fn check_all_taken(&self) -> Result<(), String> {
        match self.by_file.keys().next() {
            None => Ok(()),
            Some(file) => Err(format!(
                "{} files of the sample are missing from the archive, for example {file}",
                self.by_file.len()
            )),
        }
    }
}

fn read_line(line: &str) -> Option<(String, Question)> {
    let mut cells = line.split('\t');
    let mut cell = || cells.next();
    let file = cell()?.to_owned();
    let question = Question {
        agent: cell()?.to_owned(),
        url: cell()?.to_owned(),
        allowed: match cell()? {
            "0" => false,
            "1" => true,
            _ => return None,
        },
        line: cell()?.parse().ok()?,
    };
    cells.next().is_none().then_some((file, question))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_five_cells() {
        let (file, question) = read_line("h.txt\tFooBot\thttps://h.example/\t0\t6").unwrap();
        assert_eq!(file, "h.txt");
        assert!(!question.allowed);
        assert_eq!(question.line, 6);
        assert_eq!(read_line("h.txt\tFooBot\thttps://h.example/\t0"), None);
        assert_eq!(read_line("h.txt\tFooBot\thttps://h.example/\t2\t6"), None);
        assert_eq!(
            read_line("h.txt\tFooBot\thttps://h.example/\t0\t6\tx"),
            None
        );
    }
}
