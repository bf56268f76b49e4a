//! The Model Context Protocol over standard input and output.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

struct Program {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_vergerd"))
            .args(["mcp", "--log", "off", "--body-max", "100000"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    fn send(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(text.as_bytes()).unwrap();
    }

    /// Returns the next line, or null at the end.
    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_default()
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        let message = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
        self.send(&format!("{message}\n"));
        self.next()
    }

    fn initialize(&mut self) {
        let client = json!({"name": "test", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        let answer = self.ask("initialize", &params);
        assert_eq!(
            answer["result"]["serverInfo"]["name"], "vergerd",
            "{answer}"
        );
        self.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
    }
}

#[test]
fn lines_are_answered_and_the_program_ends_with_its_input() {
    let mut program = Program::start();
    program.initialize();
    let listed = program.ask("tools/list", &json!({}));
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 8);
    let deep = "[".repeat(10_000);
    let long = " ".repeat(1 << 20);
    for (line, code) in [
        ("{\"jsonrpc\"", -32_700),
        (&*deep, -32_700),
        (&*long, -32_700),
        ("[]", -32_600),
        ("\u{0}", -32_700),
    ] {
        program.send(&format!("{line}\n\n"));
        assert_eq!(program.next()["error"]["code"], code, "{code}");
    }
    // A complete message does not wait for more input after a bad line.
    program
        .input
        .as_mut()
        .unwrap()
        .write_all(b"\xff\n{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"ping\"}\n")
        .unwrap();
    assert_eq!(program.next()["error"]["code"], -32_700);
    assert_eq!(program.next()["id"], 8);
    let answer = program.ask("tools/call", &json!({"name": "no_such_tool"}));
    assert_eq!(answer["error"]["code"], -32_602);
    // A private address, which is refused without a connection.
    let params = json!({"name": "may_fetch", "arguments": {"urls": ["http://127.0.0.1:9/"]}});
    let answer = program.ask("tools/call", &params);
    let answers = &answer["result"]["structuredContent"]["answers"];
    assert_eq!(answers[0]["allowed"], false, "{answer}");
    program.send("{\"half\":");
    program.input = None;
    assert_eq!(program.next()["error"]["code"], -32_700);
    assert_eq!(program.next(), Value::Null);
    assert!(program.child.wait().unwrap().success());
}

#[test]
fn revision_2026_needs_no_handshake() {
    let mut program = Program::start();
    let params = json!({"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }});
    let answer = program.ask("server/discover", &params);
    let versions = answer["result"]["supportedVersions"].as_array().unwrap();
    assert_eq!(versions.len(), 3);
    let answer = program.ask("tools/list", &params);
    assert_eq!(answer["result"]["tools"].as_array().unwrap().len(), 8);
}

#[test]
fn a_client_that_closes_its_pipes_ends_the_program() {
    let mut program = Program::start();
    program.initialize();
    let Program {
        mut child, input, ..
    } = program;
    let mut input = input.unwrap();
    let _ = input.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n");
    drop(input);
    assert!(child.wait().unwrap().success());
    let mut unasked = Program::start();
    unasked.input = None;
    assert_eq!(unasked.next(), Value::Null);
    assert!(unasked.child.wait().unwrap().success());
}
