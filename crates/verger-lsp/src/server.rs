use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, TryRecvError};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use verger_lint::report::LintSettings;

use crate::client_features::ClientFeatures;
use crate::code_actions::{ActionContext, FIX_ALL, QUICK_FIX, code_actions};
use crate::completion::completions;
use crate::diagnostics::diagnostics;
use crate::document::{ContentChange, Document, SettingsOf};
use crate::hover::hover;
use crate::message::{FramingError, Incoming, MessageWriter, ResponseError};
use crate::symbols::{folds, symbols};
use crate::text::{Position, PositionRange, Text};

/// Answers an editor's requests and sends it diagnostics of open documents.
pub(crate) struct Server<W> {
    output: MessageWriter<W>,
    settings: SettingsOf,
    phase: Phase,
    client: ClientFeatures,
    /// Open documents by URI.
    documents: BTreeMap<String, Document>,
    /// Documents whose diagnostics must be sent.
    changed: BTreeSet<String>,
}

/// The phase of the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Waiting for `initialize`.
    New,
    Running,
    /// `shutdown` was answered.
    ShutDown,
}

/// The end of a session.
#[derive(Debug)]
pub enum End {
    /// The editor sent `shutdown`, then `exit` or the end of the input.
    AfterShutdown,
    /// The editor exited without `shutdown`.
    WithoutShutdown,
    /// The next message cannot be read.
    Unreadable(FramingError),
}

#[derive(Deserialize)]
struct DocumentParams {
    #[serde(rename = "textDocument")]
    text_document: DocumentId,
    #[serde(rename = "contentChanges", default)]
    content_changes: Vec<ContentChange>,
}

#[derive(Deserialize)]
struct DocumentId {
    uri: String,
    #[serde(default)]
    version: Option<i64>,
    #[serde(default)]
    text: Option<String>,
    #[serde(rename = "languageId", default)]
    language_id: String,
}

#[derive(Deserialize)]
struct PlaceParams {
    #[serde(rename = "textDocument")]
    text_document: DocumentId,
    position: Position,
}

#[derive(Deserialize)]
struct ActionParams {
    #[serde(rename = "textDocument")]
    text_document: DocumentId,
    range: PositionRange,
    context: ActionContext,
}

impl DocumentId {
    /// Returns whether it is a robots.txt. An editor without a language for robots.txt sends all
    /// plain text.
    fn is_robots_txt(&self) -> bool {
        let is_any_text = matches!(self.language_id.as_str(), "plaintext" | "text");
        let name = self.uri.rsplit(['/', ':']).next().unwrap_or_default();
        let extension = Path::new(name).extension();
        let is_txt = extension.is_some_and(|it| it.eq_ignore_ascii_case("txt"));
        !is_any_text || (is_txt && name.to_ascii_lowercase().contains("robots"))
    }
}

impl<W: Write> Server<W> {
    pub(crate) fn new(output: W, settings: SettingsOf) -> Self {
        Self {
            output: MessageWriter::new(output),
            settings,
            phase: Phase::New,
            client: ClientFeatures::of(&Value::Null),
            documents: BTreeMap::new(),
            changed: BTreeSet::new(),
        }
    }

