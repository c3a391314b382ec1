//! The server: messages of an editor, and their answers.

mod features;
mod session;

use crate::completion::Editor;
use crate::position::Encoding;
use lsp_server::{Connection, ErrorCode, Message, Request, RequestId, Response};
use lsp_types::notification::{Exit, Notification as _};
use lsp_types::request::{Request as _, Shutdown};
use serde_json::Value;
use session::EditorSession;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why the server ended without a request of the editor.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The editor's messages do not follow the protocol.
    #[error("the editor does not follow the protocol: {0}")]
    Protocol(#[from] lsp_server::ProtocolError),
    /// Messages cannot be read or written.
    #[error("messages cannot be read or written: {0}")]
    Io(#[from] std::io::Error),
    /// The editor ended the server without a shutdown.
    #[error("the editor sent `exit` before `shutdown`")]
    NoShutdown,
}

/// Serves the editor that writes to standard input and reads standard output, until it ends.
///
/// # Errors
/// An editor that does not follow the protocol, or a system that cannot start threads.
pub fn serve_stdio() -> Result<(), ServeError> {
    let (connection, threads) = Connection::stdio();
    let served = serve(connection);
    let joined = threads.join();
    served?;
    Ok(joined?)
}

/// Serves an editor at the other end of a connection, until it ends.
///
/// # Errors
/// The same as for [`serve_stdio`].
pub fn serve(connection: Connection) -> Result<(), ServeError> {
    let (id, parameters) = connection.initialize_start()?;
    let sender = connection.sender.clone();
    let mut session = EditorSession::start(editor(&parameters), move |message| sender.send(message).is_ok())?;
    connection.initialize_finish(id, session.introduction())?;
    let mut is_shut_down = false;
    for message in &connection.receiver {
        let sent = match message {
            Message::Request(request) if is_shut_down => {
                let message = "the server has been shut down".to_owned();
                connection.sender.send(refusal(request.id, ErrorCode::InvalidRequest, message).into())
            }
            Message::Request(request) if request.method == Shutdown::METHOD => {
                is_shut_down = true;
                connection.sender.send(Response::new_ok(request.id, ()).into())
            }
            Message::Request(request) => connection.sender.send(answer(&mut session, request).into()),
            Message::Notification(notification) if notification.method == Exit::METHOD => {
                return if is_shut_down { Ok(()) } else { Err(ServeError::NoShutdown) };
            }
            Message::Notification(notification) => {
                // A notification that cannot be read has no answer.
                _ = catch_unwind(AssertUnwindSafe(|| session.notified(notification)));
                Ok(())
            }
            Message::Response(_) => Ok(()),
        };
        if sent.is_err() {
            break;
        }
    }
    Ok(())
}

/// The answer to a request, also if handling it panics.
fn answer(session: &mut EditorSession, request: Request) -> Response {
    let id = request.id.clone();
    match catch_unwind(AssertUnwindSafe(|| session.requested(request))) {
        Ok(Ok(value)) => Response::new_ok(id, value),
        Ok(Err(error)) => refusal(id, error.code(), error.to_string()),
        Err(_) => {
            let message = "aplomb has an error of its own here".to_owned();
            refusal(id, ErrorCode::InternalError, message)
        }
    }
}

fn refusal(id: RequestId, code: ErrorCode, message: String) -> Response {
    Response::new_err(id, code as i32, message)
}

/// The capabilities that an editor reports. Read by hand: the type of all capabilities takes longer to
/// compile than the rest of the server.
fn editor(parameters: &Value) -> Editor {
    let encodings = parameters.pointer("/capabilities/general/positionEncodings").and_then(Value::as_array);
    let has_bytes = encodings.is_some_and(|known| known.iter().any(|encoding| encoding == "utf-8"));
    let snippets = "/capabilities/textDocument/completion/completionItem/snippetSupport";
    Editor {
        encoding: if has_bytes { Encoding::Utf8 } else { Encoding::Utf16 },
        has_snippets: parameters.pointer(snippets).and_then(Value::as_bool).unwrap_or(false),
    }
}
