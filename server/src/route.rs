//! `Route`: an entry of the route table, the source of the router and the `OpenAPI` description.

use core::pin::Pin;

use axum::response::Response;
use axum::routing::MethodFilter;
use serde_json::{Value, json};
use verger_access::Profile;
use verger_crawlers::Purpose;

use crate::call::Call;
use crate::problem::Problem;

pub(crate) type Answering = Pin<Box<dyn Future<Output = Result<Response, Problem>> + Send>>;

pub(crate) struct Route {
    pub(crate) method: &'static str,
    pub(crate) filter: MethodFilter,
    /// Path in the syntax of `OpenAPI` and the router. A parameter is always the last segment.
    pub(crate) path: &'static str,
    /// Operation id, also used in metrics.
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) access: Access,
    pub(crate) parameters: &'static [Parameter],
    /// Accepted bodies: media type and schema name.
    pub(crate) bodies: &'static [(&'static str, &'static str)],
    /// Possible answers: status, media type and schema name.
    pub(crate) answers: &'static [(u16, &'static str, &'static str)],
    /// Statuses of its problems, in addition to those of every route.
    pub(crate) problems: &'static [u16],
    /// Set if models may call the route over the Model Context Protocol.
    pub(crate) tool: Option<Tool>,
    pub(crate) handler: fn(Call) -> Answering,
}

/// A route as a tool of a model. The parameters of the route, except headers, are its arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// The argument that becomes the body, which models must give.
    pub(crate) body: Option<BodyArgument>,
    /// Whether models must give `agents`, although other clients may leave it out.
    pub(crate) requires_agents: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyArgument {
    /// `urls`: a list of URLs, sent as JSON Lines of questions.
    Urls,
    /// `robots`: the text of a robots.txt.
    Robots,
}

/// Who may call a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Requires a token if the server has any, and is subject to load limits.
    Token,
    /// Open to anyone at any time.
    Open,
}

/// A parameter in the query, unless it is the path segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) place: Place,
    pub(crate) kind: Kind,
    pub(crate) about: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Path,
    Query,
    RequiredQuery,
    Header,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    /// A URL. An unparsable URL is a problem.
    Url,
    Flag,
    Number(u64),
    Profile,
    Purpose,
}

impl Kind {
    pub(crate) fn schema(self) -> Value {
        match self {
            Self::Text => json!({"type": "string"}),
            Self::Url => json!({"type": "string", "format": "uri"}),
            Self::Flag => json!({"type": "boolean"}),
            Self::Number(max) => json!({"type": "integer", "minimum": 0, "maximum": max}),
            Self::Profile => one_of(Profile::ALL.iter().map(|it| &*it.name)),
            Self::Purpose => one_of(Purpose::ALL.iter().map(|it| it.as_str())),
        }
    }
}

impl BodyArgument {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Urls => "urls",
            Self::Robots => "robots",
        }
    }
}

fn one_of<'n>(names: impl Iterator<Item = &'n str>) -> Value {
    json!({"type": "string", "enum": names.collect::<Vec<_>>()})
}

impl Parameter {
    pub(crate) fn is_required(&self) -> bool {
        matches!(self.place, Place::Path | Place::RequiredQuery)
    }
}

impl Route {
    pub(crate) fn query_names(&self) -> impl Iterator<Item = &'static str> + Clone {
        let parameters = self.parameters.iter();
        let of_query =
            parameters.filter(|it| matches!(it.place, Place::Query | Place::RequiredQuery));
        of_query.map(|it| it.name)
    }
}
