//! `ModelTool`: a route that models may call, with its schemas and the parts of its answer that a model may read.
//!
//! A site could address the model in its robots.txt. So a model reads only values of Verger, and of the site the deciding
//! line, cut and escaped. `schemas.json` marks both with `x-for-models`. Booleans, numbers, enumerations and times need no
//! mark, and `false` leaves out a value that models do not need. All other text is left out, of schemas and of answers.

use std::sync::{Arc, LazyLock};

use axum::body::Body;
use http::HeaderMap;
use http::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use http_body_util::BodyExt as _;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};
use url::Url;
use url::form_urlencoded::Serializer;
use verger::legible;
use verger_answer::agent_hook::{TEXT_BYTES_MAX, text_for_model};
use verger_client::FetchAsker;

use crate::call::{Call, JSON, JSON_LINES, TEXT};
use crate::metrics::Shed;
use crate::problem::Problem;
use crate::query::Query;
use crate::route::{BodyArgument, Kind, Parameter, Place, Route, Tool};
use crate::service::Service;

/// Maximum number of URLs in one call.
const URLS_MAX: usize = 100;

/// The key of a list of answers. The result of a tool is an object.
const ANSWERS: &str = "answers";

static SCHEMAS: LazyLock<Value> = LazyLock::new(|| {
    let schemas = serde_json::from_str(include_str!("../schemas.json"));
    schemas.unwrap_or_default()
});

type Object = Map<String, Value>;

/// Whose calls these are.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) service: Arc<Service>,
    pub(crate) asker: FetchAsker,
}

/// A tool, as a model sees it.
pub(crate) struct ModelTool {
    pub(crate) route: &'static Route,
    pub(crate) tool: Tool,
    pub(crate) input: Value,
    pub(crate) output: Value,
    /// Whether the answer of the route is JSON Lines.
    is_list: bool,
}

impl ModelTool {
    /// Returns the tool of a route, or `None` if models may not call it.
    pub(crate) fn of(route: &'static Route) -> Option<Self> {
        let tool = route.tool?;
        let of_type = |media_type: &str| {
            let mut answers = route.answers.iter();
            let found = answers.find(|(_, it, _)| *it == media_type);
            found.and_then(|(_, _, schema)| readable(&SCHEMAS[*schema]))
        };
        let of_list = |line: Value| {
            let list = json!({"type": "array", "items": line});
            json!({"type": "object", "required": [ANSWERS], "properties": {ANSWERS: list}})
        };
        let list = of_type(JSON_LINES).map(of_list);
        let is_list = list.is_some();
        let output = list.or_else(|| of_type(JSON))?;
        Some(Self {
            route,
            tool,
            input: input(route, tool),
            output,
            is_list,
        })
    }

    /// Calls the handler of the route, and returns the parts of its answer that a model may read.
    ///
    /// # Errors
    ///
    /// Returns an error if the arguments are invalid, and the errors of the route.
    pub(crate) async fn call(&self, caller: &Caller, given: &Object) -> Result<Value, Problem> {
        let call = self.admitted(caller, given)?;
        let response = (self.route.handler)(call).await?;
        let body = response.into_body().collect().await;
        let body = body.map_err(Problem::defect)?.to_bytes();
        let answer = if self.is_list {
            let lines = serde_json::Deserializer::from_slice(&body).into_iter::<Value>();
            let lines: Vec<Value> = lines.collect::<Result<_, _>>().map_err(Problem::defect)?;
            json!({ANSWERS: lines})
        } else {
            serde_json::from_slice(&body).map_err(Problem::defect)?
        };
        Ok(read(&answer, &self.output))
    }

