//! `test --sitemap`: all that a sitemap lists is allowed, by the robots.txt of each URL's own site.

use std::fs;
use std::path::Path;

use crate::server::{Server, new_store};
use crate::verger::{Said, command, empty_directory, run};

/// Runs `verger test` there, loopback being allowed.
fn test(directory: &Path, arguments: &str) -> Said {
    let mut command = command();
    let store = new_store(directory.file_name().unwrap().to_str().unwrap());
    let arguments = format!("test {arguments} --allow-address 127.0.0.0/8");
    command
        .current_dir(directory)
        .args(arguments.split_whitespace());
    run(command.arg("--store").arg(store), "")
}

fn urlset(urls: &[&str]) -> String {
    let urls: Vec<String> = urls
        .iter()
        .map(|url| format!("<url><loc>{url}</loc></url>"))
        .collect();
    format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{}</urlset>",
        urls.concat()
    )
}

fn index(urls: &[&str]) -> String {
    let urls: Vec<String> = urls
        .iter()
        .map(|url| format!("<sitemap><loc>{url}</loc></sitemap>"))
        .collect();
    format!("<sitemapindex>{}</sitemapindex>", urls.concat())
}

const ROBOTS: &str = "User-agent: *\nDisallow: /cart\n\nUser-agent: Bingbot\nDisallow:\n";

#[test]
fn a_local_file_decides_about_a_local_sitemap_without_any_request() {
    let directory = empty_directory("sitemaps-local");
    fs::write(directory.join("robots.txt"), ROBOTS).unwrap();
    let urls = [
        "https://example.com/",
        "https://example.com/cart?a=1&amp;b=2",
    ];
    fs::write(directory.join("sitemap.xml"), urlset(&urls)).unwrap();
    let said = test(&directory, "--sitemap sitemap.xml").quietly(1);
    let expected = "fails for 2 crawlers: Googlebot, *\n       every URL in sitemap.xml is allowed\n       \
                    1 of 2 URLs are disallowed: https://example.com/cart?a=1&b=2 is disallowed by line 2, \
                    Disallow: /cart\n2 claims hold, 2 do not: robots.txt\n";
    assert_eq!(said, expected);
    let said = test(&directory, "--sitemap sitemap.xml --crawler bingbot").quietly(0);
    assert_eq!(said, "2 claims hold: robots.txt\n");
}

#[test]
fn every_url_is_held_to_the_file_of_its_own_site() {
    let other = Server::of_pages(&[("/robots.txt", "User-agent: *\nDisallow: /private\n")]);
    let listed = [
        "ORIGIN/open".to_owned(),
        "ORIGIN/cart".to_owned(),
        other.url("/open"),
        other.url("/private"),
    ];
    let listed: Vec<&str> = listed.iter().map(String::as_str).collect();
    let site = Server::of_pages(&[
        ("/robots.txt", "User-agent: *\nDisallow: /cart\n"),
        ("/sitemap.xml", "-> ORIGIN/moved.xml"),
        ("/moved.xml", &index(&["ORIGIN/1.xml", "ORIGIN/1.xml"])),
        ("/1.xml", &urlset(&listed)),
    ]);
    let directory = empty_directory("sitemaps-sites");
    let sitemap = site.url("/sitemap.xml");
    let said = test(&directory, &format!("--sitemap {sitemap} --crawler *")).quietly(1);
    let expected = format!(
        "fails  *: every URL in {sitemap} is allowed\n       2 of 4 URLs are disallowed: {} is disallowed by \
         line 2, Disallow: /cart; {} is disallowed by line 2, Disallow: /private\n1 claim holds, 1 does not: \
         the robots.txt of each site\n",
        site.url("/cart"),
        other.url("/private"),
    );
    assert_eq!(said, expected);
    let asked = |server: &Server| server.requests().len();
    assert_eq!((asked(&site), asked(&other)), (4, 1));
    // The local file is for the site that is named.
    fs::write(directory.join("robots.txt"), "User-agent: *\nAllow: /\n").unwrap();
    let named = format!("--sitemap {sitemap} --crawler * --site {}", other.url("/"));
    let said = test(&directory, &named).quietly(1);
    assert!(
        said.contains("1 of 4 URLs are disallowed: ") && said.contains("/cart"),
        "{said}"
    );
}

#[test]
fn what_cannot_be_read_is_not_decided() {
    let site = Server::of_pages(&[
        ("/loop", "-> ORIGIN/loop"),
        ("/mail", "-> mailto:a@example.com"),
    ]);
    let directory = empty_directory("sitemaps-unread");
    for (path, why) in [
        ("/absent.xml", "status 404"),
        ("/loop", "more than 5 redirects"),
        (
            "/mail",
            "status 302, a redirect that leads to no http or https URL",
        ),
    ] {
        let sitemap = site.url(path);
        let said = test(&directory, &format!("--sitemap {sitemap} --crawler *")).quietly(2);
        assert!(said.contains(&format!("{sitemap}: {why}\n")), "{said}");
        assert!(
            said.ends_with("0 claims hold, 2 do not: the robots.txt of each site\n"),
            "{said}"
        );
    }
    fs::write(directory.join("s.txt"), site.url("/x")).unwrap();
    fs::write(directory.join("robots.txt"), "").unwrap();
    // The guard refuses loopback unless it is allowed.
    for refused in [
        format!("test --no-store --sitemap {}", site.url("/absent.xml")),
        "test --no-store --sitemap s.txt --site https://example.com".to_owned(),
        format!(
            "diff robots.txt robots.txt --urls {}",
            site.url("/absent.xml")
        ),
    ] {
        let mut command = command();
        let command = command.current_dir(&directory).args(refused.split(' '));
        let said = run(command, "");
        assert_eq!(said.code, 2, "{refused}: {}", said.stderr);
        let help = "help: allow a private address with `--allow-address`, such as 127.0.0.0/8\n";
        let both = [&*said.stdout, &*said.stderr].concat();
        assert!(both.contains("loopback"), "{both}");
        assert_eq!(both.matches(help).count(), 1, "{refused}: {both}");
    }
    let said = test(&directory, "--sitemap nothing.xml").quietly(2);
    assert!(
        said.contains("cannot read `nothing.xml`: there is no such file"),
        "{said}"
    );
}

#[test]
fn mistakes_are_named() {
    let directory = empty_directory("sitemaps-mistakes");
    let sitemap =
        "<urlset><url><loc>no url</loc></url><url><loc>https://e.com/</loc></url></urlset>";
    fs::write(directory.join("s.xml"), sitemap).unwrap();
    fs::write(directory.join("page.html"), "<!doctype html><html>").unwrap();
    fs::write(directory.join("robots.txt"), "").unwrap();
    let said = test(&directory, "--sitemap s.xml --crawler *").quietly(1);
    assert!(
        said.contains("an entry is not an http or https URL\n"),
        "{said}"
    );
    let said = test(&directory, "--sitemap page.html --crawler *").quietly(2);
    assert!(
        said.contains("not a sitemap: the first element is `html`"),
        "{said}"
    );
    let said = test(&directory, "--sitemap ftp://example.com/s.xml").refused();
    assert!(said.contains("http:// or https://"), "{said}");
    let said = test(&directory, "--crawler googlebot").refused();
    assert!(said.contains("--sitemap"), "{said}");
    let said = test(&directory, "").refused();
    assert!(said.contains("robots.test.toml"), "{said}");
}
