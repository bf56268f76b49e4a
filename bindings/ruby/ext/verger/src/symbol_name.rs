//! The symbols of a verdict. They are cached, because creating one from its text costs more than a
//! decision.

use magnus::symbol::IntoSymbol;
use magnus::value::LazyId;
use magnus::{Ruby, Symbol};
use verger::{Effect, NamedBy, Reason};

static ALLOW: LazyId = LazyId::new("allow");
static DISALLOW: LazyId = LazyId::new("disallow");
static RULE: LazyId = LazyId::new("rule");
static NO_RULE: LazyId = LazyId::new("no_rule");
static NO_GROUP: LazyId = LazyId::new("no_group");
static ROBOTS_TXT: LazyId = LazyId::new("robots_txt");
static TOKEN: LazyId = LazyId::new("token");
static STAR: LazyId = LazyId::new("star");

/// Looks up all symbols while there is only one Ractor. If two Ractors did so at once, the waiting
/// one would also block Ruby's garbage collector.
pub(crate) fn look_up_all(ruby: &Ruby) {
    for name in [
        &ALLOW,
        &DISALLOW,
        &RULE,
        &NO_RULE,
        &NO_GROUP,
        &ROBOTS_TXT,
        &TOKEN,
        &STAR,
    ] {
        LazyId::force(name, ruby);
    }
}

pub(crate) fn effect_name(ruby: &Ruby, effect: Effect) -> Symbol {
    symbol(
        ruby,
        match effect {
            Effect::Allow => &ALLOW,
            Effect::Disallow => &DISALLOW,
        },
    )
}

pub(crate) fn reason_name(ruby: &Ruby, reason: Reason) -> Symbol {
    symbol(
        ruby,
        match reason {
            Reason::Rule => &RULE,
            Reason::NoRuleMatched => &NO_RULE,
            Reason::NoGroup => &NO_GROUP,
            Reason::RobotsTxtItself => &ROBOTS_TXT,
        },
    )
}

pub(crate) fn named_by_name(ruby: &Ruby, named_by: NamedBy) -> Symbol {
    symbol(
        ruby,
        match named_by {
            NamedBy::Token => &TOKEN,
            NamedBy::Star => &STAR,
        },
    )
}

fn symbol(ruby: &Ruby, name: &LazyId) -> Symbol {
    LazyId::get_inner_with(name, ruby).into_symbol_with(ruby)
}
