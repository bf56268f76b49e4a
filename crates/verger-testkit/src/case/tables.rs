//! Each table from its shape to its type, with all that can be judged from the table alone.

use std::collections::BTreeMap;

use super::corpus::{
    Ask, Case, CaseOption, Clause, ClauseStatus, FieldName, ListedGroup, Listing, Pattern, Target,
    Token, Value,
};
use super::expected::{ExpectedGroup, ExpectedVerdict};
use super::octets::{count_lines, read_body, read_octets};
use super::shapes::{
    AskShape, CaseShape, ChoiceShape, ClauseShape, ListingShape, PatternShape, TargetShape,
    TokenShape, ValueShape,
};
use crate::subject::DialectName;

pub(super) fn read_case(file: &str, shape: CaseShape) -> Result<Case, String> {
    let robots = read_body(shape.robots, shape.robots_hex, shape.robots_repeat)?;
    let option = match shape.option {
        Some(name) => {
            Some(CaseOption::by_name(&name).ok_or_else(|| format!("`{name}` is not an option"))?)
        }
        None => None,
    };
    let lines = count_lines(&robots);
    let asks = shape
        .ask
        .into_iter()
        .map(|ask| read_ask(ask, lines))
        .collect::<Result<Vec<_>, _>>()?;
    if asks.is_empty() {
        return Err("asks nothing".to_owned());
    }
    let differs = shape.google_page.is_some()
        || asks.iter().any(|ask| {
            let verdicts: Vec<_> = ask.verdicts.values().collect();
            verdicts.windows(2).any(|pair| pair[0] != pair[1])
        });
    match (differs, shape.why.is_some()) {
        (true, false) => return Err("the dialects differ and `why` is missing".to_owned()),
        (false, true) => return Err("has a `why` and the dialects agree".to_owned()),
        _ => {}
    }
    Ok(Case {
        file: file.to_owned(),
        id: shape.id,
        clauses: some_clauses(shape.clauses)?,
        robots,
        option,
        why: shape.why,
        google_page: shape.google_page,
        asks,
    })
}

fn read_ask(shape: AskShape, lines: u32) -> Result<Ask, String> {
    let agents = match (shape.agent, shape.agents) {
        (Some(agent), None) => vec![agent],
        (None, Some(agents)) if !agents.is_empty() => agents,
        _ => return Err("an ask needs exactly one of `agent` and `agents`".to_owned()),
    };
    let url = read_octets("url", shape.url, shape.url_hex)?;
    let own_verdicts = [
        shape.rfc9309,
        shape.google,
        shape.draft2019,
        shape.koster1996,
    ];
    let own_groups = [
        shape.group_rfc9309,
        shape.group_google,
        shape.group_draft2019,
        shape.group_koster1996,
    ];
    let mut verdicts = BTreeMap::new();
    let mut groups = BTreeMap::new();
    for ((dialect, verdict), group) in DialectName::ALL
        .into_iter()
        .zip(own_verdicts)
        .zip(own_groups)
    {
        let Some(text) = verdict.or_else(|| shape.all.clone()) else {
            continue;
        };
        let verdict = ExpectedVerdict::parse(&text)?;
        if verdict.line().is_some_and(|line| line > lines) {
            return Err(format!("`{text}` names a line and the body has {lines}"));
        }
        verdicts.insert(dialect, verdict);
        let speaks = matches!(
            verdict,
            ExpectedVerdict::Rule { .. } | ExpectedVerdict::NoRule
        );
        let common = shape.group.as_ref().filter(|_| speaks);
        let Some(text) = group.as_ref().or(common) else {
            continue;
        };
        let group = ExpectedGroup::parse(text)?;
        if !speaks {
            return Err(format!("group `{text}` is given together with `{verdict}`"));
        }
        if group.line > lines {
            return Err(format!(
                "group `{text}` names a line and the body has {lines}"
            ));
        }
        groups.insert(dialect, group);
    }
    if verdicts.is_empty() {
        return Err("an ask states no verdict".to_owned());
    }
    Ok(Ask {
        agents,
        url,
        verdicts,
        groups,
    })
}

pub(super) fn read_pattern(file: &str, shape: PatternShape) -> Result<Pattern, String> {
    Ok(Pattern {
        file: file.to_owned(),
        id: shape.id,
        clauses: some_clauses(shape.clauses)?,
        rule: read_octets("rule", shape.rule, shape.rule_hex)?,
        target: read_octets("target", shape.target, shape.target_hex)?,
        rfc9309: shape.rfc9309,
        google: shape.google,
        koster1996: shape.koster1996,
        canonical: shape.canonical,
        octets: shape.octets,
        google_octets: shape.google_octets,
    })
}

