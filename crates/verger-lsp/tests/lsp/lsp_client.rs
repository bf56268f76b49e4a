//! A scripted editor that starts a server and waits for its messages.

use std::fs;
use std::io::{self, BufRead, BufReader, PipeWriter, Write};
use std::path::Path;
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};

use serde_json::{Value, json};
use verger_answer::ReadError;
use verger_lint::report::LintSettings;
use verger_lsp::{End, serve};

pub(crate) struct LspClient {
    server: JoinHandle<io::Result<End>>,
    input: PipeWriter,
    /// The output is read by a thread, so the server never waits for the test.
    messages: Receiver<Value>,
    /// The latest diagnostics.
    pub(crate) published: Vec<Value>,
    next_id: u64,
}

impl LspClient {
    /// Starts a server without initializing it.
    pub(crate) fn start() -> Self {
        let (from_editor, input) = io::pipe().unwrap();
        let (output, to_editor) = io::pipe().unwrap();
        let server = thread::spawn(|| serve(BufReader::new(from_editor), to_editor, settings));
        let mut output = BufReader::new(output);
        let (sender, messages) = mpsc::channel();
        thread::spawn(move || {
            while let Some(message) = read_message(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Self {
            input,
            messages,
            server,
            published: Vec::new(),
            next_id: 0,
        }
    }

    /// Starts and initializes a server.
    pub(crate) fn with(capabilities: &Value) -> Self {
        let mut client = Self::start();
        let answer = client.request("initialize", json!({ "capabilities": capabilities }));
        assert_eq!(answer["serverInfo"]["name"], "verger", "{answer}");
        client.notify("initialized", json!({}));
        client
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.write_all(bytes).unwrap();
    }

    pub(crate) fn send(&mut self, content: &str) {
        let length = content.len();
        self.send_bytes(format!("Content-Length: {length}\r\n\r\n{content}").as_bytes());
    }

    pub(crate) fn notify(&mut self, method: &str, params: impl Into<Value>) {
        let params: Value = params.into();
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.send(&message.to_string());
    }

    /// Sends a request and returns its result.
    pub(crate) fn request(&mut self, method: &str, params: impl Into<Value>) -> Value {
        let answer = self.answer(method, params);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Sends a request and returns its error code.
    pub(crate) fn refusal(&mut self, method: &str, params: impl Into<Value>) -> i64 {
        let answer = self.answer(method, params);
        answer["error"]["code"].as_i64().unwrap()
    }

    fn answer(&mut self, method: &str, params: impl Into<Value>) -> Value {
        let params: Value = params.into();
        self.next_id += 1;
        let id = self.next_id;
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(&message.to_string());
        self.wait_for(|message| message["id"] == id && message["method"].is_null())
    }

    /// Waits for a message. Keeps diagnostics that arrive meanwhile.
    pub(crate) fn wait_for(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.receive().expect("the server ended");
            if message["method"] == "textDocument/publishDiagnostics" {
                self.published.push(message["params"].clone());
            }
            if is_wanted(&message) {
                return message;
            }
        }
    }

    /// Returns the diagnostics of a document version.
    pub(crate) fn diagnostics(&mut self, version: u64) -> Vec<Value> {
        let is_of = |params: &Value| params["version"] == version;
        let params = match self.published.iter().find(|params| is_of(params)) {
            Some(params) => params.clone(),
            None => self.wait_for(|message| is_of(&message["params"]))["params"].clone(),
        };
        params["diagnostics"].as_array().unwrap().clone()
    }

    /// Returns the next message, or `None` once the server has ended.
    pub(crate) fn receive(&mut self) -> Option<Value> {
        self.messages.recv().ok()
    }

    /// Closes the input and returns how the session ended.
    pub(crate) fn end(self) -> End {
        drop(self.input);
        self.messages.iter().for_each(drop);
        self.server.join().unwrap().unwrap()
    }

    /// Ends the session cleanly.
    pub(crate) fn shut_down(mut self) {
        assert_eq!(self.request("shutdown", Value::Null), Value::Null);
        self.notify("exit", Value::Null);
        assert!(matches!(self.end(), End::AfterShutdown));
    }
}

/// Reads the settings from the `verger.toml` next to a file.
fn settings(path: &Path) -> Result<LintSettings, ReadError> {
    match fs::read_to_string(path.with_file_name(LintSettings::FILE_NAME)) {
        Ok(text) => LintSettings::from_toml(&text).map_err(|error| error.to_string().into()),
        Err(_) => Ok(LintSettings::default()),
    }
}

fn read_message(output: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).unwrap() == 0 {
            return None;
        }
        let line = line.trim_end();
        match line.strip_prefix("Content-Length: ") {
            Some(digits) => length = Some(digits.parse::<usize>().unwrap()),
            None if line.is_empty() => break,
            None => panic!("{line}"),
        }
    }
    let mut content = vec![0; length.unwrap()];
    output.read_exact(&mut content).unwrap();
    let message: Value = serde_json::from_slice(&content).unwrap();
    assert_eq!(message["jsonrpc"], "2.0");
    Some(message)
}

/// Opens a document as version 1.
pub(crate) fn open(client: &mut LspClient, uri: &str, text: &str) {
    client.notify(
        "textDocument/didOpen",
        json!({ "textDocument": {
            "uri": uri, "languageId": "robots-txt", "version": 1, "text": text,
        }}),
    );
}

pub(crate) fn change(client: &mut LspClient, uri: &str, version: u64, changes: &Value) {
    client.notify(
        "textDocument/didChange",
        json!({
            "textDocument": { "uri": uri, "version": version },
            "contentChanges": changes,
        }),
    );
}

pub(crate) fn in_line(line: u64, start: u64, end: u64) -> Value {
    json!({
        "start": { "line": line, "character": start },
        "end": { "line": line, "character": end },
    })
}

pub(crate) fn at(uri: &str, line: u64, character: u64) -> Value {
    json!({
        "textDocument": { "uri": uri },
        "position": { "line": line, "character": character },
    })
}
