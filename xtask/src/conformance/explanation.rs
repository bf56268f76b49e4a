//! The reasons in `data/explained.toml` for differences from the suites.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

/// The authority for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Against {
    /// Google's library, for `google`.
    Google,
    /// The parser that the suite is from, for `rfc9309`.
    Source,
}

/// A reason, and the cases that it explains.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Explanation {
    pub(super) clauses: Vec<String>,
    pub(super) why: String,
    #[serde(default = "source")]
    against: Against,
    /// Case numbers by suite, such as `1, 4-7`.
    cases: BTreeMap<String, String>,
}

fn source() -> Against {
    Against::Source
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    explained: Vec<Explanation>,
}

type Key = (Against, String, u32);

/// All reasons, and which of their cases have differed so far.
pub(super) struct Explanations {
    reasons: Vec<Explanation>,
    by_case: BTreeMap<Key, usize>,
    used: BTreeSet<Key>,
}

impl Explanations {
    /// Reads the file. A case may have only one reason.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let file: File =
            toml::from_str(text).map_err(|error| format!("data/explained.toml: {error}"))?;
        let mut by_case = BTreeMap::new();
        for (index, reason) in file.explained.iter().enumerate() {
            for (suite, numbers) in &reason.cases {
                for number in read_numbers(numbers)
                    .map_err(|error| format!("data/explained.toml: {suite}: {error}"))?
                {
                    let key = (reason.against, suite.clone(), number);
                    if by_case.insert(key, index).is_some() {
                        return Err(format!(
                            "data/explained.toml: duplicate case {suite} {number}"
                        ));
                    }
                }
            }
        }
        Ok(Self {
            reasons: file.explained,
            by_case,
            used: BTreeSet::new(),
        })
    }

    /// Returns the reason for a difference, and marks it as used.
    pub(super) fn explain(
        &mut self,
        against: Against,
        suite: &str,
        number: u32,
    ) -> Option<&Explanation> {
        let key = (against, suite.to_owned(), number);
        let reason = *self.by_case.get(&key)?;
        self.used.insert(key);
        Some(&self.reasons[reason])
    }

    /// Returns each reason with the number of differences it explained.
    pub(super) fn counts(&self) -> Vec<(&Explanation, usize)> {
        let mut counts = vec![0; self.reasons.len()];
        for key in &self.used {
            counts[self.by_case[key]] += 1;
        }
        self.reasons.iter().zip(counts).collect()
    }

    /// Returns the cases that a reason names although they did not differ.
    pub(super) fn idle(&self) -> Vec<String> {
        self.by_case
            .keys()
            .filter(|key| !self.used.contains(key))
            .map(|(_, suite, number)| format!("{suite} {number}"))
            .collect()
    }
}

/// Reads `1, 4-7`.
fn read_numbers(text: &str) -> Result<Vec<u32>, String> {
    let number = |text: &str| {
        text.trim()
            .parse::<u32>()
            .map_err(|_| format!("invalid case number `{text}`"))
    };
    let mut numbers = Vec::new();
    for item in text.split(',') {
        match item.split_once('-') {
            Some((first, last)) => numbers.extend(number(first)?..=number(last)?),
            None => numbers.push(number(item)?),
        }
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_single_or_ranges() {
        assert_eq!(read_numbers("1, 4-6,9").unwrap(), [1, 4, 5, 6, 9]);
        assert_eq!(
            read_numbers("1, x").unwrap_err(),
            "invalid case number ` x`"
        );
    }

    #[test]
    fn an_explanation_that_was_not_needed_is_idle() {
        let text = "[[explained]]\nclauses = [\"R9309-2.2.2-4\"]\nwhy = \"order\"\ncases = { reppy = \"1-2\" }\n";
        let mut explanations = Explanations::read(text).unwrap();
        assert!(explanations.explain(Against::Source, "reppy", 3).is_none());
        assert!(explanations.explain(Against::Google, "reppy", 1).is_none());
        let reason = explanations.explain(Against::Source, "reppy", 1);
        assert_eq!(reason.unwrap().clauses, ["R9309-2.2.2-4"]);
        assert_eq!(explanations.idle(), ["reppy 2"]);
        assert_eq!(explanations.counts()[0].1, 1);
    }

    #[test]
    fn a_case_has_one_reason() {
        let text = "[[explained]]\nclauses = [\"R9309-2.2.2-4\"]\nwhy = \"x\"\ncases = { reppy = \"1, 1\" }\n";
        assert_eq!(
            Explanations::read(text).err().unwrap(),
            "data/explained.toml: duplicate case reppy 1"
        );
    }
}
