//! The table of lints, in the order of their pages. Each has a file of its own, which is all there is
//! about it.

mod agent_is_header;
mod agent_list;
mod agent_names_no_crawler;
mod agent_with_digits;
mod agent_with_version;
mod agent_with_wildcard;
mod agent_with_words;
mod bad_escape;
mod byte_order_mark;
mod carriage_return_line_ends;
mod content_usage_splits_group;
mod contradictory_preferences;
mod contradictory_rules;
mod control_character;
mod crawl_delay_ignored;
mod crawler_ignores_rules;
mod crawler_ignores_star;
mod dialects_disagree;
mod duplicate_rule;
mod duplicate_sitemap;
mod empty_allow;
mod empty_disallow_beside_rules;
mod empty_value;
mod everything_disallowed_for_search;
mod file_too_long;
mod group_swallows_group;
mod group_without_rules;
mod home_page_disallowed;
mod html_page;
mod inner_dollar;
mod invalid_clean_param;
mod invalid_content_signal;
mod invalid_content_usage;
mod invalid_crawl_delay;
mod invalid_host;
mod invalid_license;
mod invalid_request_rate;
mod invalid_sitemap;
mod invalid_visit_time;
mod line_too_long;
mod missing_colon;
mod missing_leading_slash;
mod misspelt_crawler;
mod misspelt_key;
mod noindex_in_robots_txt;
mod not_text;
mod not_utf8;
mod number_sign_in_path;
mod obsolete_host;
mod page_resources_disallowed;
mod preference_of_disallowed;
mod regular_expression;
mod repeated_agent;
mod repeated_group;
mod retired_crawler;
mod robots_txt_disallowed;
mod rule_before_group;
mod rule_never_decides;
mod sitemap_disallowed;
mod space_in_path;
mod star_rules_not_inherited;
mod two_records_on_one_line;
mod unknown_crawler;
mod unreadable_line;
mod unused_key;
mod url_as_path;
mod value_outside_group;

use crate::lint::Lint;

/// All lints: about groups, names, lines, paths, effects, values, and the file as a whole.
static LINTS: [Lint; 67] = [
    group_swallows_group::LINT,
    rule_before_group::LINT,
    value_outside_group::LINT,
    group_without_rules::LINT,
    star_rules_not_inherited::LINT,
    repeated_group::LINT,
    repeated_agent::LINT,
    content_usage_splits_group::LINT,
    agent_with_version::LINT,
    agent_with_words::LINT,
    agent_with_wildcard::LINT,
    agent_list::LINT,
    agent_is_header::LINT,
    agent_names_no_crawler::LINT,
    agent_with_digits::LINT,
    misspelt_crawler::LINT,
    unknown_crawler::LINT,
    retired_crawler::LINT,
    crawler_ignores_rules::LINT,
    crawler_ignores_star::LINT,
    misspelt_key::LINT,
    missing_colon::LINT,
    unreadable_line::LINT,
    control_character::LINT,
    two_records_on_one_line::LINT,
    unused_key::LINT,
    missing_leading_slash::LINT,
    url_as_path::LINT,
    inner_dollar::LINT,
    space_in_path::LINT,
    number_sign_in_path::LINT,
    bad_escape::LINT,
    regular_expression::LINT,
    empty_allow::LINT,
    empty_disallow_beside_rules::LINT,
    duplicate_rule::LINT,
    contradictory_rules::LINT,
    rule_never_decides::LINT,
    robots_txt_disallowed::LINT,
    everything_disallowed_for_search::LINT,
    home_page_disallowed::LINT,
    page_resources_disallowed::LINT,
    sitemap_disallowed::LINT,
    invalid_sitemap::LINT,
    duplicate_sitemap::LINT,
    invalid_crawl_delay::LINT,
    crawl_delay_ignored::LINT,
    invalid_request_rate::LINT,
    invalid_visit_time::LINT,
    invalid_host::LINT,
    obsolete_host::LINT,
    invalid_clean_param::LINT,
    noindex_in_robots_txt::LINT,
    empty_value::LINT,
    invalid_content_signal::LINT,
    invalid_content_usage::LINT,
    invalid_license::LINT,
    contradictory_preferences::LINT,
    preference_of_disallowed::LINT,
    byte_order_mark::LINT,
    not_utf8::LINT,
    not_text::LINT,
    carriage_return_line_ends::LINT,
    html_page::LINT,
    file_too_long::LINT,
    line_too_long::LINT,
    dialects_disagree::LINT,
];

/// All lints: about groups, names, lines, paths, effects, values, and the file as a whole.
#[must_use]
pub fn all() -> &'static [Lint] {
    &LINTS
}

/// The lint of that code.
#[must_use]
pub fn by_code(code: &str) -> Option<&'static Lint> {
    LINTS.iter().find(|lint| lint.code == code)
}
