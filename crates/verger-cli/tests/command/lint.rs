//! Findings: for readers, as JSON, SARIF and annotations; fixes, settings, exit codes.

use std::fs;

use insta::assert_snapshot;
use serde_json::Value;

use crate::verger::{command, empty_directory, file, json_lines, run, verger, verger_on};

const SWALLOWED: &str = "User-agent: *\nCrawl-delay: 10\n\nUser-agent: GPTBot\nDisallow: /\n";

fn codes(document: &Value) -> Vec<&str> {
    let findings = document["findings"].as_array().unwrap().iter();
    findings.map(|it| it["code"].as_str().unwrap()).collect()
}

#[test]
fn readers_see_findings_beside_their_lines() {
    let body = "User-agent: *\r\nDisallow: caf\u{e9} \u{1b}[0m/\nCrawl-delay: 10\n\tAllow: /a # why\nUser-agent: GPTBot\n";
    let said = verger_on([SWALLOWED, body].concat(), "lint -");
    assert_eq!(said.code, 1);
    assert_snapshot!("lint", said.stdout);
}

#[test]
fn bytes_that_are_no_text_have_places_too() {
    for body in [
        &b"User-agent: \xE2\x82\nDisallow: \xff\xfe /(\xe9|b)\xe2\n"[..],
        b"\xEF\xBB\xBF\xE2\x82User-agent: *\xF0\x9F\nDisallow: /\xF0\x9F\x98\x80 x\n",
        b"\0\0<",
        b"User-agent: *\nDisallow: /\xE2\x82(a|b)\xE2",
        "\u{202e}Disalow: /\u{202e}(a|b)".as_bytes(),
    ] {
        for format in ["human", "json", "sarif", "github"] {
            let said = verger_on(body, &format!("lint - --format {format}"));
            assert!(said.code <= 1 && said.stderr.is_empty(), "{format}");
            assert!(format == "github" || !said.stdout.is_empty());
        }
    }
    let long = [
        &b"User-agent: *\nDisallow: /"[..],
        &b"\xc3\xa9".repeat(9_000),
        b" (a|b)$x",
    ]
    .concat();
    let said = verger_on(long, "lint -");
    assert_eq!((said.code, said.stderr.as_str()), (1, ""));
}

#[test]
fn fixes_that_are_left_are_said() {
    let body = format!("User-agent: *{}\n", " Disallow: /a/".repeat(4_000));
    let said = verger_on(body, "lint --fix-all -");
    assert_eq!(said.code, 1);
    assert_eq!(
        said.stderr,
        "warning: standard input: some fixes are left\nhelp: run the command again\n"
    );
    let said = verger_on(said.stdout, "lint --fix-all -");
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_not_fixed() {
    let fifo = empty_directory("lint-fifo").join("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    for command in [
        "lint --fix",
        "lint --fix-all",
        "add -a gptbot --disallow / --write",
    ] {
        let said = verger_on("", &format!("{command} {}", fifo.display()));
        assert_eq!(said.code, 2);
        assert!(
            said.stderr.ends_with("it is not a regular file\n"),
            "{}",
            said.stderr
        );
    }
}

#[test]
fn sarif_has_the_parts_that_the_standard_requires() {
    let path = file("lint sarif.txt", SWALLOWED);
    let path = path.file_name().unwrap().to_str().unwrap().to_owned();
    let said = verger(
        ["lint", "--format", "sarif", &path, "-"],
        "Dissallow: \u{e9}x\n",
    );
    assert_eq!(said.code, 1);
    let log: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(log["version"], "2.1.0");
    assert!(
        log["$schema"]
            .as_str()
            .unwrap()
            .ends_with("sarif-schema-2.1.0.json")
    );
    let [run] = log["runs"].as_array().unwrap().as_slice() else {
        panic!("{log}");
    };
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "verger");
    let rules: Vec<&str> = driver["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| {
            assert!(rule["shortDescription"]["text"].is_string());
            assert!(is_level(&rule["defaultConfiguration"]["level"]));
            rule["id"].as_str().unwrap()
        })
        .collect();
    let results = run["results"].as_array().unwrap();
    assert!(results.len() > 3);
    let mut fixes = 0;
    for result in results {
        assert!(rules.contains(&result["ruleId"].as_str().unwrap()));
        assert!(is_level(&result["level"]));
        assert!(result["message"]["text"].is_string());
        let locations = result["locations"].as_array().unwrap();
        assert_eq!(locations.len(), 1);
        let related = result["relatedLocations"].as_array().into_iter().flatten();
        for location in locations.iter().chain(related) {
            let place = &location["physicalLocation"];
            let uri = place["artifactLocation"]["uri"].as_str().unwrap();
            assert!(["lint%20sarif.txt", "-"].contains(&uri), "{uri}");
            assert_is_region(&place["region"]);
        }
        for fix in result["fixes"].as_array().into_iter().flatten() {
            fixes += 1;
            assert!(fix["description"]["text"].is_string());
            for change in fix["artifactChanges"].as_array().unwrap() {
                assert!(change["artifactLocation"]["uri"].is_string());
                for replacement in change["replacements"].as_array().unwrap() {
                    assert_is_region(&replacement["deletedRegion"]);
                    assert!(replacement["insertedContent"]["text"].is_string());
                }
            }
        }
    }
    assert!(fixes > 0);
}

