// What the package holds, and the contract of its objects.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { inspect } from "node:util";
import { brotliCompressSync } from "node:zlib";
import * as verger from "verger";
import * as owner from "verger/owner";

const ROBOTS = "User-agent: *\nDisallow: /private\nSitemap: https://h.example/s.xml\nCrawl-delay: 2\n";

// The compiler orders functions by hashes that depend on the path of the checkout. In five checkouts the sizes of a
// module differed by up to 740 bytes, and the limits leave room for twice that.
for (const [name, most] of [["engine.wasm", 85_000], ["owner.wasm", 319_500], ["verger.wasm", 465_500]]) {
    test(`${name} has no imports and ${most} bytes at most with brotli`, () => {
        const bytes = readFileSync(new URL(`../wasm/${name}`, import.meta.url));
        assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(bytes)), []);
        const compressed = brotliCompressSync(bytes).length;
        assert.ok(compressed <= most, `${compressed}`);
    });
}

test("each built file has a source, so no other file is published", () => {
    const files = (folder, end) => {
        const names = readdirSync(new URL(`../${folder}/`, import.meta.url), { recursive: true });
        return names.filter((name) => name.endsWith(end) && !name.endsWith(".d.ts")).map((name) => name.slice(0, -end.length)).sort();
    };
    assert.deepEqual(files("dist", ".js"), files("src", ".ts"));
});

test("a known crawler is explained as its operator reads, unless a dialect is given", () => {
    const explained = (agent, reading) => owner.explain("User-agent: *\nDisalow: /a\n", "/a", agent, reading);
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
    const call = (agent, url) => () => verger.allowed(ROBOTS, url, agent);
    assert.throws(call("Foo/1.0", "/"), { name: "ProductTokenError", likely: "Foo", message: "`Foo/1.0` is not a product token: use `Foo`" });
    assert.throws(call("Foo", "x"), verger.TargetError);
    assert.throws(() => verger.parse("", { dialect: "none" }), verger.ArgumentError);
    assert.throws(() => verger.parse("", { options: ["none"] }), verger.ArgumentError);
    assert.throws(call([], "/"), verger.ArgumentError);
    assert.throws(() => verger.policy("", { tokens: ["a"], union: true }), verger.ArgumentError);
    assert.throws(() => owner.crawler("gptbto"), { name: "UnknownCrawlerError", message: /^unknown crawler `gptbto`\. Did you mean gptbot/ });
    assert.throws(() => owner.who("", { agents: ["@ai-trian"] }), {
        name: "UnknownCrawlerError",
        message: /^`@ai-trian` is neither a purpose nor an operator: .*; did you mean `@ai-train`\?$/,
    });
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
    assert.equal(verger.allowed(ROBOTS, "/private", adsbot), true);
    assert.equal(verger.allowed(ROBOTS, "/private", owner.crawler("gptbot")), false);
    for (const { tokens, ...of } of [adsbot, { ...adsbot, tokens: ["AdsBot-Google", "ExampleBot"] }]) {
        const agent = { ...of, tokens };
        const robots = verger.parse(ROBOTS);
        for (const answer of [robots.explain("/private", agent), owner.explain(ROBOTS, "/private", agent)]) {
            assert.deepEqual([answer.allowed, answer.reason, answer.crawler.star], [true, "no-group", "ignored"]);
            assert.deepEqual([answer.candidates, answer.otherDialects], [[], []]);
        }
        assert.equal(robots.listing(agent).mergedGroup, null);
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
        assert.equal(owner.who("", { agents: ["gptbot"], site: host })[0].allowedUrl, `${hosts[2]}/`);
    }
    assert.deepEqual(codes("https://b\u00fccher.example", "https://\uff11\uff12\uff17.1"), ["sitemap-elsewhere"]);
    for (const site of ["https://xn--a.example", "https://\u00fc\uff0f.example", "https://a b.example"]) {
        assert.throws(() => owner.who("", { site }), verger.ArgumentError, site);
    }
});

