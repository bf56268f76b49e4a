// Whatever comes in, an answer or a documented error comes out, and all interfaces say the same. The seed is fixed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { allowed, parse, policy, VergerError } from "verger";
import * as owner from "verger/owner";
import { engine } from "#engine";
import { owner as module } from "#owner";
import { whole } from "#whole";

const DIALECTS = ["rfc9309", "google", "draft2019", "koster1996"];
const OPTIONS = ["lenient-other-records", "lenient-lines", "ignore-allow", "bridge-encodings", "comma-agents"];
const PIECES = [
    "User-agent: ", "user agent ", "Disallow: ", "Allow:", "Sitemap: ", "Crawl-delay: ", "Content-Usage: ", "*", "$", "/",
    "%2F", "%", "\n", "\r", "\r\n", "\0", "#", " ", "\t", ":", "FooBot", "a", "ツ", "\ud800", "\ufeff", "?",
    "https://h.example", "index.html", "\u202e", "𝒳",
];

/** A generator of numbers below a bound (xorshift). */
function numbers(seed) {
    let state = seed;
    return (bound) => {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        return (state >>> 0) % bound;
    };
}

const next = numbers(9309);
const pick = (all) => all[next(all.length)];
const times = (count, make) => Array.from({ length: count }, make);
const string = () => times(next(12), () => pick(PIECES)).join("");
const bytes = () => (next(3) === 0 ? Uint8Array.from(times(next(60), () => next(256))) : string());
const body = () => (next(3) === 0 ? bytes() : `User-agent: ${pick(["*", "FooBot"])}\nDisallow: /${string()}\n${string()}`);
/** A name, and never an address, which would be an argument in the wrong place. */
const name = () => string().replace(/^[^:]*:?\/+/, "");
const agent = () => (next(4) === 0 ? times(1 + next(3), () => pick(["FooBot", "*", "a", name()])) : pick(["FooBot", "*", name()]));

function outcome(call) {
    try {
        return call();
    } catch (error) {
        assert.ok(error instanceof VergerError && error.name !== "InternalError", `${error.stack}`);
        return error.message;
    }
}

test("all interfaces agree on whatever they are asked", () => {
    let disallowed = 0;
    for (let round = 0; round < 20_000; round += 1) {
        // With a TAB or a line end it would be no URL.
        const path = string().replace(next(4) === 0 ? "" : /[\t\r\n]/g, "");
        const [file, who, url] = [body(), agent(), next(2) ? bytes() : `https://h.example/${path}`];
        const reading = { dialect: pick(DIALECTS), options: next(4) === 0 ? [pick(OPTIONS)] : [] };
        const answers = [
            outcome(() => allowed(file, url, who, reading)),
            outcome(() => parse(file, reading).allowed(url, who)),
            outcome(() => parse(file, reading).verdict(url, who).allowed),
        ];
        const kept = outcome(() => policy(file, who, reading));
        answers.push(typeof kept === "string" ? answers[0] : outcome(() => kept.verdict(url).allowed));
        assert.equal(new Set(answers).size, 1, JSON.stringify([file, who, url, reading, answers]));
        disallowed += answers[0] === false ? 1 : 0;
        kept.dispose?.();
    }
    assert.ok(disallowed > 1000, `${disallowed}`);
});

