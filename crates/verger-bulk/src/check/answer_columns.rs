//! `AnswerColumns`: answers, column by column.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Int64Builder, StringBuilder, TimestampMicrosecondBuilder,
};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Int32Array, Int64Array, RecordBatch, StringArray,
    new_null_array,
};
use arrow_schema::{ArrowError, DataType, Field, Schema, TimeUnit};
use verger::{AppliedGroup, NamedBy, Policy, RuleId};
use verger_access::Stance;
use verger_answer::rulebook::write_rule;

use super::answer_reason::AnswerReason;
use super::kept_columns::{repeated, repeated_texts};
use super::url_rows::{TimeArray, UrlRows, UrlTimes};
use crate::standing::CapturePlace;

fn time_type() -> DataType {
    DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
}

/// Returns the columns of answers, as `docs/columns.md` lists them, and after them the columns kept of the lists.
#[must_use]
pub fn answer_schema(kept: &[Field]) -> Arc<Schema> {
    let word = || DataType::Dictionary(DataType::Int32.into(), DataType::Utf8.into());
    let field = |name: &str, of: DataType| Field::new(name, of, true);
    let mut fields = vec![
        field("url", DataType::Utf8View),
        field("time", time_type()),
        Field::new("crawler", word(), false),
        field("allowed", DataType::Boolean),
        Field::new("reason", word(), false),
        field("line", DataType::Int64),
        field("rule", word()),
        field("group_line", DataType::Int64),
        field("group_named", DataType::Boolean),
        field("profile", word()),
        field("stance", word()),
        field("capture_time", time_type()),
        field("capture_file", word()),
        field("capture_offset", DataType::Int64),
        Field::new("input", word(), false),
        Field::new("row", DataType::Int64, false),
    ];
    fields.extend_from_slice(kept);
    Arc::new(Schema::new(fields))
}

/// Texts that repeat, each once.
#[derive(Debug, Default)]
struct Words {
    texts: StringBuilder,
    key_of: HashMap<Box<str>, i32>,
    keys: Vec<Option<i32>>,
}

impl Words {
    /// Adds a text, if it is not there yet; returns its key. Of URLs in any order nearly each has another standing
    /// than the one before, and most of these name the same files and rules.
    fn add(&mut self, text: &str) -> Option<i32> {
        if let Some(key) = self.key_of.get(text) {
            return Some(*key);
        }
        let key = i32::try_from(self.key_of.len()).ok()?;
        self.texts.append_value(text);
        self.key_of.insert(text.into(), key);
        Some(key)
    }

    fn finish(mut self) -> Result<ArrayRef, ArrowError> {
        let keys: Int32Array = self.keys.into_iter().collect();
        let texts = Arc::new(self.texts.finish());
        Ok(Arc::new(DictionaryArray::<Int32Type>::try_new(
            keys, texts,
        )?))
    }
}

/// Answers, a row for each URL and crawler.
#[derive(Debug)]
pub(super) struct AnswerColumns {
    crawlers: usize,
    allowed: BooleanBuilder,
    reason: Vec<Option<i32>>,
    line: Int64Builder,
    rule: Words,
    /// The keys of the rules of the body that was asked last, by crawler and rule.
    rule_keys: Vec<Vec<Option<i32>>>,
    rule_text: String,
    group_line: Int64Builder,
    group_named: BooleanBuilder,
    stance: Vec<Option<i32>>,
    capture_time: TimestampMicrosecondBuilder,
    capture_file: Words,
    capture_offset: Int64Builder,
    /// The key of the file of the place that was asked last.
    file_key: Option<i32>,
}

impl AnswerColumns {
    /// Empty columns, for so many URLs.
    pub(super) fn with_capacity(urls: usize, crawlers: usize) -> Self {
        let rows = urls * crawlers;
        let words = || Words {
            keys: Vec::with_capacity(rows),
            ..Words::default()
        };
        Self {
            crawlers,
            allowed: BooleanBuilder::with_capacity(rows),
            reason: Vec::with_capacity(rows),
            line: Int64Builder::with_capacity(rows),
            rule: words(),
            rule_keys: vec![Vec::new(); crawlers],
            rule_text: String::new(),
            group_line: Int64Builder::with_capacity(rows),
            group_named: BooleanBuilder::with_capacity(rows),
            stance: Vec::with_capacity(rows),
            capture_time: TimestampMicrosecondBuilder::with_capacity(rows),
            capture_file: words(),
            capture_offset: Int64Builder::with_capacity(rows),
            file_key: None,
        }
    }

    /// Says that the rows that follow are about another standing, of that capture.
    pub(super) fn change_standing(&mut self, capture: Option<&CapturePlace>) {
        for keys in &mut self.rule_keys {
            keys.clear();
        }
        let file = capture.and_then(|capture| capture.file.as_deref());
        self.file_key = file.and_then(|file| self.capture_file.add(file));
    }

    /// Adds whether a URL is allowed, and why.
    pub(super) fn push_result(&mut self, allowed: Option<bool>, reason: AnswerReason) {
        self.allowed.append_option(allowed);
        self.reason.push(i32::try_from(reason as usize).ok());
    }

