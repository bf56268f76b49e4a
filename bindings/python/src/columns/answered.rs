//! `Answered`: batches with their new columns, made as they are asked for.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef};
use arrow_data::ArrayData;

use crate::arrow::capsule::Opened;
use crate::arrow::stream_in::StreamIn;
use crate::arrow::stream_out::Arrays;
use crate::columns::job::{Plan, Worker};
use crate::columns::table::array_of;

/// The most rows of a batch that is made. A longer one of the input is divided, so that readers with
/// several threads have something to share, and what is held at once has a bound.
const BATCH_ROWS_MAX: usize = 1 << 16;

/// Batches with their new columns.
pub(crate) struct Answered {
    plan: Arc<Plan>,
    worker: Worker,
    input: Input,
    /// What is left of the last array of the input.
    rest: Option<ArrayRef>,
}

/// Arrays of the input.
enum Input {
    Array(Option<ArrayData>),
    Stream(StreamIn),
}

impl Answered {
    pub(crate) fn of(plan: Arc<Plan>, opened: Opened) -> Self {
        let worker = plan.job.worker();
        let input = match opened {
            Opened::Array(data, _) => Input::Array(Some(data)),
            Opened::Stream(stream) => Input::Stream(stream),
        };
        Self {
            plan,
            worker,
            input,
            rest: None,
        }
    }

    /// The next rows of the input, at most [`BATCH_ROWS_MAX`].
    fn next_rows(&mut self) -> Result<Option<ArrayRef>, String> {
        let array = match self.rest.take() {
            Some(rest) => rest,
            None => match self.input.next()? {
                Some(data) => array_of(data)?,
                None => return Ok(None),
            },
        };
        if array.len() <= BATCH_ROWS_MAX {
            return Ok(Some(array));
        }
        let behind = array.len() - BATCH_ROWS_MAX;
        self.rest = Some(array.slice(BATCH_ROWS_MAX, behind));
        Ok(Some(array.slice(0, BATCH_ROWS_MAX)))
    }
}

impl Input {
    fn next(&mut self) -> Result<Option<ArrayData>, String> {
        match self {
            Self::Array(array) => Ok(array.take()),
            Self::Stream(stream) => stream.next(),
        }
    }
}

impl Arrays for Answered {
    fn next_array(&mut self) -> Result<Option<ArrayData>, String> {
        let rows = self.next_rows()?;
        rows.map(|rows| self.plan.apply(&rows, &mut self.worker))
            .transpose()
    }
}
