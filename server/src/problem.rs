//! `Problem`: the error of a request (RFC 9457).

use core::fmt::Display;
use std::borrow::Cow;

use axum::body::Body;
use axum::response::Response;
use http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderName, StatusCode};
use serde::Serialize;
use verger_client::ClientError;

/// The error of a request, or of one input line. In JSON it is an RFC 9457 problem of type `about:blank`, refined by
/// `code`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Problem {
    title: &'static str,
    status: u16,
    /// A stable word for programs to compare.
    pub(crate) code: &'static str,
    detail: Cow<'static, str>,
    /// Number of the input line, counted from 1, in a request with many.
    #[serde(skip_serializing_if = "Option::is_none")]
    input_line: Option<u64>,
    #[serde(skip)]
    header: Option<Box<(HeaderName, HeaderValue)>>,
}

impl Problem {
    pub(crate) fn new(
        status: StatusCode,
        code: &'static str,
        detail: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            title: status.canonical_reason().unwrap_or_default(),
            status: status.as_u16(),
            code,
            detail: detail.into(),
            input_line: None,
            header: None,
        }
    }

    pub(crate) fn bad(code: &'static str, detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, detail)
    }

    pub(crate) fn parameter(detail: String) -> Self {
        Self::bad("parameter", detail)
    }

    pub(crate) fn because<E: Display>(code: &'static str) -> impl Fn(E) -> Self {
        move |error| Self::bad(code, error.to_string())
    }

    /// Creates a problem with status 400 from `what` happened and an error that explains it.
    pub(crate) fn why<E: Display>(code: &'static str, what: &'static str) -> impl Fn(E) -> Self {
        move |error| Self::bad(code, format!("{what}: {error}"))
    }

    /// Creates a problem with status 503: the server is overloaded or lacks a resource.
    pub(crate) fn busy(code: &'static str, detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, code, detail).retry_after(1)
    }

    /// Creates a problem with status 500: a defect of the server.
    pub(crate) fn defect(error: impl Display) -> Self {
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        Self::new(status, "internal", format!("internal error: {error}"))
    }

    pub(crate) fn not_found(code: &'static str, detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::NOT_FOUND, code, detail)
    }

    pub(crate) fn unauthorized() -> Self {
        let detail = "missing or unknown token: send `Authorization: Bearer TOKEN`";
        let problem = Self::new(StatusCode::UNAUTHORIZED, "token", detail);
        problem.with_header(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
    }

    pub(crate) fn retry_after(self, seconds: u64) -> Self {
        self.with_header(RETRY_AFTER, HeaderValue::from(seconds))
    }

    /// Sets the header field. A problem has at most one.
    pub(crate) fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.header = Some(Box::new((name, value)));
        self
    }

    pub(crate) fn at_line(mut self, number: u64) -> Self {
        self.input_line = Some(number);
        self
    }

    pub(crate) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }

    pub(crate) fn json(&self) -> String {
        verger_answer::json::to_string(self).unwrap_or_default()
    }

    pub(crate) fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.json()));
        *response.status_mut() = self.status();
        let headers = response.headers_mut();
        let media_type = HeaderValue::from_static("application/problem+json");
        headers.insert(CONTENT_TYPE, media_type);
        headers.extend(self.header.map(|header| *header));
        response
    }
}

impl From<ClientError> for Problem {
    fn from(error: ClientError) -> Self {
        let detail = error.to_string();
        match error {
            ClientError::Authority(_) | ClientError::Target(_) => Self::bad("url", detail),
            ClientError::SchemeNotFetched(_) => Self::bad("scheme", detail),
            ClientError::OutOfTime(_) | ClientError::HeldElsewhere { .. } => {
                Self::busy("out-of-time", detail)
            }
            ClientError::Shortage { .. } => Self::busy("shortage", detail),
            ClientError::Closed | ClientError::Cancelled(_) => Self::busy("closing", detail),
            _ => Self::defect(detail),
        }
    }
}
