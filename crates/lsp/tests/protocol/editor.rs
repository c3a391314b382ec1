//! An editor that speaks the protocol, in a folder of its own.

use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How long an answer may take before a test fails: far longer than any takes.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Editor {
    connection: Connection,
    ended: Receiver<Result<(), String>>,
    /// Diagnostics received while waiting for another message: address, version, list.
    shown: Vec<(String, Option<i64>, Value)>,
    last: i32,
    folder: tempfile::TempDir,
}

impl Editor {
    /// An editor that counts in UTF-16 and supports snippets.
    pub(crate) fn start() -> Self {
        Self::with(
            json!({ "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } } }),
        )
    }

    pub(crate) fn with(capabilities: Value) -> Self {
        let (server, connection) = Connection::memory();
        let (end, ended) = channel();
        std::thread::spawn(move || {
            let served = aplomb_lsp::serve(server).map_err(|error| error.to_string());
            end.send(served)
        });
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir_all(folder.path().join("project/files")).expect("made");
        let mut editor = Editor { connection, ended, shown: Vec::new(), last: 0, folder };
        let answer = editor.ask("initialize", json!({ "capabilities": capabilities }));
        assert!(answer["capabilities"]["hoverProvider"].as_bool() == Some(true), "{answer}");
        editor.tell("initialized", json!({}));
        editor
    }

    pub(crate) fn tell(&mut self, method: &str, params: Value) {
        self.connection.sender.send(Notification::new(method.into(), params).into()).expect("it listens");
    }

    /// The answer to a request, or the error.
    pub(crate) fn try_ask(&mut self, method: &str, params: Value) -> Result<Value, (i32, String)> {
        self.last += 1;
        let id = RequestId::from(self.last);
        self.connection
            .sender
            .send(Request::new(id.clone(), method.into(), params).into())
            .expect("it listens");
        loop {
            match self.connection.receiver.recv_timeout(PATIENCE).expect("an answer") {
                Message::Response(response) => {
                    assert_eq!(response.id, id);
                    return response.response_result.map_err(|error| (error.code, error.message));
                }
                message => self.note(message),
            }
        }
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.try_ask(method, params).unwrap_or_else(|error| panic!("{method}: {error:?}"))
    }

    fn note(&mut self, message: Message) {
        let Message::Notification(Notification { method, params }) = message else { panic!("{message:?}") };
        assert_eq!(method, "textDocument/publishDiagnostics");
        let uri = params["uri"].as_str().expect("an address").to_owned();
        self.shown.push((uri, params["version"].as_i64(), params["diagnostics"].clone()));
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        // So deep that none of the folders searched above it is shared with other tests.
        self.folder.path().join("project/files").join(name)
    }

    pub(crate) fn uri(&self, name: &str) -> String {
        format!("file://{}", self.path(name).display()).replace(' ', "%20")
    }

    /// Writes a file without opening it.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }

    pub(crate) fn open(&mut self, name: &str, text: &str) {
        let item = json!({ "uri": self.uri(name), "languageId": "toml", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": item }));
    }

    pub(crate) fn change(&mut self, name: &str, version: i64, changes: Value) {
        let document = json!({ "uri": self.uri(name), "version": version });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// Diagnostics shown for a version of a text.
    pub(crate) fn diagnostics(&mut self, name: &str, version: i64) -> Vec<Value> {
        let uri = self.uri(name);
        loop {
            let is_meant =
                |(of, number, _): &(String, Option<i64>, Value)| *of == uri && *number == Some(version);
            if let Some(at) = self.shown.iter().position(is_meant) {
                return self.shown.remove(at).2.as_array().expect("a list").clone();
            }
            let message = self.connection.receiver.recv_timeout(PATIENCE).expect("diagnostics");
            self.note(message);
        }
    }

    /// Waits until the diagnostics of a closed text are cleared.
    pub(crate) fn cleared(&mut self, name: &str) -> bool {
        let uri = self.uri(name);
        loop {
            let is_meant = |(of, number, list): &(String, Option<i64>, Value)| {
                *of == uri && number.is_none() && *list == json!([])
            };
            if self.shown.iter().any(is_meant) {
                return true;
            }
            let message = self.connection.receiver.recv_timeout(PATIENCE).expect("diagnostics");
            self.note(message);
        }
    }

    /// Opens a text without its mark `|`; returns the parameters of a request there.
    pub(crate) fn open_at(&mut self, name: &str, marked: &str) -> Value {
        self.open(name, &marked.replacen('|', "", 1));
        self.at(name, marked)
    }

    /// Parameters of a request at the `|` of a text.
    pub(crate) fn at(&self, name: &str, marked: &str) -> Value {
        let before = marked.split('|').next().expect("a text");
        let line = before.matches('\n').count();
        let character = before.rsplit('\n').next().map_or(0, |tail| tail.encode_utf16().count());
        json!({
            "textDocument": { "uri": self.uri(name) },
            "position": { "line": line, "character": character },
        })
    }

    /// Labels that are offered at the `|` of a text.
    pub(crate) fn offered(&mut self, name: &str, marked: &str) -> Vec<String> {
        let items = self.items(name, marked);
        items.iter().map(|item| item["label"].as_str().expect("a label").to_owned()).collect()
    }

    pub(crate) fn items(&mut self, name: &str, marked: &str) -> Vec<Value> {
        let at = self.open_at(name, marked);
        self.ask("textDocument/completion", at).as_array().expect("a list").clone()
    }

    /// The Markdown that is shown at the `|` of a text.
    pub(crate) fn hover(&mut self, name: &str, marked: &str) -> String {
        let at = self.open_at(name, marked);
        let answer = self.ask("textDocument/hover", at);
        answer["contents"]["value"].as_str().unwrap_or_default().to_owned()
    }

    /// Ends the server by the protocol; returns its result.
    pub(crate) fn end(mut self) -> Result<(), String> {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.ended()
    }

    /// Result of the server.
    pub(crate) fn ended(&self) -> Result<(), String> {
        self.ended.recv_timeout(PATIENCE).expect("an end")
    }
}

/// The text after the edits of a list, in UTF-16.
pub(crate) fn edited(text: &str, edits: &[Value]) -> String {
    let offset = |position: &Value| {
        let line = position["line"].as_u64().expect("a line") as usize;
        let wanted = position["character"].as_u64().expect("a character") as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let mut units = 0;
        let found = text[start..].char_indices().find(|(_, character)| {
            let is_there = units >= wanted;
            units += character.len_utf16();
            is_there
        });
        found.map_or(text.len(), |(at, _)| start + at)
    };
    let mut all: Vec<(usize, usize, &str)> = edits
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            (offset(&range["start"]), offset(&range["end"]), edit["newText"].as_str().expect("a text"))
        })
        .collect();
    all.sort();
    let mut text = text.to_owned();
    for (start, end, new) in all.into_iter().rev() {
        text.replace_range(start..end, new);
    }
    text
}
