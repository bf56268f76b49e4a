use verger::Clause;

use crate::example::{Example, ServedExample};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::preferences::{Statement, Use};
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "contradictory-headers",
    severity: Severity::Warning,
    summary: "response headers about the use of content contradict each other",
    explanation: "\
`Content-Signal` and `Content-Usage` can be response headers as well as lines. If the headers of one response
permit and refuse the same use, a careful crawler obeys the refusal. Others obey the header that they support.
Make the headers agree.",
    wrong: Example::usual_file(ServedExample {
        headers: &[
            ("content-type", "text/plain; charset=utf-8"),
            ("content-signal", "ai-train=yes"),
            ("content-usage", "train-ai=n"),
        ],
        ..ServedExample::USUAL
    }),
    right: Example::usual_file(ServedExample {
        headers: &[
            ("content-type", "text/plain; charset=utf-8"),
            ("content-signal", "ai-train=no"),
            ("content-usage", "train-ai=n"),
        ],
        ..ServedExample::USUAL
    }),
    clauses: &[Clause::new("CS-1"), Clause::new("AA-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let Some(fetch) = &file.served.fetch else {
        return;
    };
    let statements = Statement::of_headers(fetch);
    for of in [Use::Training, Use::Search, Use::Input] {
        let stated = |is_granted: bool| {
            let mut all = statements.iter();
            all.find(|it| it.of == of && it.is_granted == is_granted)
        };
        if let (Some(granted), Some(refused)) = (stated(true), stated(false)) {
            let message = format!(
                "the header {} says {}, and {} says {}",
                granted.field,
                quoted(granted.text.as_bytes()),
                refused.field,
                quoted(refused.text.as_bytes())
            );
            found.add(Draft::of_serving(message).help("make the headers agree"));
        }
    }
}
