//! Reads and writes JSON-RPC 2.0 messages with the headers of the Language Server Protocol.

use std::fmt;
use std::io::{self, BufRead, Read, Write};

use serde_json::{Value, json};

/// Maximum size of a message in bytes. Crawlers read about 500 KiB of a robots.txt.
const MESSAGE_BYTES_MAX: u64 = 16 << 20;

/// Maximum size of the headers of a message in bytes.
const HEADER_BYTES_MAX: u64 = 8 << 10;

/// A message from the client.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Incoming {
    /// The client expects an answer.
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    /// The client expects no answer.
    Notification { method: String, params: Value },
    /// The client answers a request of the server.
    Response,
    /// The message is not JSON-RPC. The error is sent to the id, if it has one.
    Malformed { id: Value, error: ResponseError },
}

/// The error of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResponseError {
    code: i32,
    message: String,
}

impl ResponseError {
    pub(crate) fn parse_error(message: impl Into<String>) -> Self {
        Self::new(-32_700, message)
    }

    pub(crate) fn invalid_request(message: impl Into<String>) -> Self {
        Self::new(-32_600, message)
    }

    pub(crate) fn method_not_found(method: &str) -> Self {
        Self::new(-32_601, format!("there is no method `{method}`"))
    }

    pub(crate) fn invalid_params(why: &serde_json::Error) -> Self {
        Self::new(-32_602, format!("invalid parameters: {why}"))
    }

    pub(crate) fn not_initialized() -> Self {
        Self::new(-32_002, "the first request must be `initialize`")
    }

