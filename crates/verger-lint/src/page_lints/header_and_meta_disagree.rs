use verger::Clause;
#[cfg(feature = "report")]
use verger_extensions::{DirectiveKind as Kind, PageDirective};

use crate::example::Example;
use crate::lint::Lint;
use crate::page_example::{PageElement, PageExample};
#[cfg(feature = "report")]
use crate::page_subject::{Page, PageFindings, place, shown};
use crate::severity::Severity;

pub(crate) const LINT: Lint = Lint {
    code: "header-and-meta-disagree",
    severity: Severity::Warning,
    summary: "a header and a meta element contradict each other",
    explanation: "\
Directives only restrict, so `index` in the page does not lift a `noindex` in the header: the more restrictive one
applies, wherever it is. The header often comes from a forgotten setting of the web server, for example for a test site.
Say the same in both places, or remove the header or the element.",
    wrong: Example::of_page(PageExample {
        fields: &[("X-Robots-Tag", "noindex")],
        head: &[PageElement::Meta("robots", "index, follow")],
        ..PageExample::PLAIN
    }),
    right: Example::of_page(PageExample {
        head: &[PageElement::Meta("robots", "index, follow")],
        ..PageExample::PLAIN
    }),
    clauses: &[Clause::new("GM-11"), Clause::new("RX-3.1.2-3")],
    check: |_, _| {},
};

/// Restrictions and the defaults that contradict them.
#[cfg(feature = "report")]
const OPPOSITES: [([Kind; 2], [Kind; 2]); 2] = [
    ([Kind::Noindex, Kind::None], [Kind::Index, Kind::All]),
    ([Kind::Nofollow, Kind::None], [Kind::Follow, Kind::All]),
];

#[cfg(feature = "report")]
const LIMITS: [Kind; 2] = [Kind::MaxImagePreview, Kind::MaxVideoPreview];

#[cfg(feature = "report")]
pub(crate) fn check(page: &Page<'_>, found: &mut PageFindings) {
    let (header, meta): (Vec<_>, Vec<_>) = page.applied().partition(|it| it.source.is_header());
    let of = |place: &[&PageDirective], kinds: &[Kind]| {
        let mut of_place = place.iter().filter(|it| kinds.contains(&it.kind));
        of_place.next().map(|it| (*it).clone())
    };
    let mut pairs = Vec::new();
    for (restricting, default) in &OPPOSITES {
        for (one, other) in [(&header, &meta), (&meta, &header)] {
            let is_alike = of(other, restricting).is_some();
            pairs.extend(
                of(one, restricting)
                    .zip(of(other, default))
                    .filter(|_| !is_alike),
            );
        }
    }
    for kind in LIMITS {
        let pair = of(&header, &[kind]).zip(of(&meta, &[kind]));
        let value = |it: &PageDirective| it.value.as_deref().map(str::to_ascii_lowercase);
        pairs.extend(pair.filter(|(one, other)| value(one) != value(other)));
    }
    let snippets = snippet_limit(&header).zip(snippet_limit(&meta));
    let snippets = snippets.filter(|((one, _), (other, _))| one != other);
    pairs.extend(snippets.map(|((_, one), (_, other))| (one.clone(), other.clone())));
    for (applies, other) in pairs {
        let where_said = |it: &PageDirective| {
            if it.source.is_header() {
                "header"
            } else {
                "page"
            }
        };
        let message = format!(
            "the {} says {} and the {} says {}: the more restrictive one applies",
            where_said(&applies),
            shown(&applies),
            where_said(&other),
            shown(&other),
        );
        let help = "say the same in both places, or remove either. The header comes from the web server, the application \
                    or a network in front of it";
        found.add(place(&applies), message, help);
    }
}

/// Returns the lowest limit of excerpts that is stated in one place, and its directive. `nosnippet` is
/// 0 (GM-18), and no limit is the highest number.
#[cfg(feature = "report")]
fn snippet_limit<'d>(place: &[&'d PageDirective]) -> Option<(u32, &'d PageDirective)> {
    let limits = place.iter().filter_map(|it| match it.kind {
        Kind::Nosnippet => Some((0, *it)),
        Kind::MaxSnippet => {
            let limit = it.value.as_deref()?.parse().unwrap_or(u32::MAX);
            Some((limit, *it))
        }
        _ => None,
    });
    limits.min_by_key(|(limit, _)| *limit)
}
