//! `AnswerColumns`: collects answers into columns.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Int32Array, Int64Array, RecordBatch, StringArray,
    new_null_array,
};
use arrow_schema::{ArrowError, DataType, Field, Schema, TimeUnit};
use verger::{AppliedGroup, LineNumber, NamedBy, Policy, PolicyRule, RuleId};
use verger_access::Stance;
use verger_extensions::{ContentUse, Signal, TargetPreferences};
use verger_inputs::rulebook::write_rule;

use super::answer_reason::AnswerReason;
use super::kept_columns::{repeated, repeated_texts};
use super::url_rows::{TimeArray, UrlRows, UrlTimes};
use crate::standing::CapturePlace;

fn time_type() -> DataType {
    DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
}

/// Returns the columns of answers, documented in `docs/columns.md`, followed by the kept columns of
/// the lists. There are two more if a use of the content is `asked` about.
#[must_use]
pub fn answer_schema(asked: Option<ContentUse>, kept: &[Field]) -> Arc<Schema> {
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
    if asked.is_some() {
        fields.extend([
            field("preference", word()),
            field("preference_line", DataType::Int64),
        ]);
    }
    fields.extend_from_slice(kept);
    Arc::new(Schema::new(fields))
}

#[derive(Debug, Default)]
struct Words {
    texts: StringBuilder,
    key_of: HashMap<Box<str>, i32>,
}

impl Words {
    /// Returns the key of the text. Adds the text if it is new.
    fn add(&mut self, text: &str) -> Option<i32> {
        if let Some(key) = self.key_of.get(text) {
            return Some(*key);
        }
        let key = i32::try_from(self.key_of.len()).ok()?;
        self.texts.append_value(text);
        self.key_of.insert(text.into(), key);
        Some(key)
    }

    fn column(mut self, keys: impl Iterator<Item = Option<i32>>) -> Result<ArrayRef, ArrowError> {
        words(keys, self.texts.finish())
    }
}

fn words(
    keys: impl Iterator<Item = Option<i32>>,
    texts: StringArray,
) -> Result<ArrayRef, ArrowError> {
    let keys: Int32Array = keys.collect();
    let column = DictionaryArray::<Int32Type>::try_new(keys, Arc::new(texts))?;
    Ok(Arc::new(column))
}

#[derive(Clone, Copy, Debug)]
struct Row {
    allowed: Option<bool>,
    reason: AnswerReason,
    line: Option<LineNumber>,
    rule: Option<i32>,
    group: Option<AppliedGroup>,
    stance: Option<Stance>,
    /// The index of its capture.
    capture: Option<u32>,
    preference: Option<Preference>,
}

/// Whether the use that is asked about is permitted, and the line that says so.
#[derive(Clone, Copy, Debug)]
struct Preference {
    signal: Option<Signal>,
    line: Option<LineNumber>,
}

/// The words of the column `preference`.
const PREFERENCES: [&str; 3] = ["unstated", "yes", "no"];

