//! Routes of static lists: crawlers and profiles.

use axum::response::Response;
use verger_access::Profile;
use verger_answer::{CrawlerLine, ProfileLine, json};
use verger_crawlers::{KnownCrawler, Purpose, Registry};

use crate::call::{Call, JSON_LINES, ok};
use crate::problem::Problem;

pub(crate) async fn crawlers(call: Call) -> Result<Response, Problem> {
    let purpose = call.query.get("purpose").map(str::parse::<Purpose>);
    let purpose = purpose.transpose();
    let purpose = purpose.map_err(Problem::because("purpose"))?;
    let operator = call.query.get("operator");
    let is_listed = |crawler: &&KnownCrawler| {
        purpose.is_none_or(|it| crawler.purposes().contains(&it))
            && operator.is_none_or(|it| crawler.operator().eq_ignore_ascii_case(it))
    };
    let listed = Registry::bundled().iter().filter(is_listed);
    lines(listed.map(|crawler| json::line_of(&CrawlerLine::new(crawler))))
}

pub(crate) async fn profiles(_: Call) -> Result<Response, Problem> {
    let profiles = Profile::ALL.iter();
    lines(profiles.map(|profile| json::line_of(&ProfileLine::new(profile))))
}

fn lines(lines: impl Iterator<Item = std::io::Result<String>>) -> Result<Response, Problem> {
    let lines: Result<String, _> = lines.collect();
    Ok(ok(JSON_LINES, lines.map_err(Problem::defect)?))
}
