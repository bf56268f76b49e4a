//! `Figure`: one number of one engine. `Block`: all figures about one input.

use crate::race::Outcome;

/// The cost of one input of one job for one engine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figure {
    /// The engine, then `/` and the kind of question.
    pub(crate) label: String,
    /// CPU time per call.
    pub(crate) nanoseconds: Option<f64>,
    pub(crate) bytes: Option<u64>,
    pub(crate) allocations: Option<u64>,
    /// The reason for a missing number, or its limitations.
    pub(crate) remark: Option<String>,
}

impl Figure {
    pub(crate) fn of(label: impl Into<String>, outcome: Outcome) -> Self {
        let (nanoseconds, remark) = match outcome {
            Outcome::Nanoseconds(each) => (Some(each), None),
            Outcome::Panicked => (None, Some("panicked".to_owned())),
            Outcome::TooSlow(limit) => (None, Some(format!("> {} s a call", limit.as_secs()))),
        };
        Self {
            label: label.into(),
            nanoseconds,
            remark,
            ..Self::default()
        }
    }

    fn value(&self) -> Option<f64> {
        #[allow(clippy::cast_precision_loss)]
        let bytes = self.bytes.map(|bytes| bytes as f64);
        self.nanoseconds.or(bytes)
    }
}

pub(crate) struct Block {
    pub(crate) job: &'static str,
    pub(crate) input: String,
    /// Text after the input's name.
    pub(crate) detail: String,
    /// Label of the engine to compare with.
    pub(crate) reference: &'static str,
    /// Bytes read per call, for jobs with a throughput.
    pub(crate) bytes_per_call: Option<f64>,
    /// Number of rules, for jobs with a size per rule.
    pub(crate) rules: Option<usize>,
    pub(crate) figures: Vec<Figure>,
}

impl Block {
    pub(crate) fn ratio(&self, figure: &Figure) -> Option<f64> {
        let is_reference = |other: &&Figure| other.label == self.reference;
        let reference = self.figures.iter().find(is_reference)?.value()?;
        Some(figure.value()? / reference).filter(|ratio| ratio.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, Figure};
    use crate::race::Outcome;

    #[test]
    fn a_ratio_is_to_the_reference() {
        let figures = [("verger", 50.0), ("other", 200.0)]
            .map(|(label, each)| Figure::of(label, Outcome::Nanoseconds(each)));
        let block = Block {
            job: "J1",
            input: "a".to_owned(),
            detail: String::new(),
            reference: "verger",
            bytes_per_call: None,
            rules: None,
            figures: figures.to_vec(),
        };
        assert_eq!(block.ratio(&block.figures[1]), Some(4.0));
        let panicked = Figure::of("third", Outcome::Panicked);
        assert_eq!(block.ratio(&panicked), None);
    }
}