impl Row {
    fn unknown(reason: AnswerReason) -> Self {
        Self {
            allowed: None,
            reason,
            line: None,
            rule: None,
            group: None,
            stance: None,
            capture: None,
            preference: None,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Captured {
    time_micros: i64,
    file: Option<i32>,
    offset: Option<i64>,
}

#[derive(Clone, Debug)]
pub(super) struct Answer<'p> {
    pub(super) allowed: bool,
    pub(super) reason: AnswerReason,
    pub(super) rule: Option<(RuleId, &'p Policy)>,
    pub(super) group: Option<AppliedGroup>,
    pub(super) stance: Option<Stance>,
    /// The preferences about the uses of the content, if one is asked about.
    pub(super) preferences: TargetPreferences,
}

/// One row for each URL and crawler. Answers are added in any order, but those of a standing must
/// be consecutive.
#[derive(Debug)]
pub(super) struct AnswerColumns {
    crawlers: usize,
    rows: Vec<Row>,
    rules: Words,
    /// Keys of the current standing's rules, by crawler and rule.
    rule_keys: Vec<Vec<Option<i32>>>,
    rule_text: String,
    files: Words,
    captures: Vec<Captured>,
    capture: Option<u32>,
    asked: Option<ContentUse>,
}

impl AnswerColumns {
    pub(super) fn new(urls: usize, crawlers: usize, asked: Option<ContentUse>) -> Self {
        Self {
            crawlers,
            rows: vec![Row::unknown(AnswerReason::NoUrl); urls * crawlers],
            rules: Words::default(),
            rule_keys: vec![Vec::new(); crawlers],
            rule_text: String::new(),
            files: Words::default(),
            captures: Vec::new(),
            capture: None,
            asked,
        }
    }

    pub(super) fn change_standing(&mut self, capture: Option<&CapturePlace>) {
        for keys in &mut self.rule_keys {
            keys.clear();
        }
        self.capture = capture.and_then(|capture| {
            self.captures.push(Captured {
                time_micros: capture.time_micros,
                file: capture
                    .file
                    .as_deref()
                    .and_then(|file| self.files.add(file)),
                offset: capture.offset,
            });
            u32::try_from(self.captures.len() - 1).ok()
        });
    }

    pub(super) fn put(&mut self, url: usize, crawler: usize, answer: &Answer<'_>) {
        let rule = answer
            .rule
            .and_then(|(id, policy)| Some((id, policy.rule(id)?)));
        self.rows[url * self.crawlers + crawler] = Row {
            allowed: Some(answer.allowed),
            reason: answer.reason,
            line: rule.map(|(_, rule)| rule.line),
            rule: rule.and_then(|(id, rule)| self.rule_key(crawler, id, &rule)),
            group: answer.group,
            stance: answer.stance,
            capture: self.capture,
            preference: self.asked.map(|it| Preference {
                signal: answer.preferences.signal(it),
                line: answer.preferences.deciding_line(it),
            }),
        };
    }

    pub(super) fn put_unknown(&mut self, url: usize, reason: AnswerReason) {
        let rows = url * self.crawlers..(url + 1) * self.crawlers;
        self.rows[rows].fill(Row::unknown(reason));
    }

    fn rule_key(&mut self, crawler: usize, id: RuleId, rule: &PolicyRule<'_>) -> Option<i32> {
        let keys = self.rule_keys.get_mut(crawler)?;
        if keys.len() <= id.index() {
            keys.resize(id.index() + 1, None);
        }
        let key = keys.get_mut(id.index())?;
        if key.is_none() {
            write_rule(rule, &mut self.rule_text);
            *key = self.rules.add(&self.rule_text);
        }
        *key
    }

    /// Takes the names of the crawlers and the profile that decides, if any.
    pub(super) fn finish(
        self,
        urls: &UrlRows,
        names: &StringArray,
        profile: Option<&str>,
    ) -> Result<RecordBatch, ArrowError> {
        let crawlers = self.crawlers;
        let rows = || self.rows.iter();
        let captures = || {
            let captured = |at: u32| self.captures[at as usize];
            rows().map(move |row| row.capture.map(captured))
        };
        let each = i32::try_from(crawlers).unwrap_or(i32::MAX);
        let crawler = (0..urls.len()).flat_map(|_| (0..each).map(Some));
        let numbers = |numbers: &mut dyn Iterator<Item = Option<i64>>| -> ArrayRef {
            Arc::new(numbers.collect::<Int64Array>())
        };
        let booleans = |values: &mut dyn Iterator<Item = Option<bool>>| -> ArrayRef {
            Arc::new(values.collect::<BooleanArray>())
        };
        let capture_time: TimeArray = captures().map(|it| Some(it?.time_micros)).collect();
        let mut columns = vec![
            repeated_texts(&urls.urls, crawlers),
            repeated_times(&urls.times, urls.len(), crawlers),
            words(crawler, names.clone())?,
            booleans(&mut rows().map(|row| row.allowed)),
            words(
                rows().map(|row| i32::try_from(row.reason as usize).ok()),
                texts(AnswerReason::ALL.iter().map(|it| it.as_str())),
            )?,
            numbers(&mut rows().map(|row| Some(row.line?.get().into()))),
            self.rules.column(rows().map(|row| row.rule))?,
            numbers(&mut rows().map(|row| Some(row.group?.line.get().into()))),
            booleans(&mut rows().map(|row| Some(row.group?.named_by == NamedBy::Token))),
            words(rows().map(|_| profile.map(|_| 0)), texts(profile))?,
            words(
                rows().map(|row| {
                    let stance = row.stance?;
                    let at = Stance::ALL.iter().position(|it| *it == stance)?;
                    i32::try_from(at).ok()
                }),
                texts(Stance::ALL.iter().map(|it| it.as_str())),
            )?,
            Arc::new(capture_time.with_timezone("UTC")),
            self.files.column(captures().map(|it| it?.file))?,
            numbers(&mut captures().map(|it| it?.offset)),
            words(rows().map(|_| Some(0)), texts([&*urls.origin.input]))?,
            Arc::new(row_numbers(urls, crawlers)),
        ];
        if self.asked.is_some() {
            columns.push(words(
                rows().map(|row| Some(word_of(row.preference?))),
                texts(PREFERENCES),
            )?);
            let lines = &mut rows().map(|row| Some(row.preference?.line?.get().into()));
            columns.push(numbers(lines));
        }
        let (fields, kept): (Vec<_>, Vec<_>) = urls.origin.kept.iter().cloned().unzip();
        for (field, column) in fields.iter().zip(&kept) {
            let other =
                || ArrowError::SchemaError(format!("column `{}` cannot be kept", field.name()));
            columns.push(repeated(column, crawlers).ok_or_else(other)?);
        }
        RecordBatch::try_new(answer_schema(self.asked, &fields), columns)
    }
}

fn texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> StringArray {
    texts.into_iter().map(Some).collect()
}

/// Returns the index in [`PREFERENCES`].
fn word_of(preference: Preference) -> i32 {
    match preference.signal {
        None => 0,
        Some(Signal::Yes) => 1,
        Some(_) => 2,
    }
}

fn row_numbers(rows: &UrlRows, crawlers: usize) -> Int64Array {
    let numbers = (rows.origin.first_row..).take(rows.len());
    numbers
        .flat_map(|number| std::iter::repeat_n(number, crawlers))
        .collect()
}

/// Returns nulls if URLs have no times.
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
