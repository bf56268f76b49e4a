// The client: one fetch for all that ask, stores, bounds, deadlines, and what is thrown.

import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressGuard, fetchTransport, profiles, RedirectHiddenError, RobotsClient, undiciTransport } from "verger/access";
import { withVerger } from "verger/crawlee";
import { gate, gateRoute } from "verger/gate";
import { Session, sessions } from "../dist/access-session.js";

const text = (body, status = 200, headers = [["content-type", "text/plain"]]) => ({
    status,
    headers,
    body: new TextEncoder().encode(body),
    isCut: false,
});
const URL_A = "https://a.example/x";
const RULES = "User-agent: Foo\nDisallow: /x\nCrawl-delay: 2\n\nUser-agent: *\nAllow: /\n";

/** A client whose servers say what `say` returns for a URL, with the URLs that were requested. */
function clientOf(say, options = {}) {
    const requested = [];
    const transport = async (request) => {
        requested.push(request.url);
        return say(request);
    };
    return { client: new RobotsClient({ transport, ...options }), requested };
}

/** A promise, and the function that resolves it. */
function resolvers() {
    let resolve;
    const promise = new Promise((done) => (resolve = done));
    return { promise, resolve };
}

/** Waits until nothing is left to do without a timer or a transport. */
const settled = async () => {
    for (let round = 0; round < 10; round += 1) {
        await new Promise(setImmediate);
    }
};

test("a decision has the delay that the file asks for, and the JSON of the command", async () => {
    const { client } = clientOf(() => text(RULES), { now: () => 1_800_000_000_000 });
    const decision = await client.decide(URL_A, "Foo");
    const { allowed, stance, reason, line, rule, group, clause, freshUntil, delay } = decision;
    assert.deepEqual(
        { allowed, stance, reason, line, rule, group, clause, freshUntil, delay },
        {
            allowed: false,
            stance: "rules",
            reason: "rule",
            line: 2,
            rule: { effect: "disallow", line: 2, pattern: "/x" },
            group: { line: 1, namedBy: "token" },
            clause: "R9309-2.3.1.1-1",
            freshUntil: "2027-01-16T08:00:00Z",
            delay: 2000,
        },
    );
    const json = JSON.parse(JSON.stringify(decision));
    assert.equal(Object.keys(json)[0], "schema");
    assert.deepEqual([json.schema, json.rule, json.fresh_until], ["verger.check/1", "Disallow: /x", "2027-01-16T08:00:00Z"]);
    assert.deepEqual(await client.decide(new URL(URL_A), "Foo"), decision);
    assert.equal((await client.decide(URL_A)).allowed, true);
    assert.equal((await client.decide(URL_A, ["Bar", "Foo"])).allowed, false);
});

test("a hundred callers share one fetch, and the answer lasts as long as it says", async () => {
    let now = 1_800_000_000_000;
    const headers = [["cache-control", "max-age=3600"]];
    const { client, requested } = clientOf(() => text(RULES, 200, headers), { now: () => now });
    const urls = Array.from({ length: 100 }, (_, at) => `https://a.example/${at}`);
    const decisions = await Promise.all(urls.map((url) => client.decide(url, "Foo")));
    assert.ok(decisions.every(({ allowed }) => allowed));
    assert.equal(requested.length, 1);
    now += 3_599_000;
    await client.decide(URL_A);
    assert.equal(requested.length, 1);
    now += 1000;
    assert.equal(client.decideFromMemory(URL_A), undefined);
    await client.decide(URL_A);
    assert.equal(requested.length, 2);
});

test("an outage closes, uses the copy where there is one, and is asked about again in time", async () => {
    let now = 1_800_000_000_000;
    let reply = text("", 503, [["retry-after", "120"]]);
    const { client, requested } = clientOf(() => reply, { now: () => now, jitter: () => 0 });
    assert.equal((await client.decide(URL_A)).allowed, false);
    now += 119_000;
    assert.equal((await client.decide(URL_A)).stance, "closed");
    assert.equal(requested.length, 1);
    now += 1000;
    reply = text(RULES);
    assert.equal((await client.decide(URL_A)).stance, "rules");
    now += 24 * 3_600_000;
    reply = { failure: "reset", detail: "" };
    const { stance, allowed } = await client.decide(URL_A, "Foo");
    assert.deepEqual([stance, allowed], ["copy", false]);
    assert.equal(requested.length, 3);
});

