//! The `OpenAPI` 3.1 description, generated from the table of routes.

use http::StatusCode;
use serde_json::{Map, Value, json};

use crate::route::{Access, Parameter, Place, Route};
use crate::route_table::ROUTES;

const SCHEMAS: &str = include_str!("../schemas.json");

const PROBLEM_MEDIA_TYPE: &str = "application/problem+json";

/// Returns the description, which is committed as `openapi.json`.
///
/// # Panics
///
/// Panics if `schemas.json` is not valid JSON.
#[must_use]
pub fn openapi() -> String {
    let schemas: Value = serde_json::from_str(SCHEMAS).expect("the schemas are JSON");
    let mut paths = Map::new();
    for route in ROUTES {
        let item = paths.entry(route.path).or_insert_with(|| json!({}));
        item[route.method.to_ascii_lowercase()] = operation(route);
    }
    let whole = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "vergerd",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Check, explain, compare and lint robots.txt. docs/json.md describes the JSON. Within a schema version, keys are only added.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    });
    let mut text = serde_json::to_string_pretty(&whole).unwrap_or_default();
    text.push('\n');
    text
}

fn operation(route: &Route) -> Value {
    let mut operation = json!({
        "operationId": route.name,
        "summary": route.summary,
        "parameters": route.parameters.iter().map(parameter).collect::<Vec<_>>(),
        "responses": responses(route),
    });
    if let Some(tool) = route.tool {
        operation["x-tool"] = tool.name.into();
    }
    if route.access == Access::Token {
        // A server without tokens requires none.
        operation["security"] = json!([{"token": []}, {}]);
    }
    if !route.bodies.is_empty() {
        let content: Map<String, Value> = route.bodies.iter().map(|&it| content(it)).collect();
        operation["requestBody"] = json!({"required": true, "content": content});
    }
    operation
}

fn content((media_type, schema): (&str, &str)) -> (String, Value) {
    (media_type.to_owned(), json!({"schema": reference(schema)}))
}

fn reference(schema: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{schema}")})
}

fn responses(route: &Route) -> Value {
    let mut responses = Map::new();
    for &(status, media_type, schema) in route.answers {
        let success = (status < 400).then_some("Success.");
        let response = responses
            .entry(status.to_string())
            .or_insert_with(|| json!({"description": success.or_else(|| reason(status))}));
        if !media_type.is_empty() {
            let (media_type, content) = content((media_type, schema));
            response["content"][media_type] = content;
        }
    }
    let of_all: &[u16] = match route.access {
        Access::Token => &[401, 429, 500, 503],
        Access::Open => &[],
    };
    for &status in route.problems.iter().chain(of_all) {
        let (media_type, content) = content((PROBLEM_MEDIA_TYPE, "Problem"));
        let response = responses
            .entry(status.to_string())
            .or_insert_with(|| json!({"description": reason(status)}));
        response["content"][media_type] = content;
        if matches!(status, 429 | 503) {
            response["headers"] = json!({"Retry-After": {"schema": {"type": "integer"}}});
        }
    }
    Value::Object(responses)
}

fn reason(status: u16) -> Option<&'static str> {
    StatusCode::from_u16(status).ok()?.canonical_reason()
}

fn parameter(parameter: &Parameter) -> Value {
    let place = match parameter.place {
        Place::Path => "path",
        Place::Query | Place::RequiredQuery => "query",
        Place::Header => "header",
    };
    json!({
        "name": parameter.name,
        "in": place,
        "required": parameter.is_required(),
        "description": parameter.about,
        "schema": parameter.kind.schema(),
    })
}