test("the engine refuses hosts that are none, as the command does, and asks the platform about those beyond ASCII", () => {
    const kept = verger.policy(ROBOTS, "Foo");
    const asks = [(url) => kept.allowed(url), (url) => verger.verdict(ROBOTS, url, "Foo").allowed];
    for (const ask of asks) {
        for (const host of ["b\u00fccher.example", "xn--bcher-kva.example", "B\u00dcCHER.example:8080", "u@\uff11.2"]) {
            assert.deepEqual([`http://${host}/a`, `http://${host}/private`].map(ask), [true, false], host);
        }
        for (const host of ["xn--a.example", "\u00fc\uff0f.example", "a b", "h:99999", "@", "[::1", "1.2.3.256"]) {
            assert.throws(() => ask(`http://${host}/a`), { name: "TargetError", message: /^`http:/ }, host);
            assert.equal(verger.allowed("", `http://${host}/a`, "Foo", { dialect: "google" }), true);
        }
        assert.equal(ask("/a b"), true);
        assert.throws(() => ask("foo:///a"), verger.TargetError);
    }
});

test("rules are added without a change for others, and claims hold a file to what it says", () => {
    const added = owner.add(ROBOTS, { agents: ["gptbot"], disallow: ["/"] });
    assert.equal(verger.allowed(added.body, "/", "GPTBot"), false);
    assert.equal(owner.diff(ROBOTS, added.body, { agents: ["bingbot", "*"] }).end.same, true);
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
    assert.equal(verger.allowed(body.slice(0, start) + text + body.slice(end), "/a", "Foo"), false);
});

test("options that do not exist, swapped arguments and wrong values are errors that name them", () => {
    const url = "https://h.example/private";
    for (const [call, argument, message] of [
        [() => verger.allowed(ROBOTS, "/a", "X", "google"), "options", /`options` must be an object, not `google`/],
        [() => verger.allowed(ROBOTS, "/a", "X", { lenientLines: true }), "lenientLines", /Did you mean `options: \["lenient-lines"\]`\?/],
        [() => verger.allowed(ROBOTS, "/a", "X", { google: true }), "google", /Did you mean `dialect: "google"`\?/],
        [() => verger.allowed(ROBOTS, "/a", "X", { dialekt: "google" }), "dialekt", /Did you mean `dialect`\?/],
        [() => verger.allowed(ROBOTS, "/a", "X", { dialect: "gogle" }), "dialect", /Did you mean `google`\?/],
        [() => verger.allowed(ROBOTS, "/a", "X", { options: "lenient-lines" }), "options", /must be an array of/],
        [() => verger.allowed(ROBOTS, { url, agent: "X", useragent: "Y" }), "useragent", /unknown option/],
        [() => verger.allowed(ROBOTS, { url, agent: "X" }, undefined, { dialect: "google" }), "options", /belong in the object/],
        [() => verger.policy(ROBOTS, { agent: "X" }, { dialect: "google" }), "options", /belong in the object/],
        [() => verger.allowed(ROBOTS, { url }), "agent", /there is no `agent`/],
        [() => verger.allowed(ROBOTS, "X", url), "url", /are swapped/],
        [() => verger.allowed(ROBOTS, "X", "/private"), "url", /are swapped/],
        [() => verger.allowed(ROBOTS, ["X"], "/private"), "url", /are swapped/],
        [() => verger.allowed(ROBOTS, "X", new URL(url)), "url", /are swapped/],
        [() => verger.allowed(ROBOTS, "X", url, { dialect: "google" }), "url", /are swapped/],
        [() => verger.parse(ROBOTS).verdict("X", url), "url", /are swapped/],
        [() => owner.explain(ROBOTS, owner.crawler("gptbot"), "/private"), "url", /are swapped/],
        [() => verger.policy(ROBOTS, { agent: "X", star: "ignored" }), "star", /unknown option `star`/],
        [() => verger.policy(ROBOTS, { tokens: ["X"], star: "ignore" }), "agent.star", /Did you mean `ignored`\?/],
        [() => owner.who(ROBOTS, { agents: "gptbot" }), "agents", /`agents` must be an array of at least one name, not `gptbot`/],
        [() => owner.who(ROBOTS, { maxStates: -1 }), "maxStates", /must be a whole number/],
        [() => owner.who(ROBOTS, { agent: "gptbot" }), "agent", /Did you mean `agents`\?/],
        [() => owner.lint(ROBOTS, "https://h.example"), "options", /must be an object/],
        [() => owner.add(ROBOTS, { disallow: ["/"] }), "agents", /name the crawlers/],
        [() => owner.add(ROBOTS, { agents: [], disallow: ["/"] }), "agents", /name the crawlers/],
        [() => owner.add(ROBOTS, { agents: ["gptbot"] }), "disallow", /give the rules/],
        [() => owner.who(ROBOTS, { site: "h.example" }), "site", /must be an absolute URL/],
        [() => owner.crawler(1), "name", /must be a string/],
        // All known crawlers would be asked about.
        [() => owner.who(ROBOTS, { agents: [] }), "agents", /at least one name/],
        [() => owner.diffUrls(ROBOTS, "", ["/b", "/a\n/private"]), "urls[1]", /without line ends/],
        // A parsed file has been read.
        [() => verger.parse(ROBOTS).allowed({ url, agent: "X", dialect: "google" }), "dialect", /There are no options/],
        [() => verger.parse(ROBOTS).verdict(url, "X", { dialect: "google" }), "dialect", /There are no options/],
        [() => verger.parse(ROBOTS).policy("X", { dialect: "google" }), "dialect", /There are no options/],
        // Inherited options are checked, too.
        [() => verger.allowed(ROBOTS, "/a", "X", Object.create({ dialect: "bogus" })), "dialect", /must be one of/],
        [() => verger.allowed(ROBOTS, "/a", "X", Object.create({ options: "abc" })), "options", /must be an array of/],
        [() => verger.allowed(ROBOTS, "/a", "X", new Map()), "options", /must be an object, not Map/],
        [() => verger.allowed(ROBOTS, "/a", { tokens: ["X"], union: "yes" }), "agent.union", /true or false/],
        [() => verger.allowed(ROBOTS, "/a", "X", { ["x".repeat(1_000)]: 1 }), "x".repeat(1_000), /^allowed: unknown option `x{60}`/],
    ]) {
        assert.throws(call, { name: "ArgumentError", code: "VERGER_ARGUMENT", argument, message });
    }
});

test("a question is the same in order and as an object", () => {
    const [url, agent] = ["https://h.example/private", "X"];
    assert.equal(verger.allowed(ROBOTS, { url, agent, dialect: "google" }), false);
    assert.deepEqual(verger.verdict(ROBOTS, { url, agent }), verger.verdict(ROBOTS, url, agent));
    assert.deepEqual(verger.policy(ROBOTS, { agent: ["Y", "X"] }).verdict(url), verger.verdict(ROBOTS, url, ["Y", "X"]));
    assert.deepEqual(owner.explain(ROBOTS, { url, agent }), owner.explain(ROBOTS, url, agent));
    assert.deepEqual(verger.parse(ROBOTS).verdict({ url, agent }), verger.verdict(ROBOTS, url, agent));
    assert.deepEqual(verger.parse(ROBOTS).policy({ agent }).verdict(url), verger.verdict(ROBOTS, url, agent));
});

test("later changes of an argument, and getters that change, do not reach a question", () => {
    const [agent, options] = [["X"], ["lenient-lines"]];
    const policy = verger.policy(ROBOTS, agent, { options });
    agent[0] = "Q";
    options[0] = "zzz";
    assert.deepEqual([policy.toJSON().agent, policy.toJSON().options], [["X"], ["lenient-lines"]]);
    let reads = 0;
    const changing = { get dialect() { return (reads += 1) === 1 ? "google" : "bogus"; } };
    assert.equal(verger.parse(ROBOTS, changing).dialect, "google");
});

test("answers are typed in camelCase with one shape of a rule, and keep the JSON of the command", () => {
    const explained = owner.explain(ROBOTS, "/private", "X");
    const rule = { effect: "disallow", line: 2, pattern: "/private" };
    assert.deepEqual([explained.rule, verger.verdict(ROBOTS, "/private", "X").rule], [rule, rule]);
    assert.deepEqual(explained.group, { line: 1, namedBy: "star" });
    assert.deepEqual(explained.candidates, [{ ...rule, bytes: 8, decides: true, why: "decides" }]);
    assert.equal(explained.json.rule, "Disallow: /private");
    assert.deepEqual(JSON.parse(JSON.stringify(explained)), explained.json);
    const { changes, end, json } = owner.diff(ROBOTS, "", { agents: ["*"] });
    assert.deepEqual([changes[0].newlyAllowed.before.rule, end.same, json.length], [rule, false, 2]);
    assert.deepEqual(verger.parse(ROBOTS).groups, [{ line: 1, isRecord: true, userAgents: ["*"], rules: [rule] }]);
    assert.deepEqual(owner.parse(ROBOTS, { agent: "X" }).mergedGroup, { line: 1, namedBy: "star", groups: [0], userAgents: ["*"], rules: [rule] });
    assert.deepEqual(owner.who(ROBOTS, { agents: ["*"] })[0].group, { line: 1, namedBy: "star", token: null, own: false });
    const keys = new Set();
    const walk = (value) => {
        if (typeof value === "object" && value !== null) {
            for (const [key, member] of Object.entries(value)) {
                keys.add(key);
                walk(member);
            }
        }
    };
    [explained, owner.who(ROBOTS), owner.diff(ROBOTS, ""), owner.lint(ROBOTS), owner.crawlers(), owner.parse(ROBOTS, { agent: "X" }), owner.page(ROBOTS, { url: "/" })].forEach(walk);
    assert.ok(keys.size > 60, `${keys.size}`);
    assert.deepEqual([...keys].filter((key) => key.includes("_")), []);
    for (const text of ["Disalow:/a", "disallow /a:b", "Disallow : /a", "Disallow /a", "Disallow:"]) {
        const { rule, allowed } = owner.explain(`User-agent: *\n${text}\n`, "/a:b", "X", { dialect: "google" });
        const { rule: compact } = verger.verdict(`User-agent: *\n${text}\n`, "/a:b", "X", { dialect: "google" });
        assert.deepEqual([rule, allowed], [compact, compact === null], text);
    }
});

test("a URL that cannot be read is skipped in a list, and the others are counted", () => {
    const urls = ["https://exa mple.com/", "https://h.example/private", new URL("https://h.example/a")];
    for (const given of [urls, urls.join("\n")]) {
        const { changes, end } = owner.diffUrls("", ROBOTS, given, { agents: ["*"] });
        assert.deepEqual([changes[0].disallowedAfter, end.urls, end.notCounted], [1, 2, 1]);
        assert.match(end.problems[0], /^line 1: `https:\/\/exa mple.com\/`/);
    }
});

test("a page is asked about with a response of fetch, of Node, or as text, and with elements of a browser", () => {
    const url = "https://h.example/a";
    const state = (question) => {
        const [{ page, allowed }] = owner.page(ROBOTS, { url, ...question });
        assert.equal(allowed, true);
        return [page.state, page.because];
    };
    const none = ["indexable", "no directive forbids it"];
    assert.deepEqual(state({}), ["unknown", "the page was not fetched: no response was given"]);
    const notGiven = ["unknown", "the HTML was not given, and no header forbids it"];
    assert.deepEqual(state({ head: { status: 200 } }), notGiven);
    assert.deepEqual(state({ head: { status: 200, headers: { "content-length": "0" } } }), none);
    const cut = ["unknown", "only the start was read, and no directive there forbids it"];
    assert.deepEqual(state({ metas: [], isCut: true }), cut);
    // A meta in the text of a response that is not HTML is no element.
    const noindex = { metas: [{ name: "robots", content: "noindex" }] };
    assert.deepEqual(state({ head: { status: 200, headers: { "content-type": "text/plain" } }, ...noindex }), none);
    assert.deepEqual(state({ head: { status: 404 }, ...noindex }), ["not-indexed", "status 404"]);
    assert.deepEqual(state({ metas: [] }), none);
    const field = "noindex, max-snippet: 5";
    for (const head of [
        new Response("", { headers: { "x-robots-tag": field } }),
        { status: 200, headers: { "X-Robots-Tag": field, date: undefined } },
        { status: 200, headers: { "x-robots-tag": [field] } },
        { status: 200, headers: new Map([["x-robots-tag", field]]) },
        `HTTP/2 200\r\nx-robots-tag: ${field}\r\n\r\n<p>`,
        new TextEncoder().encode(`HTTP/1.1 200 OK\nX-Robots-Tag: ${field}`),
    ]) {
        // The `Response` has a content type, too.
        assert.match(String(state({ head })), /^not-indexed,noindex \(X-Robots-Tag, line [23]\)$/);
    }
    // A browser's elements have more members, and no line.
    const meta = Object.assign(Object.create({ name: "ROBOTS", content: "noindex" }), { httpEquiv: "" });
    const page = (question) => owner.page(ROBOTS, { url, head: { status: 200 }, ...question })[0].page;
    assert.deepEqual(state({ head: { status: 200 }, metas: [meta] }), ["not-indexed", "noindex (meta)"]);
    assert.equal(page({ metas: [meta] }).directives[0].line, null);
    assert.deepEqual(state({ head: { status: 200 }, metas: [{ name: "robots", content: "noindex", line: 7, inHead: false }] }), none);
    const links = [{ rel: "nofollow license", href: "/l.xml" }];
    assert.deepEqual(page({ links }).recorded, [{ name: "license", value: "/l.xml", source: "link", line: null }]);
    // A date counts from then on.
    const metas = [{ name: "googlebot", content: "unavailable_after: 2030-01-01" }];
    const at = (date) => page({ metas, agents: ["googlebot"], at: new Date(date) }).indexable;
    assert.deepEqual([at("2029-12-31T23:59:59Z"), at("2030-01-01T00:00:01Z")], [true, false]);
    const elsewhere = { status: 200, headers: [], redirected: true, url: "https://h.example/b" };
    assert.deepEqual(state({ url: elsewhere.url, head: elsewhere }), notGiven);
    for (const [question, argument, message] of [
        [{ head: elsewhere }, "head", /redirects were followed/],
        [{ head: "<!doctype html>" }, undefined, /not a response head/],
        [{ head: 200 }, "head", /must be the head of a response/],
        [{ head: { status: 0 } }, "head.status", /a final status/],
        [{ head: { status: 200, headers: { a: "b\nX-Robots-Tag: noindex" } } }, "head.headers", /without line ends/],
        [{ metas: ["robots"] }, "metas", /an array of objects with `name` and `content`/],
        [{ metas: [{ name: "robots", content: "none", line: -1 }] }, "metas", /an array of objects/],
        [{ at: new Date(NaN) }, "at", /a Date/],
        [{ meta: [] }, "meta", /Did you mean `metas`\?/],
        [{ url: undefined }, "url", /a URL or a path/],
    ]) {
        assert.throws(() => owner.page(ROBOTS, { url, ...question }), { name: "ArgumentError", argument, message });
    }
    assert.throws(() => owner.page(ROBOTS, { url: "x" }), verger.TargetError);
    assert.throws(() => owner.page(ROBOTS, { url, agents: ["@opnai"] }), verger.UnknownCrawlerError);
});

test("objects show what they hold", () => {
    const [robots, kept] = [verger.parse(ROBOTS), verger.policy(ROBOTS, "Foo")];
    assert.match(inspect(robots), /^RobotsTxt \{[^]*dialect: 'rfc9309'[^]*'Disallow: \/private'[^]*s\.xml/);
    assert.match(inspect(kept), /^Policy \{[^]*agent: 'Foo'[^]*'Disallow: \/private'/);
    assert.match(inspect([[[kept]]]), /\[Policy\]/);
    assert.deepEqual(JSON.parse(JSON.stringify(robots)), owner.parse(ROBOTS).json);
    const rules = [{ effect: "disallow", line: 2, pattern: "/private" }];
    assert.deepEqual(JSON.parse(JSON.stringify(kept)), { agent: "Foo", dialect: "rfc9309", options: [], rules });
    assert.deepEqual(["/a", "/private", "/b"].filter(kept.allowed), ["/a", "/b"]);
    assert.deepEqual(["/private"].map(kept.verdict)[0].line, 2);
});

test("every error has a code", () => {
    const { TargetError, ProductTokenError, UnknownCrawlerError, VergerError } = verger;
    for (const [call, kind, code] of [
        [() => verger.allowed(ROBOTS, "x", "Foo"), TargetError, "VERGER_TARGET"],
        [() => verger.allowed(ROBOTS, "/", "Foo/1"), ProductTokenError, "VERGER_PRODUCT_TOKEN"],
        [() => owner.crawler("nobody"), UnknownCrawlerError, "VERGER_UNKNOWN_CRAWLER"],
    ]) {
        assert.throws(call, (error) => error instanceof kind && error instanceof VergerError && error.code === code && error.name === kind.name);
    }
    const kept = verger.policy(ROBOTS, "Foo");
    kept.dispose();
    assert.throws(() => kept.allowed("/"), { code: "VERGER_DISPOSED" });
});