test("clients share a store, of which a damaged snapshot says nothing, and go on without one that fails", async () => {
    const kept = new Map();
    const store = { get: async (key) => kept.get(key), put: async (key, bytes) => void kept.set(key, bytes) };
    const first = clientOf(() => text(RULES), { store });
    await first.client.decide(URL_A);
    const second = clientOf(() => text(""), { store });
    assert.equal((await second.client.decide(URL_A, "Foo")).allowed, false);
    assert.deepEqual(second.requested, []);
    const snapshot = kept.get("https://a.example");
    assert.ok(snapshot instanceof Uint8Array);
    const damaged = Array.from(snapshot, (_, length) => snapshot.subarray(0, length));
    const foreign = new TextDecoder().decode(snapshot).replace("https://a.example", "https://b.example");
    for (const bytes of [...damaged, new Uint8Array([...snapshot, 0x0a]), new TextEncoder().encode(foreign)]) {
        kept.set("https://a.example", bytes);
        const third = clientOf(() => text(""), { store });
        assert.equal((await third.client.decide(URL_A, "Foo")).allowed, true);
        assert.equal(third.requested.length, 1);
    }
    const fails = async () => {
        throw new Error("disk full");
    };
    const fourth = clientOf(() => text(RULES), { store: { get: async () => undefined, put: fails } });
    assert.match((await fourth.client.decide(URL_A, "Foo")).notKept, /disk full/);
    const fifth = clientOf(() => text(RULES), { store: { get: fails, put: fails } });
    assert.match((await fifth.client.decide(URL_A, "Foo")).notKept, /read: disk full/);
    assert.equal((await fifth.client.decide(URL_A, "Foo")).allowed, false);
});

test("a store may return null or any bytes, and one that returns anything else or never answers has failed", async () => {
    let snapshot;
    const put = async (_, bytes) => void (snapshot = bytes);
    const decided = async (found, options) => {
        const { client, requested } = clientOf(() => text(RULES), { store: { get: () => found, put }, ...options });
        const { allowed, notKept } = await client.decide(URL_A, "Foo");
        assert.equal(allowed, false);
        return [requested.length, notKept];
    };
    assert.deepEqual(await decided(Promise.resolve(null)), [1, null]);
    const bytes = Uint8Array.from(snapshot);
    for (const found of [bytes.buffer, Buffer.from(bytes), new DataView(bytes.buffer), new TextDecoder().decode(bytes)]) {
        assert.deepEqual(await decided(Promise.resolve(found)), [0, null]);
    }
    for (const found of [{}, 5, [1]]) {
        const [requests, notKept] = await decided(Promise.resolve(found));
        assert.equal(requests, 1);
        assert.match(notKept, /the store cannot be read: `get\(\)` must be a string or bytes/);
    }
    const never = new Promise(() => {});
    assert.deepEqual(await decided(never, { timeout: 50 }), [1, "the store cannot be read: no answer within 50 ms"]);
    const unwritable = { store: { get: async () => undefined, put: () => never }, timeout: 50 };
    assert.deepEqual(await decided(never, unwritable), [1, "the store cannot be written: no answer within 50 ms"]);
});

test("another profile takes the copy from a store, and fetches", async () => {
    const kept = new Map();
    const store = { get: async (key) => kept.get(key), put: async (key, bytes) => void kept.set(key, bytes) };
    await clientOf(() => text(RULES), { store }).client.decide(URL_A);
    const google = clientOf(() => ({ failure: "reset", detail: "" }), { store, profile: "google" });
    assert.equal((await google.client.decide(URL_A)).stance, "closed");
    assert.equal(google.requested.length, 1);
});

