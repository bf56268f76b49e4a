//! The table of lints, in the order of their pages. Each lint has its own file.

mod agent_is_header;
mod agent_list;
mod agent_names_no_crawler;
mod agent_with_digits;
mod agent_with_version;
mod agent_with_wildcard;
mod agent_with_words;
mod answer_depends_on_crawler;
mod bad_escape;
mod broken_redirect;
mod byte_order_mark;
mod carriage_return_line_ends;
mod charset_not_utf8;
mod client_error;
mod content_usage_splits_group;
mod contradictory_headers;
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
mod empty_file;
mod empty_value;
mod everything_disallowed_for_search;
mod file_too_long;
mod forbidden;
mod group_swallows_group;
mod group_without_rules;
mod header_contradicts_file;
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
mod invisible_character;
mod json_document;
mod lifetime_over_a_day;
mod line_too_long;
mod managed_block;
mod missing_colon;
mod missing_leading_slash;
mod misspelt_crawler;
mod misspelt_key;
mod noindex_in_robots_txt;
mod not_found;
mod not_plain_text;
mod not_text;
mod not_utf8;
mod number_sign_in_path;
mod obsolete_host;
mod page_resources_disallowed;
mod parameter_missed;
mod path_list;
mod preference_of_disallowed;
mod redirected_to_http;
mod redirected_to_other_host;
mod regular_expression;
mod repeated_agent;
mod repeated_group;
mod retired_crawler;
mod robots_txt_disallowed;
mod rule_before_group;
mod rule_never_decides;
mod server_error;
mod sitemap_disallowed;
mod sitemap_elsewhere;
mod space_in_path;
mod star_rules_not_inherited;
mod too_many_redirects;
mod too_many_requests;
mod two_records_on_one_line;
mod unfilled_template;
mod unknown_crawler;
mod unreadable_line;
mod unused_key;
mod unusual_status;
mod url_as_path;
mod useful_crawler_disallowed;
mod useful_files_disallowed;
mod value_outside_group;
mod variants_differ;

use crate::lint::{Check, Lint};
use crate::page_lints;

static LINTS: [Lint; COUNT] = TABLE;

/// The checks of the file itself. They are separate so that a program that uses only them does not
/// contain the others and the pages (40 kB of text).
static FILE_CHECKS: [Check; FILE_COUNT] = checks_from(0);

/// The checks of how the file is served.
static SERVED_CHECKS: [Check; BEFORE_PAGES - FILE_COUNT] = checks_from(FILE_COUNT);

const COUNT: usize = 103;

/// Number of lints before those about pages. `page_lints` has the checks of these.
const BEFORE_PAGES: usize = 94;

/// Number of lints at the start of the table that check only the file.
const FILE_COUNT: usize = 77;

#[expect(
    clippy::large_const_arrays,
    reason = "a constant for building tables, absent from programs"
)]
const TABLE: [Lint; COUNT] = [
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
    invisible_character::LINT,
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
    path_list::LINT,
    parameter_missed::LINT,
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
    useful_files_disallowed::LINT,
    useful_crawler_disallowed::LINT,
    sitemap_disallowed::LINT,
    invalid_sitemap::LINT,
    sitemap_elsewhere::LINT,
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
    json_document::LINT,
    unfilled_template::LINT,
    empty_file::LINT,
    file_too_long::LINT,
    line_too_long::LINT,
    managed_block::LINT,
    dialects_disagree::LINT,
    redirected_to_other_host::LINT,
    redirected_to_http::LINT,
    too_many_redirects::LINT,
    broken_redirect::LINT,
    forbidden::LINT,
    too_many_requests::LINT,
    not_found::LINT,
    client_error::LINT,
    server_error::LINT,
    unusual_status::LINT,
    not_plain_text::LINT,
    charset_not_utf8::LINT,
    lifetime_over_a_day::LINT,
    contradictory_headers::LINT,
    header_contradicts_file::LINT,
    variants_differ::LINT,
    answer_depends_on_crawler::LINT,
    page_lints::directive_unseen::LINT,
    page_lints::noindex_in_sitemap::LINT,
    page_lints::header_and_meta_disagree::LINT,
    page_lints::directive_for_excluded_crawler::LINT,
    page_lints::unknown_directive::LINT,
    page_lints::unavailable_after_passed::LINT,
    page_lints::canonical_disallowed::LINT,
    page_lints::meta_outside_head::LINT,
    page_lints::header_added_by_network::LINT,
];

/// Returns all lints: about groups, names, lines, paths, effects, values, the whole file, how it is
/// served, and about pages.
#[must_use]
pub fn all() -> &'static [Lint] {
    &LINTS
}

/// Returns the checks of the file itself.
pub(crate) fn file_checks() -> &'static [Check] {
    &FILE_CHECKS
}

/// Returns the checks of how the file is served. They find nothing if that is unknown.
pub(crate) fn served_checks() -> &'static [Check] {
    &SERVED_CHECKS
}

/// Returns the codes of all lints.
pub(crate) fn codes() -> impl Iterator<Item = &'static str> {
    let checks = FILE_CHECKS.iter().chain(&SERVED_CHECKS);
    checks.map(|check| check.code)
}

const fn checks_from<const N: usize>(start: usize) -> [Check; N] {
    let mut checks = [TABLE[start].check(); N];
    let mut at = 1;
    while at < N {
        checks[at] = TABLE[start + at].check();
        at += 1;
    }
    checks
}

/// Returns the lint with that code.
#[must_use]
pub fn by_code(code: &str) -> Option<&'static Lint> {
    LINTS.iter().find(|lint| lint.code == code)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{all, by_code, dialects_disagree};
    use crate::linted::Linted;
    use crate::one_mistake::{CAUSES, DETAILS, OF_PAGES};
    use crate::served::Served;

    #[test]
    fn a_file_has_the_same_findings_if_only_the_file_is_checked() {
        let examples = all()
            .iter()
            .flat_map(|it| [it.wrong_example(), it.right_example()]);
        let mut found = BTreeSet::new();
        for example in examples {
            let served = Served {
                origin: example.served().origin,
                ..Served::default()
            };
            let all = Linted::new(example.body(), &served);
            let of_site = Linted::of_site(example.body().into_owned(), served.origin);
            assert_eq!(of_site.findings(), all.findings());
            found.extend(of_site.findings().iter().map(|it| it.code));
        }
        let of_files = &all()[..super::FILE_COUNT];
        assert!(of_files.iter().all(|it| found.contains(it.code)));
    }

    #[test]
    fn every_lint_that_code_names_exists() {
        let named = OF_PAGES.iter().chain(&CAUSES).chain(&DETAILS);
        for code in named.chain(&dialects_disagree::CAUSES) {
            assert!(by_code(code).is_some(), "{code}");
        }
    }
}
