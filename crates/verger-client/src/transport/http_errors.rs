//! What HTTP errors mean: which failure each is, and its words.

use std::error::Error;
use std::io;

use tokio_rustls::rustls;
use verger_access::TransportFailure;

use crate::transport::transport_error::TransportError;

/// Where in a response an error came up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResponsePart {
    /// Before the end of its head.
    Head,
    /// In its body.
    Body,
}

/// What `error` means. A body that ends inside a chunk is truncated; malformed chunks are those
/// that would be so however many more octets came.
pub(crate) fn transport_error(error: &(dyn Error + 'static), part: ResponsePart) -> TransportError {
    let mut words: Vec<String> = Vec::new();
    let mut failure = None;
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(error) = error.downcast_ref::<TransportError>() {
            return error.clone();
        }
        let text = error.to_string();
        // Most errors repeat what is inside of them.
        words.retain(|outer| !outer.ends_with(&text));
        words.push(text);
        // The innermost error knows best.
        failure = failure_of(error, part).or(failure);
        next = error.source();
    }
    TransportError::new(failure.unwrap_or(TransportFailure::Reset), words.join(": "))
}

fn failure_of(error: &(dyn Error + 'static), part: ResponsePart) -> Option<TransportFailure> {
    if let Some(error) = error.downcast_ref::<hyper::Error>() {
        return of_hyper(error);
    }
    if let Some(error) = error.downcast_ref::<h2::Error>() {
        return Some(of_http_2(error, part));
    }
    error
        .downcast_ref::<io::Error>()
        .map(|error| of_io(error, part))
}

fn of_hyper(error: &hyper::Error) -> Option<TransportFailure> {
    if error.is_parse() {
        return Some(TransportFailure::Protocol);
    }
    None
}

fn of_http_2(error: &h2::Error, part: ResponsePart) -> TransportFailure {
    if let Some(error) = error.get_io() {
        return of_io(error, part);
    }
    // Whatever the other side gives as the reason to end the stream or the connection, it ends.
    if error.is_remote() {
        return TransportFailure::Reset;
    }
    match part {
        // What this side objects to in the body of a stream is its length (RFC 9113 8.1.1).
        ResponsePart::Body if error.is_reset() => TransportFailure::Truncated,
        ResponsePart::Head | ResponsePart::Body => TransportFailure::Protocol,
    }
}

fn of_io(error: &io::Error, part: ResponsePart) -> TransportFailure {
    // What an IO error was made from is not its source.
    if (error.get_ref()).is_some_and(<dyn Error + Send + Sync>::is::<rustls::Error>) {
        return TransportFailure::Tls;
    }
    match (error.kind(), part) {
        (io::ErrorKind::UnexpectedEof, ResponsePart::Body) => TransportFailure::Truncated,
        // Chunk sizes that are none, too long or too large.
        (io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput, ResponsePart::Body) => {
            TransportFailure::Chunking
        }
        _ => TransportFailure::Reset,
    }
}
