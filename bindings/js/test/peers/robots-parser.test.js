// The drop-in against robots-parser: its own tests, which its npm package brings, and its answers to more questions.
// bindings/js/docs/robots-parser.md lists the tests that differ.

import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import robotsParser from "verger/robots-parser";

const require = createRequire(import.meta.url);
const peers = createRequire(new URL("../../peers/package.json", import.meta.url));
const required = require("verger/robots-parser");

/** What its tests use of chai. */
const expect = (actual) => ({
    to: {
        equal: (wanted) => assert.strictEqual(actual, wanted),
        eql: (wanted) => assert.deepStrictEqual(actual, wanted),
        be: { lessThan: (bound) => assert.ok(actual < bound) },
    },
});

/** Names of the tests of robots-parser that fail. */
function failingTests(parser) {
    const file = peers.resolve("robots-parser/test/Robots.js");
    const run = new Function("require", "describe", "it", readFileSync(file, "utf8"));
    const [failing, all] = [[], []];
    const it = (name, body) => {
        all.push(name);
        try {
            body();
        } catch (error) {
            assert.ok(error instanceof assert.AssertionError, error);
            failing.push(name);
        }
    };
    run((name) => (name === "chai" ? { expect } : parser), (_, body) => body(), it);
    return { failing, all };
}

