//! The function that Ruby calls to load the extension.

use magnus::{Error, Module, Object, RModule, Ruby, TypedData, function, method};

use crate::known_crawler::Crawler;
use crate::owner;
use crate::policy::Policy;
use crate::product_token::ProductToken;
use crate::question;
use crate::robots_txt::RobotsTxt;
use crate::symbol_name::look_up_all;

/// Defines the compiled classes and the module functions.
#[expect(
    unsafe_code,
    reason = "Ruby finds the function by its name, and calls it as C does"
)]
#[magnus::init(name = "verger")]
fn init(ruby: &Ruby) -> Result<(), Error> {
    // SAFETY: this is called while an extension is loaded, as required. The extension is
    // Ractor-safe because wrapped values never change, and it keeps no Ruby objects except the
    // classes.
    unsafe { rb_sys::rb_ext_ractor_safe(true) };
    look_up_all(ruby);
    let verger = ruby.define_module("Verger")?;
    define_native(ruby, verger)?;
    define_robots_txt(ruby, verger)?;
    define_policy(ruby, verger)?;
    define_product_token(ruby, verger)?;
    define_crawler(ruby, verger)?;
    // Look up the classes now, like the symbols, so no lazy initialization is left to several
    // Ractors.
    RobotsTxt::class(ruby);
    Policy::class(ruby);
    ProductToken::class(ruby);
    Crawler::class(ruby);
    Ok(())
}

/// Defines `Verger::Native`, which `lib/verger.rb` makes private.
fn define_native(ruby: &Ruby, verger: RModule) -> Result<(), Error> {
    let native = verger.define_module("Native")?;
    native.define_singleton_method("allowed?", function!(question::allowed, 4))?;
    native.define_singleton_method("decide", function!(question::decide, 4))?;
    let add_allowed_by_robots = function!(question::add_allowed_by_robots, 1);
    native.define_singleton_method("add_allowed_by_robots", add_allowed_by_robots)?;
    native.define_singleton_method("who_json", function!(owner::who_json, 5))?;
    native.define_singleton_method("diff_json", function!(owner::diff_json, 6))?;
    native.define_singleton_method("parse_json", function!(owner::parse_json, 4))?;
    native.define_singleton_method("lint_json", function!(owner::lint_json, 4))?;
    native.define_singleton_method("page_json", function!(owner::page_json, 6))?;
    native.define_singleton_method("history_json", function!(owner::history_json, 6))?;
    define_probes(ruby, native)
}

#[cfg(feature = "probes")]
fn define_probes(_ruby: &Ruby, native: RModule) -> Result<(), Error> {
    use crate::probe;
    native.define_singleton_method("panic_now", function!(probe::panic_now, 1))?;
    native.define_singleton_method("panic_unguarded", function!(probe::panic_unguarded, 1))?;
    let question = function!(probe::question_nanoseconds, 3);
    native.define_singleton_method("question_nanoseconds", question)?;
    let policy = function!(probe::policy_nanoseconds, 3);
    native.define_singleton_method("policy_nanoseconds", policy)
}

#[cfg(not(feature = "probes"))]
#[expect(clippy::unnecessary_wraps, reason = "its twin defines something")]
fn define_probes(_ruby: &Ruby, _native: RModule) -> Result<(), Error> {
    Ok(())
}

fn define_robots_txt(ruby: &Ruby, verger: RModule) -> Result<(), Error> {
    let class = verger.define_class("RobotsTxt", ruby.class_object())?;
    class.define_singleton_method("read", function!(RobotsTxt::read, 2))?;
    class.define_method("dialect", method!(RobotsTxt::dialect_name, 0))?;
    for name in ["==", "eql?"] {
        class.define_method(name, method!(RobotsTxt::is_equal, 1))?;
    }
    class.define_method("hash", method!(RobotsTxt::hash, 0))?;
    class.define_method("sitemaps", method!(RobotsTxt::sitemaps, 0))?;
    class.define_method("crawl_delay", method!(RobotsTxt::crawl_delay, 1))?;
    class.define_method("policy", method!(RobotsTxt::policy, 1))?;
    class.define_private_method("ask", method!(RobotsTxt::ask, 2))?;
    class.define_private_method("decide", method!(RobotsTxt::decide, 2))?;
    class.define_private_method("explain_json", method!(RobotsTxt::explain_json, 2))?;
    class.define_private_method("group_parts", method!(RobotsTxt::group_parts, 0))
}

fn define_policy(ruby: &Ruby, verger: RModule) -> Result<(), Error> {
    let class = verger.define_class("Policy", ruby.class_object())?;
    class.define_method("dialect", method!(Policy::dialect, 0))?;
    class.define_method("allowed?", method!(Policy::allowed, 1))?;
    class.define_private_method("decide", method!(Policy::decide, 1))?;
    class.define_private_method("rule_parts", method!(Policy::rule_parts, 0))
}

fn define_product_token(ruby: &Ruby, verger: RModule) -> Result<(), Error> {
    let class = verger.define_class("ProductToken", ruby.class_object())?;
    class.define_singleton_method("new", function!(ProductToken::new, 1))?;
    class.define_method("to_s", method!(ProductToken::to_s, 0))?;
    class.define_method("identifier?", method!(ProductToken::is_identifier, 0))
}

fn define_crawler(ruby: &Ruby, verger: RModule) -> Result<(), Error> {
    let class = verger.define_class("Crawler", ruby.class_object())?;
    class.define_singleton_method("[]", function!(Crawler::by_name, 1))?;
    class.define_singleton_method("from_user_agent", function!(Crawler::from_user_agent, 1))?;
    class.define_singleton_method("suggest", function!(Crawler::suggest, 1))?;
    class.define_singleton_method("all", function!(Crawler::all, 0))?;
    class.define_method("name", method!(Crawler::name, 0))?;
    class.define_method("operator", method!(Crawler::operator, 0))?;
    class.define_method("tokens", method!(Crawler::tokens, 0))?;
    class.define_method("purposes", method!(Crawler::purposes, 0))?;
    class.define_method("obeys", method!(Crawler::obeys, 0))?;
    class.define_method("star?", method!(Crawler::honours_star, 0))?;
    class.define_method("retired?", method!(Crawler::is_retired, 0))?;
    class.define_method("control_only?", method!(Crawler::is_control_only, 0))?;
    class.define_method("docs", method!(Crawler::docs, 0))?;
    class.define_method("note", method!(Crawler::note, 0))
}