test("where a rule for one crawler decided about a redirect, another crawler fetches", async () => {
    const kept = new Map();
    const store = { get: async (key) => kept.get(key), put: async (key, bytes) => void kept.set(key, bytes) };
    const pages = new Map([
        ["https://a.example/robots.txt", text("", 301, [["location", "https://b.example/moved"]])],
        ["https://b.example/robots.txt", text("User-agent: Foo\nDisallow: /moved\n")],
        ["https://b.example/moved", text("User-agent: *\nDisallow: /\n")],
    ]);
    const stanceOf = async (agent) => {
        const { client, requested } = clientOf(({ url }) => pages.get(url), { profile: "google", agent, store });
        return [(await client.decide(URL_A)).allowed, requested.length];
    };
    assert.deepEqual(await stanceOf("Foo"), [true, 2]);
    assert.deepEqual(await stanceOf("Foo"), [true, 0]);
    assert.deepEqual(await stanceOf("Bar"), [false, 2]);
});

test("memory is bounded, and what was asked for last stays", async () => {
    const body = `${"#".repeat(100_000)}\n`;
    const { client, requested } = clientOf(() => text(body), { maxMemory: 1 << 20 });
    for (let at = 0; at < 30; at += 1) {
        await client.decide(`https://h${at}.example/`);
        await client.decide("https://h0.example/");
        assert.ok(client.memoryBytes <= 1 << 20);
    }
    assert.equal(requested.filter((url) => url === "https://h0.example/robots.txt").length, 1);
    await client.decide("https://h1.example/");
    assert.equal(requested.filter((url) => url === "https://h1.example/robots.txt").length, 2);
});

test("at the deadline a fetch has timed out, whatever its transport does", async () => {
    const { client } = clientOf(() => new Promise(() => {}), { timeout: 1 });
    const { allowed, accessResult: result } = await client.decide(URL_A);
    assert.deepEqual([allowed, result.what], [false, "the request timed out"]);
});

test("a deadline longer than a timer can be ends no fetch early", async () => {
    for (const timeout of [2 ** 31, Infinity]) {
        const say = async () => {
            await new Promise((resolve) => setTimeout(resolve, 20));
            return text("");
        };
        const { client } = clientOf(say, { timeout });
        assert.equal((await client.decide(URL_A)).allowed, true);
    }
});

test("a hop that began with less than half of the time is not kept, because its timeout says nothing about the site", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    for (const [before, expected] of [[51, ["a"]], [50, ["a", "b"]]]) {
        let time = 1000;
        const clock = t.mock.method(performance, "now", () => time);
        const pass = (milliseconds) => {
            time += milliseconds;
            t.mock.timers.tick(milliseconds);
        };
        const stored = new Map();
        const store = { get: async (authority) => stored.get(authority), put: async (authority, it) => void stored.set(authority, it) };
        const [first, second] = [resolvers(), resolvers()];
        const transport = async ({ url, signal }) => {
            if (url === "https://a.example/robots.txt") {
                first.resolve();
                await second.promise;
                return text("", 301, [["location", "https://b.example/moved"]]);
            }
            queueMicrotask(() => pass(100 - before));
            return new Promise((resolve) => signal.addEventListener("abort", () => resolve({ failure: "timeout", detail: "" })));
        };
        const client = new RobotsClient({ profile: "google", transport, store, timeout: 100 });
        const decided = client.decide(URL_A);
        await first.promise;
        pass(before);
        second.resolve();
        assert.equal((await decided).allowed, false);
        await settled();
        assert.deepEqual([...stored.keys()].sort(), expected.map((name) => `https://${name}.example`));
        assert.equal(client.decideFromMemory("https://b.example/") === undefined, expected.length === 1);
        clock.mock.restore();
    }
});

test("callers share the fetch that a redirect began, which uses the permit of the redirected one", async () => {
    const [asked, answer] = [resolvers(), resolvers()];
    const say = async ({ url }) => {
        if (url === "https://b.example/robots.txt") {
            asked.resolve();
            await answer.promise;
            return text(RULES);
        }
        return url.endsWith("/moved") ? text("") : text("", 301, [["location", "https://b.example/moved"]]);
    };
    const { client, requested } = clientOf(say, { profile: "google", concurrency: 1 });
    const first = client.decide(URL_A);
    await asked.promise;
    const others = ["https://b.example/x", "https://b.example/y"].map((url) => client.decide(url, "Foo"));
    await settled();
    answer.resolve();
    const decisions = await Promise.all([first, ...others]);
    assert.deepEqual(decisions.map(({ allowed }) => allowed), [true, false, true]);
    assert.deepEqual(requested, ["a.example/robots.txt", "b.example/robots.txt", "b.example/moved"].map((url) => `https://${url}`));
});

