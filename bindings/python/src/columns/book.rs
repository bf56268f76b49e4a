//! `Book`: bodies and crawlers. A `CheckWorker` uses it to decide about URLs.

use std::sync::Arc;

use arrow_array::{ArrayRef, StructArray};
use arrow_schema::{DataType, Field, Fields};
use verger_answer::ReadTargets;
use verger_inputs::rulebook::{Compared, Found, FoundCache, RulesMaker, UrlAuthority};

use crate::columns::bodies::Bodies;
use crate::columns::key_column::KeyKind;
use crate::columns::table::Piece;
use crate::columns::verdict_columns::{Unknown, VerdictColumns};

pub(crate) struct Book {
    pub(crate) source: Source,
    pub(crate) maker: RulesMaker,
    pub(crate) crawlers: CrawlerColumns,
    pub(crate) cache: FoundCache,
}

/// Selects the body that applies to a URL.
pub(crate) enum Source {
    /// One body applies to all URLs.
    One(Arc<Found>),
    /// The body of its authority applies.
    ByAuthority(Bodies),
    /// The body with the id in the column of this name applies.
    ById(String, KeyKind, Bodies),
}

pub(crate) enum CrawlerColumns {
    /// The columns of a single crawler are at the top level.
    Flat(String),
    /// Each crawler has a struct column of this name.
    Structs(Vec<String>),
}

impl CrawlerColumns {
    pub(crate) fn names(&self) -> &[String] {
        match self {
            Self::Flat(name) => std::slice::from_ref(name),
            Self::Structs(names) => names,
        }
    }

    /// Returns the columns, in order. `of_one` are the columns for one crawler.
    pub(crate) fn fields(&self, of_one: Vec<Field>) -> Vec<Field> {
        match self {
            Self::Flat(_) => of_one,
            Self::Structs(names) => {
                let columns = Fields::from(of_one);
                let column = |name| Field::new(name, DataType::Struct(columns.clone()), false);
                names.iter().map(column).collect()
            }
        }
    }

    /// Returns the arrays of these columns, given those for each crawler.
    pub(crate) fn arrays(
        &self,
        of_one: Vec<Field>,
        made: impl IntoIterator<Item = Vec<ArrayRef>>,
    ) -> Result<Vec<ArrayRef>, String> {
        let mut made = made.into_iter();
        match self {
            Self::Flat(_) => Ok(made.next().unwrap_or_default()),
            Self::Structs(_) => {
                let fields = Fields::from(of_one);
                let column = |columns| {
                    let column = StructArray::try_new(fields.clone(), columns, None);
                    Ok(Arc::new(column.map_err(|error| error.to_string())?) as ArrayRef)
                };
                made.map(column).collect()
            }
        }
    }
}

impl Book {
    /// Returns the column of ids that selects bodies, if there is one.
    pub(crate) fn by(&self) -> Option<(&str, KeyKind)> {
        match &self.source {
            Source::ById(name, kind, _) => Some((name, *kind)),
            Source::One(_) | Source::ByAuthority(_) => None,
        }
    }

    fn found(&self, bodies: &Bodies, key: &[u8]) -> Arc<Found> {
        self.cache.found(key, || match bodies.body(key) {
            Some(body) => Found::Rules(self.maker.rules(body)),
            None => Found::NoBody,
        })
    }
}

/// Decides about the URLs of one stream. Consecutive URLs often share a body, so the last lookup is
/// cached.
pub(crate) struct CheckWorker {
    book: Arc<Book>,
    authority: UrlAuthority,
    /// The last id, or `None` before the first.
    id: Option<Vec<u8>>,
    found: Arc<Found>,
}

impl CheckWorker {
    pub(crate) fn of(book: Arc<Book>) -> Self {
        let found = match &book.source {
            Source::One(found) => Arc::clone(found),
            Source::ByAuthority(_) | Source::ById(..) => Arc::new(Found::NoBody),
        };
        Self {
            book,
            authority: UrlAuthority::default(),
            id: None,
            found,
        }
    }

    pub(crate) fn columns(&mut self, piece: &Piece) -> Result<Vec<ArrayRef>, String> {
        let names = self.book.crawlers.names();
        let columns = names
            .iter()
            .map(|_| VerdictColumns::with_capacity(piece.rows));
        let mut columns: Vec<VerdictColumns> = columns.collect();
        for row in 0..piece.rows {
            self.answer(piece, row, &mut columns)?;
        }
        let made = columns.into_iter().map(VerdictColumns::finish);
        self.book.crawlers.arrays(VerdictColumns::fields(), made)
    }

    fn answer(
        &mut self,
        piece: &Piece,
        row: usize,
        columns: &mut [VerdictColumns],
    ) -> Result<(), String> {
        let url = piece.url.value(row);
        let url = url.map_err(|broken| broken.at(&piece.url_name, piece.first + row))?;
        let found = match url {
            None => Err(Unknown::NoUrl),
            Some(url) => {
                let found = self.find(url, piece, row)?;
                let target = ReadTargets::new(url, self.book.maker.readings());
                let target = target.map_err(|_| Unknown::NotAUrl);
                target.and_then(|target| found.map(|()| target))
            }
        };
        match (found, &*self.found) {
            (Ok(target), Found::Rules(rules)) => {
                rules.verdicts(&target, |nth, verdict, policy| {
                    if let Some(columns) = columns.get_mut(nth) {
                        columns.push(verdict, policy);
                    }
                });
            }
            (found, _) => {
                let unknown = found.err().unwrap_or(Unknown::NoBody);
                for column in columns {
                    column.push_unknown(unknown);
                }
            }
        }
        Ok(())
    }

    fn find(
        &mut self,
        url: &[u8],
        piece: &Piece,
        row: usize,
    ) -> Result<Result<(), Unknown>, String> {
        match (&self.book.source, &piece.key) {
            (Source::One(_), _) => Ok(Ok(())),
            (Source::ByAuthority(bodies), _) => match self.authority.read(url) {
                Ok(Compared::SameStart) => Ok(Ok(())),
                Ok(Compared::Other) => {
                    self.found = self.book.found(bodies, self.authority.name().as_bytes());
                    Ok(Ok(()))
                }
                Err(_) => Ok(Err(Unknown::NotAUrl)),
            },
            (Source::ById(_, _, _), None) => Ok(Err(Unknown::NoBody)),
            (Source::ById(_, _, bodies), Some(keys)) => {
                let found = keys.with_bytes(row, |id| {
                    let id = id.ok_or(Unknown::NoBody)?;
                    if self.id.as_deref() != Some(id) {
                        self.found = self.book.found(bodies, id);
                        let last = self.id.get_or_insert_default();
                        last.clear();
                        last.extend_from_slice(id);
                    }
                    Ok(())
                });
                found.map_err(|broken| broken.at(&piece.key_name, piece.first + row))
            }
        }
    }
}