    /// Answers messages until there are no more. Sends diagnostics when no message is waiting, so a
    /// burst of changes is checked once.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub(crate) fn serve(
        mut self,
        messages: &Receiver<Result<Incoming, FramingError>>,
    ) -> io::Result<End> {
        loop {
            let message = match messages.try_recv() {
                Err(TryRecvError::Empty) if self.changed.is_empty() => {
                    messages.recv().map_err(|_| TryRecvError::Disconnected)
                }
                received => received,
            };
            match message {
                Ok(Ok(Incoming::Notification { method, .. })) if method == "exit" => {
                    return Ok(self.end());
                }
                Ok(Ok(message)) => self.take(message)?,
                Ok(Err(error)) => {
                    let answer = ResponseError::parse_error(error.to_string());
                    self.output.respond(&Value::Null, Err(answer))?;
                    return Ok(End::Unreadable(error));
                }
                Err(TryRecvError::Empty) => self.publish_one()?,
                Err(TryRecvError::Disconnected) => return Ok(self.end()),
            }
        }
    }

    fn end(&self) -> End {
        match self.phase {
            Phase::ShutDown => End::AfterShutdown,
            Phase::New | Phase::Running => End::WithoutShutdown,
        }
    }

    fn take(&mut self, message: Incoming) -> io::Result<()> {
        match message {
            Incoming::Request { id, method, params } => {
                let result = self.request(&method, params);
                self.output.respond(&id, result)
            }
            Incoming::Notification { method, .. } if method == "initialized" => {
                self.watch_settings()
            }
            Incoming::Notification { method, params } if self.phase == Phase::Running => {
                match self.notification(&method, params) {
                    Ok(()) => Ok(()),
                    Err(error) => {
                        self.forget_documents();
                        self.complain(&method, &error)
                    }
                }
            }
            Incoming::Malformed { id, error } => {
                self.forget_documents();
                self.output.respond(&id, Err(error))
            }
            Incoming::Notification { .. } | Incoming::Response => Ok(()),
        }
    }

    /// Forgets all documents after an unreadable message, which may have been a change. They are
    /// checked again when the editor reopens them.
    fn forget_documents(&mut self) {
        let forgotten = std::mem::take(&mut self.documents);
        self.changed.extend(forgotten.into_keys());
    }

    fn request(&mut self, method: &str, params: Value) -> Result<Value, ResponseError> {
        match (self.phase, method) {
            (Phase::New, "initialize") => {
                self.phase = Phase::Running;
                self.client = ClientFeatures::of(&params["capabilities"]);
                Ok(self.capabilities())
            }
            (Phase::New, _) => Err(ResponseError::not_initialized()),
            (Phase::Running, "initialize") => Err(ResponseError::invalid_request(
                "`initialize` was already sent",
            )),
            (Phase::ShutDown, _) => {
                let error = "the server is shut down: send `exit`";
                Err(ResponseError::invalid_request(error))
            }
            (Phase::Running, "shutdown") => {
                self.phase = Phase::ShutDown;
                self.changed.clear();
                Ok(Value::Null)
            }
            (Phase::Running, _) => self.question(method, params),
        }
    }

    /// Answers a request about a document, with null if it is not open.
    fn question(&self, method: &str, params: Value) -> Result<Value, ResponseError> {
        let client = self.client;
        let answer = match method {
            "textDocument/hover" => {
                let PlaceParams {
                    text_document,
                    position,
                } = read(params)?;
                let document = self.documents.get(&text_document.uri);
                document.map(|it| hover(it, position, client))
            }
            "textDocument/completion" => {
                let PlaceParams {
                    text_document,
                    position,
                } = read(params)?;
                let document = self.documents.get(&text_document.uri);
                document.map(|it| completions(it, position))
            }
            "textDocument/codeAction" => {
                let ActionParams {
                    text_document,
                    range,
                    context,
                } = read(params)?;
                let uri = &text_document.uri;
                let document = self.documents.get(uri);
                document.map(|it| code_actions(uri, it, range, &context, client))
            }
            "textDocument/documentSymbol" => {
                let DocumentId { uri, .. } = read::<DocumentParams>(params)?.text_document;
                let document = self.documents.get(&uri);
                document.map(|it| symbols(&uri, it, client))
            }
            "textDocument/foldingRange" => {
                let DocumentId { uri, .. } = read::<DocumentParams>(params)?.text_document;
                self.documents.get(&uri).map(folds)
            }
            _ => return Err(ResponseError::method_not_found(method)),
        };
        Ok(answer.unwrap_or_default())
    }

    fn notification(&mut self, method: &str, params: Value) -> Result<(), ResponseError> {
        let encoding = self.client.encoding;
        match method {
            "textDocument/didOpen" => {
                let opened = read::<DocumentParams>(params)?.text_document;
                if opened.is_robots_txt() {
                    let (uri, version) = (opened.uri, opened.version.unwrap_or(0));
                    let text = opened.text.unwrap_or_default();
                    let document =
                        Document::new(&uri, version, Text::new(text, encoding), self.settings);
                    self.documents.insert(uri.clone(), document);
                    self.changed.insert(uri);
                }
            }
            "textDocument/didChange" => {
                let DocumentParams {
                    text_document,
                    content_changes,
                } = read(params)?;
                let DocumentId { uri, version, .. } = text_document;
                if let Some(document) = self.documents.get_mut(&uri) {
                    let version = version.unwrap_or(document.version);
                    document.change(version, content_changes, encoding);
                    self.changed.insert(uri);
                }
            }
            "textDocument/didClose" => {
                let DocumentId { uri, .. } = read::<DocumentParams>(params)?.text_document;
                // Clears its diagnostics.
                if self.documents.remove(&uri).is_some() {
                    self.changed.insert(uri);
                }
            }
            // The lint settings may have changed.
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => {
                for (uri, document) in &mut self.documents {
                    document.recheck();
                    self.changed.insert(uri.clone());
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl<W: Write> Server<W> {
    fn capabilities(&self) -> Value {
        const INCREMENTAL: u8 = 2;
        json!({
            "capabilities": {
                "positionEncoding": self.client.encoding.as_str(),
                "textDocumentSync": { "openClose": true, "change": INCREMENTAL, "save": true },
                "hoverProvider": true,
                "completionProvider": { "triggerCharacters": [":", " "] },
                "codeActionProvider": { "codeActionKinds": [QUICK_FIX, FIX_ALL] },
                "documentSymbolProvider": true,
                "foldingRangeProvider": true,
            },
            "serverInfo": { "name": "verger", "version": env!("CARGO_PKG_VERSION") },
        })
    }

    /// Asks the editor to report changes of the settings file.
    fn watch_settings(&mut self) -> io::Result<()> {
        if !self.client.watches_files {
            return Ok(());
        }
        let watchers = json!([{ "globPattern": format!("**/{}", LintSettings::FILE_NAME) }]);
        let method = "workspace/didChangeWatchedFiles";
        let registration = json!({
            "registrations": [{
                "id": "settings",
                "method": method,
                "registerOptions": { "watchers": watchers },
            }],
        });
        let request = "client/registerCapability";
        self.output
            .request("watch-settings", request, &registration)
    }

    /// Sends the diagnostics of one changed document.
    fn publish_one(&mut self) -> io::Result<()> {
        let Some(uri) = self.changed.pop_first() else {
            return Ok(());
        };
        let params = match self.documents.get(&uri) {
            Some(document) => json!({
                "uri": uri,
                "version": document.version,
                "diagnostics": diagnostics(&uri, document, self.client),
            }),
            None => json!({ "uri": uri, "diagnostics": [] }),
        };
        self.output
            .notify("textDocument/publishDiagnostics", &params)
    }

    /// Logs in the editor why a notification had no effect.
    fn complain(&mut self, method: &str, error: &ResponseError) -> io::Result<()> {
        const ERROR: u8 = 1;
        let message = format!("{method}: {error}");
        let params = json!({ "type": ERROR, "message": message });
        self.output.notify("window/logMessage", &params)
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, ResponseError> {
    serde_json::from_value(params).map_err(|error| ResponseError::invalid_params(&error))
}
