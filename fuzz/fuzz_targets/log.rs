//! Access logs: parsing a line is deterministic in each format, and its parts are no longer than the line. The
//! lines of a log are its lines that are not blank, without a byte order mark. The last line of the input is a
//! format in the syntax of nginx and Apache.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use verger_audit::{LogFormat, LogLines, LogReader};

const FORMATS: [&str; 6] = ["common", "combined", "vhost-combined", "json", "w3c", "alb"];

fuzz_target!(|input: &[u8]| {
    let end = input.iter().rposition(|&byte| byte == b'\n');
    let (log, format) = end.map_or((input, &b""[..]), |end| (&input[..end], &input[end + 1..]));
    let lines = lines(log);
    let is_compressed = log.starts_with(&[0x1F, 0x8B]) || log.starts_with(&[0x28, 0xB5]);
    if let Some(lines) = &lines
        && !is_compressed
    {
        let log = log.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(log);
        let log = log.strip_suffix(b"\n").unwrap_or(log);
        let between = log.split(|&byte| byte == b'\n');
        let between = between.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let between = between.filter(|line| !line.trim_ascii().is_empty());
        assert!(between.eq(lines.iter().map(Vec::as_slice)));
    }
    let own = str::from_utf8(format).ok();
    let formats = FORMATS.into_iter().chain(own);
    let formats = formats.filter_map(|format| format.parse().ok());
    for format in formats.chain(LogFormat::detected(log)) {
        let lines = lines.as_deref().unwrap_or_default();
        assert_eq!(read(&format, lines), read(&format, lines));
        // Displayed formats parse back.
        let shown: Option<LogFormat> = format.to_string().parse().ok();
        assert_eq!(shown, Some(format));
    }
});

/// Returns the lines, or `None` for a log that cannot be read to the end.
fn lines(log: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut lines = LogLines::new(Cursor::new(log.to_vec())).ok()?;
    let mut found = Vec::new();
    while let Some(line) = lines.advance().ok()? {
        let number = line.number;
        found.push(line.bytes?.to_vec());
        assert_eq!(number, found.len() as u64 + lines.blank());
    }
    Some(found)
}

/// Returns the parsed form of each line.
fn read(format: &LogFormat, lines: &[Vec<u8>]) -> Vec<String> {
    let mut reader = LogReader::new(format.clone());
    let read = lines.iter().map(|line| match reader.divide(line) {
        Ok(Some(divided)) => {
            assert!(divided.user_agent.len() <= line.len());
            let agent = divided.user_agent.clone().into_owned();
            let request = divided.read();
            if let Ok(request) = &request {
                assert!(request.target.starts_with(b"/"));
            }
            format!("{agent:?} {request:?}")
        }
        other => format!("{:?}", other.map(|_| ())),
    });
    read.collect()
}