test("forced fetches of one site never overlap, and waiting ones share the next", async () => {
    let [running, most] = [0, 0];
    const say = async () => {
        most = Math.max(most, (running += 1));
        await new Promise(setImmediate);
        running -= 1;
        return text(RULES);
    };
    const { client, requested } = clientOf(say);
    const reports = await Promise.all([client.fetch(URL_A), client.fetch(URL_A), client.fetch(URL_A), client.decide(URL_A)]);
    assert.deepEqual([most, requested.length], [1, 2]);
    assert.deepEqual(reports[1], reports[2]);
    await client.fetch(URL_A);
    assert.equal(requested.length, 3);
});

test("sites that redirect to each other are fetched one by one, within the limit, and every caller gets an answer", async () => {
    let state = 9309;
    const next = (bound) => (state = (state * 48_271) % 0x7fff_ffff) % bound;
    const hosts = ["a", "b", "c", "d", "e"].map((name) => `https://${name}.example`);
    let shared = 0;
    for (let round = 0; round < 50; round += 1) {
        const concurrency = 1 + next(3);
        const running = [];
        const say = async ({ url }) => {
            running.push(url);
            assert.ok(running.length <= concurrency, `${running}`);
            assert.equal(running.filter((other) => other === url && url.endsWith("/robots.txt")).length, url.endsWith("/robots.txt") ? 1 : 0);
            for (let wait = next(5); wait > 0; wait -= 1) {
                await new Promise(setImmediate);
            }
            running.splice(running.indexOf(url), 1);
            const replies = [text(RULES), text("", 503), { failure: "reset", detail: "" }, text("", 301, [["location", `${hosts[next(5)]}/moved`]])];
            return url.endsWith("/moved") ? text("") : replies[Math.min(3, next(8))];
        };
        const { client, requested } = clientOf(say, { profile: "google", agent: "Foo", concurrency });
        const callers = Array.from({ length: 20 }, async () => {
            for (let wait = next(8); wait > 0; wait -= 1) {
                await new Promise(setImmediate);
            }
            const url = `${hosts[next(5)]}/x`;
            return next(4) === 0 ? (await client.fetch(url)).answer : client.decide(url);
        });
        const answers = await Promise.all(callers);
        assert.ok(answers.every(({ stance }) => stance !== null));
        shared += requested.length < 20 ? 1 : 0;
    }
    assert.ok(shared > 25, `${shared}`);
});

test("a session ends with its last flight, and a lost one rejects its callers", async () => {
    const { client } = clientOf(() => text(RULES));
    await Promise.all([client.decide(URL_A), client.decide("https://b.example/")]);
    await settled();
    const generation = sessions.generation;
    for (let key = 1; key < 1000; key += 1) {
        assert.throws(() => sessions.call("access.session", { key, event: "woken", id: 1 }), { message: "unknown session" });
    }
    const fly = async ({ id }, session) => (await session.next(id, "woken"), (await session.next(id, "no such event")).step);
    const lost = new Session({ timeout: 1000, concurrency: 1 }, fly);
    const answers = await Promise.allSettled(["a", "b"].map((host) => lost.ask("fresh", `https://${host}.example/robots.txt`)));
    assert.deepEqual(answers.map(({ reason }) => reason?.name), ["InternalError", "InternalError"]);
    assert.equal(lost.isOver, true);
    assert.equal((await client.decide("https://c.example/x", "Foo")).allowed, false);
    assert.equal(sessions.generation, generation);
});

