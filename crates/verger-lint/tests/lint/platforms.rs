//! Blocks that platforms write.

use verger_lint::{Finding, Linted, Served, Severity};

const CLOUDFLARE: &str = "# BEGIN Cloudflare Managed content\n\nUser-agent: *\nContent-Signal: search=yes,ai-train=no\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /\n\n# END Cloudflare Managed Content\n\n";

fn found(code: &str, body: &str) -> Finding {
    let file = Linted::new(body, &Served::default());
    let mut found = file.findings().iter().filter(|it| it.code == code);
    found.next().expect(code).clone()
}

#[test]
fn a_second_group_beside_the_block_of_cloudflare_is_a_note_with_its_dashboard() {
    let body = format!("{CLOUDFLARE}User-agent: *\nDisallow: /x\n");
    let finding = found("repeated-group", &body);
    let help = finding.help.unwrap();
    assert_eq!(finding.severity, Severity::Note);
    assert!(
        help.contains("Cloudflare writes this block: change it in its dashboard"),
        "{help}"
    );
}

#[test]
fn a_finding_in_a_block_says_where_the_owner_changes_it() {
    for (body, code, words) in [
        (
            "# START YOAST BLOCK\n# ---\nUser-agent: *\nDisallow: admin\n# ---\n# END YOAST BLOCK\n",
            "missing-leading-slash",
            "Yoast SEO",
        ),
        (
            "# we use Shopify as our ecommerce platform\n\nUser-agent: *\nDisallow: admin\n",
            "missing-leading-slash",
            "robots.txt.liquid",
        ),
        (
            "# Squarespace Robots Txt\n\nUser-agent: *\nDisallow: /\n",
            "everything-disallowed-for-search",
            "Settings > Crawlers",
        ),
    ] {
        let help = found(code, body).help.unwrap();
        assert!(help.contains(words), "{help}");
    }
}

#[test]
fn a_finding_outside_a_block_keeps_its_help_and_fix() {
    for body in [
        format!("{CLOUDFLARE}User-agent: FooBot\nDisallow: admin\n"),
        format!("User-agent: *\nDisallow: admin\n{CLOUDFLARE}"),
        "# START YOAST BLOCK\nUser-agent: *\nDisallow: admin\n".to_owned(),
    ] {
        let finding = found("missing-leading-slash", &body);
        assert!(finding.fix.is_some(), "{body}");
        assert!(!finding.help.unwrap().contains("writes this"), "{body}");
    }
}

#[test]
fn the_lines_of_shopify_can_be_edited_and_those_of_others_have_no_fix() {
    let shopify = "User-agent: *\nDisallow: /a/downloads/-/*\nDisallow: /cart\nDisallow: admin\n";
    assert!(found("missing-leading-slash", shopify).fix.is_some());
    let yoast = "# start yoast block\nUser-agent: *\nDisallow: admin\n# end yoast block\n";
    assert!(found("missing-leading-slash", yoast).fix.is_none());
}

#[test]
fn defaults_of_platforms_have_no_notes_of_losses() {
    for body in [
        "User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n\nSitemap: https://h.example/wp-sitemap.xml\n",
        "# Squarespace Robots Txt\n\nUser-agent: GPTBot\nUser-agent: ChatGPT-User\nUser-agent: anthropic-ai\nUser-agent: AdsBot-Google\nUser-agent: *\nDisallow: /config\nDisallow: /search\nDisallow: /account$\nDisallow: /api/\nAllow: /api/ui-extensions/\nDisallow: /static/\nDisallow:/*?author=*\nDisallow:/*&author=*\nDisallow:/*?format=json\nDisallow:/*&format=json\n\nSitemap: https://h.example/sitemap.xml\n",
        "# we use Shopify as our ecommerce platform\n\nUser-agent: *\nDisallow: /a/downloads/-/*\nDisallow: /admin\nDisallow: /cart\nDisallow: /collections/*sort_by*\nDisallow: /*?*oseid=*\nDisallow: /*preview_theme_id*\nDisallow: /*/*?*ls=*&ls=*\nDisallow: /.well-known/shopify/monorail\nDisallow: /cdn/wpm/*.js\n\nUser-agent: adsbot-google\nDisallow: /checkouts/\nDisallow: /cart\n\nUser-agent: Nutch\nDisallow: /\n",
    ] {
        let file = Linted::new(body, &Served::default());
        for finding in file.findings() {
            let is_new = [
                "useful-files-disallowed",
                "useful-crawler-disallowed",
                "parameter-missed",
                "retired-crawler",
            ];
            assert!(!is_new.contains(&finding.code), "{finding:?}");
        }
    }
}

const BLOCK: &str = "# BEGIN Cloudflare Managed content\nUser-agent: *\nContent-Signal: search=yes\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /\n# END Cloudflare Managed Content\n";

#[test]
fn a_block_of_a_network_is_reported_with_the_crawlers_for_which_it_decides() {
    let nothing = "Cloudflare added lines that change no known crawler's answer for the home page";
    let closes = "Cloudflare added lines that close the home page to GPTBot";
    for (above, below, message) in [
        ("", "", closes),
        ("", "User-agent: *\nDisallow: /cart\n", closes),
        ("# mine\n", "User-agent: GPTBot\nDisallow: /cart\n", closes),
        // The owner says the same.
        ("", "User-agent: GPTBot\nDisallow: /\n", nothing),
        // Of equal rules, Allow takes precedence.
        ("", "User-agent: GPTBot\nAllow: /\n", nothing),
        (
            "",
            "User-agent: *\nAllow: /\nUser-agent: bingbot\nDisallow: /\n",
            closes,
        ),
        // The group of the owner goes on in the block.
        (
            "User-agent: GPTBot\nDisallow: /\n\nUser-agent: bingbot\n",
            "Disallow: /\n",
            "Cloudflare added lines that open the home page to bingbot",
        ),
    ] {
        let finding = found("managed-block", &format!("{above}{BLOCK}{below}"));
        assert_eq!(finding.message, message, "{above}{BLOCK}{below}");
        assert_eq!(finding.severity, Severity::Note);
        assert_eq!(finding.span().start as usize, above.len());
        assert!(finding.help.unwrap().contains("dashboard"));
        assert_eq!(finding.fix, None);
    }
    let message = found(
        "managed-block",
        &format!("{BLOCK}User-agent: *\nDisallow: /\n"),
    )
    .message;
    let opens = "Cloudflare added lines that open the home page to Googlebot, bingbot, ";
    assert!(message.starts_with(opens), "{message}");
}

#[test]
fn no_other_block_is_one_of_a_network() {
    for body in [
        "# BEGIN Cloudflare Managed content\nUser-agent: GPTBot\nDisallow: /\n",
        "# START YOAST BLOCK\nUser-agent: *\nDisallow: /\n# END YOAST BLOCK\n",
        "User-agent: GPTBot\nDisallow: /\n",
    ] {
        let file = Linted::new(body, &Served::default());
        let mut codes = file.findings().iter().map(|it| it.code);
        assert!(codes.all(|code| code != "managed-block"), "{body}");
    }
}
