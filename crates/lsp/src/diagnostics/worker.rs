//! Checks of the latest version of each text, in a thread of their own.

use super::of;
use crate::document::TextDocument;
use crate::position::Encoding;
use crate::workspace::Workspace;
use lsp_server::{Message, Notification};
use lsp_types::notification::{Notification as _, PublishDiagnostics};
use lsp_types::{Diagnostic, PublishDiagnosticsParams, Uri};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Diagnostics by the address of their text, with its version.
pub(super) type PublishedTexts = Arc<Mutex<BTreeMap<String, (i32, Vec<Diagnostic>)>>>;

/// Stack size of the thread, bytes: that of a command.
const STACK: usize = 8 << 20;

/// A thread that checks texts.
pub(crate) struct Checker {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    /// The diagnostics that were sent last.
    pub published: PublishedTexts,
}

/// Texts to be checked, in this order; the workspace has all open texts.
struct Job {
    workspace: Workspace,
    documents: Vec<Arc<TextDocument>>,
    /// Texts that were closed.
    closed: Vec<Uri>,
}

impl Checker {
    /// Starts the thread. `output` sends a message to the editor; it returns false if the editor is gone.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub(crate) fn start(
        output: impl Fn(Message) -> bool + Send + 'static,
        encoding: Encoding,
    ) -> std::io::Result<Self> {
        let (jobs, received) = channel();
        let published = PublishedTexts::default();
        let worker = Worker { output, encoding, published: published.clone() };
        let thread = std::thread::Builder::new()
            .name("checks".into())
            .stack_size(STACK)
            .spawn(move || worker.run(&received))?;
        Ok(Checker { jobs: Some(jobs), thread: Some(thread), published })
    }

    /// Checks a text, and then the others that may depend on it.
    pub(crate) fn check(&self, workspace: &Workspace, first: &Arc<TextDocument>) {
        let others = workspace.documents().filter(|other| other.uri != first.uri).cloned();
        let documents = std::iter::once(first.clone()).chain(others).collect();
        self.send(Job { workspace: workspace.clone(), documents, closed: Vec::new() });
    }

    /// Checks all texts again, after one was saved or these were closed.
    pub(crate) fn check_all(&self, workspace: &Workspace, closed: Vec<Uri>) {
        let documents = workspace.documents().cloned().collect();
        self.send(Job { workspace: workspace.clone(), documents, closed });
    }

    fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // The thread lives as long as this value.
            _ = jobs.send(job);
        }
    }
}

impl Drop for Checker {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            _ = thread.join();
        }
    }
}

struct Worker<O> {
    output: O,
    encoding: Encoding,
    published: PublishedTexts,
}

impl<O: Fn(Message) -> bool> Worker<O> {
    fn run(&self, received: &Receiver<Job>) {
        while let Ok(first) = received.recv() {
            let mut job = first;
            loop {
                loop {
                    match received.try_recv() {
                        Ok(newer) => job = merged(job, newer),
                        Err(TryRecvError::Empty) => break,
                        // The session has ended.
                        Err(TryRecvError::Disconnected) => return,
                    }
                }
                for uri in std::mem::take(&mut job.closed) {
                    self.forget(uri);
                }
                if job.documents.is_empty() {
                    break;
                }
                let document = job.documents.remove(0);
                let found = self.findings(&job.workspace, &document);
                // If a newer version waits, it is checked instead.
                if let Ok(newer) = received.try_recv() {
                    job = merged(job, newer);
                }
                let latest = job.workspace.document(&document.uri).map(|latest| latest.version);
                if latest == Some(document.version) && !self.publish(&document, found) {
                    return;
                }
            }
        }
    }

    /// Removes the diagnostics of a text that was closed.
    fn forget(&self, uri: Uri) {
        self.published.lock().unwrap_or_else(PoisonError::into_inner).remove(uri.as_str());
        (self.output)(message(uri, None, Vec::new()));
    }

    /// The findings on a text; a panic of the check is reported as one of them.
    fn findings(&self, workspace: &Workspace, document: &TextDocument) -> Vec<Diagnostic> {
        let checked = catch_unwind(AssertUnwindSafe(|| of(workspace, document, self.encoding)));
        checked.unwrap_or_else(|_| {
            let message = "this text cannot be checked: aplomb has an error of its own here".into();
            vec![Diagnostic { message, source: Some(super::ORIGIN.into()), ..Diagnostic::default() }]
        })
    }

    fn publish(&self, document: &TextDocument, diagnostics: Vec<Diagnostic>) -> bool {
        let (uri, version) = (document.uri.clone(), document.version);
        let mut published = self.published.lock().unwrap_or_else(PoisonError::into_inner);
        published.insert(uri.as_str().to_owned(), (version, diagnostics.clone()));
        drop(published);
        (self.output)(message(uri, Some(version), diagnostics))
    }
}

/// The message that shows diagnostics of a text.
fn message(uri: Uri, version: Option<i32>, diagnostics: Vec<Diagnostic>) -> Message {
    let parameters = PublishDiagnosticsParams { uri, diagnostics, version };
    Notification::new(PublishDiagnostics::METHOD.to_owned(), parameters).into()
}

/// The newer job, plus texts that the older one has not checked yet and that are still open.
fn merged(older: Job, newer: Job) -> Job {
    let Job { workspace, mut documents, closed } = newer;
    for left in older.documents {
        let is_listed = documents.iter().any(|document| document.uri == left.uri);
        if let (Some(latest), false) = (workspace.document(&left.uri), is_listed) {
            documents.push(latest);
        }
    }
    Job { workspace, documents, closed: [older.closed, closed].concat() }
}