test("a flight that waits for a permit ends when its session is lost", async () => {
    const flights = [];
    const fly = ({ id }, session) => {
        const landed = (async () => {
            await session.next(id, "woken");
            await session.next(id, "store-failed");
            await session.next(id, "no such event");
        })();
        flights.push(landed);
        return landed;
    };
    const lost = new Session({ timeout: 60_000, concurrency: 1 }, fly);
    const answers = ["a", "b"].map((host) => lost.ask("fresh", `https://${host}.example/robots.txt`));
    const ended = await Promise.allSettled([...answers, ...flights]);
    assert.deepEqual(ended.map(({ status }) => status), Array(4).fill("rejected"));
});

test("another crawler than the client's own is decided about behind a hop", async () => {
    const pages = new Map([
        ["https://a.example/robots.txt", text("", 301, [["location", "https://b.example/moved"]])],
        ["https://b.example/robots.txt", text("")],
        ["https://b.example/moved", text(RULES)],
    ]);
    const { client, requested } = clientOf(({ url }) => pages.get(url), { profile: "google", agent: "Bar" });
    assert.equal((await client.decide(URL_A)).allowed, true);
    const { allowed, line } = await client.decide(URL_A, "Foo");
    assert.deepEqual([allowed, line, requested.length], [false, 2, 3]);
    assert.equal((await client.decide("https://a.example/y", "Foo")).allowed, true);
});

test("no more fetches run at once than are permitted", async () => {
    let [running, most] = [0, 0];
    const say = async () => {
        most = Math.max(most, (running += 1));
        await new Promise(setImmediate);
        running -= 1;
        return text("");
    };
    const { client, requested } = clientOf(say, { concurrency: 3 });
    await Promise.all(Array.from({ length: 20 }, (_, at) => client.decide(`https://h${at}.example/`)));
    assert.deepEqual([requested.length, most], [20, 3]);
});

test("a redirect is asked about where the profile asks, once, and never in a circle", async () => {
    const to = (location) => text("", 301, [["location", location]]);
    const pages = new Map([
        ["https://a.example/robots.txt", to("https://b.example/moved")],
        ["https://b.example/robots.txt", to("https://a.example/moved")],
        ["https://a.example/moved", text("")],
        ["https://b.example/moved", text(RULES)],
    ]);
    const { client } = clientOf(({ url }) => pages.get(url), { profile: "google", agent: "Foo" });
    const [a, b] = await Promise.all([client.decide(URL_A), client.decide("https://b.example/x")]);
    assert.deepEqual([a.allowed, b.allowed], [false, true]);
    const closed = new Map([
        ["https://c.example/robots.txt", to("https://d.example/moved")],
        ["https://d.example/robots.txt", text("User-agent: Foo\nDisallow: /moved\n")],
    ]);
    const asking = clientOf(({ url }) => closed.get(url), { profile: "google", agent: "Foo" });
    assert.equal((await asking.client.decide("https://c.example/")).accessResult.result, "unavailable");
    assert.deepEqual(asking.requested, ["https://c.example/robots.txt", "https://d.example/robots.txt"]);
});

test("what is no question is thrown, and nothing is requested", async () => {
    const { client, requested } = clientOf(() => text(""));
    for (const url of ["/x", "x", "http://a b/", "https://h.example:99999/", "http://[::1/"]) {
        await assert.rejects(client.decide(url), { name: "TargetError" }, url);
    }
    await assert.rejects(client.decide("file:///x"), Error);
    await assert.rejects(client.decide("gopher://h.example/x"), { name: "ArgumentError" });
    assert.deepEqual(requested, []);
    await assert.rejects(client.decide(URL_A, "Foo/1.0"), { name: "ProductTokenError", likely: "Foo" });
    assert.throws(() => new RobotsClient({ profile: "none" }), { name: "ArgumentError" });
    assert.throws(() => new RobotsClient({ agent: "a b" }), { name: "ProductTokenError" });
    assert.throws(() => new RobotsClient({ maxMemory: 1 }), { name: "ArgumentError", argument: "maxMemory" });
});

