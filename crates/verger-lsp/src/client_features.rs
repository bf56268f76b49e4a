//! `ClientFeatures`: what an editor understands, as it says when it begins.

use serde_json::Value;

use crate::text::PositionEncoding;

/// What an editor understands.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "features of the protocol, each by its name"
)]
pub(crate) struct ClientFeatures {
    pub(crate) encoding: PositionEncoding,
    /// Diagnostics may name further places.
    pub(crate) related_information: bool,
    /// Edits may say for which version of a document they are.
    pub(crate) versioned_edits: bool,
    /// Symbols may have a range apart from that of their name.
    pub(crate) hierarchical_symbols: bool,
    /// Hover texts may be Markdown.
    pub(crate) markdown: bool,
    /// It can be asked to watch files.
    pub(crate) watches_files: bool,
}

impl ClientFeatures {
    /// Reads the capabilities of a client. What they do not say is absent; positions are counted in
    /// UTF-16 then, as the protocol has it.
    pub(crate) fn of(capabilities: &Value) -> Self {
        let at = |path| capabilities.pointer(path);
        let has = |path| at(path).and_then(Value::as_bool).unwrap_or(false);
        let lists = |path, what: &str| {
            let list = at(path).and_then(Value::as_array);
            list.is_some_and(|list| list.iter().any(|it| it == what))
        };
        let is_utf8 = lists(
            "/general/positionEncodings",
            PositionEncoding::Utf8.as_str(),
        );
        Self {
            encoding: if is_utf8 {
                PositionEncoding::Utf8
            } else {
                PositionEncoding::Utf16
            },
            related_information: has("/textDocument/publishDiagnostics/relatedInformation"),
            versioned_edits: has("/workspace/workspaceEdit/documentChanges"),
            hierarchical_symbols: has(
                "/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport",
            ),
            markdown: lists("/textDocument/hover/contentFormat", "markdown"),
            watches_files: has("/workspace/didChangeWatchedFiles/dynamicRegistration"),
        }
    }
}
