//! Links between pages of the repository.

use super::finding::Finding;

/// Reports relative links of a page whose targets do not exist.
pub(super) fn findings(page: &str, text: &str, exists: impl Fn(&str) -> bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (target, line) in links(text) {
        let path = target.split('#').next().unwrap_or_default();
        if path.is_empty() || is_elsewhere(&target) {
            continue;
        }
        if !exists(&resolved(page, path)) {
            findings.push(Finding::new(
                page,
                line,
                format!("links to {path}, which does not exist"),
            ));
        }
    }
    findings
}

/// Whether a link leaves the repository because it starts with a scheme.
fn is_elsewhere(target: &str) -> bool {
    target.split_once(':').is_some_and(|(scheme, _)| {
        !scheme.is_empty()
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '+')
    })
}

/// Resolves `path` in `page` to a path from the repository root.
fn resolved(page: &str, path: &str) -> String {
    if let Some(from_root) = path.strip_prefix('/') {
        return from_root.to_owned();
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns the targets of all links `[text](target)` and `[name]: target` outside code.
fn links(text: &str) -> Vec<(String, usize)> {
    let mut links = Vec::new();
    let mut is_in_fence = false;
    for (line, number) in text.lines().zip(1..) {
        if line.trim_start().starts_with("```") {
            is_in_fence = !is_in_fence;
        }
        if is_in_fence {
            continue;
        }
        let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        for (at, opening) in prose.match_indices("](") {
            let inside = &prose[at + opening.len()..];
            if let Some((target, _)) = inside.split_once(')') {
                let target = target.split_whitespace().next().unwrap_or_default();
                links.push((target.to_owned(), number));
            }
        }
        if let Some((_, target)) = prose
            .strip_prefix('[')
            .and_then(|rest| rest.split_once("]: "))
        {
            links.push((target.trim().to_owned(), number));
        }
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let exists = |path: &str| matches!(path, "README.md" | "docs/a.md" | "crates");
        let findings = findings("docs/page.md", text, exists);
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn relative_links_lead_somewhere() {
        assert!(found("[a](a.md#x) [b](../README.md) [c](/crates) [d](#x)").is_empty());
        assert!(found("[a](https://h.example/x) [b](mailto:x@h.example)").is_empty());
        assert_eq!(
            found("one\n[a](b.md \"title\")\n[c]: ../d.md\n"),
            [
                "docs/page.md:2: links to b.md, which does not exist",
                "docs/page.md:3: links to ../d.md, which does not exist"
            ]
        );
    }

    #[test]
    fn code_holds_no_links() {
        assert!(found("`[a](b.md)`\n```\n[a](b.md)\n```\n").is_empty());
    }
}
