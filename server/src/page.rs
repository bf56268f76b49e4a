//! `page`: the static files of `--page`.

use std::path::Path;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::Request;
use http::request::Parts;
use percent_encoding::percent_decode_str;
use tokio::fs;
use tower::ServiceExt as _;
use tower_http::services::ServeDir;

/// The only directory with a hidden name that is served. RFC 8615.
const WELL_KNOWN: &str = ".well-known";

/// Returns the named file in `directory`, or `None` if it is missing or must not be served.
pub(crate) async fn file(directory: &Path, request: &Parts) -> Option<Response> {
    if !is_served(directory, request.uri.path()).await {
        return None;
    }
    let request = Request::from_parts(request.clone(), Body::empty());
    let served = ServeDir::new(directory).oneshot(request).await;
    served.ok().map(IntoResponse::into_response)
}

/// Returns whether a path names a regular file. Hidden files, links that lead out of the directory, pipes and devices
/// are not served: opening a pipe would block a thread.
async fn is_served(directory: &Path, path: &str) -> bool {
    let path = percent_decode_str(path).decode_utf8_lossy();
    let path = path.trim_start_matches('/');
    let mut names = path.split(['/', '\\']);
    if names.any(|name| name.starts_with('.') && name != WELL_KNOWN) {
        return false;
    }
    let found = async {
        let directory = fs::canonicalize(directory).await?;
        let mut file = fs::canonicalize(directory.join(path)).await?;
        if fs::metadata(&file).await?.is_dir() {
            file = fs::canonicalize(file.join("index.html")).await?;
        }
        let is_regular = fs::metadata(&file).await?.is_file();
        std::io::Result::Ok(is_regular && file.starts_with(directory))
    };
    found.await.unwrap_or(false)
}
