//! An editor's session: its texts, and the threads that work in parallel with its requests.

use crate::completion::Editor;
use crate::diagnostics::Checker;
use crate::document::TextDocument;
use crate::last_run::Runs;
use crate::position::Encoding;
use crate::rename::RenameError;
use crate::workspace::Workspace;
use crate::{names, schema};
use aplomb_analysis::check::Kind;
use aplomb_scene::Run;
use aplomb_trace::Channel;
use lsp_server::{ErrorCode, Message, Notification};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Notification as _,
};
use lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::{Arc, OnceLock};

/// The protocol's number for incremental changes of a text.
const INCREMENTAL: u8 = 2;

/// Longest text that is processed, bytes.
const LONGEST: usize = 4 << 20;

/// Why a request has no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum RequestError {
    /// The server has no such request.
    #[error("there is no request `{0}`")]
    Unknown(String),
    /// The parameters are not those of the request.
    #[error("the parameters of `{method}` cannot be read: {reason}")]
    Parameters {
        /// The request.
        method: String,
        /// Reason.
        reason: String,
    },
    /// The text is not open.
    #[error("`{0}` is not open")]
    NotOpen(String),
    /// A name that cannot be changed.
    #[error(transparent)]
    Rename(#[from] RenameError),
}

impl RequestError {
    /// Error code of the protocol.
    pub(super) fn code(&self) -> ErrorCode {
        match self {
            RequestError::Unknown(_) => ErrorCode::MethodNotFound,
            RequestError::Parameters { .. } | RequestError::NotOpen(_) => ErrorCode::InvalidParams,
            RequestError::Rename(_) => ErrorCode::RequestFailed,
        }
    }
}

/// The state of an editor's session.
pub(super) struct EditorSession {
    pub(super) workspace: Workspace,
    pub(super) editor: Editor,
    pub(super) checker: Checker,
    pub(super) runs: Runs,
    channels: Arc<OnceLock<Vec<Channel>>>,
}

impl EditorSession {
    /// Starts the threads that work in parallel with the requests.
    ///
    /// # Errors
    /// The system cannot start threads.
    pub(super) fn start(
        editor: Editor,
        output: impl Fn(Message) -> bool + Send + 'static,
    ) -> std::io::Result<Self> {
        let checker = Checker::start(output, editor.encoding)?;
        let (runs, _) = Runs::start()?;
        let channels = Arc::new(OnceLock::new());
        let session = EditorSession { workspace: Workspace::default(), editor, checker, runs, channels };
        let channels = session.channels.clone();
        // The tables that the first requests need are built in advance.
        std::thread::Builder::new().name("tables".into()).spawn(move || {
            for kind in [Kind::Controller, Kind::Scene, Kind::Plot] {
                schema::of(kind);
            }
            names::listed();
            channels.get_or_init(channels_of_a_run);
        })?;
        Ok(session)
    }

    /// The capabilities of the server.
    pub(super) fn introduction(&self) -> Value {
        let encoding = match self.editor.encoding {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16 => "utf-16",
        };
        json!({
            "capabilities": {
                "positionEncoding": encoding,
                "textDocumentSync": { "openClose": true, "change": INCREMENTAL, "save": true },
                "completionProvider": { "triggerCharacters": ["\"", "'", ".", "{", "[", "(", ","] },
                "hoverProvider": true,
                "definitionProvider": true,
                "referencesProvider": true,
                "documentHighlightProvider": true,
                "documentSymbolProvider": true,
                "codeActionProvider": { "codeActionKinds": ["quickfix"] },
                "renameProvider": { "prepareProvider": true },
            },
            "serverInfo": { "name": "aplomb", "version": env!("CARGO_PKG_VERSION") },
        })
    }

    /// Handles a notification of the editor.
    pub(super) fn notified(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            DidOpenTextDocument::METHOD => {
                let Ok(DidOpenTextDocumentParams { text_document: item }) = read(params) else { return };
                self.take(TextDocument::new(item.uri, item.version, shortened(item.text), None));
            }
            DidChangeTextDocument::METHOD => {
                let Ok(DidChangeTextDocumentParams { text_document, content_changes }) = read(params) else {
                    return;
                };
                let Some(before) = self.workspace.document(&text_document.uri) else { return };
                let changed = before.changed(text_document.version, content_changes, self.editor.encoding);
                self.take(changed);
            }
            DidSaveTextDocument::METHOD => {
                let Ok(DidSaveTextDocumentParams { text_document, .. }) = read(params) else { return };
                if let Some(path) = crate::document::path_of(&text_document.uri) {
                    self.runs.refresh(&path);
                }
                self.checker.check_all(&self.workspace, Vec::new());
            }
            DidCloseTextDocument::METHOD => {
                let Ok(DidCloseTextDocumentParams { text_document }) = read(params) else { return };
                if self.workspace.close(&text_document.uri) {
                    self.checker.check_all(&self.workspace, vec![text_document.uri]);
                }
            }
            _ => {}
        }
    }

    fn take(&mut self, document: TextDocument) {
        if let Some(path) = &document.path {
            self.runs.refresh(path);
        }
        let document = self.workspace.put(document);
        self.checker.check(&self.workspace, &document);
    }

    /// An open text.
    pub(super) fn document(&self, uri: &Uri) -> Result<Arc<TextDocument>, RequestError> {
        self.workspace.document(uri).ok_or_else(|| RequestError::NotOpen(uri.as_str().to_owned()))
    }

    /// Channels of a run, if they have been read.
    pub(super) fn channels(&self) -> &[Channel] {
        self.channels.get().map_or(&[], Vec::as_slice)
    }
}

/// The parameters of a message.
pub(super) fn read<T: DeserializeOwned>(parameters: Value) -> Result<T, serde_json::Error> {
    serde_json::from_value(parameters)
}

/// A text truncated to the greatest length.
fn shortened(mut text: String) -> String {
    let mut end = LONGEST.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
}

/// The channels of a shipped scene's run.
fn channels_of_a_run() -> Vec<Channel> {
    let Ok(files) = aplomb_scene::load("stand", &[]) else { return Vec::new() };
    let Ok(run) = Run::bind(&files) else { return Vec::new() };
    aplomb_trace::channels(&aplomb_scene::header(&files, &run))
}
