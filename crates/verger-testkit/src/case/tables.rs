use super::bytes::count_lines;
use super::corpus::{Case, Clause, FieldName, Target, Token, Value};

pub(super) fn check_case(case: &Case) -> Result<(), String> {
    if case.asks.is_empty() {
        return Err("asks nothing".to_owned());
    }
    let lines = count_lines(&case.robots);
    for ask in &case.asks {
        let beyond = |line: Option<u32>| line.is_some_and(|line| line > lines);
        if let Some(verdict) = ask.verdicts.values().find(|it| beyond(it.line())) {
            return Err(format!("`{verdict}` names a line and the body has {lines}"));
        }
        if let Some(group) = ask.groups.values().find(|it| beyond(Some(it.line))) {
            return Err(format!(
                "group `{group}` names a line and the body has {lines}"
            ));
        }
    }
    let differs = case.google_page.is_some()
        || case.asks.iter().any(|ask| {
            let verdicts: Vec<_> = ask.verdicts.values().collect();
            verdicts.windows(2).any(|pair| pair[0] != pair[1])
        });
    match (differs, case.why.is_some()) {
        (true, false) => Err("the dialects differ and `why` is missing".to_owned()),
        (false, true) => Err("has a `why` and the dialects agree".to_owned()),
        _ => Ok(()),
    }
}

pub(super) fn check_target(target: &Target) -> Result<(), String> {
    if target.google == "error" {
        return Err("`google` takes any URL".to_owned());
    }
    if target.cannot_be_asked && target.other.is_none() {
        return Err("the engine refuses it already".to_owned());
    }
    let mut targets = [Some(&target.google), target.other.as_ref()]
        .into_iter()
        .flatten();
    match targets.find(|path| !path.starts_with('/')) {
        Some(path) => Err(format!("`{path}` is neither a target nor `error`")),
        None => Ok(()),
    }
}

pub(super) fn check_token(token: &Token) -> Result<(), String> {
    if token.identifier && !token.accepted {
        return Err("a product token must be accepted".to_owned());
    }
    if token.accepted && token.likely.is_some() {
        return Err("`likely` belongs to what is not accepted".to_owned());
    }
    Ok(())
}

pub(super) fn check_value(value: &Value) -> Result<(), String> {
    if value.target.is_some() != (value.field == FieldName::ContentUsage) {
        return Err("`target` belongs to content-usage, and to it alone".to_owned());
    }
    Ok(())
}

/// The words of requirement of the documents: those of RFC 2119, and those of 1996.
const LEVELS: [&str; 11] = [
    "MUST",
    "MUST NOT",
    "SHOULD",
    "SHOULD NOT",
    "MAY",
    "must",
    "should",
    "can",
    "recommended",
    "encouraged",
    "may",
];

pub(super) fn check_clause(clause: &Clause) -> Result<(), String> {
    if clause.reason.is_some() || clause.topic.is_some() {
        return Err("only a choice has a `reason` and a `topic`".to_owned());
    }
    check_sentence("sentence", &clause.sentence)?;
    let words = clause.level.iter().flat_map(|level| level.split(", "));
    match words.into_iter().find(|it| !LEVELS.contains(it)) {
        Some(word) => Err(format!("`{word}` is not a level: {}", LEVELS.join(", "))),
        None => Ok(()),
    }
}

pub(super) fn check_choice(choice: &Clause) -> Result<(), String> {
    if choice.level.is_some() {
        return Err("a choice has no `level`".to_owned());
    }
    check_sentence("reason", choice.reason.as_deref().unwrap_or_default())?;
    check_sentence("sentence", &choice.sentence)
}

fn check_sentence(name: &str, text: &str) -> Result<(), String> {
    if text.ends_with('.') {
        return Ok(());
    }
    Err(format!("its `{name}` ends in no full stop"))
}
