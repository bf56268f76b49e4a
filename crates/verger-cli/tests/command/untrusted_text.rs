//! No file name, body, header, URL, crawler's name or log line controls a terminal, in any command and format.

use std::fs;
use std::path::{Path, PathBuf};

use crate::server::{Server, new_store};
use crate::verger::{Said, command, run};

/// Control characters, and characters that change the direction of text. No output has any of them.
const TEXT: &str = "\u{1b}[2J\u{9b}31m\u{85}\u{202e}\u{7f}\u{61c}\u{200f}\u{2066}\u{8}";

/// The characters that can be in lines which no dialect ignores.
const UNSEEN: &str = "\u{9b}31m\u{85}\u{202e}\u{7f}\u{61c}\u{200f}\u{2066}";

/// The same in a name, with characters that would start a new line.
const NAME: &str =
    "\u{1b}[2J\u{9b}31m\u{85}\u{202e}\u{7f}\u{61c}\u{200f}\u{2066}\u{8}\n::injected\r";

/// A placeholder for [`TEXT`] in files, and for [`NAME`] in arguments.
const MARK: &str = "§";

/// A placeholder for [`UNSEEN`] in files.
const UNSEEN_MARK: &str = "¤";

const BODY: &str = "User-agent: *\nDisallow: /§\nDisallow: /¤\nDisalow: /¤\nDisallow /¤\nsitemap: https://h.example/¤\n\
                    sitemap: ¤\nnonsense ¤\nHost: ¤\nCrawl-delay: ¤\nContent-Usage: ¤\nContent-Signal: ¤\n\
                    Clean-param: ¤\nNoindex: /¤\nAllow: ¤\nAllow: ¤/\nDisallow: /%zz¤#¤\nUser-agent: Foo¤\n\
                    Disallow: /b¤ /c§\nUser-agent: a¤b\n¤: /x\n§: /y\nUser-agent: GPTBot\nDisallow: /a¤\n\
                    Allow: /a¤b\nUser-agent: GPTBot # ¤\nDisallow: /x¤$/*¤\n";

const CLAIMS: &str = "robots = \"ok.txt\"\n[[claim]]\nwhy = \"§\"\ncrawlers = [\"GPTBot\", \"*\"]\n\
                      allowed = [\"https://h.example/x§\"]\ndisallowed_under = [\"/§\", \"/q\"]\n";

const LOG: &str = "192.0.2.1 - - [24/Nov/2026:00:00:00 +0000] \"GET /§ HTTP/1.1\" 200 1 \"-\" \"GPTBot/1.0 §\"\n\
                   192.0.2.1 - § [24/Nov/2026:00:00:01 +0000] \"GET /a§ HTTP/1.1\" 200 1 \"-\" \"Googlebot/2.1\"\n§\n";

