//! `Route`: a line of the table of routes, of which the router and the description of the interface are made.

use core::pin::Pin;

use axum::response::Response;
use axum::routing::MethodFilter;

use crate::call::Call;
use crate::problem::Problem;

/// The answer to a call, as it is made.
pub(crate) type Answering = Pin<Box<dyn Future<Output = Result<Response, Problem>> + Send>>;

/// A route.
pub(crate) struct Route {
    pub(crate) method: &'static str,
    pub(crate) filter: MethodFilter,
    /// As `OpenAPI` and the router write it; a parameter is the last segment.
    pub(crate) path: &'static str,
    /// Its name among the operations, and in metrics.
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) access: Access,
    pub(crate) parameters: &'static [Parameter],
    /// The bodies that it reads: media type, and schema by its name.
    pub(crate) bodies: &'static [(&'static str, &'static str)],
    /// The answers: status, media type and schema.
    pub(crate) answers: &'static [(u16, &'static str, &'static str)],
    /// The statuses of its problems, beside those that every route has.
    pub(crate) problems: &'static [u16],
    pub(crate) handler: fn(Call) -> Answering,
}

/// Who may call a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Who has a token, where there are any; and only while the server has not too much to do.
    Token,
    /// Anyone at any time.
    Open,
}

/// A parameter, of the query unless it is the segment of the path.
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
    /// A header field that the route reads.
    Header,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    /// A URL; one that cannot be read is a problem.
    Url,
    Flag,
    /// A whole number up to this one.
    Number(u64),
    Profile,
    Purpose,
}

impl Route {
    /// The names of the parameters in its query.
    pub(crate) fn query_names(&self) -> impl Iterator<Item = &'static str> + Clone {
        let parameters = self.parameters.iter();
        let of_query =
            parameters.filter(|it| matches!(it.place, Place::Query | Place::RequiredQuery));
        of_query.map(|it| it.name)
    }
}
