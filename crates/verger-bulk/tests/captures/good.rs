//! Captures of every outcome, including redirects, and the positions of rows.

use verger_bulk::{CaptureReader, CaptureSettings};

use crate::warc::{gzip, member, ok, read, read_with, record, redirect, response};

const RULES: &str = "User-agent: *\nDisallow: /a\n";

#[test]
fn a_capture_is_a_row_with_its_place() {
    let url = "https://example.com/robots.txt";
    let file = gzip(&[
        record("warcinfo", "", "", b"software: x"),
        record("request", url, "", b"GET /robots.txt HTTP/1.1\r\n\r\n"),
        ok(url, RULES),
        record("metadata", url, "", b"a: b"),
        ok("https://example.com/", "<html>"),
    ]);
    let seen = read(&file);
    let [row] = &*seen.rows else {
        panic!("{:?}", seen.rows)
    };
    assert_eq!(row.authority.as_deref(), Some("https://example.com"));
    assert_eq!(
        (row.url.as_deref(), row.final_url.as_deref()),
        (Some(url), Some(url))
    );
    assert_eq!(row.time, Some(1_793_498_584_500_000));
    assert_eq!(row.outcome.as_deref(), Some("successful http 200"));
    assert_eq!((row.status, row.redirects), (Some(200), Some(0)));
    assert_eq!((&row.mark, &row.problem), (&None, &None));
    let every = [
        "rfc9309",
        "google",
        "draft2019",
        "koster1996",
        "cautious",
        "rep-lenient",
    ];
    let stance = row.stance.as_deref().unwrap();
    assert_eq!(stance.split(' ').count(), every.len());
    assert!(
        stance.split(' ').all(|stance| stance.ends_with("=rules")),
        "{stance}"
    );
    assert_eq!(row.body.as_deref(), Some(RULES.as_bytes()));
    assert_eq!(row.body_bytes, Some(27));
    let hash = verger_store::BodyHash::new(RULES.as_bytes()).to_string();
    assert_eq!(row.sha256, Some(hash));
    let offset = usize::try_from(row.offset).unwrap();
    let end = offset + usize::try_from(row.length.unwrap()).unwrap();
    assert_eq!(&file[offset..end], member(&ok(url, RULES)));
    let tally = seen.tally;
    let counts = (
        tally.records,
        tally.rows,
        tally.other_urls,
        tally.without_response,
    );
    assert_eq!(counts, (5, 1, 1, 3));
    assert_eq!(tally.outcomes["successful http 200"], 1);
}

#[test]
fn every_status_is_a_row_and_each_profile_judges_it() {
    let cases = [
        ("404 a", "error http 404", "rfc9309=open", None),
        ("503 a", "error http 503", "rfc9309=closed", None),
        ("403 a", "error http 403", "koster1996=closed", None),
        ("429 a", "error http 429", "draft2019=open", None),
        ("304 a", "redirect unasked-not-modified", "rfc9309=", None),
    ];
    for (status, outcome, stance, mark) in cases {
        let url = "http://a.example/robots.txt";
        let file = gzip(&[response(
            url,
            &format!("HTTP/1.1 {status}\r\n\r\nUser-agent: *"),
        )]);
        let seen = read(&file);
        let [row] = &*seen.rows else {
            panic!("{status}")
        };
        assert_eq!(row.outcome.as_deref(), Some(outcome));
        assert!(
            row.stance.as_ref().unwrap().contains(stance),
            "{:?}",
            row.stance
        );
        assert_eq!(row.mark.as_deref(), mark);
        assert_eq!((&row.body, &row.sha256), (&None, &None), "{status}");
    }
}

#[test]
fn a_page_is_marked() {
    let page = "<html><title>Sign in</title></html>";
    let seen = read(&gzip(&[ok("http://a.example/robots.txt", page)]));
    let row = &seen.rows[0];
    assert_eq!(row.outcome.as_deref(), Some("successful-page http 200"));
    assert_eq!(row.mark.as_deref(), Some("page"));
    assert_eq!(row.body.as_deref(), Some(page.as_bytes()));
}

