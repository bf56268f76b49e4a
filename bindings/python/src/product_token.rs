//! `verger.ProductToken`.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use pyo3::prelude::*;

use crate::bytes::name;
use crate::exception::token_error;
use crate::guard::guarded;

/// A product token: the name that a crawler looks for in user-agent lines.
#[pyclass(frozen, eq, module = "verger")]
#[derive(PartialEq)]
pub(crate) struct ProductToken {
    token: verger::ProductToken,
}

impl ProductToken {
    pub(crate) fn of(token: verger::ProductToken) -> Self {
        Self { token }
    }

    pub(crate) fn token(&self) -> &verger::ProductToken {
        &self.token
    }
}

#[pymethods]
impl ProductToken {
    #[new]
    #[pyo3(signature = (text, /))]
    fn new(py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        guarded(py, || {
            let token = verger::ProductToken::new(&name(text)?);
            let token = token.map_err(|error| token_error(py, &error))?;
            Ok(Self { token })
        })
    }

    /// Whether it contains only characters that RFC 9309 allows in a product token.
    #[getter]
    fn is_identifier(&self) -> bool {
        self.token.is_identifier()
    }

    fn __str__(&self) -> &str {
        self.token.as_str()
    }

    fn __repr__(&self) -> String {
        format!("ProductToken({:?})", self.token.as_str())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.token.hash(&mut hasher);
        hasher.finish()
    }

    fn __getnewargs__(&self) -> (&str,) {
        (self.token.as_str(),)
    }
}
