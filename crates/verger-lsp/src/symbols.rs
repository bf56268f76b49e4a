//! Shows groups and sitemaps as symbols, and groups as folds.

use serde_json::{Value, json};
use verger::{Group, Span};
use verger_extensions::sitemaps;

use crate::client_features::ClientFeatures;
use crate::document::{Document, bytes};
use verger_answer::text::legible;

/// Maximum length of a symbol name in characters.
const NAME_CHARACTERS_MAX: usize = 100;

/// Symbol kinds of the protocol: groups are namespaces, and sitemaps are files.
const NAMESPACE: u8 = 3;
const FILE: u8 = 1;

/// Returns the groups and sitemaps in file order.
pub(crate) fn symbols(uri: &str, document: &Document, client: ClientFeatures) -> Value {
    let robots = document.linted().robots();
    let groups = robots.groups().map(|group| Symbol {
        name: name(group.user_agents().map(|line| line.value())),
        kind: NAMESPACE,
        range: group.span(),
        named_at: group.user_agents().next().map(|line| line.span()),
    });
    let sitemaps = sitemaps(robots).map(|sitemap| Symbol {
        name: name([sitemap.url()].into_iter()),
        kind: FILE,
        range: sitemap.record().span(),
        named_at: None,
    });
    let mut symbols: Vec<_> = groups.chain(sitemaps).collect();
    symbols.sort_by_key(|symbol| symbol.range.start);
    let shapes = symbols.iter().map(|it| it.shape(uri, document, client));
    shapes.collect::<Vec<_>>().into()
}

/// Returns the lines of each group that has several.
pub(crate) fn folds(document: &Document) -> Value {
    let robots = document.linted().robots();
    let folds = robots.groups().filter_map(|group: Group<'_>| {
        let lines = document.text().range(bytes(group.span()));
        let (start, end) = (lines.start.line, lines.end.line);
        (start < end).then(|| json!({ "startLine": start, "endLine": end, "kind": "region" }))
    });
    folds.collect::<Vec<_>>().into()
}

struct Symbol {
    name: String,
    kind: u8,
    range: Span,
    /// The range of its name, if different.
    named_at: Option<Span>,
}

impl Symbol {
    fn shape(&self, uri: &str, document: &Document, client: ClientFeatures) -> Value {
        let range = |span| json!(document.text().range(bytes(span)));
        let Self {
            name,
            kind,
            range: all,
            ..
        } = self;
        if client.hierarchical_symbols {
            let named_at = self.named_at.unwrap_or(*all);
            json!({
                "name": name,
                "kind": kind,
                "range": range(*all),
                "selectionRange": range(named_at),
            })
        } else {
            let location = json!({ "uri": uri, "range": range(*all) });
            json!({ "name": name, "kind": kind, "location": location })
        }
    }
}

/// Returns the names of a group or the URL of a sitemap. The protocol forbids an empty name.
fn name<'n>(values: impl Iterator<Item = &'n [u8]>) -> String {
    let mut name = String::new();
    for value in values {
        if name.chars().nth(NAME_CHARACTERS_MAX).is_some() {
            break;
        }
        if !name.is_empty() {
            name.push_str(", ");
        }
        name.push_str(&legible(value));
    }
    match name.char_indices().nth(NAME_CHARACTERS_MAX) {
        Some((end, _)) => name.replace_range(end.., "…"),
        None if name.is_empty() => name.push('…'),
        None => {}
    }
    name
}
