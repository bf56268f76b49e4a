use verger::Clause;

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::template_tag;

pub(super) const LINT: Lint = Lint {
    code: "unfilled-template",
    severity: Severity::Warning,
    summary: "the file is a template, or has placeholders that were not filled in",
    explanation: "\
Tags such as `{% for … %}`, `{{ site.url }}` and `<%= host %>` mean something to a template engine (Liquid, Jinja,
Handlebars, ERB, PHP) and nothing to a crawler. If the file is a template in a repository, lint the file that the
site serves. If the site serves the tags, the engine did not run. If a line begins with a tag, the lint reports
nothing else about the file.

Tags inside a path that begins with `/` are not reported: such rules disallow URLs of pages with unfilled links.",
    wrong: Example::of(b"{% for rule in rules %}\nDisallow: {{ rule }}\n{% endfor %}\n"),
    right: Example::of(b"User-agent: *\nDisallow: /*{{url}}\n"),
    clauses: &[Clause::new("R9309-2.2.4-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    if let Some(line) = file.template_line() {
        let message = "the file is a template, which crawlers cannot read";
        found.add(Draft::new(line, message).help("lint the file that the site serves"));
        return;
    }
    for record in file.robots.records().filter(|_| !file.is_page()) {
        let tag = template_tag(record.value());
        if tag.is_some() && !matches!(record.value(), [b'/' | b'*', ..]) {
            let message = "a placeholder is not filled in";
            let help = "fill it in, or lint the file that the site serves";
            found.add(Draft::new(record.value_span(), message).help(help));
        }
    }
}