/// Command lines: `F` is a robots.txt, `U` a list of URLs, `L` a log, `G` a site with good answers, `B` a site with
/// bad ones, and `S` the store with both.
const COMMANDS: &str = "
check --robots F -a GPTBot https://h.example/§
check --robots F -a GPTBot --explain https://h.example/§
check --robots F -a GPTBot --json https://h.example/§
check --robots F -a GPTBot --json --explain https://h.example/§
check --robots F -a GPTBot -a * --matrix https://h.example/§ https://h.example/b§
check --robots F -a GPTBot -a * --format csv https://h.example/§ https://h.example/b§
check --robots F -a § https://h.example/
check --robots F -d google -a § https://h.example/
check --robots F -d google -a § --json https://h.example/
check --robots F --token § https://h.example/
check --robots F --user-agent § --json https://h.example/
check --robots F --user-agent Googlebot/§ --explain https://h.example/
check --robots F -a GPTBot https://§/
check --robots no§file -a GPTBot https://h.example/
check --robots F -a GPTBot --urls U
check --robots F -a GPTBot --json --urls U
check --batch Q
check -a GPTBot G/§ --store S
check -a GPTBot --json G/§ --store S
check -a GPTBot --explain G/§ --store S
check -a GPTBot B/ --store S
check -a GPTBot --json B/ --store S
check -a GPTBot --offline --json G/§ --store S
check --robots F -d google -a GPTBot --explain https://h.example/a§
check --robots F -a GPTBot --explain https://h.example/a¤
check --robots F -a GPTBot --json --explain https://h.example/a¤b https://h.example/x¤
filter --robots F -a GPTBot --annotate --urls U
filter --robots F -d google -a GPTBot --annotate --urls U
filter --robots F -a GPTBot --json --urls U
filter --robots F -a GPTBot -a * --summary --annotate --urls U
filter --robots F -a § --annotate --urls U
filter --robots-dir § -a GPTBot --urls U
fetch G --store S
fetch G --json --store S
fetch B --store S
fetch B --json --store S
history G --store S
history G --json --store S
history G --diff --store S
history G --graph --store S
history B --json --store S
history --all --json --store S
lint F
lint F --format json
lint F --format sarif
lint F --format github
lint F --diff --fix-all
lint F --allow §
lint no§file
lint G --store S
lint G --format json --store S
lint G --format sarif --store S
lint G --format github --store S
lint B --format json --store S
lint F --config bad.toml
parse F
parse F -d google
parse F -d google --json
parse F -a GPTBot -d koster1996
parse F --json
parse F --report
parse F --report --json
parse F --check
parse F -a §
parse F --token Foo
report F -o page.html
report G -o page.html --store S
report F -o no§dir/page.html
robots F GPTBot§ /§
robots F
robots no§file GPTBot /
diff F ok.txt
diff F ok.txt --json
diff ok.txt F -a §
who F
who F --format json
who F --format csv
who F --format nginx
who F --format caddy
who F --format haproxy
who F -a Foo§
test
test --format json
test --format junit
test --format github
test --init F
test bad.toml
test no§file
test --sitemap U --crawler GPTBot --format json
test --sitemap U --crawler GPTBot --format github
add F -a § --disallow /x
add F -a GPTBot --disallow §
add F -a GPTBot --disallow /§ --write
watch --once --same-meaning-as ok.txt G --store S
watch --once --json --same-meaning-as ok.txt G --store S
audit --robots ok.txt L
audit --robots ok.txt L --format json
audit --robots ok.txt L --format csv
audit --robots ok.txt L --report page.html
audit --robots F no§file
bulk check U --robots F -a GPTBot --format jsonl
bulk check U --robots F -a § --format jsonl
bulk check no§file --robots F -a GPTBot --format jsonl
bulk classes --bodies no§file -a GPTBot --format jsonl
bulk captures no§file -o out.parquet
crawlers §
crawlers --operator § --json
clause §
store list --store S
store list --json --store S
store list --failing --store S
store stat --store S
store stat --json --check --store S
store export --store S
store export --authority https://§/ --store S
store import F --store S
store stat --store no§file
store stat --store F
";

/// Command lines that are usage errors.
const MISTAKES: &str = "
store export --authority https://§/ --store S
fetch https://§/ --store S
fetch h§ --store S
fetch http://h§/ --store S
history h§ --json --store S
watch --once h§ --store S
audit --robots F --site=h§ L
audit --robots F --site https://§/ L
audit --robots F L --log-format §
profiles §
completions §
man §
§
check --§
check --format=§ https://h.example/
lint F --format §
";

/// Returns the commands and the mistakes.
fn lines() -> impl Iterator<Item = &'static str> {
    let lines = COMMANDS.lines().chain(MISTAKES.lines());
    lines.filter(|line| !line.is_empty())
}