test("over fetch: an encoding that was not asked for, a hidden redirect and an endless body", async () => {
    const over = (response) => new RobotsClient({ transport: fetchTransport(async () => response) }).answer(URL_A);
    const encoded = new Response(RULES, { headers: { "content-encoding": "gzip" } });
    assert.match((await over(encoded)).accessResult.what, /cannot be decoded/);
    const hidden = Object.defineProperty(new Response(), "type", { value: "opaqueredirect" });
    await assert.rejects(over(hidden), RedirectHiddenError);
    let isCancelled = false;
    const endless = new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(0x23)),
        cancel: () => {
            isCancelled = true;
        },
    });
    assert.equal((await over(new Response(endless))).stance, "rules");
    assert.ok(isCancelled);
    const refused = new RobotsClient({ transport: fetchTransport(async () => assert.fail("a request")) });
    assert.match((await refused.answer("ftp://h.example/")).notKept, /refused here/);
});

test("over fetch: always GET, with the headers of the client before those of init", async () => {
    let sent;
    const headers = { "User-Agent": "other", cookie: "a=b" };
    const send = async (url, init) => ((sent = new Request(url, init)), new Response(RULES));
    await new RobotsClient({ agent: "Foo", transport: fetchTransport(send, { init: { method: "POST", headers } }) }).decide(URL_A);
    const values = ["user-agent", "accept-encoding", "cookie"].map((name) => sent.headers.get(name));
    assert.deepEqual([sent.method, ...values], ["GET", "Foo", "identity", "a=b"]);
    for (const init of [{ headers: { cookie: "日本" } }, { mode: "none" }, { body: "x" }]) {
        assert.throws(() => fetchTransport(send, { init }), { code: "VERGER_ARGUMENT", argument: "init" });
    }
    for (const response of [{}, undefined, "x", { status: 200, headers: {} }]) {
        const client = new RobotsClient({ transport: fetchTransport(async () => response) });
        await assert.rejects(client.decide(URL_A), { code: "VERGER_ARGUMENT", message: /`fetch\(\)` must be a Response/ });
    }
});

test("what a proxy says of itself is no status of the site", async () => {
    const refusing = async () => new Response("", { status: 407 });
    const { stance, accessResult: result } = await new RobotsClient({ transport: fetchTransport(refusing) }).decide(URL_A);
    assert.deepEqual([stance, result.result], ["closed", "unreachable"]);
});

test("the guard judges addresses as the command does", () => {
    const guard = new AddressGuard({ allow: ["10.0.0.0/8"], refuse: ["10.1.0.0/16", "9.9.9.9/32"] });
    const isRefused = (address) => guard.refusal(address) !== undefined;
    const refused = ["127.0.0.1", "::1", "::ffff:127.0.0.1", "169.254.1.1", "192.168.1.1", "10.1.2.3", "9.9.9.9", "fe80::1"];
    assert.deepEqual(refused.filter((address) => !isRefused(address)), []);
    assert.deepEqual(["8.8.8.8", "10.2.3.4", "2606:4700::1111"].filter(isRefused), []);
    assert.equal(guard.refusal("127.0.0.1"), "127.0.0.1 is a loopback address (RFC 1122)");
    assert.ok(guard.refusalOfHost("[::1]") && guard.refusalOfHost("127.0.0.1"));
    assert.equal(guard.refusalOfHost("h.example"), undefined);
    assert.throws(() => new AddressGuard({ allow: ["x"] }), { name: "ArgumentError" });
});

test("robots.txt is requested as the agent, or as userAgent says", async () => {
    const sent = async (options, transportOf = (send) => send) => {
        let header;
        const send = async (request) => {
            header = new Headers(request.headers).get("user-agent");
            return text("");
        };
        await new RobotsClient({ ...options, transport: transportOf(send) }).decide(URL_A);
        return header;
    };
    assert.equal(await sent({ agent: "ExampleBot" }), "ExampleBot");
    assert.equal(await sent({ agent: ["ExampleBot-News", "ExampleBot"] }), "ExampleBot-News");
    assert.equal(await sent({ agent: "ExampleBot", userAgent: "ExampleBot/1.0" }), "ExampleBot/1.0");
    assert.equal(await sent({ agent: ["*", "ExampleBot"] }), "ExampleBot");
    assert.equal(await sent({}), "verger");
    assert.equal(await sent({ agent: ["*", "*"] }), "verger");
    const overFetch = (send) => fetchTransport(async (_, init) => (await send(init), new Response("")));
    assert.equal(await sent({ agent: "ExampleBot" }, overFetch), "ExampleBot");
});