#[test]
fn redirects_are_followed_to_records_before_and_after() {
    let target = "https://www.b.example/robots.txt";
    let file = gzip(&[
        redirect("http://b.example/robots.txt", target),
        ok(target, RULES),
        redirect("http://www.b.example/robots.txt", target),
        redirect("http://c.example/robots.txt", "/r"),
        ok("http://c.example/r", RULES),
    ]);
    let seen = read(&file);
    assert_eq!((seen.rows.len(), seen.tally.other_urls), (4, 1));
    for (at, redirects) in [(0, 1), (1, 0), (2, 1), (3, 1)] {
        let row = &seen.rows[at];
        assert_eq!(row.outcome.as_deref(), Some("successful http 200"));
        assert_eq!((row.redirects, row.mark.clone()), (Some(redirects), None));
        assert_eq!(row.sha256, seen.rows[0].sha256);
        assert_eq!(row.body.is_some(), at == 0, "once in the file");
        assert_eq!(row.body_bytes, Some(27));
    }
    assert_eq!(seen.rows[0].final_url.as_deref(), Some(target));
    assert_eq!(
        seen.rows[3].final_url.as_deref(),
        Some("http://c.example/r")
    );
}

#[test]
fn each_profile_has_its_own_rules_about_redirects() {
    let file = gzip(&[
        redirect(
            "https://d.example/robots.txt",
            "https://other.example/robots.txt",
        ),
        ok("https://other.example/robots.txt", RULES),
    ]);
    let row = &read(&file).rows[0];
    let stance = row.stance.as_deref().unwrap();
    assert!(
        stance.contains("rfc9309=rules") && stance.contains("cautious=closed"),
        "{stance}"
    );
    assert_eq!(row.body.as_deref(), Some(RULES.as_bytes()));
}

#[test]
fn a_redirect_without_its_target_is_marked() {
    let seen = read(&gzip(&[redirect(
        "https://d.example/robots.txt",
        "https://e.example/",
    )]));
    let row = &seen.rows[0];
    assert_eq!(row.mark.as_deref(), Some("redirect-without-target"));
    assert_eq!((&row.outcome, row.status), (&None, Some(301)));
    assert_eq!(
        (row.final_url.as_deref(), row.redirects),
        (Some("https://e.example/"), Some(1))
    );
    // A profile that rejects the redirect needs no target.
    let stance = row.stance.as_deref().unwrap();
    assert!(
        stance.contains("rfc9309=?") && stance.contains("cautious=closed"),
        "{stance}"
    );
    assert_eq!(seen.tally.outcomes["redirect-without-target"], 1);
}

#[test]
fn a_loop_ends() {
    let seen = read(&gzip(&[redirect(
        "https://d.example/robots.txt",
        "/robots.txt",
    )]));
    assert_eq!(seen.rows[0].outcome.as_deref(), Some("redirect loop"));
}

#[test]
fn of_several_captures_of_a_target_the_nearest_in_time_counts() {
    let at = |record: Vec<u8>, time: &str| {
        let text = String::from_utf8(record).unwrap();
        text.replace("2026-11-01T02:03:04.5Z", time).into_bytes()
    };
    let target = "http://g.example/r";
    let rules = |name: &str| ok(target, &format!("User-agent: {name}\nDisallow: /\n"));
    let file = gzip(&[
        at(rules("early"), "2026-11-01T00:00:00Z"),
        at(rules("late"), "2026-11-01T09:00:00Z"),
        at(
            redirect("http://g.example/robots.txt", "/r"),
            "2026-11-01T08:00:00Z",
        ),
        at(
            redirect("http://g.example/robots.txt", "/r"),
            "2026-11-01T01:00:00Z",
        ),
        at(
            redirect("http://g.example/robots.txt", "/r"),
            "2026-12-01T01:00:00Z",
        ),
    ]);
    let seen = read(&file);
    let body = |at: usize| String::from_utf8(seen.rows[at].body.clone().unwrap()).unwrap();
    assert!(body(0).contains("late") && body(1).contains("early"));
    assert_eq!(
        seen.rows[2].mark.as_deref(),
        Some("redirect-without-target")
    );
}

#[test]
fn a_target_outside_the_window_is_not_found() {
    let filler: Vec<_> = (0..100)
        .map(|at| ok(&format!("http://f{at}.example/robots.txt"), RULES))
        .collect();
    let mut records = vec![redirect("http://h.example/robots.txt", "/r")];
    records.extend(filler);
    records.push(ok("http://h.example/r", RULES));
    let mut small = CaptureSettings::default();
    small.window_bytes = 10_000;
    let seen = read_with(&gzip(&records), small);
    assert_eq!(
        seen.rows[0].mark.as_deref(),
        Some("redirect-without-target")
    );
    let seen = read(&gzip(&records));
    assert_eq!(seen.rows[0].outcome.as_deref(), Some("successful http 200"));
    assert_eq!(seen.rows.len(), 101);
}

