use verger::{Clause, Span};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::fix::{Edit, Fix, Meaning};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "path-list",
    severity: Severity::Error,
    summary: "a rule lists several paths, but crawlers read them as one",
    explanation: "\
A rule has one path. `Disallow: /a,/b` disallows only URLs that begin with `/a,/b`, so neither `/a` nor `/b`.
Next.js 13.2 wrote such lines from a list. Write each path on its own line.",
    wrong: Example::of(b"User-agent: *\nDisallow: /private,/tmp\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\nDisallow: /tmp\n"),
    clauses: &[Clause::new("R9309-2.2.2-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for record in file.robots.records().filter(|it| it.kind().is_rule()) {
        let paths = record.value().split(|it| *it == b',');
        let is_path = |path: &[u8]| {
            let path = path.trim_ascii_start();
            matches!(path, [b'/', ..]) && path.iter().any(u8::is_ascii_alphanumeric)
        };
        if paths.clone().count() < 2 || !paths.clone().all(is_path) {
            continue;
        }
        let bytes = |text: &[u8]| u32::try_from(text.len()).unwrap_or(0);
        let mut comma = record.value_span().start;
        let edits = paths.map(|path| {
            let blanks = bytes(path) - bytes(path.trim_ascii_start());
            let span = Span {
                start: comma.saturating_sub(1),
                end: comma + blanks,
            };
            comma += bytes(path) + 1;
            let text = [file.line_end(span.start).as_bytes(), record.key(), b": "].concat();
            let text = text.into();
            Edit { span, text }
        });
        let title = "write each path on its own line";
        let fix = Fix {
            title: title.to_owned(),
            edits: edits.skip(1).collect(),
            meaning: Meaning::Changed,
        };
        let message = format!("crawlers read {} as one path", quoted(record.value()));
        let draft = Draft::new(record.value_span(), message)
            .together("crawlers read several paths on one line as one path");
        found.add(draft.help(title).fix(fix));
    }
}