    /// Creates the request that the arguments describe.
    fn admitted(&self, caller: &Caller, given: &Object) -> Result<Call, Problem> {
        self.require_all(given)?;
        let (mut path, mut query) = (self.route.path.to_owned(), Serializer::new(String::new()));
        let (mut headers, mut body) = (HeaderMap::new(), Body::empty());
        headers.insert(ACCEPT, HeaderValue::from_static(JSON));
        for (name, value) in given {
            if let Some(argument) = self.tool.body.filter(|it| it.name() == name) {
                let (media_type, text) = body_of(argument, value)?;
                headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
                body = text.into();
                continue;
            }
            let Some(parameter) = arguments(self.route).find(|it| it.name == name) else {
                return Err(Problem::parameter(format!("unknown argument `{name}`")));
            };
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Bool(_) | Value::Number(_) => value.to_string(),
                _ => return Err(Problem::parameter(format!("invalid `{name}`: give text"))),
            };
            let requested = requested_url(&text)?;
            let text = if parameter.kind == Kind::Url {
                requested
            } else {
                text
            };
            if parameter.place == Place::Path {
                let segment = utf8_percent_encode(&text, NON_ALPHANUMERIC).to_string();
                path = path.replace(&format!("{{{name}}}"), &segment);
            } else {
                query.append_pair(name, &text);
            }
        }
        let mut query = Query::read(&query.finish(), self.route.query_names())?;
        query.asker = caller.asker;
        let service = Arc::clone(&caller.service);
        let Ok(place) = Arc::clone(&service.requests).try_acquire_owned() else {
            return Err(service.shed(Shed::Requests, "too many requests in progress"));
        };
        Ok(Call {
            service,
            query,
            uri: path.parse().map_err(Problem::because("parameter"))?,
            headers,
            body,
            place: Some(place),
        })
    }

    fn require_all(&self, given: &Object) -> Result<(), Problem> {
        let required = self.input["required"].as_array().into_iter().flatten();
        let mut names = required.filter_map(Value::as_str);
        // Without a name, `agents` would mean all crawlers that the file names.
        let is_blank = |text: &str| text.split(',').all(|it| it.trim().is_empty());
        let is_missing = |value: Option<&Value>, name: &str| match value {
            Some(value) => name == "agents" && value.as_str().is_some_and(is_blank),
            None => true,
        };
        match names.find(|name| is_missing(given.get(*name), name)) {
            Some(name) => Err(Problem::parameter(format!("missing argument `{name}`"))),
            None => Ok(()),
        }
    }
}

/// Returns the parameters that are arguments of the tool. Models send no headers.
fn arguments(route: &Route) -> impl Iterator<Item = &Parameter> {
    let parameters = route.parameters.iter();
    parameters.filter(|it| it.place != Place::Header)
}

