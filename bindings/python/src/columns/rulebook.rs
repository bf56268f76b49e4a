//! `verger.columns.Rulebook`, and the columns of authorities and classes.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_schema::DataType;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use verger_answer::{ReadAs, ResolvedCrawler};
use verger_bulk::ClassMaker;
use verger_inputs::rulebook::{BYTES_DEFAULT, Found, FoundCache, Keeping, RulesMaker};

use crate::agent::resolved;
use crate::arrow::capsule::{Opened, open};
use crate::columns::bodies::{Bodies, BodyColumns, KeyForm};
use crate::columns::book::{Book, CrawlerColumns, Source};
use crate::columns::class_book::ClassBook;
use crate::columns::job::Job;
use crate::columns::key_column::KeyKind;
use crate::columns::output::Columns;
use crate::columns::table::{column, expect_text, key_kind};
use crate::guard::guarded;
use crate::known_crawler::Crawler;
use crate::product_token::ProductToken;
use crate::reading::read_as;
use crate::type_error::type_error;
use crate::wrapped::RobotsTxt;

/// Name of the column of bodies, as in the JSON Lines of the command.
const ROBOTS: &str = "robots";
const AUTHORITY: &str = "authority";

/// Bodies and crawlers, to check columns of URLs.
#[pyclass(frozen, module = "verger.columns")]
pub(crate) struct Rulebook {
    book: Arc<Book>,
}

const _: fn() = || {
    fn is_shareable<T: Send + Sync>() {}
    is_shareable::<(Rulebook, Columns)>();
};

#[pymethods]
impl Rulebook {
    #[new]
    #[pyo3(
        signature = (bodies, crawlers, *, by=None, dialect=None, options=None, cache_bytes=BYTES_DEFAULT),
        text_signature = "(bodies, crawlers, *, by=None, dialect=None, options=None, cache_bytes=268435456)"
    )]
    fn new(
        py: Python<'_>,
        bodies: &Bound<'_, PyAny>,
        crawlers: &Bound<'_, PyAny>,
        by: Option<&str>,
        dialect: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyAny>>,
        cache_bytes: u64,
    ) -> PyResult<Self> {
        guarded(py, || {
            let one = bodies.cast::<RobotsTxt>().ok();
            let read_as = match one {
                None => read_as(dialect, options)?,
                Some(robots) if by.is_none() && dialect.is_none() && options.is_none() => {
                    robots.get().reading().into()
                }
                Some(_) => {
                    let message = "by, dialect and options require a table of bodies: a single \
                                   RobotsTxt applies to all URLs, as it was parsed";
                    return Err(PyValueError::new_err(message));
                }
            };
            let (crawlers, columns) = self::crawlers(crawlers, read_as)?;
            let maker = RulesMaker::judging(&crawlers, read_as.reading(), Keeping::Rules);
            let source = match one {
                Some(robots) => {
                    let body = robots.get().file().body();
                    let rules = py.detach(|| maker.rules(body));
                    Source::One(Arc::new(Found::Rules(rules)))
                }
                None => source(bodies, by)?,
            };
            let book = Book {
                source,
                maker,
                crawlers: columns,
                cache: FoundCache::new(cache_bytes),
            };
            Ok(Self {
                book: Arc::new(book),
            })
        })
    }

    /// Check a column of URLs, or a table with such a column.
    #[pyo3(signature = (urls, *, url="url"))]
    fn check(&self, py: Python<'_>, urls: &Bound<'_, PyAny>, url: &str) -> PyResult<Columns> {
        guarded(py, || {
            Columns::of(Job::Check(Arc::clone(&self.book)), urls, url)
        })
    }

    fn __repr__(&self) -> String {
        let bodies = match &self.book.source {
            Source::One(_) => 1,
            Source::ByAuthority(bodies) | Source::ById(_, _, bodies) => bodies.len(),
        };
        let readings = self.book.maker.readings().iter();
        let dialects: Vec<_> = readings.map(|it| it.dialect().as_str()).collect();
        let dialects = dialects.join(", ");
        let names = self.book.crawlers.names().join(", ");
        format!("<Rulebook {dialects}, bodies: {bodies}, crawlers: {names}>")
    }
}

