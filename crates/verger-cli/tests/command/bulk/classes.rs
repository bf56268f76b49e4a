//! Classes of captures, of a store and of files, compared with `who`.

use std::collections::BTreeMap;
use std::fs;

use parquet::file::reader::{FileReader as _, SerializedFileReader};
use serde_json::Value;
use verger_crawlers::Registry;

use crate::bulk::check::{BODY, CRAWLERS, QUARTER, QUARTERS, START, folder, text, written_store};
use crate::narrow::assert_fits_narrow_screens;
use crate::verger::{json_lines, verger};

#[test]
fn classes_are_those_of_who_and_a_page_has_their_counts() {
    let folder = folder("classes");
    let bodies = [
        BODY,
        "User-agent: *\nDisallow: /\n",
        "",
        "User-agent: *\nDisallow: /*?\nAllow: /\n",
    ];
    for (nth, body) in bodies.iter().enumerate() {
        fs::write(folder.join(format!("{nth}.txt")), body).unwrap();
    }
    let page = text(&folder.join("../bulk-classes.html"));
    let directory = text(&folder);
    let arguments = [
        "bulk",
        "classes",
        "--quiet",
        "--robots-dir",
        &directory,
        "--report",
        &page,
    ];
    let said = verger(arguments.iter().chain(&CRAWLERS), "").quietly(0);
    let classes = json_lines(&said);
    let mut expected = Vec::new();
    for nth in 0..bodies.len() {
        let file = text(&folder.join(format!("{nth}.txt")));
        let who = ["who", "--format", "json", &file];
        expected.extend(json_lines(&verger(who.iter().chain(&CRAWLERS), "").stdout));
    }
    assert_eq!((classes.len(), expected.len()), (12, 12));
    for (class, who) in classes.iter().zip(&expected) {
        assert_eq!(class["crawler"], who["crawler"]);
        assert_is(class, who);
    }
    assert_eq!(classes[0]["allowed_line"], 3);
    let page = fs::read_to_string(page).unwrap();
    assert!(
        page.contains(
            "<td data-label=\"everything\" class=\"number\">1</td>\
             <td data-label=\"some\" class=\"number\">2</td><td data-label=\"nothing\" class=\"number\">1</td>\
             <td data-label=\"unknown\" class=\"number\">0</td></tr>"
        ),
        "{page}"
    );
    assert_fits_narrow_screens("classes", &page);
    assert!(page.contains("<svg ") && !page.contains("<script"));
    let legend = page.find("<ul class=\"legend\">").unwrap();
    assert!(
        legend < page.find("<svg class=\"bar\"").unwrap(),
        "the legend comes before the bars"
    );
    assert!(page.contains(" with <code>verger bulk classes --quiet --robots-dir "));
}

#[test]
fn a_page_has_no_rows_of_crawlers_that_are_not_disallowed_anything() {
    let folder = folder("classes-zeros");
    fs::write(folder.join("a.txt"), "User-agent: GPTBot\nDisallow: /\n").unwrap();
    let page = text(&folder.join("../classes-zeros.html"));
    let directory = text(&folder);
    let arguments = [
        "bulk",
        "classes",
        "--quiet",
        "--robots-dir",
        &directory,
        "--report",
        &page,
    ];
    verger(arguments, "").quietly(0);
    let page = fs::read_to_string(page).unwrap();
    let answer = "Everything is disallowed to gptbot by 1 of 1 body, and some URLs by 0.";
    assert!(page.contains(answer), "{page}");
    // All in use and the unnamed one, without GPTBot.
    let others = Registry::bundled().iter().filter(|it| !it.is_retired());
    let left_out = format!(
        "{} crawlers are not disallowed anything.</p>",
        others.count()
    );
    assert!(page.contains(&left_out), "{page}");
    for row in page
        .split("<tr>")
        .skip(1)
        .filter(|row| row.contains("<svg"))
    {
        assert!(row.starts_with("<th scope=\"row\">gptbot</th>"), "{row}");
    }
    assert!(page.len() < 40_000, "{} bytes", page.len());
}

/// Returns the answer of `who` for each crawler, by name.
fn by_crawler(said: &str) -> BTreeMap<String, Value> {
    let named = json_lines(said).into_iter().map(|row| {
        let name = row["crawler"].as_str().unwrap().to_owned();
        (name, row)
    });
    named.collect()
}

fn assert_as_who(class: &Value, who: &BTreeMap<String, Value>) {
    assert_is(class, &who[class["crawler"].as_str().unwrap()]);
}

/// The URLs are those of the authority, or of a file if there is none.
fn assert_is(class: &Value, who: &Value) {
    let site = class["authority"].as_str().unwrap_or("https://example.com");
    for key in ["allowed_url", "disallowed_url"] {
        let path = who[key].as_str().map(|url| {
            let path = url.splitn(4, '/').nth(3).unwrap();
            format!("{site}/{path}")
        });
        assert_eq!(class[key].as_str(), path.as_deref(), "{key} {class}");
    }
    assert_eq!(class["disallowed"], who["disallowed"], "{class}");
    assert_eq!(class["disallowed_line"], who["rule_line"], "{class}");
}

