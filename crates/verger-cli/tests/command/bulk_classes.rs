//! Classes of captures, of a store and of bodies, held to `who`.

use std::collections::BTreeMap;
use std::fs;

use parquet::file::reader::{FileReader as _, SerializedFileReader};
use serde_json::Value;

use crate::bulk_check::{
    BODY, CRAWLERS, QUARTER, QUARTERS, START, folder, lines, text, written_store,
};
use crate::narrow::assert_fits_narrow_screens;
use crate::verger::verger;

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
    let classes = lines(&said);
    let mut expected = Vec::new();
    for nth in 0..bodies.len() {
        let file = text(&folder.join(format!("{nth}.txt")));
        let who = ["who", "--format", "json", &file];
        expected.extend(lines(&verger(who.iter().chain(&CRAWLERS), "").stdout));
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
            "<tr><th scope=\"row\">GPTBot</th><td data-label=\"everything\">1</td>\
             <td data-label=\"some\">2</td><td data-label=\"nothing\">1</td>\
             <td data-label=\"unknown\">0</td></tr>"
        ),
        "{page}"
    );
    assert_fits_narrow_screens("classes", &page);
    assert!(page.contains("<svg ") && !page.contains("<script"));
}

#[test]
fn a_capture_without_an_outcome_keeps_its_site_time_and_place() {
    let folder = folder("unusable");
    let http = "HTTP/1.1 302 Found\r\nLocation: https://b.example/robots.txt\r\n\r\n";
    let record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2026-10-01T00:00:00Z\r\n\
         WARC-Target-URI: https://a.example/robots.txt\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    );
    let warc = text(&folder.join("a.warc"));
    fs::write(&warc, &record).unwrap();
    let captures = text(&folder.join("a.parquet"));
    let written = ["bulk", "captures", "--quiet", &warc, "-o", &captures];
    verger(written, "").quietly(0);
    let classes = ["bulk", "classes", "--quiet", "--captures", &captures];
    let said = verger(classes.iter().chain(&CRAWLERS), "").quietly(3);
    let said = lines(&said);
    assert_eq!(said.len(), 3);
    for class in said {
        assert_eq!(class["authority"], "https://a.example");
        assert_eq!(class["time"], "2026-10-01T00:00:00Z");
        assert_eq!(class["capture_offset"], 0);
        assert!(class["capture_file"].as_str().unwrap().ends_with("a.warc"));
        assert_eq!(class["disallowed"], Value::Null);
        assert_eq!(class["stance"], Value::Null);
    }
}

/// What `who` says about each crawler, by its name.
fn by_crawler(said: &str) -> BTreeMap<String, Value> {
    let named = lines(said).into_iter().map(|row| {
        let name = row["crawler"].as_str().unwrap().to_owned();
        (name, row)
    });
    named.collect()
}

fn assert_as_who(class: &Value, who: &BTreeMap<String, Value>) {
    assert_is(class, &who[class["crawler"].as_str().unwrap()]);
}

/// The URLs are those of the authority, where there is one, and those of a file else.
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