    /// Adds the rule that decides, and the group that applies.
    pub(super) fn push_rule(
        &mut self,
        crawler: usize,
        rule: Option<(RuleId, &Policy)>,
        group: Option<AppliedGroup>,
    ) {
        let found = rule.and_then(|(id, policy)| Some((id, policy.rule(id)?)));
        let key = found.as_ref().and_then(|(id, rule)| {
            let keys = self.rule_keys.get_mut(crawler)?;
            if keys.len() <= id.index() {
                keys.resize(id.index() + 1, None);
            }
            let key = keys.get_mut(id.index())?;
            if key.is_none() {
                write_rule(rule, &mut self.rule_text);
                *key = self.rule.add(&self.rule_text);
            }
            *key
        });
        self.rule.keys.push(key);
        self.line
            .append_option(found.map(|(_, rule)| rule.line.get().into()));
        let line = group.map(|group| i64::from(group.line.get()));
        self.group_line.append_option(line);
        let named = group.map(|group| group.named_by == NamedBy::Token);
        self.group_named.append_option(named);
    }

    /// Adds the stance, and the capture that it is of.
    pub(super) fn push_standing(&mut self, stance: Option<Stance>, capture: Option<&CapturePlace>) {
        let stance = stance.and_then(|stance| Stance::ALL.iter().position(|it| *it == stance));
        self.stance
            .push(stance.and_then(|at| i32::try_from(at).ok()));
        self.capture_time
            .append_option(capture.map(|it| it.time_micros));
        let file = capture.and_then(|it| it.file.as_ref());
        let key = file.and(self.file_key);
        self.capture_file.keys.push(key);
        self.capture_offset
            .append_option(capture.and_then(|it| it.offset));
    }

    /// The columns as a batch; `names` of the crawlers, `profile` if one decides.
    pub(super) fn finish(
        self,
        rows: &UrlRows,
        names: &StringArray,
        profile: Option<&str>,
    ) -> Result<RecordBatch, ArrowError> {
        let crawlers = self.crawlers;
        let answers = rows.len() * crawlers;
        let each = i32::try_from(crawlers).unwrap_or(i32::MAX);
        let crawler: Int32Array = (0..rows.len()).flat_map(|_| 0..each).collect();
        let crawler = DictionaryArray::<Int32Type>::try_new(crawler, Arc::new(names.clone()))?;
        let words = |keys: Vec<Option<i32>>, texts: Vec<&str>| -> Result<ArrayRef, ArrowError> {
            let texts = Arc::new(StringArray::from(texts));
            let keys: Int32Array = keys.into_iter().collect();
            Ok(Arc::new(DictionaryArray::<Int32Type>::try_new(
                keys, texts,
            )?))
        };
        let profile_keys = vec![profile.map(|_| 0); answers];
        let mut columns: Vec<ArrayRef> = vec![
            repeated_texts(&rows.urls, crawlers),
            repeated_times(&rows.times, rows.len(), crawlers),
            Arc::new(crawler),
        ];
        columns.extend([
            Arc::new(boolean(self.allowed)) as ArrayRef,
            words(
                self.reason,
                AnswerReason::ALL.iter().map(|it| it.as_str()).collect(),
            )?,
            Arc::new({ self.line }.finish()),
            self.rule.finish()?,
            Arc::new({ self.group_line }.finish()),
            Arc::new(boolean(self.group_named)),
            words(profile_keys, profile.into_iter().collect())?,
            words(
                self.stance,
                Stance::ALL.iter().map(|it| it.as_str()).collect(),
            )?,
            Arc::new({ self.capture_time }.finish().with_timezone("UTC")),
            self.capture_file.finish()?,
            Arc::new({ self.capture_offset }.finish()),
            words(vec![Some(0); answers], vec![&*rows.origin.input])?,
            Arc::new(row_numbers(rows, crawlers)),
        ]);
        let (fields, kept): (Vec<_>, Vec<_>) = rows.origin.kept.iter().cloned().unzip();
        for (field, column) in fields.iter().zip(&kept) {
            let other =
                || ArrowError::SchemaError(format!("column `{}` cannot be kept", field.name()));
            columns.push(repeated(column, crawlers).ok_or_else(other)?);
        }
        RecordBatch::try_new(answer_schema(&fields), columns)
    }
}

/// The number of each row, so many times.
fn row_numbers(rows: &UrlRows, crawlers: usize) -> Int64Array {
    let numbers = (rows.origin.first_row..).take(rows.len());
    numbers
        .flat_map(|number| std::iter::repeat_n(number, crawlers))
        .collect()
}

fn boolean(mut builder: BooleanBuilder) -> BooleanArray {
    builder.finish()
}

/// Each time so many times; nulls where URLs have none.
fn repeated_times(times: &UrlTimes, rows: usize, crawlers: usize) -> ArrayRef {
    match times {
        UrlTimes::None => new_null_array(&time_type(), rows * crawlers),
        UrlTimes::Each(times) => {
            let repeated = times
                .iter()
                .flat_map(|time| std::iter::repeat_n(time, crawlers));
            let repeated: TimeArray = repeated.collect();
            Arc::new(repeated.with_timezone("UTC"))
        }
    }
}
