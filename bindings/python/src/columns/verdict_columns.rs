//! `VerdictColumns`: the results for one crawler, column by column.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{BooleanBuilder, Int64Builder, StringBuilder};
use arrow_schema::{DataType, Field};
use verger::{Policy, Verdict};
use verger_inputs::rulebook::write_rule;

#[derive(Debug)]
pub(crate) struct VerdictColumns {
    allowed: BooleanBuilder,
    reason: StringBuilder,
    line: Int64Builder,
    rule: StringBuilder,
    rule_text: String,
}

/// Why there is no verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// The URL is null.
    NoUrl,
    /// The URL is not valid, or has no authority.
    NotAUrl,
    /// No body exists for its authority or id.
    NoBody,
}

impl Unknown {
    fn as_str(self) -> &'static str {
        match self {
            Self::NoUrl => "no-url",
            Self::NotAUrl => "not-a-url",
            Self::NoBody => "no-body",
        }
    }
}

impl VerdictColumns {
    pub(crate) fn fields() -> Vec<Field> {
        vec![
            Field::new("allowed", DataType::Boolean, true),
            Field::new("reason", DataType::Utf8, false),
            Field::new("line", DataType::Int64, true),
            Field::new("rule", DataType::Utf8, true),
        ]
    }

    /// Creates empty columns with capacity for `rows` rows.
    pub(crate) fn with_capacity(rows: usize) -> Self {
        // A reason has about seven bytes, and a rule about twenty.
        Self {
            allowed: BooleanBuilder::with_capacity(rows),
            reason: StringBuilder::with_capacity(rows, rows * 8),
            line: Int64Builder::with_capacity(rows),
            rule: StringBuilder::with_capacity(rows, rows * 8),
            rule_text: String::new(),
        }
    }

    pub(crate) fn push(&mut self, verdict: Verdict, policy: &Policy) {
        self.allowed.append_value(verdict.is_allowed());
        self.reason.append_value(verdict.reason().as_str());
        match verdict.rule().and_then(|id| policy.rule(id)) {
            Some(rule) => {
                self.line.append_value(rule.line.get().into());
                write_rule(&rule, &mut self.rule_text);
                self.rule.append_value(&self.rule_text);
            }
            None => self.push_no_rule(),
        }
    }

    pub(crate) fn push_unknown(&mut self, unknown: Unknown) {
        self.allowed.append_null();
        self.reason.append_value(unknown.as_str());
        self.push_no_rule();
    }

    fn push_no_rule(&mut self) {
        self.line.append_null();
        self.rule.append_null();
    }

    /// Returns the columns as arrays, in the order of [`VerdictColumns::fields`].
    pub(crate) fn finish(mut self) -> Vec<ArrayRef> {
        vec![
            Arc::new(self.allowed.finish()),
            Arc::new(self.reason.finish()),
            Arc::new(self.line.finish()),
            Arc::new(self.rule.finish()),
        ]
    }
}
