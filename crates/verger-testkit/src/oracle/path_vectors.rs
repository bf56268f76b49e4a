use super::Oracle;
use crate::subject::{DialectName, Question, Subject};

fn path_matches(dialect: DialectName, path: &str, target: &str) -> bool {
    let robots = format!("User-agent: x\nDisallow: {path}\n");
    let question = Question {
        dialect,
        robots: robots.as_bytes(),
        agents: &["x".to_owned()],
        url: target.as_bytes(),
    };
    let answer = Oracle.answer(&question).expect("a request target");
    !answer.allowed
}

/// Rule path, target, and whether they match in `rfc9309` (and `draft2019`), `google` and
/// `koster1996`.
type PathVector = (&'static str, &'static str, [bool; 3]);

fn assert_path_vectors(vectors: &[PathVector]) {
    for &(path, target, [rfc9309, google, koster1996]) in vectors {
        let expected = [rfc9309, google, rfc9309, koster1996];
        let actual = DialectName::ALL.map(|dialect| path_matches(dialect, path, target));
        assert_eq!(actual, expected, "{path} ~ {target}");
    }
}

#[test]
fn path_vectors_of_the_encoding_table() {
    assert_path_vectors(&[
        ("/den/cat?age=old", "/den/cat?age=old", [true, true, true]),
        (
            "/den/cat?age=http://den.cat",
            "/den/cat?age=http%3A%2F%2Fden.cat",
            [true, false, false],
        ),
        (
            "/den/cat?age=http%3A%2F%2Fden.cat",
            "/den/cat?age=http://den.cat",
            [true, false, false],
        ),
        (
            "/den/cat?age=http://den.cat",
            "/den/cat?age=http://den.cat",
            [true, true, true],
        ),
        (
            "/den/cat?age=http%3a%2f%2fden.cat",
            "/den/cat?age=http%3A%2F%2Fden.cat",
            [true, true, true],
        ),
        ("/den/cat/ツ", "/den/cat/%E3%83%84", [true, true, true]),
        ("/den/cat/ツ", "/den/cat/ツ", [true, false, true]),
        (
            "/den/cat/%E3%83%84",
            "/den/cat/%E3%83%84",
            [true, true, true],
        ),
        (
            "/den/cat/%e3%83%84",
            "/den/cat/%E3%83%84",
            [true, true, true],
        ),
        ("/den/cat/%E3%83%84", "/den/cat/ツ", [true, false, true]),
        ("/den/cat/%61%67%65", "/den/cat/age", [true, false, true]),
        ("/den/cat/age", "/den/cat/%61%67%65", [true, false, true]),
        (
            "/den/cat/%61%67%65",
            "/den/cat/%61%67%65",
            [true, true, true],
        ),
    ]);
}

#[test]
fn path_vectors_of_the_special_characters() {
    assert_path_vectors(&[
        (
            "/path/note-with-a-%2A.html",
            "/path/note-with-a-*.html",
            [true, false, true],
        ),
        (
            "/path/note-with-a-%2a.html",
            "/path/note-with-a-%2A.html",
            [true, true, true],
        ),
        (
            "/path/note-with-a-%2A.html",
            "/path/note-with-a-den.html",
            [false, false, false],
        ),
        (
            "/path/note-with-a-*.html",
            "/path/note-with-a-den.html",
            [true, true, false],
        ),
        ("/path/den-%24", "/path/den-$", [true, false, true]),
        ("/path/den-%24", "/path/den-%24", [true, true, true]),
        ("/path/den-%24", "/path/den-", [false, false, false]),
        ("/path/den-$", "/path/den-$", [false, false, true]),
        ("/path/den-$x", "/path/den-$x", [true, true, true]),
        ("*.gif$", "/a.gif", [true, true, false]),
        ("*.gif$", "/a.gif?x", [false, false, false]),
        ("foo", "/foo", [false, false, false]),
        ("$", "/", [false, false, false]),
        ("*", "/x", [true, true, false]),
        ("/ab*ab$", "/ab", [false, false, false]),
        ("/a*b$", "/abbb", [true, true, false]),
    ]);
}