fn is_level(level: &Value) -> bool {
    ["note", "warning", "error"].iter().any(|it| level == it)
}

fn assert_is_region(region: &Value) {
    let part = |name: &str| region[name].as_u64().unwrap();
    assert!(part("startLine") >= 1 && part("startColumn") >= 1);
    let start = (part("startLine"), part("startColumn"));
    assert!(start <= (part("endLine"), part("endColumn")), "{region}");
}

#[test]
fn annotations_are_commands_of_a_workflow() {
    let said = verger_on("User-agent: *\nDisalow: /a%\n", "lint --format github -");
    let command = "::warning file=-,line=2,endLine=2,col=1,endColumn=8,title=misspelt-key::Google reads `Disalow`";
    assert!(
        said.stdout.lines().any(|line| line.starts_with(command)),
        "{}",
        said.stdout
    );
    assert!(
        said.stdout.lines().all(|line| line.starts_with("::")),
        "{}",
        said.stdout
    );
}

#[test]
fn the_exit_code_is_that_of_the_severities() {
    let note = "User-agent: GPTBot\nUser-agent: gptbot\nDisallow: /private\n";
    for (arguments, code) in [
        ("lint -", 0),
        ("lint - --fail-on note", 1),
        ("lint - --fail-on error", 0),
        ("lint - --deny repeated-agent --fail-on error", 1),
        ("lint - --warn repeated-agent", 1),
        ("lint - --allow repeated-agent --fail-on note", 0),
        ("lint absent-for-lint.txt", 2),
        ("lint - --allow no-such-lint", 2),
    ] {
        assert_eq!(verger_on(note, arguments).code, code, "{arguments}");
    }
    assert_eq!(
        verger_on("User-agent: *\nDisallow:\n", "lint -").stdout,
        "standard input: nothing found\n"
    );
}

#[test]
fn files_are_fixed_in_place() {
    let directory = empty_directory("lint-fixes");
    let path = directory.join("robots.txt");
    let body = "User-agent: FooBot/2.0\nDisallow: /a\nDisallow: /a\n";
    fs::write(&path, body).unwrap();
    let path_text = path.to_str().unwrap();
    let shown = verger(["lint", "--diff", path_text], "");
    assert_eq!(shown.code, 1);
    assert!(
        shown
            .stdout
            .contains("-User-agent: FooBot/2.0\n-Disallow: /a\n+User-agent: FooBot\n"),
        "{}",
        shown.stdout
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), body);
    let said = verger(["lint", "--fix", path_text], "");
    assert_eq!(said.code, 0, "{}", said.stdout);
    assert!(
        said.stderr.ends_with("2 fixes written\n"),
        "{}",
        said.stderr
    );
    let fixed = "User-agent: FooBot\nDisallow: /a\n";
    assert_eq!(fs::read_to_string(&path).unwrap(), fixed);
    assert_eq!(verger(["lint", "--fix", path_text], "").stderr, "");
    assert_eq!(verger(["lint", "--diff", path_text], "").quietly(0), "");
    assert_eq!(verger_on(body, "lint --fix -").quietly(0), fixed);
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
}

