use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::ByteArrayType;
use arrow_array::{Array, StructArray};
use arrow_schema::{DataType, Fields};
use verger::{Reading, RobotsTxt};
use verger_answer::ResolvedCrawler;
use verger_compare::Budget;
use verger_inputs::rulebook::BoundedCache;
use verger_owner::who;
use verger_store::BodyHash;

use super::body_class::BodyClass;
use super::class_columns::{ClassColumns, class_fields};

const CACHE_BYTES: u64 = 128 << 20;

/// Computes the classes of bodies for some crawlers. Each distinct body is parsed once, as long as
/// its classes stay in the cache. Threads share it.
///
/// ```
/// use arrow_array::cast::AsArray;
/// use arrow_array::StringArray;
/// use verger::Dialect;
/// use verger_answer::ResolvedCrawler;
/// use verger_bulk::ClassMaker;
///
/// let maker = ClassMaker::new(vec![ResolvedCrawler::unnamed()], Dialect::Rfc9309.into());
/// let bodies = StringArray::from(vec![Some("User-agent: *\nDisallow: /a"), Some(""), None]);
/// let columns = maker.columns(&bodies)?;
/// let words = columns[0].column_by_name("disallowed").unwrap().as_string::<i32>();
/// assert_eq!(words.iter().collect::<Vec<_>>(), [Some("some"), Some("nothing"), None]);
/// # Ok::<(), verger_bulk::UnknownColumnType>(())
/// ```
#[derive(Debug)]
pub struct ClassMaker {
    crawlers: Vec<ResolvedCrawler>,
    reading: Reading,
    budget: Budget,
    cache: BoundedCache<Arc<[BodyClass]>>,
}

impl ClassMaker {
    /// Creates a maker for these crawlers, which parses bodies in this reading.
    #[must_use]
    pub fn new(crawlers: Vec<ResolvedCrawler>, reading: Reading) -> Self {
        Self {
            crawlers,
            reading,
            budget: Budget::default(),
            cache: BoundedCache::new(CACHE_BYTES),
        }
    }

    /// Sets the budget for each policy of a body.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// Returns the crawlers.
    #[must_use]
    pub fn crawlers(&self) -> &[ResolvedCrawler] {
        &self.crawlers
    }

    /// Returns the class of a body for each crawler, in order.
    #[must_use]
    pub fn classes(&self, body: &[u8]) -> Arc<[BodyClass]> {
        self.classes_of_hash(&BodyHash::new(body), || body.to_vec())
    }

    /// Does the same for a body with a known hash. Calls `body` only if its classes are not cached.
    pub fn classes_of_hash(
        &self,
        hash: &BodyHash,
        body: impl FnOnce() -> Vec<u8>,
    ) -> Arc<[BodyClass]> {
        self.cache.held_or_made(hash.bytes(), || {
            let robots = RobotsTxt::parse(body(), self.reading);
            let rows = who(robots, &self.crawlers, self.budget);
            let classes: Arc<[BodyClass]> = rows.iter().map(BodyClass::from_who).collect();
            let heap: usize = classes.iter().map(BodyClass::heap_bytes).sum();
            let bytes = heap + size_of_val(&*classes);
            (classes, bytes)
        })
    }

