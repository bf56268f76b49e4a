//! Single-pass queries.

use verger::Effect;
use verger_access::asked_target;

use crate::answer::answered;
use crate::asked::Asked;
use crate::failure::Failure;
use crate::host::or_hosts;
use crate::scratch::with_texts;
use crate::verdict::put_verdict;

/// Returns whether the crawler may fetch the URL. The texts are the names of the crawler, the URL
/// and the body.
#[unsafe(no_mangle)]
pub extern "C" fn allowed(names: usize, url: usize, body: usize, asked: u32) -> u32 {
    let asked = Asked::of(asked);
    let ask = |[names, url, body]: [&[u8]; 3]| {
        let reading = asked.reading();
        let target = or_hosts(asked_target(url, reading))?;
        let effect = match asked.one_name(names) {
            Some(name) => verger::scan::effect_for_name(body, name, &target, reading)?,
            None => {
                verger::scan::effect_for_crawler(body, &asked.crawler(names)?, &target, reading)
            }
        };
        Ok(effect == Effect::Allow)
    };
    answered(with_texts([names, url, body], ask))
}

/// Like [`allowed`], and puts the verdict into the words of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn verdict(names: usize, url: usize, body: usize, asked: u32) -> u32 {
    let asked = Asked::of(asked);
    let ask = |[names, url, body]: [&[u8]; 3]| -> Result<bool, Failure> {
        let reading = asked.reading();
        let target = or_hosts(asked_target(url, reading))?;
        let verdict = match asked.one_name(names) {
            Some(name) => verger::scan::verdict_for_name(body, name, &target, reading)?,
            None => {
                verger::scan::verdict_for_crawler(body, &asked.crawler(names)?, &target, reading)
            }
        };
        let rule = verdict.line().map(|line| (line.get(), verdict.pattern()));
        let rule = rule.map(|(line, pattern)| (line, pattern.unwrap_or_default()));
        put_verdict(verdict.effect(), verdict.reason(), rule, verdict.group());
        Ok(verdict.effect() == Effect::Allow)
    };
    answered(with_texts([names, url, body], ask))
}