/// Every time of a store with changes of every kind, and each version at its own time.
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
                "closed" | "defer" => {
                    assert!(
                        who.stderr.contains("everything is disallowed"),
                        "{}",
                        who.stderr
                    );
                    assert_eq!(class["disallowed"], "everything");
                }
                _ => assert_as_who(class, &by_crawler(&who.stdout)),
            }
        };
        let versions = lines(&verger(classes.clone(), "").quietly(0));
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
            for class in lines(&verger(in_force, "").quietly(0)).iter().step_by(3) {
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
    let expected = lines(&verger(classes.iter().chain(&["--quiet"]), "").quietly(0)).len();
    assert_eq!(rows, i64::try_from(expected).unwrap());
    assert!(
        said.stderr
            .starts_with(&format!("{rows} versions: for 1 crawler, ")),
        "{}",
        said.stderr
    );
    let page = fs::read_to_string(page).unwrap();
    assert!(
        page.contains(&format!("<p>{rows} versions of robots.txt.")),
        "{page}"
    );
    let before = format!("@{}", START - 1);
    let said = verger(classes.iter().chain(&["--at", &before]), "");
    assert_eq!((said.code, said.stdout.as_str()), (0, ""));
    assert!(
        said.stderr.contains(
            "3 authorities of the store without a row: nothing was known of them at that time"
        ),
        "{}",
        said.stderr
    );
    let of_a_file = ["bulk", "classes", "--robots", "-", "--at", "yesterday"];
    let said = verger(of_a_file, "");
    assert_eq!(said.code, 2);
    assert!(
        said.stderr
            .contains("'--robots <FILE>' cannot be used with '--at <TIME>'"),
        "{}",
        said.stderr
    );
    let of_stdin = ["bulk", "classes", "--quiet", "--robots", "-"];
    let of_stdin = verger(of_stdin.iter().chain(&CRAWLERS), BODY).quietly(0);
    assert_eq!(lines(&of_stdin)[0]["disallowed_line"], 2);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table, or one run after the other")]
fn a_list_of_bodies_has_a_row_for_each_authority_and_what_cannot_be_read_is_null() {
    let folder = folder("classes-bodies");
    let all = "User-agent: *\nDisallow: /\n";
    let (path, missing) = (
        text(&folder.join("all.txt")),
        text(&folder.join("none.txt")),
    );
    fs::write(&path, all).unwrap();
    let line = |authority: &str, key: &str, value: &str| {
        serde_json::json!({"authority": authority, key: value}).to_string() + "\n"
    };
    // Of two lines about one site, the last one is the one that `check` and `filter` answer by.
    let list = [
        line("https://a.example", "robots", all),
        line("https://b.example", "robots_path", &path),
        line("https://a.example:443/", "robots", BODY),
        line("https://c.example", "robots_path", &missing),
    ];
    let starts = [
        list[0].len(),
        list[0].len() + list[1].len(),
        list[..3].concat().len(),
    ];
    let name = text(&folder.join("bodies.jsonl"));
    fs::write(&name, list.concat()).unwrap();
    let classes = |list: &str, input: &str| {
        let classes = ["bulk", "classes", "--quiet", "--bodies", list];
        verger(classes.iter().chain(&CRAWLERS), input)
    };
    let said = classes(&name, "");
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("none.txt"), "{}", said.stderr);
    let rows = lines(&said.stdout);
    assert_eq!(rows.len(), 9);
    let authorities = [
        "https://b.example",
        "https://a.example",
        "https://c.example",
    ];
    for (nth, row) in rows.iter().enumerate() {
        assert_eq!(row["authority"], authorities[nth / 3]);
        assert_eq!(row["capture_file"].as_str(), Some(name.as_str()));
        assert_eq!(row["capture_offset"].as_u64(), Some(starts[nth / 3] as u64));
        for key in ["time", "profile", "stance"] {
            assert_eq!(row[key], Value::Null);
        }
        if nth >= 6 {
            assert_eq!(
                (&row["disallowed"], &row["body_sha256"]),
                (&Value::Null, &Value::Null)
            );
        }
    }
    for (nth, body) in [all, BODY].iter().enumerate() {
        let who = ["who", "--format", "json", "-"];
        let who = by_crawler(&verger(who.iter().chain(&CRAWLERS), body).stdout);
        rows[3 * nth..][..3]
            .iter()
            .for_each(|row| assert_as_who(row, &who));
    }
    // As standard input, and with a line that is no entry.
    let said = classes("-", &format!("{}{{}}\n", list[0]));
    assert_eq!(said.code, 2);
    assert!(
        said.stderr.contains("standard input, line 2: no authority"),
        "{}",
        said.stderr
    );
    let rows = lines(&said.stdout);
    assert_eq!(rows.len(), 3);
    assert_eq!(
        (&rows[0]["capture_file"], &rows[0]["capture_offset"]),
        (&"-".into(), &0.into())
    );
    assert_eq!(rows[0]["disallowed"], "everything");
}

#[test]
fn a_class_that_is_not_decided_is_null_and_the_exit_code_says_so() {
    let folder = folder("undecided");
    let robots = folder.join("robots.txt");
    fs::write(&robots, "User-agent: *\nDisallow: /a*b\nAllow: /a*b*\n").unwrap();
    let robots = text(&robots);
    let run = [
        "bulk", "classes", "--robots", &robots, "-a", "GPTBot", "--quiet",
    ];
    let said = verger(run, "");
    assert_eq!(
        (said.code, &lines(&said.stdout)[0]["disallowed"]),
        (0, &"nothing".into())
    );
    let said = verger(run.iter().chain(&["--max-states", "1"]), "");
    assert_eq!(
        (said.code, &lines(&said.stdout)[0]["disallowed"]),
        (3, &Value::Null)
    );
}
