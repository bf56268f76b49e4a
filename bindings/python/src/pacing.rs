//! `verger.Pacing`.

use pyo3::prelude::*;
use pyo3::types::{PyTime, PyTimeAccess, PyTuple};
use verger::{DayWindow, TimeOfDay};

use crate::python_class::PythonClass;
use crate::type_error::type_error;

static CRAWL_DELAY: PythonClass = PythonClass::value("CrawlDelay");
static REQUEST_RATE: PythonClass = PythonClass::value("RequestRate");
static VISIT_TIME: PythonClass = PythonClass::value("VisitTime");
static DAY_WINDOW: PythonClass = PythonClass::value("DayWindow");

/// How fast and when a file asks a crawler to come.
#[pyclass(frozen, eq, module = "verger")]
#[derive(PartialEq)]
pub(crate) struct Pacing {
    pacing: verger::Pacing,
}

impl Pacing {
    pub(crate) fn of(pacing: verger::Pacing) -> Self {
        Self { pacing }
    }
}

#[pymethods]
impl Pacing {
    /// The delay between two requests: of several the longest.
    #[getter]
    fn crawl_delay<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let delay = self.pacing.crawl_delay();
        delay
            .map(|it| CRAWL_DELAY.make(py, (it.milliseconds(), it.line().get())))
            .transpose()
    }

    /// The rates, in file order.
    #[getter]
    fn request_rates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let rates = self.pacing.request_rates().iter();
        let rates: PyResult<Vec<_>> = rates
            .map(|rate| {
                let window = rate.window().map(|it| day_window(py, it)).transpose()?;
                let interval = rate.interval_milliseconds();
                let parts = (
                    rate.requests(),
                    rate.seconds(),
                    interval,
                    window,
                    rate.line().get(),
                );
                REQUEST_RATE.make(py, parts)
            })
            .collect();
        PyTuple::new(py, rates?)
    }

    /// The parts of the day in which the crawler is welcome, in file order; none says: at any time.
    #[getter]
    fn visit_times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let times = self.pacing.visit_times().iter();
        let times: PyResult<Vec<_>> = times
            .map(|it| VISIT_TIME.make(py, (day_window(py, it.window())?, it.line().get())))
            .collect();
        PyTuple::new(py, times?)
    }

    /// How long to wait between two requests at a time of the day, in UTC, so that the delay and every
    /// rate that applies then are obeyed.
    #[pyo3(signature = (time, /))]
    fn wait_milliseconds(&self, time: &Bound<'_, PyAny>) -> PyResult<u64> {
        Ok(self.pacing.wait_milliseconds(time_of_day(time)?))
    }

    /// Whether the crawler is welcome at a time of the day, in UTC.
    #[pyo3(signature = (time, /))]
    fn is_welcome_at(&self, time: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.pacing.is_welcome_at(time_of_day(time)?))
    }

    fn __bool__(&self) -> bool {
        !self.pacing.is_none()
    }

    fn __repr__(&self) -> String {
        let delay = self.pacing.crawl_delay();
        let delay = delay.map(|it| format!("crawl_delay={it}s"));
        let rates = self.pacing.request_rates().iter();
        let rates = rates.map(|it| format!("request_rate={it}"));
        let times = self.pacing.visit_times().iter();
        let times = times.map(|it| format!("visit_time={it}"));
        let parts: Vec<_> = delay.into_iter().chain(rates).chain(times).collect();
        format!("<Pacing {}>", parts.join(", "))
    }
}

/// `verger.DayWindow`.
fn day_window(py: Python<'_>, window: DayWindow) -> PyResult<Bound<'_, PyAny>> {
    DAY_WINDOW.make(py, (time(py, window.first())?, time(py, window.last())?))
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "hours and minutes are under 60"
)]
fn time(py: Python<'_>, time: TimeOfDay) -> PyResult<Bound<'_, PyTime>> {
    PyTime::new(py, time.hours() as u8, time.minutes() as u8, 0, 0, None)
}

fn time_of_day(value: &Bound<'_, PyAny>) -> PyResult<TimeOfDay> {
    let Ok(time) = value.cast::<PyTime>() else {
        return Err(type_error(value, "datetime.time, in UTC"));
    };
    TimeOfDay::new(time.get_hour(), time.get_minute())
        .ok_or_else(|| type_error(value, "datetime.time, in UTC"))
}