fn input(route: &Route, tool: Tool) -> Value {
    let mut properties = Map::new();
    let agents = tool.requires_agents.then_some("agents");
    let mut required: Vec<&str> = agents.into_iter().collect();
    for parameter in arguments(route) {
        let mut schema = parameter.kind.schema();
        schema["description"] = parameter.about.into();
        properties.insert(parameter.name.to_owned(), schema);
        required.extend(parameter.is_required().then_some(parameter.name));
    }
    if let Some(body) = tool.body {
        let schema = match body {
            BodyArgument::Urls => json!({
                "type": "array",
                "items": {"type": "string", "format": "uri"},
                "minItems": 1,
                "maxItems": URLS_MAX,
                "description": "Absolute URLs.",
            }),
            BodyArgument::Robots => json!({"type": "string", "description": "The file."}),
        };
        properties.insert(body.name().to_owned(), schema);
        required.push(body.name());
    }
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// Returns the body of a request with its media type.
fn body_of(argument: BodyArgument, value: &Value) -> Result<(&'static str, String), Problem> {
    match argument {
        BodyArgument::Urls => {
            let urls = value.as_array().map(Vec::as_slice).unwrap_or_default();
            let texts: Option<Vec<&str>> = urls.iter().map(Value::as_str).collect();
            let detail = || Problem::parameter(format!("`urls`: give 1 to {URLS_MAX} URLs"));
            let texts = texts.filter(|it| (1..=URLS_MAX).contains(&it.len()));
            let texts = texts.ok_or_else(detail)?;
            let line = |url: &&str| Ok(json!({"url": requested_url(url)?}).to_string() + "\n");
            let lines: Result<String, Problem> = texts.iter().map(line).collect();
            Ok((JSON_LINES, lines?))
        }
        BodyArgument::Robots => {
            let text = value.as_str();
            let text = text.ok_or_else(|| Problem::parameter("`robots`: give text".to_owned()));
            Ok((TEXT, text?.to_owned()))
        }
    }
}

/// Returns the URL that a client requests: without dot segments and backslashes.
///
/// # Errors
///
/// Refuses a URL with a user name or password. A model must not send credentials, and none are needed.
fn requested_url(text: &str) -> Result<String, Problem> {
    match Url::parse(text) {
        Ok(url) if !url.username().is_empty() || url.password().is_some() => Err(Problem::bad(
            "url",
            "credentials in a URL: remove the user name and password",
        )),
        Ok(url) if url.has_host() => Ok(url.into()),
        _ => Ok(text.to_owned()),
    }
}

/// Returns the parts of a schema that a model may read, without references, or `None` if it may read nothing.
fn readable(schema: &Value) -> Option<Value> {
    let mark = schema.get("x-for-models");
    if mark.is_some_and(|mark| mark == false) {
        return None;
    }
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return readable(&SCHEMAS[name]);
    }
    if let Some(branches) = schema["anyOf"].as_array() {
        let branches: Vec<Value> = branches.iter().filter_map(readable).collect();
        let is_null = |branch: &Value| branch["type"] == "null";
        return (!branches.iter().all(is_null)).then(|| json!({"anyOf": branches}));
    }
    if let Some(properties) = schema["properties"].as_object() {
        let properties = properties.iter();
        let kept = properties.filter_map(|(name, it)| Some((name.clone(), readable(it)?)));
        let kept: Object = kept.collect();
        let required = schema["required"].as_array().into_iter().flatten();
        let is_kept = |name: &&Value| name.as_str().is_some_and(|it| kept.contains_key(it));
        let required: Vec<&Value> = required.filter(is_kept).collect();
        return Some(json!({"type": "object", "required": required, "properties": kept}));
    }
    let types = schema["type"].to_string();
    if types.contains("array") {
        let items = readable(&schema["items"])?;
        return Some(json!({"type": "array", "items": items}));
    }
    let is_free = types.contains("string") && schema.get("format").is_none();
    if types.contains("object") || is_free && mark.is_none() {
        return None;
    }
    let mut readable = schema.clone();
    let keys = readable.as_object_mut()?;
    if keys.remove("x-for-models").is_some_and(|it| it != true) {
        keys.insert("maxLength".to_owned(), TEXT_BYTES_MAX.into());
    }
    Some(readable)
}

/// Returns the parts of a value that its readable schema has, with escaped text.
fn read(value: &Value, schema: &Value) -> Value {
    if let Some(branches) = schema["anyOf"].as_array() {
        let branch = branches.iter().find(|branch| fits(value, branch));
        return branch.map_or(Value::Null, |branch| read(value, branch));
    }
    match value {
        Value::Object(object) => {
            let properties = schema["properties"].as_object().into_iter().flatten();
            let kept = properties
                .filter_map(|(name, it)| Some((name.clone(), read(object.get(name)?, it))));
            kept.collect::<Object>().into()
        }
        Value::Array(items) => {
            let items = items.iter().map(|item| read(item, &schema["items"]));
            items.collect::<Vec<_>>().into()
        }
        Value::String(text) => {
            let is_of_site = schema.get("maxLength").is_some();
            let shown = if is_of_site { text_for_model } else { legible };
            shown(text.as_bytes()).into()
        }
        other => other.clone(),
    }
}

/// Returns whether a value belongs to this branch of a schema: it is null, or has all required keys.
fn fits(value: &Value, branch: &Value) -> bool {
    let Some(object) = value.as_object() else {
        return value.is_null() == (branch["type"] == "null");
    };
    let mut required = branch["required"].as_array().into_iter().flatten();
    branch["type"] == "object"
        && required.all(|it| it.as_str().is_some_and(|name| object.contains_key(name)))
}
