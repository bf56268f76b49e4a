//! `Sample`: files with where they are from, and shares of them.

use std::collections::BTreeMap;
use std::fmt;

use super::file_facts::FileFacts;
use super::provenance::Provenance;

/// A file of the corpus.
pub(super) struct CensusFile {
    pub(super) provenance: Provenance,
    pub(super) facts: FileFacts,
}

/// A year with fewer files is in no chart.
const YEAR_FILES_MIN: usize = 100;

/// Some files of the corpus.
#[derive(Clone)]
pub(super) struct Sample<'f> {
    files: Vec<&'f CensusFile>,
}

impl<'f> Sample<'f> {
    pub(super) fn of(files: &'f [CensusFile]) -> Self {
        let files = files.iter().collect();
        Self { files }
    }

    /// Those that sites served as a robots.txt.
    pub(super) fn real(&self) -> Self {
        self.with(|file| file.provenance.is_real && file.facts.is_robots_txt)
    }

    /// Those of them that were drawn from their source whatever they hold.
    pub(super) fn drawn(&self) -> Self {
        self.real().with(|file| file.provenance.is_drawn)
    }

    pub(super) fn len(&self) -> usize {
        self.files.len()
    }

    /// Those for which something is true.
    pub(super) fn with(&self, is_in: impl Fn(&CensusFile) -> bool) -> Self {
        let files = self.files.iter().copied();
        let files = files.filter(|file| is_in(file)).collect();
        Self { files }
    }

    /// How many of them something is true of.
    pub(super) fn share(&self, is_so: impl Fn(&FileFacts) -> bool) -> Share {
        Share {
            count: self.files.iter().filter(|it| is_so(&it.facts)).count(),
            of: self.len(),
        }
    }

    /// The sum of a number of each of them.
    pub(super) fn sum(&self, number: impl Fn(&FileFacts) -> usize) -> usize {
        self.files.iter().map(|it| number(&it.facts)).sum()
    }

    /// A number of each of them, the least first.
    pub(super) fn sorted(&self, number: impl Fn(&FileFacts) -> usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = self.files.iter().map(|it| number(&it.facts)).collect();
        numbers.sort_unstable();
        numbers
    }

    /// Those of each year, where it is known.
    pub(super) fn by_year(&self) -> BTreeMap<u16, Self> {
        self.by(|provenance| provenance.year)
    }

    /// Those of each year of which there are enough files for a chart.
    pub(super) fn by_year_in_charts(&self) -> BTreeMap<u16, Self> {
        let mut years = self.by_year();
        years.retain(|_, files| files.len() >= YEAR_FILES_MIN);
        years
    }

    /// Those of each source.
    pub(super) fn by_source(&self) -> BTreeMap<String, Self> {
        self.by(|provenance| Some(provenance.source.clone()))
    }

    fn by<K: Ord>(&self, key: impl Fn(&Provenance) -> Option<K>) -> BTreeMap<K, Self> {
        let mut parts: BTreeMap<K, Self> = BTreeMap::new();
        for file in &self.files {
            if let Some(key) = key(&file.provenance) {
                let part = parts.entry(key).or_insert(Self { files: Vec::new() });
                part.files.push(file);
            }
        }
        parts
    }
}

/// How many files of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) count: usize,
    pub(super) of: usize,
}

impl Share {
    /// The share in tenths of a per cent; 0 of an empty sample.
    pub(super) fn per_mille(self) -> usize {
        (self.count * 1_000 + self.of / 2)
            .checked_div(self.of)
            .unwrap_or(0)
    }
}

impl fmt::Display for Share {
    /// As `12.3 %`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&per_cent(self.per_mille()))
    }
}

/// Tenths of a per cent as `12.3 %`.
pub(super) fn per_cent(per_mille: usize) -> String {
    format!("{}.{} %", per_mille / 10, per_mille % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_rounded_to_tenths_of_a_per_cent() {
        assert_eq!(Share { count: 1, of: 8 }.to_string(), "12.5 %");
        assert_eq!(Share { count: 2, of: 3 }.to_string(), "66.7 %");
        assert_eq!(Share { count: 0, of: 0 }.to_string(), "0.0 %");
        assert_eq!(Share { count: 3, of: 3 }.to_string(), "100.0 %");
    }
}