fn source(bodies: &Bound<'_, PyAny>, by: Option<&str>) -> PyResult<Source> {
    let opened = open(bodies)?;
    let DataType::Struct(fields) = opened.field().data_type() else {
        let key = by.unwrap_or(AUTHORITY);
        return Err(PyTypeError::new_err(format!(
            "bodies is a column: expected a table with the columns `{key}` and `{ROBOTS}`"
        )));
    };
    let robots = column(fields, ROBOTS)?;
    expect_text(ROBOTS, fields[robots.index].data_type())?;
    let key = column(fields, by.unwrap_or(AUTHORITY))?;
    let key_type = fields[key.index].data_type();
    let (kind, form) = if let Some(by) = by {
        (key_kind(by, key_type)?, KeyForm::Exact)
    } else {
        expect_text(AUTHORITY, key_type)?;
        (KeyKind::Text, KeyForm::Authority)
    };
    let columns = BodyColumns { key, form, robots };
    let read = bodies.py().detach(|| read(opened, &columns));
    let bodies = read.map_err(|message| PyValueError::new_err(format!("bodies: {message}")))?;
    Ok(match by {
        Some(by) => Source::ById(by.to_owned(), kind, bodies),
        None => Source::ByAuthority(bodies),
    })
}

fn read(opened: Opened, columns: &BodyColumns) -> Result<Bodies, String> {
    let mut bodies = Bodies::default();
    match opened {
        Opened::Array(data, _) => bodies.add(data, columns)?,
        Opened::Stream(mut stream) => {
            while let Some(data) = stream.next()? {
                bodies.add(data, columns)?;
            }
        }
    }
    Ok(bodies)
}

/// Returns the crawlers and their result columns: at the top level for one crawler, or a struct
/// column for each of several.
fn crawlers(
    given: &Bound<'_, PyAny>,
    read_as: ReadAs,
) -> PyResult<(Vec<ResolvedCrawler>, CrawlerColumns)> {
    let is_one = given.cast::<PyString>().is_ok()
        || given.cast::<Crawler>().is_ok()
        || given.cast::<ProductToken>().is_ok();
    if is_one {
        let crawler = resolved(given, read_as)?;
        let columns = CrawlerColumns::Flat(crawler.label().to_owned());
        return Ok((vec![crawler], columns));
    }
    let Ok(several) = given.try_iter() else {
        return Err(type_error(given, "a crawler or a sequence of crawlers"));
    };
    let resolved: PyResult<Vec<ResolvedCrawler>> =
        several.map(|it| resolved(&it?, read_as)).collect();
    let resolved = resolved?;
    if resolved.is_empty() {
        return Err(PyValueError::new_err(
            "crawlers is empty: expected at least one crawler",
        ));
    }
    let names: Vec<String> = resolved.iter().map(|it| it.label().to_owned()).collect();
    let mut seen = HashSet::new();
    if let Some(name) = names.iter().find(|name| !seen.insert(name.as_str())) {
        let message =
            format!("two crawlers have the name `{name}`: their columns would have the same name");
        return Err(PyValueError::new_err(message));
    }
    Ok((resolved, CrawlerColumns::Structs(names)))
}

/// Return the authority of each URL in a column, or in a column of a table.
#[pyfunction]
#[pyo3(signature = (urls, *, url="url"))]
pub(crate) fn authority_column(
    py: Python<'_>,
    urls: &Bound<'_, PyAny>,
    url: &str,
) -> PyResult<Columns> {
    guarded(py, || Columns::of(Job::Authority, urls, url))
}

/// Classify how much each body in a column, or in a column of a table, disallows to crawlers.
#[pyfunction]
#[pyo3(signature = (bodies, crawlers, *, robots="robots", dialect=None, options=None))]
pub(crate) fn class_column(
    bodies: &Bound<'_, PyAny>,
    crawlers: &Bound<'_, PyAny>,
    robots: &str,
    dialect: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyAny>>,
) -> PyResult<Columns> {
    guarded(bodies.py(), || {
        let read_as = read_as(dialect, options)?;
        let (resolved, crawlers) = self::crawlers(crawlers, read_as)?;
        let maker = ClassMaker::new(resolved, read_as.reading());
        let book = Arc::new(ClassBook { maker, crawlers });
        Columns::of(Job::Classes(book), bodies, robots)
    })
}