/** The rows of the table in bindings/js/docs/robots-parser.md that name a test. */
function listed() {
    const page = readFileSync(new URL("../../docs/robots-parser.md", import.meta.url), "utf8");
    return [...page.matchAll(/^\| `(should [^`]+)` \|/gm)].map(([, name]) => name);
}

test("the tests of robots-parser fail where the page says so, and nowhere else", () => {
    for (const parser of [robotsParser, required]) {
        const { failing, all } = failingTests(parser);
        assert.equal(all.length, 41);
        assert.deepEqual(failing.sort(), listed().sort());
    }
});

const SITE = "http://a.example";

test("the other answers differ as the page says", () => {
    const peer = peers("robots-parser");
    // The rules, the path, the crawler, the answer of robots-parser and Verger's.
    const rows = [
        ["User-agent: a\nSitemap: /x\nUser-agent: b\nDisallow: /", "/x", "a", true, false],
        ["User-agent: *\nDisallow: /a[1]", "/a[1]", "a", true, false],
        ["User-agent: *\nDisallow: /a|b", "/a|b", "a", true, false],
        ["User-agent: *\nDisallow: /%61", "/a", "a", true, false],
        ["User-agent: *\nDisallow: /search?", "/search?", "a", true, false],
        ["User-agent: *\nDisallow: /", "/robots.txt", "a", false, true],
        ["User-agent: Foo Bar\nDisallow: /", "/x", "foo", true, false],
        ["User-agent: *\nDisallow: /a?b='c'", "/a?b='c'", "a", true, false],
        ["User-agent: *\nDisallow: /a\u00a0\n", "/a", "a", false, true],
        ["User-agent: *\u2028\nDisallow: /", "/x", "a", false, true],
        ["\ufeff\ufeffUser-agent: *\nDisallow: /", "/x", "a", false, true],
        ["User-agent: *\nDisallow: /a\0", "/a%00", "a", false, true],
        [`${"#".repeat(512_000)}\nUser-agent: *\nDisallow: /`, "/x", "a", false, true],
    ];
    for (const [rules, path, agent, theirs, ours] of rows) {
        const answers = [peer, robotsParser, required].map((parser) =>
            parser(`${SITE}/robots.txt`, rules).isAllowed(SITE + path, agent),
        );
        assert.deepEqual(answers, [theirs, ours, ours], rules.slice(-60));
    }
    const delays = [["-1", -1], ["+2", 2], ["1e3", 1000], ["0x10", 16], ["Infinity", Infinity], ["", 0], ["3\nCrawl-delay: 1", 1, 3]];
    for (const [value, theirs, ours] of delays) {
        const answers = [peer, robotsParser].map((parser) =>
            parser(`${SITE}/robots.txt`, `User-agent: *\nCrawl-delay: ${value}\nDisallow: /a`).getCrawlDelay("a"),
        );
        assert.deepEqual(answers, [theirs, ours], value);
    }
    assert.throws(() => peer("http://a b/", "").isAllowed("http://c d/"), TypeError);
    assert.equal(robotsParser("http://a b/", "").isAllowed("http://c d/"), undefined);
});

test("a crawler is asked about by its product token, whatever stands around it", () => {
    const robots = robotsParser(`${SITE}/robots.txt`, "User-agent: Foo\nDisallow: /a\nUser-agent: *\nDisallow: /b\n");
    for (const ua of ["Foo", "foo/1.0", " Foo / 2 ", "Foo Bar"]) {
        assert.equal(robots.isAllowed(`${SITE}/a`, ua), false, ua);
        assert.equal(robots.isAllowed(`${SITE}/b`, ua), true, ua);
    }
    for (const ua of [undefined, "", "*", "Bar", "(x)", "/1.0"]) {
        assert.equal(robots.isAllowed(`${SITE}/b`, ua), false, ua);
        assert.equal(robots.getMatchingLineNumber(`${SITE}/b`, ua), 4, ua);
    }
    assert.equal(robots.isExplicitlyDisallowed(`${SITE}/a`, "Foo"), true);
    assert.equal(robots.isExplicitlyDisallowed(`${SITE}/b`, "Bar"), false);
    assert.equal(robots.isExplicitlyDisallowed("http://b.example/b", "Bar"), true);
    const delayed = robotsParser(`${SITE}/robots.txt`, "User-agent: *\nDisallow: /b\nCrawl-delay: 5\n");
    assert.deepEqual([delayed.getCrawlDelay(null), delayed.getCrawlDelay()], [5, 5]);
    // What it replaces makes a text of it.
    assert.deepEqual([delayed.isAllowed(new URL(`${SITE}/b`)), delayed.getMatchingLineNumber(new URL(`${SITE}/b`))], [false, 2]);
    assert.deepEqual([delayed.isAllowed(undefined), delayed.isAllowed(null)], [undefined, undefined]);
});

test("the package for overrides is robots-parser to those who require it", (t) => {
    const folder = mkdtempSync(join(tmpdir(), "verger-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const root = fileURLToPath(new URL("../..", import.meta.url));
    mkdirSync(join(folder, "node_modules"));
    cpSync(join(root, "override"), join(folder, "node_modules/robots-parser"), { recursive: true });
    symlinkSync(root, join(folder, "node_modules/verger"));
    const parser = createRequire(join(folder, "index.js"))("robots-parser");
    assert.equal(parser, parser.default);
    assert.equal(parser(`${SITE}/robots.txt`, "User-agent: *\nDisallow: /a[").isAllowed(`${SITE}/a[`), false);
});

test("a relative URL, a fragment and userinfo are those of the site", () => {
    const robots = robotsParser("http://u:p@a.example/robots.txt", "User-agent: *\nDisallow: /a$\n");
    assert.equal(robots.isAllowed("http://a.example:80/a#b"), false);
    assert.equal(robots.isAllowed("http://x:y@a.example/a"), false);
    assert.equal(robots.isAllowed("https://a.example/a"), undefined);
    assert.equal(robots.isAllowed("/a"), undefined);
});

test("a URL is asked about as a client sends it, in the shortest way or not", () => {
    const paths = ["/a", "/a/./b", "/a/../b", "/a/%2e%2E/b", "/.well-known/x", "/a.html?b=c.d", "/a..b", "/a/..", "/a/.?x", "//a//b", "/a'b", "/a?b='c'",
        "/a b", "/\u00fc", "/a\\b", "/a?", "/%zz", "/a|b[c]^{d}", "/a;b=1,2&c=(d)*", "/a\tb", "/~a!$&()*+,;=:@"];
    for (const path of paths) {
        const sent = new URL(SITE + path).href.slice(SITE.length);
        const robots = robotsParser(`${SITE}/robots.txt`, `User-agent: *\nDisallow: ${sent.replace(/[*$]/g, (it) => `%${it.charCodeAt(0).toString(16)}`)}$\n`);
        assert.deepEqual([robots.isAllowed(SITE + path), robots.isAllowed(SITE + path), robots.isAllowed(`${SITE}${path}x`)], [false, false, true], path);
    }
    const sites = [["http://127.1", "http://127.0.0.1"], ["http://A.example", SITE], [`${SITE}:80`, SITE], ["http://a.example.", "http://a.example."], [SITE, "http://A.EXAMPLE"]];
    for (const [site, other] of sites) {
        const robots = robotsParser(`${site}/robots.txt`, "User-agent: *\nDisallow: /a");
        assert.deepEqual([robots.isAllowed(`${site}/a`), robots.isAllowed(`${other}/a`), robots.isAllowed("http://b.example/a")], [false, false, undefined], site);
    }
    assert.equal(robotsParser("https://xn--a.example/robots.txt", "").isAllowed("https://xn--a.example/"), undefined);
});

test("a body may be bytes, and nothing else is taken for an empty file", () => {
    const bytes = new TextEncoder().encode("User-agent: *\nDisallow: /a\nSitemap: https://a.example/s.xml\n");
    const robots = robotsParser(`${SITE}/robots.txt`, bytes);
    bytes.fill(0);
    assert.deepEqual([robots.isAllowed(`${SITE}/a`), robots.isAllowed(`${SITE}/a`), robots.getMatchingLineNumber(`${SITE}/a`)], [false, false, 2]);
    assert.deepEqual(robots.getSitemaps(), ["https://a.example/s.xml"]);
    assert.equal(robotsParser(`${SITE}/robots.txt`, null).isAllowed(`${SITE}/a`), true);
    assert.throws(() => robotsParser(`${SITE}/robots.txt`, Promise.resolve("")), { name: "ArgumentError", argument: "contents", message: /await/ });
});
