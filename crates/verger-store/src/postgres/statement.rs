//! `Statement`: an SQL text and its parameters.

use tokio_postgres::types::{ToSql, Type};

/// An SQL text and its typed parameters. With stated types, one round trip suffices, even through a pooler.
pub(crate) struct Statement {
    pub(crate) text: &'static str,
    parameters: Vec<(Box<dyn ToSql + Send + Sync>, Type)>,
}

impl Statement {
    pub(crate) fn new(text: &'static str) -> Self {
        Self {
            text,
            parameters: Vec::new(),
        }
    }

    /// Adds the next parameter with its type.
    pub(crate) fn with(mut self, value: impl ToSql + Send + Sync + 'static, of: Type) -> Self {
        self.parameters.push((Box::new(value), of));
        self
    }

    pub(crate) fn text(self, text: impl Into<String>) -> Self {
        self.with(text.into(), Type::TEXT)
    }

    pub(crate) fn number(self, number: i64) -> Self {
        self.with(number, Type::INT8)
    }

    pub(crate) fn parameters(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        let each = self.parameters.iter();
        each.map(|(value, of)| (&**value as &(dyn ToSql + Sync), of.clone()))
            .collect()
    }
}
