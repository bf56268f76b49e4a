//! Converts errors of HTTP libraries into transport failures.

use std::error::Error;
use std::io;

use tokio_rustls::rustls;
use verger_access::TransportFailure;
use verger_store::Shortage;

use crate::transport::transport_error::{ErrorOrigin, TransportError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResponsePart {
    Head,
    Body,
}

/// Converts `error`. A body that ends inside a chunk is truncated. Chunks are malformed only if no
/// further bytes could complete them.
pub(crate) fn transport_error(error: &(dyn Error + 'static), part: ResponsePart) -> TransportError {
    let mut words: Vec<String> = Vec::new();
    let mut failure = None;
    let shortage = Shortage::from_error(error);
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(error) = error.downcast_ref::<TransportError>() {
            return error.clone();
        }
        let text = error.to_string();
        // Most errors repeat the text of their source.
        words.retain(|outer| !outer.ends_with(&text));
        words.push(text);
        // The innermost error is the most specific.
        failure = failure_of(error, part).or(failure);
        next = error.source();
    }
    let origin = shortage.map_or(ErrorOrigin::Site, |it| ErrorOrigin::Machine(it.resource));
    TransportError {
        origin,
        ..TransportError::new(failure.unwrap_or(TransportFailure::Reset), words.join(": "))
    }
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
    // The server ended the stream or the connection for some reason.
    if error.is_remote() {
        return TransportFailure::Reset;
    }
    match part {
        // In a body, the library itself resets a stream only for a wrong length (RFC 9113 8.1.1).
        ResponsePart::Body if error.is_reset() => TransportFailure::Truncated,
        ResponsePart::Head | ResponsePart::Body => TransportFailure::Protocol,
    }
}

fn of_io(error: &io::Error, part: ResponsePart) -> TransportFailure {
    // The inner error of an IO error is not its source.
    let inner = error.get_ref();
    if inner.is_some_and(<dyn Error + Send + Sync>::is::<rustls::Error>) {
        return TransportFailure::Tls;
    }
    if let Some(own) = inner.and_then(|inner| inner.downcast_ref::<TransportError>()) {
        return own.failure;
    }
    match (error.kind(), part) {
        (io::ErrorKind::UnexpectedEof, ResponsePart::Body) => TransportFailure::Truncated,
        (io::ErrorKind::InvalidData, ResponsePart::Head) => TransportFailure::Protocol,
        // Chunk sizes that are malformed, too long or too large.
        (io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput, ResponsePart::Body) => {
            TransportFailure::Chunking
        }
        _ => TransportFailure::Reset,
    }
}