/// Checks every time of a store with changes of every kind, and each version at its own time.
#[test]
fn a_store_has_a_row_for_each_version_as_who_at_has() {
    let folder = folder("classes-store");
    let store = text(&written_store(&folder));
    let mut seen = std::collections::BTreeSet::new();
    for profile in ["rfc9309", "google"] {
        let settings = ["--store", &store, "--profile", profile];
        let classes = ["bulk", "classes", "--quiet"];
        let classes = classes.iter().chain(&settings).chain(&CRAWLERS);
        let as_who = |class: &Value, at: &str| {
            let site = format!("{}/", class["authority"].as_str().unwrap());
            let who = ["who", "--format", "json", "--at", at, &site];
            let who = verger(who.iter().chain(&settings).chain(&CRAWLERS), "");
            match class["stance"].as_str().unwrap() {
                stance @ ("closed" | "defer") => {
                    let said = match stance {
                        "closed" => "everything is disallowed",
                        _ => ": deferred by ",
                    };
                    assert!(who.stderr.contains(said), "{}", who.stderr);
                    assert_eq!(class["disallowed"], "everything");
                }
                _ => assert_as_who(class, &by_crawler(&who.stdout)),
            }
        };
        let versions = json_lines(&verger(classes.clone(), "").quietly(0));
        for version in versions.iter().step_by(3) {
            as_who(version, version["time"].as_str().unwrap());
            seen.insert(version["stance"].as_str().unwrap().to_owned());
            assert_eq!(version["profile"], profile);
            assert_eq!(version["capture_file"], Value::Null);
            assert_eq!(
                version["body_sha256"].is_null(),
                !version["stance"]
                    .as_str()
                    .is_some_and(|it| it == "rules" || it == "copy")
            );
        }
        for quarter in QUARTERS {
            let at = format!("@{}", START + quarter * QUARTER);
            let time = ["--at", at.as_str()];
            let in_force = classes.clone().chain(&time);
            for class in json_lines(&verger(in_force, "").quietly(0))
                .iter()
                .step_by(3)
            {
                as_who(class, &at);
                seen.insert(class["stance"].as_str().unwrap().to_owned());
            }
        }
    }
    assert_eq!(
        seen.into_iter().collect::<Vec<_>>(),
        ["closed", "copy", "defer", "open", "rules"]
    );
}

#[test]
fn versions_come_as_parquet_and_with_a_page_and_what_is_asked_about_before_any_is_said() {
    let folder = folder("classes-columns");
    let store = text(&written_store(&folder));
    let [columns, page] =
        ["versions.parquet", "versions.html"].map(|name| text(&folder.join(name)));
    let classes = ["bulk", "classes", "--store", &store, "-a", "GPTBot"];
    let said = verger(
        classes.iter().chain(&["-o", &columns, "--report", &page]),
        "",
    );
    assert_eq!((said.code, said.stdout.as_str()), (0, ""));
    let written = SerializedFileReader::new(fs::File::open(&columns).unwrap()).unwrap();
    let rows = written.metadata().file_metadata().num_rows();
    let expected = json_lines(&verger(classes.iter().chain(&["--quiet"]), "").quietly(0)).len();
    assert_eq!(rows, i64::try_from(expected).unwrap());
    assert!(
        said.stderr
            .starts_with(&format!("{rows} versions: for 1 crawler, ")),
        "{}",
        said.stderr
    );
    let page = fs::read_to_string(page).unwrap();
    assert!(
        page.contains(&format!(" of {rows} versions, and some URLs by ")),
        "{page}"
    );
    let before = format!("@{}", START - 1);
    let said = verger(classes.iter().chain(&["--at", &before]), "");
    assert_eq!((said.code, said.stdout.as_str()), (0, ""));
    assert!(
        said.stderr
            .contains("3 sites have no row: the store has nothing about them at that time"),
        "{}",
        said.stderr
    );
    let of_a_file = ["bulk", "classes", "--robots", "-", "--at", "yesterday"];
    let said = verger(of_a_file, "");
    assert_eq!(said.code, 2);
    assert!(
        said.stderr
            .contains("`--robots <FILE>` cannot be used with `--at <TIME>`"),
        "{}",
        said.stderr
    );
    let of_stdin = ["bulk", "classes", "--quiet", "--robots", "-"];
    let of_stdin = verger(of_stdin.iter().chain(&CRAWLERS), BODY).quietly(0);
    assert_eq!(json_lines(&of_stdin)[0]["disallowed_line"], 2);
}

#[test]
fn what_has_no_class_is_in_the_exit_code() {
    let folder = folder("undecided");
    let robots = folder.join("robots.txt");
    fs::write(&robots, "User-agent: *\nDisallow: /a*b\nAllow: /a*b*\n").unwrap();
    let robots = text(&robots);
    let run = ["bulk", "classes", "--quiet", "-a", "GPTBot"];
    let robots = ["--robots", &robots];
    let of_file = run.iter().chain(&robots);
    let said = |run, input: &str, code: i32, disallowed: Value| {
        let said = verger(run, input);
        assert_eq!(
            (said.code, &json_lines(&said.stdout)[0]["disallowed"]),
            (code, &disallowed)
        );
        said.stderr
    };
    let all: Vec<&&str> = of_file.clone().collect();
    said(all, "", 0, "nothing".into());
    let bounded = ["--max-states", "1"];
    said(of_file.chain(&bounded).collect(), "", 3, Value::Null);
    let list = "{\"authority\":\"https://a.example\",\"robots\":\"\"}\n{}\n";
    let bodies = ["--bodies", "-"];
    let of_list = run.iter().chain(&bodies).collect();
    let problem = said(of_list, list, 2, "nothing".into());
    assert!(
        problem.contains("standard input, line 2: there is no authority"),
        "{problem}"
    );
}