    fn new(code: i32, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

impl fmt::Display for ResponseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The input cannot be split into messages.
#[derive(Debug, thiserror::Error)]
pub enum FramingError {
    /// The input cannot be read.
    #[error("cannot read standard input: {0}")]
    Input(io::Error),
    /// The headers do not state the length of the message.
    #[error("not a Language Server Protocol message: {0}")]
    Headers(&'static str),
}

impl From<io::Error> for FramingError {
    fn from(error: io::Error) -> Self {
        Self::Input(error)
    }
}

/// Reads the next message. Returns `None` at the end of the input, even within a message.
///
/// # Errors
///
/// Returns an error if reading fails or the length is unknown. A well framed message that is not
/// JSON-RPC is [`Incoming::Malformed`].
pub(crate) fn read_message(input: &mut impl BufRead) -> Result<Option<Incoming>, FramingError> {
    let Some(length) = read_headers(input)? else {
        return Ok(None);
    };
    if length > MESSAGE_BYTES_MAX {
        io::copy(&mut input.take(length), &mut io::sink())?;
        let error = format!("the message is longer than {MESSAGE_BYTES_MAX} bytes");
        return Ok(Some(Incoming::Malformed {
            id: Value::Null,
            error: ResponseError::invalid_request(error),
        }));
    }
    let mut content = Vec::new();
    let bytes = input.take(length).read_to_end(&mut content)?;
    if u64::try_from(bytes) != Ok(length) {
        return Ok(None);
    }
    Ok(Some(incoming(&content)))
}

/// Returns the length of the message in bytes, or `None` at the end of the input.
fn read_headers(input: &mut impl BufRead) -> Result<Option<u64>, FramingError> {
    let mut length = None;
    let mut left = HEADER_BYTES_MAX;
    let mut line = Vec::new();
    loop {
        line.clear();
        input.take(left).read_until(b'\n', &mut line)?;
        let Some(text) = line.strip_suffix(b"\n") else {
            if u64::try_from(line.len()) == Ok(left) {
                return Err(FramingError::Headers("the headers are too long"));
            }
            return Ok(None);
        };
        left -= u64::try_from(line.len()).unwrap_or(left);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if text.is_empty() {
            let length =
                length.ok_or(FramingError::Headers("there is no `Content-Length` header"))?;
            return Ok(Some(length));
        }
        let Some(colon) = memchr::memchr(b':', text) else {
            return Err(FramingError::Headers("a header has no colon"));
        };
        if text[..colon].eq_ignore_ascii_case(b"Content-Length") {
            let digits = std::str::from_utf8(&text[colon + 1..]).ok();
            let number = digits.and_then(|digits| digits.trim().parse().ok());
            let no_number = FramingError::Headers("`Content-Length` is not a number");
            length = Some(number.ok_or(no_number)?);
        }
    }
}

fn incoming(content: &[u8]) -> Incoming {
    let malformed = |id, error| Incoming::Malformed { id, error };
    let mut message: Value = match serde_json::from_slice(content) {
        Ok(message) => message,
        Err(error) => {
            let error = ResponseError::parse_error(format!("the message is not JSON: {error}"));
            return malformed(Value::Null, error);
        }
    };
    let invalid = |message: &str| ResponseError::invalid_request(message);
    let Some(message) = message.as_object_mut() else {
        let error = invalid("the message is not a JSON object");
        return malformed(Value::Null, error);
    };
    let id = message.remove("id");
    let usable = |id: &Value| id.is_number() || id.is_string();
    let answered = id.clone().filter(usable).unwrap_or_default();
    if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return malformed(answered, invalid("`jsonrpc` is not \"2.0\""));
    }
    let params = message.remove("params").unwrap_or_default();
    match (id, message.remove("method")) {
        (Some(id), Some(Value::String(method))) if usable(&id) => {
            Incoming::Request { id, method, params }
        }
        (Some(_), Some(Value::String(_))) => {
            malformed(answered, invalid("`id` is neither a number nor a string"))
        }
        (None, Some(Value::String(method))) => Incoming::Notification { method, params },
        (_, Some(_)) => malformed(answered, invalid("`method` is not a string")),
        (Some(_), None) if message.contains_key("result") || message.contains_key("error") => {
            Incoming::Response
        }
        (_, None) => malformed(answered, invalid("there is no `method`")),
    }
}

#[derive(Debug)]
pub(crate) struct MessageWriter<W> {
    output: W,
}

impl<W: Write> MessageWriter<W> {
    pub(crate) fn new(output: W) -> Self {
        Self { output }
    }

    pub(crate) fn respond(
        &mut self,
        id: &Value,
        result: Result<Value, ResponseError>,
    ) -> io::Result<()> {
        self.write(&match result {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(ResponseError { code, message }) => json!({
                "jsonrpc": "2.0",
                "id": id,
                "error": { "code": code, "message": message },
            }),
        })
    }

    pub(crate) fn notify(&mut self, method: &str, params: &Value) -> io::Result<()> {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    /// Sends a request whose answer does not matter.
    pub(crate) fn request(&mut self, id: &str, method: &str, params: &Value) -> io::Result<()> {
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
    }

    fn write(&mut self, message: &Value) -> io::Result<()> {
        let content = verger_answer::json::to_string(message)?;
        write!(self.output, "Content-Length: {}\r\n\r\n", content.len())?;
        self.output.write_all(content.as_bytes())?;
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(mut input: &[u8]) -> Vec<Result<Incoming, String>> {
        let mut read = Vec::new();
        loop {
            match read_message(&mut input) {
                Ok(Some(message)) => read.push(Ok(message)),
                Ok(None) => return read,
                Err(error) => {
                    read.push(Err(error.to_string()));
                    return read;
                }
            }
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut written = Vec::new();
        let mut writer = MessageWriter::new(&mut written);
        writer.notify("a/b", &json!({ "é": 1 })).unwrap();
        writer.request("x", "c", &Value::Null).unwrap();
        writer.respond(&json!(7), Ok(Value::Null)).unwrap();
        assert_eq!(
            read(&written),
            [
                Ok(Incoming::Notification {
                    method: "a/b".to_owned(),
                    params: json!({ "é": 1 }),
                }),
                Ok(Incoming::Request {
                    id: json!("x"),
                    method: "c".to_owned(),
                    params: Value::Null,
                }),
                Ok(Incoming::Response),
            ]
        );
    }

    #[test]
    fn headers_have_any_case_and_order() {
        let input = b"content-type: x\ncontent-length:2\n\n[]Content-Length: 2\r\n\r\n{}";
        let read = read(input);
        assert_eq!(read.len(), 2);
        assert!(matches!(read[1], Ok(Incoming::Malformed { .. })));
    }

    #[test]
    fn a_message_whose_end_is_unknown_is_the_last() {
        for (input, why) in [
            (&b"\r\n{}"[..], "no `Content-Length` header"),
            (b"Content-Length: -1\r\n\r\n", "not a number"),
            (
                b"Content-Length: 99999999999999999999\r\n\r\n",
                "not a number",
            ),
            (b"garbage\r\n\r\n", "no colon"),
            (&[b'a'; 9_000], "too long"),
        ] {
            let read = read(input);
            assert_eq!(read.len(), 1);
            let error = read[0].as_ref().unwrap_err();
            assert!(error.contains(why), "{error}");
        }
        // The input may end anywhere.
        for input in [&b""[..], b"Content-Le", b"Content-Length: 9\r\n\r\n{}"] {
            assert_eq!(read(input), []);
        }
    }

    #[test]
    fn a_message_that_is_too_long_is_skipped() {
        let length = MESSAGE_BYTES_MAX + 1;
        let mut input = format!("Content-Length: {length}\r\n\r\n").into_bytes();
        input.resize(input.len() + usize::try_from(length).unwrap(), b' ');
        input.extend_from_slice(b"Content-Length: 0\r\n\r\n");
        let codes = read(&input).into_iter().map(|read| match read {
            Ok(Incoming::Malformed { error, .. }) => error.code,
            other => panic!("{other:?}"),
        });
        assert_eq!(codes.collect::<Vec<_>>(), [-32_600, -32_700]);
    }

    #[test]
    fn what_is_no_message_is_answered_with_its_id() {
        for (content, id, code) in [
            ("{", Value::Null, -32_700),
            ("\"\\ud800\"", Value::Null, -32_700),
            ("[]", Value::Null, -32_600),
            (r#"{"id":1,"method":"a"}"#, json!(1), -32_600),
            (
                r#"{"jsonrpc":"2.0","id":[],"method":"a"}"#,
                Value::Null,
                -32_600,
            ),
            (
                r#"{"jsonrpc":"2.0","id":null,"method":"a"}"#,
                Value::Null,
                -32_600,
            ),
            (
                r#"{"jsonrpc":"2.0","id":"x","method":1}"#,
                json!("x"),
                -32_600,
            ),
            (r#"{"jsonrpc":"2.0","id":2}"#, json!(2), -32_600),
            (r#"{"jsonrpc":"2.0"}"#, Value::Null, -32_600),
        ] {
            match incoming(content.as_bytes()) {
                Incoming::Malformed { id: found, error } => {
                    assert_eq!((found, error.code), (id, code), "{content}");
                }
                other => panic!("{content}: {other:?}"),
            }
        }
        let deep = "[".repeat(100_000);
        assert!(matches!(
            incoming(deep.as_bytes()),
            Incoming::Malformed { .. }
        ));
    }
}