#[test]
fn rows_do_not_depend_on_the_form_of_the_file() {
    let records = [
        redirect(
            "http://b.example/robots.txt",
            "https://b.example/robots.txt",
        ),
        ok("https://b.example/robots.txt", RULES),
        response("http://c.example/robots.txt", "HTTP/1.1 404 a\r\n\r\n"),
    ];
    let expected: Vec<_> = read(&gzip(&records)).rows;
    let plain = read(&records.concat()).rows;
    // Each record follows a skippable frame.
    let frame = |record: &Vec<u8>| zstd::bulk::compress(record, 1).unwrap();
    let skipped = b"\x50\x2A\x4D\x18\x03\0\0\0abc".as_slice();
    let frames = records
        .iter()
        .map(|record| [skipped, &frame(record)].concat());
    let frames: Vec<u8> = frames.flatten().collect();
    let zstandard = read(&frames).rows;
    let one_member = read(&member(&records.concat())).rows;
    assert_eq!(expected.len(), 3);
    for (other, has_lengths) in [(&plain, true), (&zstandard, true), (&one_member, false)] {
        assert_eq!(other.len(), 3);
        for (one, other) in expected.iter().zip(other) {
            let mut same = other.clone();
            (same.offset, same.length) = (one.offset, one.length);
            assert_eq!(*one, same);
            assert_eq!(
                other.length.is_some(),
                has_lengths || other == &one_member[2]
            );
        }
    }
    let lengths: Vec<i64> = plain.iter().filter_map(|row| row.length).collect();
    assert_eq!(plain[2].offset, lengths[0] + lengths[1]);
}

#[test]
fn batches_have_as_many_rows_as_asked_for() {
    let records: Vec<_> = (0..10)
        .map(|at| ok(&format!("http://f{at}.example/robots.txt"), RULES))
        .collect();
    let file = gzip(&records);
    let mut settings = CaptureSettings::default();
    settings.batch_rows = 4;
    let batches: Vec<usize> = verger_bulk::CaptureReader::new(&*file, "f", settings)
        .map(|batch| batch.unwrap().num_rows())
        .collect();
    assert_eq!(batches, [4, 4, 2]);
}

#[test]
fn an_ftp_transfer_is_a_capture() {
    let text = String::from_utf8(record(
        "resource",
        "ftp://f.example/robots.txt",
        "",
        RULES.as_bytes(),
    ));
    let text = text
        .unwrap()
        .replace("application/http; msgtype=resource", "text/plain");
    let row = &read(&gzip(&[text.into_bytes()])).rows[0];
    assert_eq!(row.outcome.as_deref(), Some("successful ftp 226"));
    assert_eq!(row.body.as_deref(), Some(RULES.as_bytes()));
}

/// Redirect targets also take memory.
#[test]
fn long_redirects_fill_the_window_and_a_batch() {
    let long = |nth: usize| {
        let to = format!("https://to-{nth}.example/{}", "x".repeat(100_000));
        redirect(&format!("https://from-{nth}.example/robots.txt"), &to)
    };
    let target = "https://target.example/robots.txt";
    let mut records = vec![redirect("https://a.example/robots.txt", target)];
    records.extend((0..10).map(long));
    records.push(ok(target, RULES));
    let file = gzip(&records);
    let settings = |window_bytes| {
        let mut settings = CaptureSettings::default();
        settings.window_bytes = window_bytes;
        settings.batch_bytes = 300_000;
        settings
    };
    let mark = |window_bytes| {
        read_with(&file, settings(window_bytes)).rows[0]
            .mark
            .clone()
    };
    assert_eq!(mark(4_000_000), None);
    assert_eq!(mark(1_000_000).as_deref(), Some("redirect-without-target"));
    let reader = CaptureReader::new(&*file, "a.warc.gz", settings(4_000_000));
    let rows = reader.map(|batch| batch.unwrap().num_rows());
    assert_eq!(rows.collect::<Vec<_>>(), [4, 3, 3, 2]);
}
