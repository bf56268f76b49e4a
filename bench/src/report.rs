//! `Report`: tables for people, or one line of JSON per figure for programs.

use std::fmt::Write as _;

use serde_json::json;

use crate::figure::{Block, Figure};

pub(crate) struct Report {
    json: bool,
}

impl Report {
    pub(crate) fn new(json: bool) -> Self {
        Self { json }
    }

    /// Prints a remark for people, separate from figures for programs.
    pub(crate) fn note(&self, text: &str) {
        if self.json {
            eprintln!("{text}");
        } else {
            println!("{text}");
        }
    }

    pub(crate) fn block(&self, block: &Block) {
        if self.json {
            for figure in &block.figures {
                println!("{}", line(block, figure));
            }
        } else {
            println!("{}", table(block));
        }
    }
}

fn line(block: &Block, figure: &Figure) -> serde_json::Value {
    json!({
        "job": block.job,
        "input": block.input,
        "engine": figure.label,
        "ns": figure.nanoseconds,
        "bytes": figure.bytes,
        "allocations": figure.allocations,
        "ratio_to_verger": block.ratio(figure),
        "remark": figure.remark,
    })
}

fn table(block: &Block) -> String {
    let head = ["", "ns", "bytes", "allocations", "ratio", "GB/s", "B/rule"].map(str::to_owned);
    let mut rows = vec![head];
    rows.extend(block.figures.iter().map(|figure| row(block, figure)));
    let is_used = |column: usize| rows[1..].iter().any(|row| !row[column].is_empty());
    let columns: Vec<usize> = (0..rows[0].len())
        .filter(|&column| is_used(column))
        .collect();
    let mut text = format!("{}  {}{}\n", block.job, block.input, block.detail);
    for (nth, row) in rows.iter().enumerate() {
        for &column in &columns {
            let width = rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
            let cell = &row[column];
            let _ = match column {
                0 => write!(text, "  {cell:<width$}"),
                _ => write!(text, "  {cell:>width$}"),
            };
        }
        let figure = nth.checked_sub(1).map(|at| &block.figures[at]);
        if let Some(remark) = figure.and_then(|figure| figure.remark.as_ref()) {
            let _ = write!(text, "  {remark}");
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

fn row(block: &Block, figure: &Figure) -> [String; 7] {
    let text = |value: Option<String>| value.unwrap_or_default();
    let rate = figure.nanoseconds.zip(block.bytes_per_call);
    let per_rule = figure.bytes.zip(block.rules.filter(|&rules| rules > 0));
    #[allow(clippy::cast_precision_loss)]
    let per_rule = per_rule.map(|(bytes, rules)| format!("{:.1}", bytes as f64 / rules as f64));
    [
        figure.label.clone(),
        text(figure.nanoseconds.map(grouped)),
        text(figure.bytes.map(|bytes| with_commas(&bytes.to_string()))),
        text(
            figure
                .allocations
                .map(|count| with_commas(&count.to_string())),
        ),
        text(block.ratio(figure).map(|ratio| format!("{ratio:.2}x"))),
        text(rate.map(|(nanoseconds, bytes)| format!("{:.3}", bytes / nanoseconds))),
        text(per_rule),
    ]
}

/// Formats a number with commas, and with a decimal below 100.
fn grouped(value: f64) -> String {
    if value < 100.0 {
        return format!("{value:.1}");
    }
    with_commas(&format!("{value:.0}"))
}

pub(crate) fn with_commas(digits: &str) -> String {
    let mut grouped = String::new();
    for (nth, digit) in digits.chars().enumerate() {
        if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::{line, table, with_commas};
    use crate::figure::{Block, Figure};
    use crate::race::Outcome;

    fn block() -> Block {
        let figures = [("verger", 1000.0), ("other", 2500.0)]
            .map(|(label, each)| Figure::of(label, Outcome::Nanoseconds(each)));
        Block {
            job: "J1",
            input: "small".to_owned(),
            detail: ", 1,000 B".to_owned(),
            reference: "verger",
            bytes_per_call: Some(1000.0),
            rules: None,
            figures: figures.to_vec(),
        }
    }

    #[test]
    fn a_table_has_only_the_columns_it_needs() {
        let expected = "\
J1  small, 1,000 B
             ns  ratio   GB/s
  verger  1,000  1.00x  1.000
  other   2,500  2.50x  0.400
";
        assert_eq!(table(&block()), expected);
    }

    #[test]
    fn a_line_has_the_ratio() {
        let block = block();
        let line = line(&block, &block.figures[1]);
        assert_eq!(line["engine"], "other");
        assert_eq!(line["ratio_to_verger"], 2.5);
        assert!(line["bytes"].is_null());
    }

    #[test]
    fn commas_every_three_digits() {
        assert_eq!(with_commas("1234567"), "1,234,567");
        assert_eq!(with_commas("123"), "123");
    }
}
