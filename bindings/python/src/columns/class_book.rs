//! `ClassBook`: how much each body disallows to crawlers.

use arrow_array::ArrayRef;
use arrow_schema::Field;
use verger_bulk::{ClassColumns, ClassMaker, class_fields};

use crate::columns::book::CrawlerColumns;
use crate::columns::table::Piece;

/// The crawlers to check for, and a cache of earlier bodies.
pub(crate) struct ClassBook {
    pub(crate) maker: ClassMaker,
    pub(crate) crawlers: CrawlerColumns,
}

impl ClassBook {
    pub(crate) fn fields(&self) -> Vec<Field> {
        self.crawlers.fields(class_fields())
    }

    pub(crate) fn columns(&self, piece: &Piece) -> Result<Vec<ArrayRef>, String> {
        let mut columns = Vec::new();
        columns.resize_with(self.crawlers.names().len(), ClassColumns::default);
        for row in 0..piece.rows {
            let body = piece.url.value(row);
            let body = body.map_err(|broken| broken.at(&piece.url_name, piece.first + row))?;
            let classes = body.map(|body| self.maker.classes(body));
            for (nth, columns) in columns.iter_mut().enumerate() {
                let class = classes.as_ref().and_then(|classes| classes.get(nth));
                columns.push(class, None);
            }
        }
        let made = columns.into_iter().map(ClassColumns::finish);
        self.crawlers.arrays(class_fields(), made)
    }
}