#[test]
fn what_is_left_of_an_interrupted_run_is_removed() {
    let directory = empty_directory("lint-left-over");
    let path = directory.join("robots.txt");
    fs::write(&path, "User-agent: FooBot/2.0\nDisallow: /a\n").unwrap();
    for name in ["robots.txt.verger-new", ".robots.txt.x7Qk2p.verger-new"] {
        fs::write(directory.join(name), "half").unwrap();
    }
    let said = verger(["lint", "--fix", path.to_str().unwrap()], "");
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_fix_is_not_written_through_a_link_out_of_the_directory() {
    let directory = empty_directory("lint-link");
    fs::create_dir(directory.join("site")).unwrap();
    let body = "User-agent: FooBot/2.0\nDisallow: /a\n";
    fs::write(directory.join("other.txt"), body).unwrap();
    let path = directory.join("site/robots.txt");
    std::os::unix::fs::symlink("../other.txt", &path).unwrap();
    let said = verger(["lint", "--fix", path.to_str().unwrap()], "");
    assert_eq!(said.code, 2);
    let expected = "it is a link to a file outside its directory\nhelp: name that file instead";
    assert!(said.stderr.contains(expected), "{}", said.stderr);
    assert_eq!(
        fs::read_to_string(directory.join("other.txt")).unwrap(),
        body
    );
}

#[test]
fn a_fix_that_changes_the_meaning_is_put_in_on_demand_only() {
    assert_eq!(verger_on(SWALLOWED, "lint --fix -").quietly(0), SWALLOWED);
    let expected = "User-agent: *\nDisallow:\nCrawl-delay: 10\n\nUser-agent: GPTBot\nDisallow: /\n";
    assert_eq!(
        verger_on(SWALLOWED, "lint --fix-all -").quietly(0),
        expected
    );
    let without = "lint --fix-all --allow group-swallows-group -";
    assert_eq!(verger_on(SWALLOWED, without).quietly(0), SWALLOWED);
}

#[test]
fn settings_are_beside_the_file_or_given() {
    let directory = empty_directory("lint-settings");
    let path = directory.join("robots.txt");
    fs::write(&path, "User-agent: *\nDisallow: /\n").unwrap();
    let path = path.to_str().unwrap();
    let settings = directory.join("verger.toml");
    let everything = "everything-disallowed-for-search";
    assert_eq!(verger(["lint", path], "").code, 1);
    fs::write(&settings, format!("[lint]\nallow = [\"{everything}\"]\n")).unwrap();
    assert_eq!(verger(["lint", path], "").code, 0);
    assert_eq!(verger(["lint", "--deny", everything, path], "").code, 1);
    fs::write(
        &settings,
        format!("[lint]\ndeny = [\"{everything}\"]\nfail-on = \"error\"\n"),
    )
    .unwrap();
    let said = verger(["lint", "--format", "json", path], "");
    assert_eq!(said.code, 1);
    assert!(codes(&json_lines(&said.stdout)[0]).contains(&everything));
    fs::write(&settings, "[lint]\nfail-on = \"never\"\n").unwrap();
    let said = verger(["lint", path], "");
    assert_eq!(said.code, 2);
    assert!(
        said.stderr.contains("cannot use the settings in"),
        "{}",
        said.stderr
    );
    let other = file(
        "lint-other.toml",
        format!("[lint]\nnote = [\"{everything}\"]\n"),
    );
    assert_eq!(
        verger(["lint", "--config", other.to_str().unwrap(), path], "").code,
        0
    );
    let said = verger(["lint", "--config", "no-such.toml", path], "");
    assert_eq!(said.code, 2);
    assert!(
        said.stderr.contains("there is no such file"),
        "{}",
        said.stderr
    );
}

#[test]
fn a_lint_is_explained_and_all_are_listed() {
    let page = verger(["lint", "--explain", "inner-dollar"], "").quietly(0);
    assert!(page.starts_with("## `inner-dollar`\n\nWarning: "), "{page}");
    let said = verger(["lint", "--explain", "dollar"], "");
    assert_eq!(said.code, 2);
    assert!(
        said.stderr.contains("did you mean `inner-dollar`?"),
        "{}",
        said.stderr
    );
    let list = verger(["lint", "--list"], "").quietly(0);
    let json = verger(["lint", "--list", "--format", "json"], "").quietly(0);
    assert_eq!(list.lines().count(), json.lines().count());
    for shape in json_lines(&json) {
        assert_eq!(shape["schema"], "verger.lint-list/1");
        assert!(list.contains(shape["code"].as_str().unwrap()));
    }
}

#[test]
fn many_findings_of_one_lint_are_counted() {
    let groups = (0..50).map(|n| format!("User-agent: n{n}\nDisallow: /a\n"));
    let groups: String = groups.collect();
    let said = verger_on(groups.repeat(2), "lint -");
    let shown = said.stdout.matches("note[repeated-group]").count();
    assert_eq!(shown, 20);
    assert!(
        said.stdout.contains("30 more of repeated-group"),
        "{}",
        said.stdout
    );
}

#[test]
fn one_mistake_in_many_lines_is_one_finding() {
    let body = format!("User-agent: *\n{}", "Disallow: pages\n".repeat(50));
    let said = verger_on(&body, "lint -");
    let shown = said.stdout.matches("error[missing-leading-slash]").count();
    assert_eq!(shown, 1);
    assert!(
        said.stdout.contains("also in lines 3-51"),
        "{}",
        said.stdout
    );
}

#[test]
fn colours_are_for_terminals() {
    let said = run(command().args(["lint", "-"]), SWALLOWED);
    assert!(!said.stdout.contains('\u{1b}'));
    let said = run(
        command().args(["lint", "--color", "always", "-"]),
        SWALLOWED,
    );
    assert!(said.stdout.contains("\u{1b}["));
}
