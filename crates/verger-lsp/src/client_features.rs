use serde_json::Value;

use crate::text::PositionEncoding;

/// The features that an editor announces.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "features of the protocol, each by its name"
)]
pub(crate) struct ClientFeatures {
    pub(crate) encoding: PositionEncoding,
    /// Diagnostics may refer to other places.
    pub(crate) related_information: bool,
    /// Edits may name the version of the document.
    pub(crate) versioned_edits: bool,
    /// Symbols may separate their range from that of their name.
    pub(crate) hierarchical_symbols: bool,
    /// Hover texts may be Markdown.
    pub(crate) markdown: bool,
    /// The client can watch files.
    pub(crate) watches_files: bool,
}

impl ClientFeatures {
    /// Reads client capabilities. Missing ones count as absent, and the default position encoding
    /// is UTF-16, as the protocol requires.
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