#[test]
fn path_vectors_of_the_path() {
    assert_path_vectors(&[
        ("/a%2fb.html", "/a%2Fb.html", [true, true, true]),
        ("/a%2fb.html", "/a/b.html", [false, false, false]),
        ("/a/b.html", "/a%2fb.html", [false, false, false]),
        ("/~joe/", "/%7Ejoe/", [true, false, true]),
        ("/a%3cd", "/a%3Cd", [true, true, true]),
        ("/a<d", "/a%3Cd", [true, false, true]),
        ("/a:b", "/a%3Ab", [true, false, true]),
        ("/a;b,c", "/a%3Bb%2Cc", [true, false, true]),
        ("/a=b", "/a%3Db", [true, false, true]),
        ("/100%", "/100%25", [true, true, true]),
        ("/%2562", "/b", [false, false, false]),
        ("/a%4", "/a%41", [false, true, false]),
        ("/a b", "/a%20b", [true, false, true]),
        ("/a?b", "/a%3Fb", [false, false, false]),
        ("/a%3Fb", "/a?b", [false, false, false]),
        ("/*%2F*", "/path/index.html", [false, false, false]),
        ("/*%2F*", "/9%2F11", [true, true, false]),
    ]);
}

#[test]
fn path_vectors_of_the_query() {
    assert_path_vectors(&[
        ("/x?a=b", "/x?a%3Db", [false, false, true]),
        ("/x?a%3Db", "/x?a%3Db", [true, true, true]),
        ("/x?a&b", "/x?a%26b", [false, false, true]),
        ("/x?u=/y", "/x?u=%2Fy", [true, false, false]),
        ("/x?u=a?b", "/x?u=a%3Fb", [true, false, true]),
        ("/x?q=c++", "/x?q=c%2B%2B", [true, false, true]),
        ("/*%2F*", "/q?u=/x", [true, false, false]),
        ("/*.php/", "/index?f=filename.php/", [true, true, false]),
        ("/*.php/", "/index?f=filename.php%2F", [true, false, false]),
        ("/*?*x=", "/a?y&x=1", [true, true, false]),
        ("/*=1", "/a/b=1", [true, true, false]),
        ("/q?*t=a%2Fb", "/q?t=a/b", [true, false, false]),
    ]);
}

#[test]
fn the_table_of_1996_holds_in_1996_and_in_the_rfc() {
    let rows = [
        ("/tmp", "/tmp", true),
        ("/tmp", "/tmp.html", true),
        ("/tmp", "/tmp/a.html", true),
        ("/tmp/", "/tmp", false),
        ("/tmp/", "/tmp/", true),
        ("/tmp/", "/tmp/a.html", true),
        ("/a%3cd.html", "/a%3cd.html", true),
        ("/a%3Cd.html", "/a%3cd.html", true),
        ("/a%3cd.html", "/a%3Cd.html", true),
        ("/a%2fb.html", "/a%2fb.html", true),
        ("/a%2fb.html", "/a%2Fb.html", true),
        ("/a%2fb.html", "/a/b.html", false),
        ("/%7ejoe/index.html", "/~joe/index.html", true),
        ("/~joe/index.html", "/%7Ejoe/index.html", true),
    ];
    for (path, target, expected) in rows {
        for dialect in [
            DialectName::Koster1996,
            DialectName::Rfc9309,
            DialectName::Draft2019,
        ] {
            assert_eq!(
                path_matches(dialect, path, target),
                expected,
                "{path} ~ {target}"
            );
        }
    }
}

#[test]
fn the_tables_of_google_hold_wherever_there_are_wildcards() {
    let rows: [(&str, &str, &str); 6] = [
        (
            "/fish",
            "/fish /fish.html /fish/salmon.html /fishheads /fish.php?id=anything",
            "/Fish.asp /catfish /?id=fish /desert/fish",
        ),
        (
            "/fish*",
            "/fish /fish.html /fishheads/yummy.html",
            "/Fish.asp /catfish /?id=fish",
        ),
        (
            "/fish/",
            "/fish/ /fish/?id=anything",
            "/fish /fish.html /animals/fish/",
        ),
        (
            "/*.php",
            "/folder/filename.php?parameters /filename.php/",
            "/ /windows.PHP",
        ),
        (
            "/*.php$",
            "/filename.php",
            "/filename.php?parameters /filename.php/ /filename.php5",
        ),
        (
            "/fish*.php",
            "/fish.php /fishheads/catfish.php?parameters",
            "/Fish.PHP",
        ),
    ];
    for dialect in [
        DialectName::Rfc9309,
        DialectName::Google,
        DialectName::Draft2019,
    ] {
        for (path, matching, other) in rows {
            for target in matching.split(' ') {
                assert!(path_matches(dialect, path, target), "{path} ~ {target}");
            }
            for target in other.split(' ') {
                assert!(!path_matches(dialect, path, target), "{path} ~ {target}");
            }
        }
    }
}
