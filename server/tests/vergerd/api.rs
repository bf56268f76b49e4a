//! `Api`: a server without a socket. Every answer is checked against the committed `OpenAPI` description.

use std::sync::LazyLock;

use axum::body::Body;
use axum::response::Response;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tower::ServiceExt as _;
use vergerd::{Given, Server};

static OPENAPI: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../openapi.json")).unwrap());

pub(crate) struct Api {
    router: axum::Router,
}

/// An answer that conforms to the description.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

/// Settings that permit connections to loopback.
pub(crate) fn local() -> Given {
    Given {
        allow_address: Some(vec!["127.0.0.0/8".parse().unwrap()]),
        ..Given::default()
    }
}

impl Api {
    pub(crate) fn with(given: Given) -> Self {
        Self::of(&Server::new(given.settings()).unwrap())
    }

    pub(crate) fn of(server: &Server) -> Self {
        let router = server.router();
        Self { router }
    }

    pub(crate) fn local() -> Self {
        Self::with(local())
    }

    /// Requests `uri` of the route with this path in the description.
    pub(crate) async fn get(&self, path: &str, uri: &str) -> Answer {
        let request = Request::get(uri).body(Body::empty()).unwrap();
        self.send(path, request).await
    }

    pub(crate) async fn post(&self, uri: &str, media_type: &str, body: impl Into<Body>) -> Answer {
        let request = Request::post(uri).header(CONTENT_TYPE, media_type);
        let path = uri.split('?').next().unwrap().to_owned();
        self.send(&path, request.body(body.into()).unwrap()).await
    }

    pub(crate) async fn send(&self, path: &str, request: Request<Body>) -> Answer {
        let method = request.method().clone();
        let response = self.raw(request).await;
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let answer = Answer {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8(bytes.to_vec()).unwrap(),
        };
        answer.compare(path, &method);
        answer
    }

    /// Returns the response without checking it.
    pub(crate) async fn raw(&self, request: Request<Body>) -> Response {
        self.router.clone().oneshot(request).await.unwrap()
    }
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    pub(crate) fn lines(&self) -> Vec<Value> {
        let lines = self.text.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Asserts that the answer is a problem with this status and code.
    pub(crate) fn is_problem(&self, status: u16, code: &str) {
        assert_eq!(self.status, status, "{}", self.text);
        assert_eq!(self.headers[CONTENT_TYPE], "application/problem+json");
        assert_eq!(self.json()["code"], code, "{}", self.text);
        if matches!(status, 429 | 503) {
            let after = self.headers[http::header::RETRY_AFTER].to_str().unwrap();
            assert!(after.parse::<u32>().unwrap() > 0);
        }
    }

    pub(crate) fn is_ok(&self) -> &Self {
        assert_eq!(self.status, 200, "{}", self.text);
        self
    }

    /// Checks the answer against the operation in the description.
    fn compare(&self, path: &str, method: &Method) {
        assert!(self.headers.contains_key("x-request-id"));
        let operation = &OPENAPI["paths"][path][method.as_str().to_ascii_lowercase()];
        assert!(operation.is_object(), "{method} {path} is not described");
        let response = &operation["responses"][self.status.as_str()];
        assert!(
            response.is_object(),
            "{method} {path} has no {}: {}",
            self.status,
            self.text
        );
        let Some(content) = response.get("content") else {
            assert_eq!(self.text, "");
            return;
        };
        let media_type = self.headers[CONTENT_TYPE].to_str().unwrap();
        let media_type = media_type.split(';').next().unwrap();
        let schema = &content[media_type]["schema"];
        assert!(schema.is_object(), "{method} {path} has no {media_type}");
        let whole = json!({"$ref": schema["$ref"], "components": OPENAPI["components"]});
        let validator = jsonschema::validator_for(&whole).unwrap();
        let validate = |value: &Value| {
            let errors: Vec<String> = validator
                .iter_errors(value)
                .map(|it| format!("{}: {it}", it.instance_path))
                .collect();
            assert!(errors.is_empty(), "{method} {path}: {errors:?} in {value}");
        };
        match media_type {
            "application/x-ndjson" => self.lines().iter().for_each(validate),
            "text/plain" | "text/html" | "application/atom+xml" => {
                validate(&Value::String(self.text.clone()));
            }
            _ => validate(&self.json()),
        }
    }
}