/** What the fuzz targets of the repository begin with: the bodies of all cases, and a dictionary. */
const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8").split("\n").filter((line) => line !== "");
const BODIES = read("../tmp/cases.jsonl").flatMap((line) => {
    const { robots_base64 } = JSON.parse(line);
    return robots_base64 ? [Uint8Array.from(atob(robots_base64), (one) => one.charCodeAt(0))] : [];
});
const WORDS = read("../../../fuzz/words.dict").flatMap((line) => {
    const [, word] = /^[^#"]*"(.*)"$/.exec(line) ?? [];
    return word === undefined ? [] : [word.replace(/\\x(..)|\\(.)/g, (_, hex, one) => (hex ? String.fromCharCode(parseInt(hex, 16)) : one))];
});

/** A body of a case with a byte, a word or the rest of another one changed. */
function changed() {
    const [file, other, word] = [pick(BODIES), pick(BODIES), new TextEncoder().encode(pick(WORDS))];
    const at = next(file.length + 1);
    const end = [file.subarray(at + 1), file.subarray(at), other.subarray(next(other.length + 1))];
    const middle = [Uint8Array.of(next(256)), word, new Uint8Array()];
    const which = next(3);
    return Uint8Array.from([...file.subarray(0, at), ...middle[which], ...end[which]]);
}

test("what fuzzing begins with has an answer, changed in any way, in bounded memory and without a trap", () => {
    assert.ok(BODIES.length > 200 && WORDS.length > 10, `${BODIES.length}, ${WORDS.length}`);
    const generations = [engine.generation, module.generation];
    for (let round = 0; round < 3000; round += 1) {
        const [file, dialect] = [changed(), pick(DIALECTS)];
        const [who, url] = [agent(), `/${pick(WORDS)}`];
        const said = outcome(() => allowed(file, url, who, { dialect }));
        const kept = outcome(() => policy(file, who, { dialect }));
        assert.equal(typeof kept === "string" ? said : outcome(() => kept.allowed(url)), said);
        kept.dispose?.();
        if (round % 10 === 0) {
            outcome(() => owner.explain(file, url, who, { dialect }));
            assert.equal(owner.lint(file).json.schema, "verger.lint/1");
            assert.equal(owner.who(file, { agents: ["gptbot"], dialect, maxStates: 10_000 }).length, 1);
            assert.equal(owner.diffUrls(file, changed(), url, { agents: ["gptbot"], dialect }).changes.length, 1);
        }
    }
    assert.deepEqual([engine.generation, module.generation], generations);
    assert.ok(engine.memoryBytes < 64 << 20 && module.memoryBytes < 64 << 20);
});

test("owners' questions and listings have an answer about any file", () => {
    for (let round = 0; round < 300; round += 1) {
        const [old, file, who] = [body(), body(), agent()];
        const dialect = pick(DIALECTS);
        const robots = parse(file, { dialect });
        assert.equal(robots.listing().json.schema, "verger.parse/1");
        outcome(() => robots.values(who));
        outcome(() => owner.explain(file, `/${string()}`, who, { dialect }));
        assert.equal(owner.lint(file).json.schema, "verger.lint/1");
        const agents = ["gptbot", "*"].slice(next(2));
        assert.equal(owner.who(file, { agents: ["gptbot"], dialect })[0].crawler, "gptbot");
        outcome(() => owner.diff(old, file, { agents, dialect, maxStates: 10_000 }));
    }
});

test("a session has an answer to any event in any order, and never traps", () => {
    const events = ["new", "fresh", "now", "hop", "leave", "land", "woken", "due", "store-failed", "resumes", "ended", "again"];
    const sessions = whole.another();
    const [steps, flights] = [new Map(), [[0], [0]]];
    for (let round = 0; round < 20_000; round += 1) {
        const key = next(2);
        const question = {
            key,
            event: next(30) === 0 ? string() : pick(events),
            id: next(8) === 0 ? next(1 << 30) : pick(flights[key]),
            url: pick(["https://a.example/", "https://b.example/", "http://b\u00fccher.example/", string()]),
            outcome: pick(["http 200", "failed timeout", "failed reset", string()]),
            now: next(50) === 0 ? Number.MAX_SAFE_INTEGER : round,
            timeout: pick([0, 1, 1000, Number.MAX_SAFE_INTEGER]),
            concurrency: pick([0, 1, 2 ** 32 - 1]),
        };
        // Sessions are kept for a while, so that flights wait.
        if (question.event === "new" && round > 50 && next(20) !== 0) {
            continue;
        }
        try {
            const { step, begins } = JSON.parse(sessions.call("access.session", question));
            steps.set(step, (steps.get(step) ?? 0) + 1);
            flights[key].push(...begins.map(({ id }) => id));
            flights[key].splice(0, flights[key].length - 4);
        } catch (error) {
            assert.ok(error instanceof VergerError && !error.message.includes("the module failed"), `${error.stack}`);
        }
    }
    assert.deepEqual(["read", "attempt", "wait", "put", "fail"].filter((step) => (steps.get(step) ?? 0) < 20), [], JSON.stringify([...steps]));
    assert.equal(sessions.generation, 0);
    assert.ok(sessions.memoryBytes < 16 << 20, `${sessions.memoryBytes}`);
});

test("a lone surrogate is U+FFFD in a named argument too", () => {
    for (const lone of ["\ud800", "\udc00x", "\\ud800\ud800"]) {
        const shown = new TextDecoder().decode(new TextEncoder().encode(lone));
        for (const rule of [`/${lone}`, `/${shown}`]) {
            const { body: added } = owner.add("", { agents: ["gptbot"], disallow: [rule] });
            assert.equal(allowed(added, `/${lone}`, "GPTBot"), false, rule);
        }
        assert.throws(() => owner.crawler(lone), { name: "UnknownCrawlerError" });
    }
});

test("memory stays bounded, and an instance that grew is replaced", () => {
    const large = "User-agent: *\nDisallow: /a\n".repeat(40_000);
    for (let round = 0; round < 20; round += 1) {
        assert.equal(allowed(large, "/a", "FooBot"), false);
        policy(large, "FooBot").dispose();
    }
    assert.ok(engine.memoryBytes < 64 << 20, `${engine.memoryBytes}`);
    const before = engine.generation;
    assert.equal(allowed("x".repeat(90 << 20), "/a", "FooBot"), true);
    assert.equal(allowed(large, "/a", "FooBot"), false);
    assert.equal(engine.generation, before + 1);
    assert.ok(engine.memoryBytes < 64 << 20, `${engine.memoryBytes}`);
});

test("objects outlive an instance that failed", () => {
    const kept = policy("User-agent: *\nDisallow: /a\n", "FooBot");
    assert.equal(kept.allowed("/a"), false);
    const before = engine.generation;
    // An object that there is not, out of the module's memory.
    assert.throws(() => engine.ask("policy_allowed", [-1], ["/a"], []), { name: "InternalError" });
    assert.equal(engine.generation, before + 1);
    assert.equal(kept.allowed("/a"), false);
    assert.equal(kept.allowed("/b"), true);
    kept.dispose();
    assert.throws(() => kept.allowed("/a"), { name: "DisposedError" });
    assert.throws(() => module.call("no such call", {}), { name: "InternalError" });
});

test("what is neither text nor bytes is an error that names the argument, and never an empty text, which would allow everything", () => {
    const text = "User-agent: *\nDisallow: /a\n";
    const kept = policy(text, "x", { dialect: "google" });
    const body = [Promise.resolve(text), new String(text), {}, [text], new URL("https://h.example/a"), 1, null, undefined];
    for (const wrong of body) {
        const calls = [
            ["body", () => allowed(wrong, "/a", "x")],
            ["body", () => parse(wrong)],
            ["body", () => policy(wrong, "x")],
            ["body", () => owner.who(wrong, { agents: ["gptbot"] })],
            ["old", () => owner.diff(wrong, text)],
        ];
        for (const [argument, call] of calls) {
            assert.throws(call, { name: "ArgumentError", code: "VERGER_ARGUMENT", argument });
        }
    }
    for (const wrong of [Promise.resolve("/a"), new String("/a"), ["/a"], 1, null, undefined]) {
        const calls = [
            () => allowed(text, wrong, "x", { dialect: "google" }),
            () => parse(text).allowed(wrong, "x"),
            () => kept.allowed(wrong),
            () => kept.verdict(wrong),
        ];
        calls.forEach((call) => assert.throws(call, { name: "ArgumentError", argument: "url" }));
        const agents = [() => allowed(text, "/a", [wrong]), () => allowed(text, "/a", ["x", wrong]), () => allowed(text, "/a", { tokens: [wrong] })];
        agents.forEach((call) => assert.throws(call, { name: "ArgumentError", argument: /^agent/ }));
    }
    for (const wrong of [1, null, undefined, {}, Promise.resolve("x")]) {
        assert.throws(() => allowed(text, "/a", wrong), { name: "ArgumentError", argument: "agent" });
        assert.throws(() => parse(text).policy(wrong), { name: "ArgumentError", argument: "agent" });
    }
    assert.equal(kept.allowed("/a"), false);
});

test("bytes of every kind and URL objects are taken for what they are", () => {
    const text = "User-agent: *\nDisallow: /a\n";
    const bytes = new TextEncoder().encode(text);
    const padded = new TextEncoder().encode(`##${text}`);
    const bodies = [bytes, bytes.buffer, new DataView(bytes.buffer), Buffer.from(text), padded.subarray(2), new DataView(padded.buffer, 2)];
    bodies.push(new Uint16Array(new TextEncoder().encode(`${text}#`.padEnd(30)).buffer));
    for (const body of bodies) {
        assert.equal(allowed(body, "/a", "x"), false);
        assert.equal(policy(body, "x").allowed("/a"), false);
        assert.equal(parse(body).groups.length, 1);
        assert.equal(owner.who(body, { agents: ["*"] })[0].disallowed, "some");
    }
    for (const url of [new URL("https://h.example/a?b"), Buffer.from("/a"), { href: "https://h.example/a" }]) {
        assert.equal(allowed(text, url, "x"), false);
        assert.equal(allowed(text, { url, agent: "x" }), false);
        assert.equal(policy(text, "x").verdict(url).line, 2);
        assert.equal(parse(text).explain(url, "x").line, 2);
    }
});