/// Returns the first bytes of an output that act on a terminal, with their context.
fn acting(output: &str) -> Option<String> {
    let acts = |(_, character): &(usize, char)| {
        matches!(character,
            '\u{0}'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
            | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let lines = output.replace("\r\n", "\n");
    let injected = lines.lines().find(|line| line.starts_with("::injected"));
    let found = lines.char_indices().find(acts);
    let found = found.or_else(|| Some((lines.find('\r')?, '\r')));
    let around = |at: usize| {
        let before: Vec<char> = lines[..at].chars().rev().take(60).collect();
        let before: String = before.into_iter().rev().collect();
        format!(
            "{before:?} {:?}",
            lines[at..].chars().take(40).collect::<String>()
        )
    };
    found
        .map(|(at, _)| around(at))
        .or_else(|| injected.map(str::to_owned))
}

fn hostile(text: &str) -> String {
    text.replace(MARK, TEXT).replace(UNSEEN_MARK, UNSEEN)
}

struct Place {
    directory: PathBuf,
    good: Server,
    bad: Server,
    store: PathBuf,
}

impl Place {
    fn new() -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("untrusted-text");
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).unwrap();
        let put = |name: &str, text: &str| {
            fs::write(directory.join(name), hostile(text)).unwrap();
        };
        put(&format!("robots{NAME}.txt"), BODY);
        put("ok.txt", &BODY.replace(['§', '¤'], "z"));
        put(
            "robots.test.toml",
            &CLAIMS.replace(MARK, "\\u001b\\u009b\\u202e"),
        );
        put("bad.toml", "[lint]\nallow = [\"§\"]\n");
        put(
            &format!("urls{NAME}.txt"),
            "https://h.example/§\nhttps://§/\n/§\n§\n",
        );
        put(&format!("log{NAME}.txt"), LOG);
        let question = "{\"id\":\"§\",\"robots\":\"User-agent: §\\nDisallow: /§\",\"agent\":\"x\",\"url\":\"/§\"}\n\
                        {\"robots\":\"\",\"agent\":\"§\",\"url\":\"§\"}\n{\"robots_path\":\"no§file\"}\n§\n";
        put("questions", question);
        let body = hostile(BODY);
        let good = move |head: &str| {
            let named = if head.contains("GPTBot") {
                "\u{9b}"
            } else {
                ""
            };
            let headers = "Content-Type: text/plain; x=\u{9b}\u{202e}\r\nETag: \"\u{9b}\u{202e}\"\r\n\
                           Server: \u{85}\r\nCache-Control: max-age=60, \u{9b}\r\n";
            crate::server::reply("200 OK", headers, &(body.clone() + named)).into_bytes()
        };
        let bad = |head: &str| {
            if head.contains("GET /robots.txt") {
                let status = format!("HTTP/1.1 302 {TEXT}\r\nLocation: /x{TEXT}\r\n");
                format!("{status}Content-Length: 0\r\n\r\n").into_bytes()
            } else {
                format!("HTTP/1.1 200 OK\r\nx{TEXT}: y\r\n\r\n").into_bytes()
            }
        };
        Self {
            directory,
            good: Server::answering(good),
            bad: Server::answering(bad),
            store: new_store("untrusted-text"),
        }
    }

    fn said(&self, line: &str) -> Said {
        let is_site = |word: &str| ["G", "B"].contains(&word.split('/').next().unwrap());
        let is_on_the_web = line.split_whitespace().any(is_site) && !line.starts_with("history");
        let argument = |word: &str| match word {
            "F" => format!("robots{NAME}.txt"),
            "U" => format!("urls{NAME}.txt"),
            "L" => format!("log{NAME}.txt"),
            "Q" => "questions".to_owned(),
            "S" => self.store.display().to_string(),
            word if word.starts_with("G/") || word == "G" => {
                self.good.url(&word[1..]).replace(MARK, NAME)
            }
            word if word.starts_with("B/") || word == "B" => self.bad.url(&word[1..]),
            word => word.replace(MARK, NAME).replace(UNSEEN_MARK, UNSEEN),
        };
        let mut command = command();
        command
            .current_dir(&self.directory)
            .args(line.split_whitespace().map(argument));
        if is_on_the_web {
            command.args(["--allow-address", "127.0.0.0/8"]);
        }
        run(&mut command, "")
    }
}

#[test]
fn no_text_of_others_acts_on_a_screen() {
    let place = Place::new();
    let mut wrong = Vec::new();
    for line in lines() {
        let _ = fs::remove_file(place.directory.join("page.html"));
        let said = place.said(line);
        assert!(!said.stderr.contains("panicked"), "{line}: {}", said.stderr);
        let is_mistake = [
            "invalid value",
            "missing argument",
            "unknown command",
            "unknown option",
            "unknown option",
            "neither a host nor a URL",
            "cannot be used with",
        ]
        .iter()
        .any(|mistake| said.stderr.contains(mistake));
        let is_expected = is_mistake == MISTAKES.lines().any(|it| it == line);
        assert!(
            is_expected || line.starts_with("man "),
            "{line}: {}",
            said.stderr
        );
        let page = fs::read_to_string(place.directory.join("page.html")).unwrap_or_default();
        assert_eq!(
            page.is_empty(),
            !line.contains(" page.html"),
            "{line}: {said:?}"
        );
        for (what, output) in [
            ("stdout", &said.stdout),
            ("stderr", &said.stderr),
            ("page", &page),
        ] {
            wrong.extend(acting(output).map(|at| format!("{line}: {what}: {at}")));
        }
        let said_something = !said.stdout.is_empty() || !said.stderr.is_empty() || !page.is_empty();
        if !said_something {
            wrong.push(format!("{line}: nothing is said"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "{}", wrong.join("\n"));
}