pub(super) fn read_target(file: &str, shape: TargetShape) -> Result<Target, String> {
    for path in [&shape.google, &shape.other] {
        if !path.starts_with('/') && path != "error" {
            return Err(format!("`{path}` is neither a target nor `error`"));
        }
    }
    if shape.google == "error" {
        return Err("`google` takes any URL".to_owned());
    }
    Ok(Target {
        file: file.to_owned(),
        id: shape.id,
        clauses: some_clauses(shape.clauses)?,
        url: read_octets("url", shape.url, shape.url_hex)?,
        google: shape.google,
        other: (shape.other != "error").then_some(shape.other),
    })
}

pub(super) fn read_token(file: &str, shape: TokenShape) -> Result<Token, String> {
    if shape.identifier && !shape.accepted {
        return Err("a product token must be accepted".to_owned());
    }
    if shape.accepted && shape.likely.is_some() {
        return Err("`likely` belongs to what is not accepted".to_owned());
    }
    Ok(Token {
        file: file.to_owned(),
        id: shape.id,
        clauses: some_clauses(shape.clauses)?,
        text: shape.text,
        identifier: shape.identifier,
        accepted: shape.accepted,
        likely: shape.likely,
    })
}

pub(super) fn read_listing(file: &str, shape: ListingShape) -> Result<Listing, String> {
    let dialects = match shape.dialects {
        None => DialectName::ALL.to_vec(),
        Some(names) => names
            .iter()
            .map(|name| {
                DialectName::by_name(name).ok_or_else(|| format!("`{name}` is not a dialect"))
            })
            .collect::<Result<_, _>>()?,
    };
    let groups = shape.groups.map(|groups| {
        let listed = groups.into_iter().map(|group| ListedGroup {
            agents: group.agents,
            rules: group.rules,
        });
        listed.collect()
    });
    Ok(Listing {
        file: file.to_owned(),
        id: shape.id,
        clauses: some_clauses(shape.clauses)?,
        robots: read_body(shape.robots, shape.robots_hex, shape.robots_repeat)?,
        dialects,
        groups,
        sitemaps: shape.sitemaps,
        lines: shape.lines,
    })
}

pub(super) fn read_value(file: &str, shape: ValueShape) -> Result<Value, String> {
    let field = FieldName::by_name(&shape.field)
        .ok_or_else(|| format!("`{}` is not a field", shape.field))?;
    if shape.target.is_some() != (field == FieldName::ContentUsage) {
        return Err("`target` belongs to content-usage, and to it alone".to_owned());
    }
    Ok(Value {
        file: file.to_owned(),
        id: shape.id,
        clauses: some_clauses(shape.clauses)?,
        robots: read_body(shape.robots, shape.robots_hex, shape.robots_repeat)?,
        agent: shape.agent,
        field,
        target: shape.target,
        expect: shape.expect,
    })
}

/// How documents say how much they ask: RFC 2119's words, and those of 1996.
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

pub(super) fn read_clause(_: &str, shape: ClauseShape) -> Result<Clause, String> {
    let status = match shape.status.as_str() {
        "text" => ClauseStatus::Text,
        "access" => ClauseStatus::Access,
        "prose" => ClauseStatus::Prose,
        other => return Err(format!("`{other}` is not a status: text, access or prose")),
    };
    if !shape.sentence.ends_with('.') {
        return Err("its `sentence` ends in no full stop".to_owned());
    }
    let words = shape.level.iter().flat_map(|level| level.split(", "));
    if let Some(word) = words.into_iter().find(|it| !LEVELS.contains(it)) {
        return Err(format!("`{word}` is not a level: {}", LEVELS.join(", ")));
    }
    Ok(Clause {
        id: shape.id,
        status,
        level: shape.level,
        sentence: shape.sentence,
        reason: None,
        topic: None,
    })
}

pub(super) fn read_choice(file: &str, shape: ChoiceShape) -> Result<Clause, String> {
    if !shape.reason.ends_with('.') {
        return Err("its `reason` ends in no full stop".to_owned());
    }
    let clause = ClauseShape {
        id: shape.id,
        status: shape.status,
        level: None,
        sentence: shape.sentence,
    };
    Ok(Clause {
        reason: Some(shape.reason),
        topic: shape.topic,
        ..read_clause(file, clause)?
    })
}

fn some_clauses(clauses: Vec<String>) -> Result<Vec<String>, String> {
    if clauses.is_empty() {
        return Err("cites no clause".to_owned());
    }
    Ok(clauses)
}
