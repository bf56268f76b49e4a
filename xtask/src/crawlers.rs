//! `cargo xtask crawlers`: the bundled table of the registry. `--stale 180d` lists entries whose source was read long
//! ago.

use std::fs;
use std::time::SystemTime;

use verger_crawlers::{KnownCrawler, Registry};

use crate::generated::Generated;
use crate::workspace;

const FILE: &str = "crates/verger-crawlers/data/crawlers.toml";
const TABLE: &str = "crates/verger-crawlers/data/crawlers.tsv";

/// Returns the table of the registry file.
pub(crate) fn files() -> Result<Vec<Generated>, String> {
    let text = fs::read_to_string(workspace::root().join(FILE));
    let text = text.map_err(|error| format!("{FILE}: {error}"))?;
    let registry = Registry::from_toml(&text).map_err(|error| format!("{FILE}: {error}"))?;
    Ok(vec![Generated::whole(TABLE, registry.to_table())])
}

const SECONDS_A_DAY: u64 = 86_400;

/// Lists entries whose source was read at least `age` ago. Returns an error if a source was read in the future.
pub(crate) fn run(age: &str) -> Result<(), String> {
    let age_days_min = days(age)?;
    let today = today()?;
    let registry = Registry::bundled();
    for crawler in registry {
        // Tomorrow is possible because some time zones are ahead of UTC.
        if crawler.read_on().since_1970() > today + 1 {
            let (name, day) = (crawler.name(), crawler.read_on());
            return Err(format!(
                "{name}: its source was read in the future, on {day}"
            ));
        }
    }
    let stale = stale(registry, today, age_days_min);
    for crawler in &stale {
        println!(
            "{}  {:<28}  {:<11}  {}",
            crawler.read_on(),
            crawler.name(),
            crawler.evidence(),
            crawler.source()
        );
    }
    let (count, all) = (stale.len(), registry.len());
    println!("{count} of {all} sources were read {age_days_min} days ago or earlier");
    Ok(())
}

/// Parses a number of days, such as `180d`.
fn days(age: &str) -> Result<i64, String> {
    let number = age
        .strip_suffix('d')
        .and_then(|days| days.parse::<u32>().ok());
    let number = number.ok_or_else(|| format!("invalid age `{age}`: write it as 180d"))?;
    Ok(i64::from(number))
}

/// Returns the current day in UTC, as days since 1970-01-01.
fn today() -> Result<i64, String> {
    let since = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_err(|error| format!("cannot read the clock: {error}"))?;
    i64::try_from(since.as_secs() / SECONDS_A_DAY)
        .map_err(|error| format!("cannot read the clock: {error}"))
}

/// Returns entries of at least that age, oldest first, then in registry order.
fn stale(registry: &Registry, today: i64, age_days_min: i64) -> Vec<&KnownCrawler> {
    let is_stale = |it: &&KnownCrawler| today - it.read_on().since_1970() >= age_days_min;
    let mut stale: Vec<_> = registry.iter().filter(is_stale).collect();
    stale.sort_by_key(|it| it.read_on());
    stale
}

#[cfg(test)]
mod tests {
    use super::*;
    use verger_crawlers::Day;

    #[test]
    fn entries_are_stale_from_their_age_on_and_oldest_first() {
        let entry = |name: &str, day: &str| {
            format!(
                "[[crawler]]\nname = \"{name}\"\noperator = \"Example\"\ntokens = [\"{name}\"]\n\
                 purposes = [\"search\"]\nstar = \"honoured\"\nobeys = \"yes\"\nsource = \"a test\"\n\
                 evidence = \"operator\"\nread = \"{day}\"\n"
            )
        };
        let text = [
            entry("a", "2026-06-02"),
            entry("b", "2026-06-03"),
            entry("c", "2025-12-01"),
        ];
        let registry = Registry::from_toml(&text.concat()).unwrap();
        let today = "2026-11-29".parse::<Day>().unwrap().since_1970();
        let names = |age| -> Vec<_> {
            let stale = stale(&registry, today, age);
            stale.into_iter().map(KnownCrawler::name).collect()
        };
        assert_eq!(names(180), ["c", "a"]);
        assert_eq!(names(179), ["c", "a", "b"]);
        assert_eq!(names(400), [] as [&str; 0]);
    }

    #[test]
    fn an_age_is_a_number_of_days() {
        assert_eq!(days("180d"), Ok(180));
        for age in ["180", "d", "-1d", "1w", ""] {
            assert!(days(age).is_err(), "{age}");
        }
    }
}
