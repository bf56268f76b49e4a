// What the package holds, and the contract of its objects.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import * as verger from "verger";
import * as owner from "verger/owner";

const ROBOTS = "User-agent: *\nDisallow: /private\nSitemap: https://h.example/s.xml\nCrawl-delay: 2\n";

for (const [name, most] of [["engine.wasm", 85_000], ["owner.wasm", 274_000], ["verger.wasm", 405_000]]) {
    test(`${name} has no imports and ${most} bytes at most with brotli`, () => {
        const bytes = readFileSync(new URL(`../wasm/${name}`, import.meta.url));
        assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(bytes)), []);
        const compressed = brotliCompressSync(bytes).length;
        assert.ok(compressed <= most, `${compressed}`);
    });
}

test("a known crawler is explained as its operator reads, unless a dialect is given", () => {
    const explained = (agent, reading) => owner.explain("User-agent: *\nDisalow: /a\n", agent, "/a", reading);
    const googlebot = owner.crawler("googlebot");
    for (const [agent, reading, dialect, allowed] of [
        [googlebot, {}, "google", false],
        [googlebot, { dialect: "rfc9309" }, "rfc9309", true],
        [owner.crawler("gptbot"), {}, "rfc9309", true],
        ["Googlebot", {}, "rfc9309", true],
    ]) {
        const answer = explained(agent, reading);
        assert.deepEqual([answer.dialect, answer.allowed], [dialect, allowed]);
    }
});

test("errors are classes, with the texts of the engine", () => {
    const call = (agent, url) => () => verger.allowed(ROBOTS, agent, url);
    assert.throws(call("Foo/1.0", "/"), { name: "ProductTokenError", likely: "Foo", message: "`Foo/1.0` is not a product token: use `Foo`" });
    assert.throws(call("Foo", "x"), verger.TargetError);
    assert.throws(() => verger.parse("", { dialect: "none" }), TypeError);
    assert.throws(() => verger.parse("", { options: ["none"] }), TypeError);
    assert.throws(call([], "/"), TypeError);
    assert.throws(() => verger.policy("", { tokens: ["a"], union: true }), verger.ArgumentError);
    assert.throws(() => owner.crawler("gptbto"), { name: "UnknownCrawlerError", message: /^unknown crawler `gptbto`\. Did you mean gptbot/ });
    assert.throws(() => owner.who("", { agents: ["@no-such-purpose"] }), verger.UnknownCrawlerError);
    assert.throws(() => owner.lint("", { settings: "x = [" }), verger.ArgumentError);
    assert.throws(() => owner.who("", { site: "x" }), verger.ArgumentError);
});

test("a body that is changed later changes nothing", () => {
    const body = new TextEncoder().encode(ROBOTS);
    const [robots, kept] = [verger.parse(body), verger.policy(body, "Foo")];
    body.fill(0);
    assert.equal(robots.allowed("/private", "Foo"), false);
    assert.deepEqual(robots.sitemaps, ["https://h.example/s.xml"]);
    assert.equal(kept.allowed("/private"), false);
    assert.equal(robots.explain("/private", "Foo").line, 2);
});

test("known crawlers are asked about as they are", () => {
    const adsbot = owner.crawler("adsbot-google");
    assert.equal(adsbot.star, "ignored");
    assert.equal(verger.allowed(ROBOTS, adsbot, "/private"), true);
    assert.equal(verger.allowed(ROBOTS, owner.crawler("gptbot"), "/private"), false);
    for (const { tokens, ...of } of [adsbot, { ...adsbot, tokens: ["AdsBot-Google", "ExampleBot"] }]) {
        const agent = { ...of, tokens };
        const robots = verger.parse(ROBOTS);
        for (const answer of [robots.explain("/private", agent), owner.explain(ROBOTS, agent, "/private")]) {
            assert.deepEqual([answer.allowed, answer.reason, answer.crawler.star], [true, "no-group", "ignored"]);
            assert.deepEqual([answer.candidates, answer.other_dialects], [[], []]);
        }
        assert.equal(robots.listing(agent).merged_group, null);
        assert.ok(robots.values(agent).every(({ kind }) => kind !== "crawl-delay"));
    }
    assert.ok(verger.parse(ROBOTS).values("gptbot").some(({ kind }) => kind === "crawl-delay"));
    assert.equal(owner.crawlers()[0].name, "googlebot");
    assert.equal(owner.crawlerOfHeader("Mozilla/5.0 (compatible; GPTBot/1.3)").name, "gptbot");
    assert.equal(owner.crawlerOfHeader("Mozilla/5.0"), undefined);
});

