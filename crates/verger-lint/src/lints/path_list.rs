use verger::Clause;

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::fix::{Edit, Fix, Meaning};
use crate::lint::Lint;
use crate::part::part;
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
        let value = record.value();
        let mut paths = value.split(|it| *it == b',');
        let is_path = |path: &[u8]| {
            let path = path.trim_ascii_start();
            matches!(path, [b'/', ..]) && path.iter().any(u8::is_ascii_alphanumeric)
        };
        if !value.contains(&b',') || !paths.all(is_path) {
            continue;
        }
        let place = record.value_span();
        let key = [file.line_end(place.start).as_bytes(), record.key(), b": "].concat();
        let commas = (0..value.len()).filter(|at| value[*at] == b',');
        let edits = commas.map(|comma| {
            let path = value[comma + 1..].trim_ascii_start();
            let before_path = part(place, comma..value.len() - path.len());
            Edit::new(before_path, key.clone())
        });
        let title = "write each path on its own line";
        let fix = Fix::new(title, Meaning::Changed, edits.collect());
        let message = format!("crawlers read {} as one path", quoted(value));
        let draft = Draft::new(place, message)
            .together("crawlers read several paths on one line as one path");
        found.add(draft.fixed_by(fix));
    }
}
