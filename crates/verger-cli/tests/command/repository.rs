//! Other files of a repository, which anyone who may change the repository can choose.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::verger::{Said, command, run};

/// Text that no output repeats, in a file outside the repository.
const SECRET: &str = "root:x:0:0";

/// Makes a repository in a directory of its own, next to a file with a secret.
fn repository(name: &str) -> PathBuf {
    let outside = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("repository-{name}"));
    let _ = fs::remove_dir_all(&outside);
    let directory = outside.join("here");
    fs::create_dir_all(&directory).unwrap();
    fs::write(outside.join("secret"), format!("{SECRET}\n[lint\n")).unwrap();
    fs::write(
        directory.join("robots.txt"),
        "User-agent: *\nDisallow: /a\n",
    )
    .unwrap();
    directory
}

fn said(directory: &Path, arguments: &str) -> Said {
    run(
        command()
            .current_dir(directory)
            .args(arguments.split_whitespace()),
        "",
    )
}

fn claims(directory: &Path, text: &str) {
    let text = text.replace('\'', "\"");
    fs::write(directory.join("robots.test.toml"), text).unwrap();
}

/// Asserts that it is refused with a message that contains this, and repeats nothing.
#[track_caller]
fn refused(said: &Said, expected: &str) {
    assert!(said.code == 2 && said.stderr.contains(expected), "{said:?}");
    assert!(!format!("{said:?}").contains("root:"), "{said:?}");
}

#[test]
fn what_a_repository_names_stays_in_its_directory() {
    let directory = repository("paths");
    let secret = directory.parent().unwrap().join("secret");
    symlink(&secret, directory.join("link.txt")).unwrap();
    symlink("..", directory.join("up")).unwrap();
    fs::create_dir(directory.join("sub")).unwrap();
    fs::write(directory.join("sub/list.txt"), "https://h.example/b\n").unwrap();
    symlink("sub/list.txt", directory.join("list.txt")).unwrap();
    let secret = secret.to_str().unwrap();
    for name in [
        secret,
        "../secret",
        "sub/../../secret",
        "link.txt",
        "up/secret",
    ] {
        claims(
            &directory,
            &format!("[[claim]]\ncrawlers = ['*']\nallowed_sitemaps = ['{name}']\n"),
        );
        refused(
            &said(&directory, "test"),
            "is not read because it is outside the directory of `robots.test.toml`",
        );
        claims(&directory, &format!("robots = '{name}'\n"));
        refused(
            &said(&directory, "test"),
            "is not read because it is outside the directory of `robots.test.toml`",
        );
    }
    for name in ["sub/list.txt", "./list.txt"] {
        let claim = format!("[[claim]]\ncrawlers = ['*']\nallowed_sitemaps = ['{name}']\n");
        claims(&directory, &claim);
        assert_eq!(said(&directory, "test").code, 0, "{name}");
    }
}

#[test]
fn settings_are_those_of_the_repository_and_are_not_repeated() {
    let directory = repository("settings");
    symlink("../secret", directory.join("verger.toml")).unwrap();
    refused(
        &said(&directory, "lint robots.txt"),
        "is outside the directory of `robots.txt`",
    );
    fs::remove_file(directory.join("verger.toml")).unwrap();
    fs::write(directory.join("verger.toml"), format!("[lint]\n{SECRET}\n")).unwrap();
    refused(
        &said(&directory, "lint robots.txt"),
        "`verger.toml`: line 2: ",
    );
    fs::write(directory.join("verger.toml"), "'root:x' = 1\n").unwrap();
    refused(
        &said(&directory, "lint robots.txt"),
        "line 1: unknown key\nhelp: use `lint`",
    );
    // Claims that are another file, and a sitemap that is none.
    fs::remove_file(directory.join("verger.toml")).unwrap();
    symlink("../secret", directory.join("robots.test.toml")).unwrap();
    refused(&said(&directory, "test"), "robots.test.toml: line 1: ");
    let said = said(
        &directory,
        "test --sitemap ../secret --site https://h.example",
    );
    assert!(!format!("{said:?}").contains("root:"), "{said:?}");
}

#[test]
fn fixes_are_not_written_through_a_link_out_of_the_directory() {
    let directory = repository("fixes");
    let outside = directory.parent().unwrap().join("outside.txt");
    let wrong = "User-agent: *\nDisalow: /a\n";
    fs::write(&outside, wrong).unwrap();
    fs::write(directory.join("within.txt"), wrong).unwrap();
    symlink("../outside.txt", directory.join("out.txt")).unwrap();
    symlink("within.txt", directory.join("in.txt")).unwrap();
    refused(
        &said(&directory, "lint --fix-all out.txt"),
        "outside its directory",
    );
    symlink("..", directory.join("public")).unwrap();
    refused(
        &said(&directory, "lint --fix-all public/outside.txt"),
        "a link out of the working directory",
    );
    let below = directory.join("public/outside.txt");
    refused(
        &said(&directory, &format!("lint --fix-all {}", below.display())),
        "a link out of the working directory",
    );
    assert_eq!(fs::read_to_string(&outside).unwrap(), wrong);
    said(&directory, "lint --fix-all in.txt");
    assert_ne!(
        fs::read_to_string(directory.join("within.txt")).unwrap(),
        wrong
    );
    assert!(directory.join("in.txt").is_symlink());
    // The working directory may be a link itself, and a path may begin above it.
    let linked = directory.parent().unwrap().join("linked");
    symlink(&directory, &linked).unwrap();
    fs::write(directory.join("within.txt"), wrong).unwrap();
    said(&linked, "lint --fix-all within.txt");
    let fixed = fs::read_to_string(directory.join("within.txt")).unwrap();
    assert_ne!(fixed, wrong);
    said(&linked, "lint --fix-all ../outside.txt");
    assert_ne!(fs::read_to_string(outside).unwrap(), wrong);
}

#[test]
fn what_does_not_end_is_not_read() {
    let directory = repository("devices");
    for (name, line, expected) in [
        ("verger.toml", "lint robots.txt", "is outside the directory"),
        ("robots.test.toml", "test", "it is not a regular file"),
    ] {
        let path = directory.join(name);
        symlink("/dev/zero", &path).unwrap();
        refused(&said(&directory, line), expected);
        fs::remove_file(&path).unwrap();
        // Nothing writes to it: opening it for reading would block.
        let made = std::process::Command::new("mkfifo")
            .arg(&path)
            .status()
            .unwrap();
        assert!(made.success());
        refused(&said(&directory, line), "it is not a regular file");
        fs::remove_file(&path).unwrap();
    }
    // Nor is a sitemap that claims name.
    let made = std::process::Command::new("mkfifo")
        .arg(directory.join("fifo"))
        .status();
    assert!(made.unwrap().success());
    claims(
        &directory,
        "[[claim]]\ncrawlers = ['*']\nallowed_sitemaps = ['fifo']\n",
    );
    let said_of_it = said(&directory, "test");
    assert!(
        said_of_it.code == 2 && said_of_it.stdout.contains("it is not a regular file"),
        "{said_of_it:?}"
    );
    symlink("/dev/zero", directory.join("endless.txt")).unwrap();
    for line in [
        "lint endless.txt",
        "parse endless.txt",
        "who endless.txt",
        "report -o x.html endless.txt",
    ] {
        refused(&said(&directory, line), "it is not a regular file");
    }
    claims(&directory, "robots = 'endless.txt'\n");
    refused(&said(&directory, "test"), "is outside the directory");
}
