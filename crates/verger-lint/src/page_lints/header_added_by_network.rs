use verger::Clause;
#[cfg(feature = "report")]
use verger_extensions::{DirectiveKind as Kind, PageDirective};

use crate::example::Example;
use crate::lint::Lint;
use crate::page_example::{PageElement, PageExample};
#[cfg(feature = "report")]
use crate::page_subject::{Page, PageFindings, place, restricts, shown};
use crate::severity::Severity;
#[cfg(feature = "report")]
use crate::text::quoted;

pub(crate) const LINT: Lint = Lint {
    code: "header-added-by-network",
    severity: Severity::Note,
    summary: "a header restricts a page that came through a content network, and the page does not",
    explanation: "\
Content networks, hosting platforms and security plugins can add `X-Robots-Tag` to responses, for example to all
previews of a site. The page itself does not show the header, so a `noindex` that was left on by mistake is hard to find. If
the header is intended, there is nothing to do.",
    wrong: Example::of_page(PageExample {
        fields: &[("Content-Type", "text/html"), ("CF-Ray", "8f2c"), ("X-Robots-Tag", "noindex")],
        head: &[PageElement::Meta("viewport", "width=device-width")],
        ..PageExample::PLAIN
    }),
    right: Example::of_page(PageExample {
        fields: &[("Content-Type", "text/html"), ("CF-Ray", "8f2c")],
        head: &[PageElement::Meta("robots", "noindex")],
        ..PageExample::PLAIN
    }),
    clauses: &[Clause::new("GM-8")],
    check: |_, _| {},
};

/// Headers that content networks and hosting platforms add.
#[cfg(feature = "report")]
const NETWORKS: [&str; 11] = [
    "cf-ray",
    "x-vercel-id",
    "x-nf-request-id",
    "x-amz-cf-id",
    "x-azure-ref",
    "x-fastly-request-id",
    "x-served-by",
    "x-akamai-transformed",
    "x-cache",
    "cdn-cache-control",
    "via",
];

#[cfg(feature = "report")]
pub(crate) fn check(page: &Page<'_>, found: &mut PageFindings) {
    let Some(head) = page.subject.facts.head() else {
        return;
    };
    let mut fields = NETWORKS.iter().flat_map(|name| head.fields_named(name));
    let Some(network) = fields.next() else {
        return;
    };
    let is_html = |it: &[u8]| {
        it.get(..9)
            .is_some_and(|it| it.eq_ignore_ascii_case(b"text/html"))
    };
    if !page.subject.facts.has_elements() || !head.values("content-type").any(is_html) {
        return;
    }
    let (header, meta): (Vec<_>, Vec<_>) = page.applied().partition(|it| it.source.is_header());
    let is_said = |kind: &Kind| meta.iter().any(|it| meaning(it.kind).contains(kind));
    let is_in_page = |it: &&PageDirective| meaning(it.kind).iter().all(is_said);
    if let Some(directive) = header
        .into_iter()
        .find(|it| restricts(it) && !is_in_page(it))
    {
        let network = quoted(&network.name);
        let message = format!(
            "the header has {}, but the page does not, and the response came through a network (header {network})",
            shown(directive)
        );
        let help = "if this is not intended, find the setting that adds the header: in the network, the hosting platform, the web server \
                    or a plugin. A request to the web server itself shows whether it adds the header";
        found.add(place(directive), message, help);
    }
}

/// Returns the simple directives that have the meaning of one. Limits are compared by
/// `header-and-meta-disagree`.
#[cfg(feature = "report")]
fn meaning(kind: Kind) -> Vec<Kind> {
    match kind {
        Kind::None => vec![Kind::Noindex, Kind::Nofollow],
        Kind::MaxSnippet => vec![Kind::Nosnippet],
        kind => vec![kind],
    }
}