test("hosts are compared in ASCII, which the platform knows", () => {
    const body = (sitemap) => `User-agent: *\nDisallow: /a\nSitemap: ${sitemap}/s.xml\n`;
    const codes = (sitemap, site) => owner.lint(body(sitemap), { site }).findings.map(({ code }) => code);
    const hosts = ["https://b\u00fccher.example", "https://B\u00dcCHER.example", "https://xn--bcher-kva.example"];
    for (const host of hosts) {
        assert.deepEqual(hosts.map((site) => codes(host, site)), [[], [], []]);
        assert.deepEqual(codes(host, "https://example.com"), ["sitemap-elsewhere"]);
        assert.equal(owner.who("", { agents: ["gptbot"], site: host })[0].allowed_url, `${hosts[2]}/`);
    }
    assert.deepEqual(codes("https://b\u00fccher.example", "https://\uff11\uff12\uff17.1"), ["sitemap-elsewhere"]);
    for (const site of ["https://xn--a.example", "https://\u00fc\uff0f.example", "https://a b.example"]) {
        assert.throws(() => owner.who("", { site }), verger.ArgumentError, site);
    }
});

test("the engine refuses hosts that are none, as the command does, and asks the platform about those beyond ASCII", () => {
    const kept = verger.policy(ROBOTS, "Foo");
    const asks = [(url) => kept.allowed(url), (url) => verger.verdict(ROBOTS, "Foo", url).allowed];
    for (const ask of asks) {
        for (const host of ["b\u00fccher.example", "xn--bcher-kva.example", "B\u00dcCHER.example:8080", "u@\uff11.2"]) {
            assert.deepEqual([`http://${host}/a`, `http://${host}/private`].map(ask), [true, false], host);
        }
        for (const host of ["xn--a.example", "\u00fc\uff0f.example", "a b", "h:99999", "@", "[::1", "1.2.3.256"]) {
            assert.throws(() => ask(`http://${host}/a`), { name: "TargetError", message: /^`http:/ }, host);
            assert.equal(verger.allowed("", "Foo", `http://${host}/a`, { dialect: "google" }), true);
        }
        assert.equal(ask("/a b"), true);
        assert.throws(() => ask("foo:///a"), verger.TargetError);
    }
});

test("rules are added without a change for others, and claims hold a file to what it says", () => {
    const added = owner.add(ROBOTS, { agents: ["gptbot"], disallow: ["/"] });
    assert.equal(verger.allowed(added.body, "GPTBot", "/"), false);
    assert.equal(owner.diff(ROBOTS, added.body, { agents: ["bingbot", "*"] }).at(-1).same, true);
    assert.deepEqual(owner.add(added.body, { agents: ["gptbot"], disallow: ["/"] }).already, ["gptbot"]);
    const claims = owner.claims(added.body);
    const held = owner.test(added.body, claims);
    assert.ok(held.length > 2 && held.every(({ holds }) => holds), claims);
    assert.ok(owner.test(ROBOTS, claims).some(({ holds }) => holds === false));
});

test("a fix of a finding mends the file", () => {
    const body = "User-agent: *\nDissalow: /a\n";
    const [{ code, fix }] = owner.lint(body).findings;
    assert.equal(code, "misspelt-key");
    const [{ start, end, text }] = fix.edits;
    assert.equal(verger.allowed(body.slice(0, start) + text + body.slice(end), "Foo", "/a"), false);
});
