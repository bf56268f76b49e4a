//! The batch format, every key and every error.

use crate::verger::{Said, file, verger, verger_on};

fn batch(lines: impl AsRef<[u8]>) -> Said {
    verger_on(lines, "check --batch -")
}

#[test]
fn the_examples_of_the_format() {
    let said = batch(
        r#"{"id":1,"robots":"User-agent: *\nDisallow: /a # x\n","agent":"FooBot","url":"https://h.example/a/b"}
{"id":2,"robots":"","agents":["Googlebot-News","Googlebot"],"url":"/x"}
{"id":3,"agent":"FooBot","url":"/x"}
"#,
    );
    let expected = r#"{"id":1,"query":0,"agent":"FooBot","url":"https://h.example/a/b","allowed":false,"reason":"rule","line":2,"rule":"Disallow: /a","group":{"line":1,"named":false},"dialect":"rfc9309"}
{"id":2,"query":0,"agent":["Googlebot-News","Googlebot"],"url":"/x","allowed":true,"reason":"no-group","line":null,"rule":null,"group":null,"dialect":"rfc9309"}
{"id":3,"query":null,"error":"no body: give one of robots, robots_base64, robots_path","input_line":3}
"#;
    assert_eq!(
        said,
        Said {
            stdout: expected.to_owned(),
            stderr: String::new(),
            code: 2,
        }
    );
}

#[test]
fn queries_are_answered_in_order_and_may_have_a_dialect_of_their_own() {
    let said = batch(
        r#"{"id":"q","robots":"User-agent: *\nDisallow: /\n","dialect":"draft2019","queries":[{"agent":"a","url":"/robots.txt"},{"agent":"a","url":"/robots.txt","dialect":"google"},{"agent":"a b","url":"/"},{"agents":["*"],"url":"x"},{"agent":"a","url":"/","dialect":"bing"}]}"#,
    );
    let expected = r#"{"id":"q","query":0,"agent":"a","url":"/robots.txt","allowed":true,"reason":"robots-txt","line":null,"rule":null,"group":{"line":1,"named":false},"dialect":"draft2019"}
{"id":"q","query":1,"agent":"a","url":"/robots.txt","allowed":false,"reason":"rule","line":2,"rule":"Disallow: /","group":{"line":1,"named":false},"dialect":"google"}
{"id":"q","query":2,"error":"`a b` is not a product token: use `a`","input_line":1}
{"id":"q","query":3,"error":"`x` is neither an absolute URL (https://host/path) nor a path that starts with `/`","input_line":1}
{"id":"q","query":4,"error":"`bing` is not a dialect: expected one of rfc9309, google, draft2019, koster1996","input_line":1}
"#;
    assert_eq!((said.stdout.as_str(), said.code), (expected, 2));
}

#[test]
fn a_body_is_text_or_base64_or_a_file() {
    file("batch-body.txt", b"User-agent: *\nDisallow: /caf\xe9\n");
    let said = batch(
        r#"{"robots_path":"batch-body.txt","agent":"*","url_base64":"L2NhZuk="}
{"robots_base64":"VXNlci1hZ2VudDogKgpEaXNhbGxvdzogL2NhZukK","agent":"*","url":"/caf%E9"}
{"robots_base64":"VXNlci1hZ2VudDogKgpEaXNhbGxvdzogL2E","agent":"*","url":"/a","id":null}
"#,
    );
    let expected = r#"{"id":null,"query":0,"agent":"*","url_base64":"L2NhZuk=","allowed":false,"reason":"rule","line":2,"rule":"Disallow: /caf�","group":{"line":1,"named":false},"dialect":"rfc9309","warnings":[{"kind":"not-utf8","message":"some bytes are not UTF-8 and are compared one by one (the first is on line 2)","clause":"R9309-2.3-2","line":2,"start":28,"end":30,"count":null}]}
{"id":null,"query":0,"agent":"*","url":"/caf%E9","allowed":false,"reason":"rule","line":2,"rule":"Disallow: /caf�","group":{"line":1,"named":false},"dialect":"rfc9309","warnings":[{"kind":"not-utf8","message":"some bytes are not UTF-8 and are compared one by one (the first is on line 2)","clause":"R9309-2.3-2","line":2,"start":28,"end":30,"count":null}]}
{"id":null,"query":0,"agent":"*","url":"/a","allowed":false,"reason":"rule","line":2,"rule":"Disallow: /a","group":{"line":1,"named":false},"dialect":"rfc9309"}
"#;
    assert_eq!(said.quietly(0), expected);
}

#[test]
fn what_is_not_json_is_answered_too_and_the_rest_goes_on() {
    let mut lines = b"{\"id\":1,\n[1]\n\"x\"\n{\"id\":4,\"agent\":\"\xff\"}\n".to_vec();
    lines.extend_from_slice(b"{\"robots\":\"\",\"agent\":\"a\",\"url\":\"/\"}\n");
    lines.extend_from_slice(b"{\"id\":6,\"robots\":\"\\ud800\"}\n{\"id\":7}}\n");
    let said = batch(lines);
    assert_eq!(said.code, 2);
    let said: Vec<_> = said.stdout.lines().collect();
    assert_eq!(
        said[0],
        r#"{"id":null,"query":null,"error":"not JSON: EOF while parsing a value, at column 8","input_line":1}"#
    );
    assert_eq!(
        said[1],
        r#"{"id":null,"query":null,"error":"not a JSON object","input_line":2}"#
    );
    assert_eq!(
        said[2],
        r#"{"id":null,"query":null,"error":"not a JSON object","input_line":3}"#
    );
    assert_eq!(
        said[3],
        r#"{"id":4,"query":null,"error":"not UTF-8: invalid byte 18 of the line","input_line":4}"#
    );
    assert!(said[4].contains(r#""allowed":true"#));
    assert_eq!(
        said[5],
        r#"{"id":6,"query":null,"error":"robots must be a string","input_line":6}"#
    );
    assert!(
        said[6].contains("not JSON: trailing characters"),
        "{}",
        said[6]
    );
}

#[test]
fn the_dialect_of_the_command_line_is_the_default() {
    let line = r#"{"robots":"User-agent: *\nDisallow: /","agent":"a","url":"/robots.txt"}"#;
    let said = verger(["check", "--batch", "-", "--dialect", "google"], line);
    assert!(said.quietly(0).contains(r#""allowed":false,"#));
}