test("a clock or a transport that returns something else, or throws, is an error that names it", async () => {
    const ok = text("");
    const wrong = [
        [() => undefined, /`transport\(\)` must be an object, not undefined/],
        [() => null, /`transport\(\)`/],
        [() => ({}), /`transport\(\)\.failure`/],
        [() => ({ ...ok, status: "200" }), /`transport\(\)\.status` must be a code below 1000, not `200`/],
        [() => ({ ...ok, headers: new Headers() }), /`transport\(\)\.headers` must be an array .*, not Headers/],
        [() => ({ ...ok, headers: [["age", 1]] }), /`transport\(\)\.headers`/],
        [() => ({ ...ok, body: undefined }), /`transport\(\)\.body`/],
        [() => ({ ftpReply: "226" }), /`transport\(\)\.ftpReply`/],
        [() => ({ ftpFile: 1, isCut: false }), /`transport\(\)\.body`/],
        [() => assert.fail("no socket"), /`transport` failed: no socket/],
    ];
    for (const [say, message] of wrong) {
        for (const transport of [say, async () => say()]) {
            await assert.rejects(new RobotsClient({ transport }).decide(URL_A), { name: "ArgumentError", code: "VERGER_ARGUMENT", message });
        }
    }
    for (const time of [Infinity, NaN, -1, 1e300]) {
        assert.throws(() => new RobotsClient({ now: () => time }), { code: "VERGER_ARGUMENT", argument: "now()" });
    }
    assert.equal((await clientOf(() => ({ ...ok, body: new ArrayBuffer(0) })).client.decide(URL_A)).stance, "rules");
});

test("options that do not exist and values of the wrong type are named", () => {
    const wrong = [
        [{ agents: "Foo" }, "agents", /Did you mean `agent`\?/],
        [{ useragent: "Foo" }, "useragent", /Did you mean `userAgent`\?/],
        [{ deadlineMilliseconds: 1 }, "deadlineMilliseconds", /Use one of `profile`, /],
        [{ timeout: "1s" }, "timeout", /must be a number/],
        [{ timeout: 0 }, "timeout", /must be a number above 0/],
        [{ userAgent: "日本" }, "userAgent", /visible ASCII/],
        [{ userAgent: "a\r\nb: c" }, "userAgent", /visible ASCII/],
        [{ userAgent: "" }, "userAgent", /visible ASCII/],
        [{ profile: "gogle" }, "profile", /must be a profile/],
        [{ transport: {} }, "transport", /must be a function/],
        [{ store: new Map() }, "store", /with `get` and `put`/],
        [null, "options", /not null/],
        ["Foo", "options", /must be an object, not `Foo`/],
    ];
    for (const [options, argument, message] of wrong) {
        assert.throws(() => new RobotsClient(options), { name: "ArgumentError", code: "VERGER_ARGUMENT", argument, message });
    }
    const undici = { Agent: Object, request() {}, buildConnector() {} };
    assert.throws(() => undiciTransport(undici, { dispatcher: {} }), { name: "ArgumentError", argument: "dispatcher" });
    assert.throws(() => undiciTransport(), { name: "ArgumentError", argument: "undici" });
    assert.throws(() => new AddressGuard({ allow: "10.0.0.0/8" }), { name: "ArgumentError", argument: "allow" });
    assert.throws(() => gate(new RobotsClient(), fetch), { name: "ArgumentError", argument: "fetch" });
    assert.throws(() => gate(fetch, new RobotsClient(), { dely: () => {} }), { argument: "dely", message: /Did you mean `delay`\?/ });
    assert.throws(() => gateRoute({}), { argument: "client" });
    assert.throws(() => withVerger(undefined), { argument: "Crawler" });
});

test("each profile has its choices with their clauses", () => {
    const names = profiles().map(({ name }) => name);
    assert.deepEqual(names.sort(), ["cautious", "draft2019", "google", "google-2023", "koster1996", "rfc9309"]);
    assert.ok(profiles().every(({ choices }) => choices.length > 20));
});
