use std::array;
use std::collections::HashSet;
use std::fmt::{Display, Write as _};
use std::sync::Arc;

use arrow_array::builder::{
    BinaryBuilder, Int32Builder, Int64Builder, StringBuilder, TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, RecordBatch, StructArray};
use arrow_schema::{DataType, Schema};
use verger_access::Profile;
use verger_store::BodyHash;

use super::capture_schema::capture_schema;
use super::captured_record::{CapturedRecord, Mark};
use super::chains::Chain;

/// Maximum number of body hashes remembered. Then all are forgotten, so a body may be written
/// again.
const BODIES_MAX: usize = 1_000_000;

pub(crate) struct CaptureColumns {
    schema: Arc<Schema>,
    file: String,
    rows: usize,
    bytes: usize,
    seen: HashSet<BodyHash>,
    authority: StringBuilder,
    url: StringBuilder,
    time: TimestampMicrosecondBuilder,
    outcome: StringBuilder,
    status: Int32Builder,
    final_url: StringBuilder,
    redirects: Int32Builder,
    mark: StringBuilder,
    stances: [StringBuilder; Profile::ALL.len()],
    outcomes: [StringBuilder; Profile::ALL.len()],
    has_profiles: Vec<bool>,
    body_sha256: StringBuilder,
    body_bytes: Int64Builder,
    body: BinaryBuilder,
    files: StringBuilder,
    offset: Int64Builder,
    length: Int64Builder,
    problem: StringBuilder,
}

impl CaptureColumns {
    pub(crate) fn new(file: String) -> Self {
        Self {
            schema: capture_schema(),
            file,
            rows: 0,
            bytes: 0,
            seen: HashSet::new(),
            authority: StringBuilder::new(),
            url: StringBuilder::new(),
            time: TimestampMicrosecondBuilder::new().with_timezone("UTC"),
            outcome: StringBuilder::new(),
            status: Int32Builder::new(),
            final_url: StringBuilder::new(),
            redirects: Int32Builder::new(),
            mark: StringBuilder::new(),
            stances: array::from_fn(|_| StringBuilder::new()),
            outcomes: array::from_fn(|_| StringBuilder::new()),
            has_profiles: Vec::new(),
            body_sha256: StringBuilder::new(),
            body_bytes: Int64Builder::new(),
            body: BinaryBuilder::new(),
            files: StringBuilder::new(),
            offset: Int64Builder::new(),
            length: Int64Builder::new(),
            problem: StringBuilder::new(),
        }
    }

    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the size of the bodies and URLs in the batch.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds a row. `chain` is `None` if nothing could be judged.
    pub(crate) fn push(
        &mut self,
        capture: &CapturedRecord,
        chain: Option<&Chain>,
        outcome: Option<&str>,
        mark: Option<Mark>,
    ) {
        self.rows += 1;
        let final_url = chain.map(|chain| &*chain.final_url);
        let urls = [capture.written_url.as_deref(), final_url];
        self.bytes += urls.into_iter().flatten().map(str::len).sum::<usize>();
        push_shown(&mut self.authority, capture.authority.as_ref());
        self.url.append_option(capture.written_url.as_deref());
        self.time.append_option(capture.time);
        self.outcome.append_option(outcome);
        let status = chain.map_or_else(|| capture.status(), |chain| chain.status);
        self.status.append_option(status.map(i32::from));
        self.final_url.append_option(final_url);
        let redirects = chain.and_then(|chain| i32::try_from(chain.redirects).ok());
        self.redirects.append_option(redirects);
        self.mark.append_option(mark.map(Mark::as_str));
        for (at, stances) in self.stances.iter_mut().enumerate() {
            let of_profile = chain.and_then(|chain| chain.of_profiles[at]);
            stances.append_option(of_profile.map(|(_, stance)| stance.as_str()));
            self.outcomes[at].append_option(of_profile.map(|(outcome, _)| outcome.code()));
        }
        self.has_profiles.push(chain.is_some());
        self.push_body(chain.and_then(|chain| chain.body.as_deref()));
        self.files.append_value(&self.file);
        self.offset.append_value(signed(capture.offset));
        self.length.append_option(capture.length.map(signed));
        let problem = Some(&capture.problem).filter(|problem| !problem.is_empty());
        self.problem.append_option(problem);
    }

    fn push_body(&mut self, body: Option<&[u8]>) {
        let hash = body.map(BodyHash::new);
        push_shown(&mut self.body_sha256, hash.as_ref());
        self.body_bytes
            .append_option(body.map(|body| signed(body.len() as u64)));
        if self.seen.len() >= BODIES_MAX {
            self.seen.clear();
        }
        let new = body.filter(|_| hash.is_some_and(|hash| self.seen.insert(hash)));
        self.bytes += new.map_or(0, <[u8]>::len);
        self.body.append_option(new);
    }

    pub(crate) fn finish(&mut self) -> RecordBatch {
        self.rows = 0;
        self.bytes = 0;
        let has_profiles = std::mem::take(&mut self.has_profiles);
        let DataType::Struct(fields) = self.schema.field(8).data_type() else {
            unreachable!("the stances are a struct")
        };
        let of_profiles = |columns: &mut [StringBuilder]| {
            let columns = columns.iter_mut();
            let columns = columns.map(|column| Arc::new(column.finish()) as ArrayRef);
            let is_there = Some(has_profiles.clone().into());
            StructArray::new(fields.clone(), columns.collect(), is_there)
        };
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.authority.finish()),
            Arc::new(self.url.finish()),
            Arc::new(self.time.finish()),
            Arc::new(self.outcome.finish()),
            Arc::new(self.status.finish()),
            Arc::new(self.final_url.finish()),
            Arc::new(self.redirects.finish()),
            Arc::new(self.mark.finish()),
            Arc::new(of_profiles(&mut self.stances)),
            Arc::new(of_profiles(&mut self.outcomes)),
            Arc::new(self.body_sha256.finish()),
            Arc::new(self.body_bytes.finish()),
            Arc::new(self.body.finish()),
            Arc::new(self.files.finish()),
            Arc::new(self.offset.finish()),
            Arc::new(self.length.finish()),
            Arc::new(self.problem.finish()),
        ];
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
            .expect("the columns are those of the schema")
    }
}

/// Formats without allocating a string.
fn push_shown(column: &mut StringBuilder, value: Option<&impl Display>) {
    let Some(value) = value else {
        return column.append_null();
    };
    let _ = write!(column, "{value}");
    column.append_value("");
}

fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
