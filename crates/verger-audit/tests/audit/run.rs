//! An audit with the settings of a test.

use std::cell::RefCell;
use std::error::Error;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;
use verger::{Dialect, RobotsTxt};
use verger_access::{Authority, Timestamp};
use verger_audit::{
    Audit, AuditAnswer, AuditFinding, AuditSettings, FileRules, JsonField, LogFormat, LogObserver,
    LogRun, NameSource, RequestChecks, RulesInForce, RulesSource,
};
use verger_inputs::Source;

/// Returns a log line with the request of a crawler. `time` is in seconds since 1970.
pub(crate) fn line(time: u64, address: &str, target: &str, status: u16, agent: &str) -> String {
    let time = jiff::Timestamp::from_second(i64::try_from(time).unwrap()).unwrap();
    let time = time.strftime("%d/%b/%Y:%H:%M:%S +0000");
    format!(
        "{address} - - [{time}] \"GET {target} HTTP/1.1\" {status} 0 \"-\" \"Mozilla/5.0 (compatible; {agent}/1.0)\"\n"
    )
}

/// Returns a path that no other test uses.
pub(crate) fn new_path(end: &str) -> PathBuf {
    static PATHS: AtomicU32 = AtomicU32::new(0);
    let (process, number) = (std::process::id(), PATHS.fetch_add(1, Ordering::Relaxed));
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("audit-{process}-{number}{end}"))
}

/// Writes a file with this content.
pub(crate) fn file(end: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = new_path(end);
    fs::write(&path, content).unwrap();
    path
}

pub(crate) fn in_force(body: &str) -> RulesInForce {
    RulesInForce::from_robots(RobotsTxt::parse(body, Dialect::Rfc9309))
}

/// An audit with the settings of a test.
pub(crate) struct Auditing<S = FileRules> {
    pub(crate) settings: AuditSettings,
    pub(crate) checks: RequestChecks,
    pub(crate) rules: S,
    pub(crate) format: Option<LogFormat>,
    pub(crate) json_fields: Vec<JsonField>,
    pub(crate) must_be_judged: bool,
}

/// The result of an audit.
#[derive(Debug)]
pub(crate) struct Said {
    /// The line about the logs, then the lines about crawlers.
    pub(crate) lines: Vec<Value>,
    pub(crate) errors: Vec<String>,
    pub(crate) warnings: Vec<String>,
    /// The progress: lines and bytes.
    pub(crate) read: Vec<(u64, u64)>,
    pub(crate) old_ranges: Option<String>,
    /// The notes about crawlers.
    pub(crate) notes: Vec<String>,
    findings: Vec<(&'static str, bool, Option<String>)>,
}

impl Auditing {
    /// Uses one robots.txt for all hosts.
    pub(crate) fn by(body: &str) -> Self {
        let files = vec![(Timestamp::default(), in_force(body))];
        Self::of(FileRules::new(None, files))
    }
}

impl<S: RulesSource> Auditing<S> {
    pub(crate) fn of(rules: S) -> Self {
        Self {
            settings: AuditSettings::new(Dialect::Rfc9309),
            checks: RequestChecks::default(),
            rules,
            format: None,
            json_fields: Vec::new(),
            must_be_judged: false,
        }
    }

    /// Sets the site for lines without a host.
    pub(crate) fn at(mut self, site: &str) -> Self {
        self.settings.site = Some(Authority::from_url(site).unwrap());
        self
    }

    pub(crate) fn with_format(mut self, format: &str) -> Self {
        self.format = Some(format.parse().unwrap());
        self
    }

    /// Audits a log, which messages call `log`.
    pub(crate) fn log(self, log: impl AsRef<[u8]>) -> Said {
        self.log_asking(log, None)
    }

    /// Does the same, and queries the names of addresses.
    pub(crate) fn log_asking(
        self,
        log: impl AsRef<[u8]>,
        names: Option<&mut dyn NameSource>,
    ) -> Said {
        let path = file(".log", log);
        let name = Source::File(path.clone()).to_string();
        let mut said = self.run(&[path], names);
        for text in said.errors.iter_mut().chain(&mut said.warnings) {
            *text = text.replace(&name, "log");
        }
        said
    }

    pub(crate) fn logs(self, logs: &[PathBuf]) -> Said {
        self.run(logs, None)
    }

    fn run(self, logs: &[PathBuf], names: Option<&mut dyn NameSource>) -> Said {
        let logs: Vec<Source> = logs.iter().cloned().map(Source::File).collect();
        let run = LogRun {
            logs: &logs,
            format: self.format.as_ref(),
            json_fields: &self.json_fields,
            must_be_judged: self.must_be_judged,
        };
        let mut audit = Audit::new(self.settings, self.checks, self.rules);
        let observer = Observer::default();
        let is_whole = run.count_into(&mut audit, names, &observer).unwrap();
        assert_eq!(is_whole, observer.errors.borrow().is_empty());
        let answer = AuditAnswer::of(&audit);
        let lines = answer
            .lines()
            .map(|line| serde_json::to_value(&line).unwrap());
        let findings = AuditFinding::ALL.iter().map(|&what| {
            let undecided = answer.undecided(what).map(|it| it.to_string());
            (what.as_str(), answer.has(what), undecided)
        });
        Said {
            lines: lines.collect(),
            notes: answer
                .rows
                .iter()
                .flat_map(|row| answer.notes(row))
                .collect(),
            findings: findings.collect(),
            read: observer.read.into_inner(),
            old_ranges: answer.old_ranges().map(|old| old.to_string()),
            errors: observer.errors.into_inner(),
            warnings: observer.warnings.into_inner(),
        }
    }
}

impl Said {
    /// Returns `crawler check requests disallowed unknown` for each crawler.
    pub(crate) fn rows(&self) -> Vec<String> {
        let keys = "crawler check requests disallowed unknown";
        let rows = self.lines[1..].iter();
        rows.map(|row| shown(row, keys)).collect()
    }

    /// Returns whether the finding occurred, or why it is undecided.
    pub(crate) fn has(&self, what: &str) -> Result<bool, &str> {
        let mut findings = self.findings.iter();
        let (_, has, undecided) = findings.find(|(name, ..)| *name == what).unwrap();
        match undecided {
            Some(why) if !has => Err(why),
            _ => Ok(*has),
        }
    }
}

/// Returns the values of these keys, separated by spaces.
pub(crate) fn shown(line: &Value, keys: &str) -> String {
    let values = keys.split(' ').map(|key| match &line[key] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    values.collect::<Vec<_>>().join(" ")
}

#[derive(Default)]
struct Observer {
    read: RefCell<Vec<(u64, u64)>>,
    errors: RefCell<Vec<String>>,
    warnings: RefCell<Vec<String>>,
}

impl LogObserver for Observer {
    fn read(&self, lines: u64, bytes: u64) {
        self.read.borrow_mut().push((lines, bytes));
    }

    fn error(&self, error: &dyn Error) {
        self.errors.borrow_mut().push(error.to_string());
    }

    fn warning(&self, warning: &dyn Display) {
        self.warnings.borrow_mut().push(warning.to_string());
    }
}
