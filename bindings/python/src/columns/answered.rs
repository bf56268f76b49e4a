//! `Answered`: batches with their new columns, computed on demand.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef};
use arrow_data::ArrayData;

use crate::arrow::capsule::Opened;
use crate::arrow::stream_in::StreamIn;
use crate::arrow::stream_out::Arrays;
use crate::columns::job::{Plan, Worker};
use crate::columns::table::array_of;

pub(crate) struct Answered {
    plan: Arc<Plan>,
    worker: Worker,
    input: Input,
    /// The unread rows of the last input array, and the number of the first of them.
    rest: Option<(usize, ArrayRef)>,
    /// The error that ended the stream. Further reads return it again.
    failure: Option<String>,
}

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
            failure: None,
        }
    }

    /// Returns the next input rows, at most [`Job::rows_max`](crate::columns::job::Job::rows_max).
    ///
    /// Longer batches are split, to share work between reader threads and to limit the memory in
    /// use.
    fn next_rows(&mut self) -> Result<Option<(usize, ArrayRef)>, String> {
        let (first, array) = match self.rest.take() {
            Some(rest) => rest,
            None => match self.input.next()? {
                Some(data) => (0, array_of(data)?),
                None => return Ok(None),
            },
        };
        let rows_max = self.plan.job.rows_max();
        if array.len() <= rows_max {
            return Ok(Some((first, array)));
        }
        let after = array.len() - rows_max;
        self.rest = Some((first + rows_max, array.slice(rows_max, after)));
        Ok(Some((first, array.slice(0, rows_max))))
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
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let rows = self.next_rows().transpose();
        let made = rows.map(|rows| {
            let (first, rows) = rows?;
            self.plan.apply((first, &rows), &mut self.worker)
        });
        made.transpose()
            .inspect_err(|failure| self.failure = Some(failure.clone()))
    }
}
