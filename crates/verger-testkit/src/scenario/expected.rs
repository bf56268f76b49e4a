use serde::Serialize;

use super::seconds::read_seconds;

/// The expected answer of a profile. Facts that the scenario leaves open are null in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExpectedAnswer {
    /// `rules`, `open`, `closed`, `copy` or `defer`.
    pub stance: String,
    /// `successful`, `unavailable` or `unreachable`. `None` if nothing is known yet.
    pub result: Option<String>,
    /// When to fetch the authority again, in seconds after time zero.
    pub ask_again: i64,
    /// When the answer expires, if earlier or later than that.
    pub holds_until: Option<i64>,
    /// The outcome, in the product's words.
    pub outcome: Option<String>,
    /// The clause of the stance.
    pub clause: Option<String>,
    /// The clause of the access result.
    pub result_clause: Option<String>,
}

impl ExpectedAnswer {
    /// Parses `stance result; ask TIME; holds TIME; as OUTCOME; by CLAUSE; result by CLAUSE`. The
    /// last four are optional. The result is `-` if nothing is known yet.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no answer such as `open unavailable; ask 24h`");
        let mut parts = text.split(';').map(str::trim);
        let (stance, result) = parts
            .next()
            .and_then(|it| it.split_once(' '))
            .ok_or_else(wrong)?;
        if !["rules", "open", "closed", "copy", "defer"].contains(&stance) {
            return Err(format!("`{stance}` is no stance"));
        }
        if !["successful", "unavailable", "unreachable", "-"].contains(&result) {
            return Err(format!("`{result}` is no access result"));
        }
        let ask_again = parts.next().and_then(|it| it.strip_prefix("ask "));
        let mut answer = Self {
            stance: stance.to_owned(),
            result: (result != "-").then(|| result.to_owned()),
            ask_again: read_seconds(ask_again.ok_or_else(wrong)?)?,
            holds_until: None,
            outcome: None,
            clause: None,
            result_clause: None,
        };
        for part in parts {
            if let Some(time) = part.strip_prefix("holds ") {
                answer.holds_until = Some(read_seconds(time)?);
            } else if let Some(outcome) = part.strip_prefix("as ") {
                answer.outcome = Some(outcome.to_owned());
            } else if let Some(clause) = part.strip_prefix("by ") {
                answer.clause = Some(clause.to_owned());
            } else if let Some(clause) = part.strip_prefix("result by ") {
                answer.result_clause = Some(clause.to_owned());
            } else {
                return Err(wrong());
            }
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_whole() {
        let text = "copy unavailable; ask 24h; holds 20h; as status 404; by X-1; result by X-2";
        let answer = ExpectedAnswer::parse(text).unwrap();
        assert_eq!(answer.stance, "copy");
        assert_eq!(answer.result.as_deref(), Some("unavailable"));
        assert_eq!(
            (answer.ask_again, answer.holds_until),
            (86_400, Some(72_000))
        );
        assert_eq!(answer.outcome.as_deref(), Some("status 404"));
        assert_eq!(answer.clause.as_deref(), Some("X-1"));
        assert_eq!(answer.result_clause.as_deref(), Some("X-2"));
    }

    #[test]
    fn what_is_no_answer_is_quoted() {
        for text in [
            "",
            "open",
            "shut unavailable; ask 1h",
            "open unavailable",
            "open maybe; ask 1h",
        ] {
            assert!(ExpectedAnswer::parse(text).is_err(), "{text}");
        }
        assert!(ExpectedAnswer::parse("open unavailable; ask 1h; never").is_err());
    }
}
