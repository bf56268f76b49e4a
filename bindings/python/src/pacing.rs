//! `verger.Pacing`.

use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyTime, PyTimeAccess, PyTuple};
use verger::LineNumber;
use verger_extensions::{CrawlDelay, DayWindow, RequestRate, TimeOfDay, VisitTime};

use crate::access::time::timestamp;
use crate::python_class::PythonClass;
use crate::type_error::type_error;

static CRAWL_DELAY: PythonClass = PythonClass::value("CrawlDelay");
static REQUEST_RATE: PythonClass = PythonClass::value("RequestRate");
static VISIT_TIME: PythonClass = PythonClass::value("VisitTime");
static DAY_WINDOW: PythonClass = PythonClass::value("DayWindow");

/// Delays and visit times that a file requests from a crawler.
#[pyclass(frozen, eq, hash, module = "verger")]
#[derive(PartialEq, Hash)]
pub(crate) struct Pacing {
    pacing: verger_extensions::Pacing,
}

impl Pacing {
    pub(crate) fn of(pacing: verger_extensions::Pacing) -> Self {
        Self { pacing }
    }

    pub(crate) fn pacing(&self) -> &verger_extensions::Pacing {
        &self.pacing
    }
}

#[pymethods]
impl Pacing {
    /// The delay between two requests. If there are several, the longest.
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

    /// The time windows in which the crawler may visit, in file order. Empty means any time.
    #[getter]
    fn visit_times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let times = self.pacing.visit_times().iter();
        let times: PyResult<Vec<_>> = times
            .map(|it| VISIT_TIME.make(py, (day_window(py, it.window())?, it.line().get())))
            .collect();
        PyTuple::new(py, times?)
    }

    /// Return the time to wait between two requests at a time of day, in UTC, to respect the delay
    /// and every rate that applies then.
    #[pyo3(signature = (time, /))]
    fn wait_milliseconds(&self, time: &Bound<'_, PyAny>) -> PyResult<u64> {
        Ok(self.pacing.wait_milliseconds(time_of_day(time)?))
    }

    /// Return the time to wait at a time in seconds since 1970, in seconds.
    #[pyo3(name = "_wait_seconds")]
    fn wait_seconds(&self, now: &Bound<'_, PyAny>) -> PyResult<f64> {
        let time = TimeOfDay::from_unix_seconds(timestamp(now)?.unix_seconds());
        let wait = Duration::from_millis(self.pacing.wait_milliseconds(time));
        Ok(wait.as_secs_f64())
    }

    /// Return whether the crawler may visit at a time of day, in UTC.
    #[pyo3(signature = (time, /))]
    fn is_welcome_at(&self, time: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.pacing.is_welcome_at(time_of_day(time)?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts)> {
        let restore = py.import("verger._verger")?.getattr("_pacing")?;
        let delay = self.pacing.crawl_delay();
        let rates = self.pacing.request_rates().iter().map(|it| {
            let window = it.window().map(minutes);
            (it.requests(), it.seconds(), window, it.line().get())
        });
        let times = self.pacing.visit_times().iter();
        let parts = (
            delay.map(|it| (it.milliseconds(), it.line().get())),
            rates.collect(),
            times
                .map(|it| (minutes(it.window()), it.line().get()))
                .collect(),
        );
        Ok((restore, parts))
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

/// Contents of a pickle: the delay in milliseconds and its line, then for each rate the requests,
/// the seconds, the window and the line, then for each visit time the window and the line.
type Parts = (
    Option<(u64, u32)>,
    Vec<(u64, u64, Option<Minutes>, u32)>,
    Vec<(Minutes, u32)>,
);

/// Hour and minute of the first and the last minute of a window.
type Minutes = (u8, u8, u8, u8);

/// Restore a pacing from a pickle.
#[pyfunction]
#[pyo3(name = "_pacing")]
pub(crate) fn pacing_of_parts(
    delay: Option<(u64, u32)>,
    rates: Vec<(u64, u64, Option<Minutes>, u32)>,
    times: Vec<(Minutes, u32)>,
) -> PyResult<Pacing> {
    let pacing = || {
        let delay = match delay {
            Some((milliseconds, line)) => {
                Some(CrawlDelay::new(milliseconds, LineNumber::new(line)?))
            }
            None => None,
        };
        let rates = rates.into_iter().map(|(requests, seconds, window, line)| {
            let window = match window {
                Some(window) => Some(window_of(window)?),
                None => None,
            };
            RequestRate::new(requests, seconds, window, LineNumber::new(line)?)
        });
        let times = times
            .into_iter()
            .map(|(window, line)| Some(VisitTime::new(window_of(window)?, LineNumber::new(line)?)));
        let (rates, times) = (rates.collect::<Option<_>>()?, times.collect::<Option<_>>()?);
        Some(verger_extensions::Pacing::new(delay, rates, times))
    };
    let damaged = || PyValueError::new_err("cannot restore Pacing: the pickle is malformed");
    pacing().map(Pacing::of).ok_or_else(damaged)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "hours and minutes are under 60"
)]
fn minutes(window: DayWindow) -> Minutes {
    let (first, last) = (window.first(), window.last());
    let parts = [first.hours(), first.minutes(), last.hours(), last.minutes()];
    let [a, b, c, d] = parts.map(|it| it as u8);
    (a, b, c, d)
}

fn window_of((hours, minutes, last_hours, last_minutes): Minutes) -> Option<DayWindow> {
    let first = TimeOfDay::new(hours, minutes)?;
    Some(DayWindow::new(
        first,
        TimeOfDay::new(last_hours, last_minutes)?,
    ))
}

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