    /// Returns the classes of a column of bodies, text or binary: for each crawler a struct with
    /// the columns [`class_fields`], null for null bodies.
    ///
    /// # Errors
    ///
    /// Returns an error if the column has another type.
    pub fn columns(&self, bodies: &dyn Array) -> Result<Vec<StructArray>, UnknownColumnType> {
        let mut columns: Vec<ClassColumns> = Vec::new();
        columns.resize_with(self.crawlers.len(), ClassColumns::default);
        let mut push = |body: Option<&[u8]>| {
            let classes = body.map(|body| self.classes(body));
            for (nth, columns) in columns.iter_mut().enumerate() {
                let class = classes.as_ref().and_then(|classes| classes.get(nth));
                columns.push(class, None);
            }
        };
        match bodies.data_type() {
            DataType::Utf8 => each(bodies.as_string::<i32>(), &mut push),
            DataType::LargeUtf8 => each(bodies.as_string::<i64>(), &mut push),
            DataType::Binary => each(bodies.as_binary::<i32>(), &mut push),
            DataType::LargeBinary => each(bodies.as_binary::<i64>(), &mut push),
            DataType::Utf8View => {
                let bodies = bodies.as_string_view().iter();
                bodies.for_each(|body| push(body.map(str::as_bytes)));
            }
            DataType::BinaryView => bodies.as_binary_view().iter().for_each(push),
            other => return Err(UnknownColumnType(other.clone())),
        }
        let fields = Fields::from(class_fields());
        let columns = columns.into_iter().map(|columns| {
            let nulls = bodies.logical_nulls();
            StructArray::new(fields.clone(), columns.finish(), nulls)
        });
        Ok(columns.collect())
    }
}

fn each<'a, T: ByteArrayType>(
    bodies: &'a arrow_array::GenericByteArray<T>,
    push: &mut impl FnMut(Option<&'a [u8]>),
) where
    T::Native: 'a,
{
    for body in bodies {
        push(body.map(AsRef::as_ref));
    }
}

/// A column of bodies is neither text nor binary. Displays its type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bodies must be text or binary, not {0}")]
pub struct UnknownColumnType(DataType);

#[cfg(test)]
mod tests {
    use super::*;

    use arrow_array::{BinaryArray, Int64Array, StringViewArray};
    use verger::Dialect;
    use verger_compare::ExtentClass;

    const BODY: &str = "User-agent: a\nDisallow: /\nAllow: /p\n\nUser-agent: *\nDisallow:\n";

    fn maker() -> ClassMaker {
        let reading = Reading::new(Dialect::Rfc9309);
        let named = ResolvedCrawler::from_token("a", reading).unwrap();
        ClassMaker::new(vec![named, ResolvedCrawler::unnamed()], reading)
    }

    #[test]
    fn a_class_has_a_path_each_way_and_the_lines_that_say_so() {
        let classes = maker().classes(BODY.as_bytes());
        let expected = BodyClass {
            disallowed: Some(ExtentClass::SomeDisallowed),
            group_line: Some(1),
            group_named: Some(true),
            disallowed_path: Some("/".into()),
            disallowed_line: Some(2),
            allowed_path: Some("/p".into()),
            allowed_line: Some(3),
            states: None,
        };
        assert_eq!(classes[0], expected);
        let of_all = BodyClass {
            group_line: Some(5),
            group_named: Some(false),
            ..BodyClass::without_rules(ExtentClass::NothingDisallowed)
        };
        assert_eq!(classes[1], of_all);
    }

    #[test]
    fn columns_of_every_type_have_the_same_classes() {
        let texts = [Some(BODY), None, Some("User-agent: *\nDisallow: /")];
        let bytes: Vec<_> = texts.iter().map(|it| it.map(str::as_bytes)).collect();
        let maker = maker();
        let of_binary = maker.columns(&BinaryArray::from(bytes)).unwrap();
        let of_views = maker
            .columns(&StringViewArray::from(texts.to_vec()))
            .unwrap();
        assert_eq!(of_binary, of_views);
        assert_eq!(of_binary.len(), 2);
        let words = |nth: usize| {
            let column = of_binary[nth].column_by_name("disallowed").unwrap();
            let column = column.as_string::<i32>().iter();
            column.map(|it| it.map(str::to_owned)).collect::<Vec<_>>()
        };
        let word = |word: &str| Some(word.to_owned());
        assert_eq!(words(0), [word("some"), None, word("everything")]);
        assert_eq!(words(1), [word("nothing"), None, word("everything")]);
        assert!(of_binary[0].is_null(1));
        let wrong = maker.columns(&Int64Array::from(vec![1])).unwrap_err();
        assert_eq!(
            wrong.to_string(),
            "bodies must be text or binary, not Int64"
        );
    }
}
