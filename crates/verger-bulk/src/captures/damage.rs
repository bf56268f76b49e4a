use arrow_array::cast::AsArray as _;
use arrow_array::types::Int64Type;
use arrow_array::{Array as _, RecordBatch};

/// The first damaged record of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Its offset in bytes.
    pub offset: i64,
    /// The problem, as in the column `problem`.
    pub problem: String,
}

impl Damage {
    pub(super) fn first_of(batch: &RecordBatch) -> Option<Self> {
        let problems = batch.column_by_name("problem")?.as_string_opt::<i32>()?;
        if problems.null_count() == problems.len() {
            return None;
        }
        let offsets = batch
            .column_by_name("offset")?
            .as_primitive_opt::<Int64Type>()?;
        let mut rows = problems.iter().zip(offsets);
        rows.find_map(|(problem, offset)| {
            Some(Self {
                offset: offset?,
                problem: problem?.to_owned(),
            })
        })
    }
}
