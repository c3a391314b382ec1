//! `aplomb lsp` as started by an editor. Its answers are tested in `crates/lsp/tests/`.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

struct Server {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_aplomb"))
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        Server { child, output }
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let input = self.child.stdin.as_mut().expect("its input");
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it reads");
        input.flush().expect("it reads");
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("a header");
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", number)) => length = number.parse().expect("a length"),
                Some(_) => {}
                None => break,
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).expect("a message");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    /// The answer to a request, skipping messages before it.
    fn ask(&mut self, id: u64, method: &str, params: Value) -> Value {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
        }
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }
}

#[test]
fn the_language_server_speaks_over_standard_input_and_output() {
    let mut server = Server::start();
    let answer = server.ask(1, "initialize", json!({ "capabilities": {} }));
    assert_eq!(answer["result"]["serverInfo"]["name"], "aplomb");
    server.tell("initialized", json!({}));
    let uri = "file:///nowhere/controllers/a.toml";
    let text = "start = \"stand\"\n[states.stand]\nuntil = \"com_hight < 0.5\"\n";
    let item = json!({ "uri": uri, "languageId": "toml", "version": 1, "text": text });
    server.tell("textDocument/didOpen", json!({ "textDocument": item }));
    let shown = server.receive();
    assert_eq!(shown["method"], "textDocument/publishDiagnostics");
    let diagnostics = shown["params"]["diagnostics"].as_array().expect("a list");
    let said = |diagnostic: &Value| diagnostic["message"].to_string().contains("did you mean `com_height`?");
    assert!(diagnostics.iter().any(said), "{shown}");
    let at = json!({ "textDocument": { "uri": uri }, "position": { "line": 2, "character": 10 } });
    let answer = server.ask(2, "textDocument/completion", at);
    let items = answer["result"].as_array().expect("a list");
    assert!(items.iter().any(|item| item["label"] == "com_height"), "{answer}");
    assert_eq!(server.ask(3, "nonsense", json!({}))["error"]["code"], -32601);
    assert_eq!(server.ask(4, "shutdown", Value::Null)["result"], Value::Null);
    server.tell("exit", Value::Null);
    assert!(server.child.wait().expect("it ends").success());
}

#[test]
fn what_is_no_message_ends_the_language_server_with_a_word() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_aplomb"))
        .arg("lsp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("its input");
    input.write_all(b"Content-Length: 5\r\n\r\nhello").expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!said.contains("panicked"), "{said}");
}
