// The gate before fetch, before undici and before the documents of Playwright.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { RobotsClient } from "verger/access";
import { Delays, DeniedError, gate, gateInterceptor, gateRoute } from "verger/gate";

const peers = createRequire(new URL("../../peers/package.json", import.meta.url));
const ROBOTS = "User-agent: *\nDisallow: /private\nDisallow: /x?q=1\nDisallow: /y?q=a%20b\nCrawl-delay: 3\n";

let server;
let site;
let requested;

before(async () => {
    server = createServer((request, response) => {
        requested.push(`${request.method} ${request.url}`);
        const [, status, to] = /^\/to\/(\d+)(.*)$/.exec(request.url) ?? [];
        if (request.url === "/robots.txt") {
            response.end(ROBOTS);
        } else if (status !== undefined) {
            response.writeHead(Number(status), { location: to }).end();
        } else {
            request.pipe(response.writeHead(200, { "x-token": request.headers.authorization ?? "" }));
        }
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    site = `http://127.0.0.1:${server.address().port}`;
});

after(() => server.closeAllConnections() ?? server.close());

const begin = () => {
    requested = [];
    return new RobotsClient({ agent: "Foo" });
};

test("before fetch, what is denied is not sent, nor what a redirect leads to", async () => {
    const get = gate(fetch, begin());
    await assert.rejects(get(`${site}/private/a`), (error) => {
        assert.ok(error instanceof DeniedError && error.decision.line === 2 && error.url === `${site}/private/a`);
        assert.equal(error.message, `${site}/private/a is disallowed: line 2: Disallow: /private`);
        return true;
    });
    await assert.rejects(get(`${site}/to/302/to/307/private`), DeniedError);
    assert.deepEqual(requested, ["GET /robots.txt", "GET /to/302/to/307/private", "GET /to/307/private"]);
    assert.equal((await get(new Request(`${site}/to/301/a`))).url, `${site}/a`);
});

test("before fetch, a redirect is followed as fetch does", async () => {
    const send = gate(fetch, begin());
    const post = { method: "POST", body: "text", headers: { authorization: "secret", "content-type": "text/plain" } };
    const kept = await send(`${site}/to/308/a`, post);
    assert.deepEqual([await kept.text(), kept.headers.get("x-token")], ["text", "secret"]);
    assert.equal(await (await send(`${site}/to/303/a`, post)).text(), "");
    assert.deepEqual(requested.slice(1), ["POST /to/308/a", "POST /a", "POST /to/303/a", "GET /a"]);
    const other = site.replace("127.0.0.1", "localhost");
    assert.equal((await send(`${site}/to/307${other}/a`, post)).headers.get("x-token"), "");
    assert.equal((await send(`${site}/to/302/a`, { redirect: "manual" })).status, 302);
    await assert.rejects(send(`${site}/to/302/a`, { redirect: "error" }), { name: "RedirectError", code: "VERGER_REDIRECT" });
    await assert.rejects(send(`${site}/to/302ftp://h.example/`), { name: "RedirectError" });
    let endless = `${site}/to/302`;
    const loop = gate(async () => new Response(null, { status: 302, headers: { location: endless } }), begin());
    await assert.rejects(loop(`${site}/to/302`), /more than 20 redirects/);
});

test("before fetch, what fetch is given reaches it, also after a redirect", async () => {
    begin();
    const [sent, given] = [[], []];
    const record = async (request, extras) => {
        sent.push([request.url, request.cache, request.credentials, request.keepalive, await request.text()]);
        given.push(extras);
        return sent.length === 2 ? new Response("") : new Response(null, { status: 307, headers: { location: "/b" } });
    };
    const platform = { proxy: "http://p.example", tls: {}, client: {}, cf: {}, dispatcher: {} };
    const members = { cache: "no-store", credentials: "omit", keepalive: true };
    const init = { method: "POST", body: "text", ...members, ...platform, dispatcher: undefined };
    const response = await gate(record, new RobotsClient({ agent: "Foo" }))(`${site}/a`, init);
    assert.deepEqual(sent, ["/a", "/b"].map((path) => [site + path, "no-store", "omit", true, "text"]));
    assert.deepEqual(given, Array(2).fill({ ...platform, dispatcher: undefined }));
    assert.equal(response.redirected, true);
    assert.equal((await gate(fetch, begin())(`${site}/to/302/a`)).redirected, true);
    assert.equal((await gate(fetch, begin())(`${site}/a`)).redirected, false);
    const invalid = gate(async () => new Response(null, { status: 302, headers: { location: "http://[" } }), begin());
    await assert.rejects(invalid(site), { code: "VERGER_REDIRECT", message: /redirects to a URL that is invalid/ });
});

test("before fetch, a signal ends the wait for robots.txt and for a delay at once", async () => {
    let [isAsked, turn] = [false, undefined];
    const transport = () => ((isAsked = true), new Promise(() => {}));
    const send = () => assert.fail("a request");
    const controller = new AbortController();
    const reason = new Error("enough");
    const waiting = gate(send, new RobotsClient({ transport, timeout: 1000 }))(`${site}/a`, { signal: controller.signal });
    const ended = assert.rejects(waiting, (error) => error === reason);
    while (!isAsked) {
        await new Promise((resolve) => setImmediate(resolve));
    }
    controller.abort(reason);
    await ended;
    isAsked = false;
    await assert.rejects(gate(send, new RobotsClient({ transport }))(`${site}/a`, { signal: AbortSignal.abort(reason) }), (error) => error === reason);
    assert.equal(isAsked, false);
    const during = new AbortController();
    const isSent = new Promise((resolve) => {
        turn = async () => (during.abort(reason), resolve);
    });
    await assert.rejects(gate(send, begin(), { delay: turn })(`${site}/a`, { signal: during.signal }), (error) => error === reason);
    assert.equal(await isSent, false);
});

/** Delays by a clock that their sleeps set forward, and when each request was sent. */
function virtual() {
    let now = 1000;
    const sleeps = [];
    const sleep = (milliseconds) => new Promise((resolve) => sleeps.push([now + milliseconds, resolve]));
    return {
        delays: new Delays(sleep, () => now),
        pass: (milliseconds) => void (now += milliseconds),
        /** The next sleep that ends, once there is one. */
        async next() {
            while (sleeps.length === 0) {
                await new Promise((resolve) => setImmediate(resolve));
            }
            const [at, resolve] = sleeps.shift();
            now = Math.max(now, at);
            resolve();
        },
        now: () => now,
    };
}

test("the delay of a site is kept in the order of the requests, also while its rules are fetched again", async () => {
    const { delays, pass, next, now } = virtual();
    const client = begin();
    const decide = client.decide.bind(client);
    const sent = [];
    let decisions = 0;
    client.decide = async (url, agent) => {
        decisions += 1;
        // That of the second request when it has its turn: a slow fetch.
        if (decisions === 6) {
            pass(20_000);
        }
        return decide(url, agent);
    };
    const record = async (request) => {
        sent.push([new URL(request.url).pathname, now()]);
        return new Response("");
    };
    await decide(site);
    const get = gate(record, client, { delay: delays.turn });
    const all = Promise.all(["/a", "/b", "/c", "/d"].map((path) => get(site + path)));
    for (let turn = 0; turn < 3; turn += 1) {
        await next();
    }
    await all;
    assert.deepEqual(sent, [["/a", 1000], ["/b", 24_000], ["/c", 27_000], ["/d", 30_000]]);
});

test("a delay that becomes longer is kept by those that wait already", async () => {
    const { delays, next, now } = virtual();
    const client = begin();
    const decide = client.decide.bind(client);
    // The fourth is that of the second request when it has its turn.
    let decisions = 0;
    client.decide = async (...question) => {
        decisions += 1;
        return { ...(await decide(...question)), delay: decisions < 4 ? 3000 : 10_000 };
    };
    const sent = [];
    const record = async () => {
        sent.push(now());
        return new Response("");
    };
    const get = gate(record, client, { delay: delays.turn });
    await get(`${site}/a`);
    const waiting = get(`${site}/b`);
    await next();
    await next();
    await waiting;
    assert.deepEqual(sent, [1000, 11_000]);
});

test("a request that is not sent after all leaves its turn to the next", async () => {
    const { delays, next, now } = virtual();
    (await delays.turn(site, 3000))(true);
    const turns = [delays.turn(site, 3000), delays.turn(site, 3000), delays.turn(site, 3000)];
    await next();
    (await turns[0])(false);
    assert.equal(now(), 4000);
    (await turns[1])(true);
    await next();
    await turns[2];
    assert.equal(now(), 7000);
    const failing = new Delays(() => Promise.reject(new Error("no sleep")), () => 0);
    (await failing.turn(site, 1))(true);
    await assert.rejects(failing.turn(site, 1), /no sleep/);
    await assert.rejects(failing.turn(site, 1), /no sleep/);
});

for (const [version, name, node] of [[6, "undici-6", 20], [7, "undici", 20], [8, "undici-8", 22]]) {
    const isTooNew = Number(process.versions.node.split(".")[0]) < node && `it needs Node ${node}`;
    test(`before undici ${version}, what is denied is an error of the request, also after a redirect`, { skip: isTooNew }, async () => {
        const undici = peers(name);
        const client = begin();
        const agent = new undici.Agent();
        const gated = agent.compose(gateInterceptor(client), undici.interceptors.redirect({ maxRedirections: 5 }));
        const get = (path, options = {}) => undici.request(site + path, { dispatcher: gated, ...options });
        await assert.rejects(get("/private"), DeniedError);
        await assert.rejects(get("/to/302/private"), DeniedError);
        await assert.rejects(get("/x", { query: { q: "1" } }), DeniedError);
        await assert.rejects(get("/y", { query: { q: ["a b'(c)~", 1n, {}] } }), DeniedError);
        await (await get("/y", { query: { q: [] } })).body.dump();
        await assert.rejects(undici.fetch(`${site}/private`, { dispatcher: gated }), ({ cause }) => cause instanceof DeniedError);
        const reply = await get("/to/302/a");
        assert.equal(reply.statusCode, 200);
        await reply.body.dump();
        assert.deepEqual(requested, ["GET /robots.txt", "GET /to/302/private", "GET /y", "GET /to/302/a", "GET /a"]);
        await agent.destroy();
    });
}

/** A route of Playwright, as its handler sees it. */
function routeOf(path, { method = "GET", kind = "document", browser = "chromium", hasFrame = true } = {}) {
    const calls = [];
    const page = { context: () => ({ browser: () => ({ browserType: () => ({ name: () => browser }) }) }) };
    const request = {
        url: () => site + path,
        method: () => method,
        headers: () => ({ authorization: "secret" }),
        resourceType: () => kind,
        frame: () => (hasFrame ? { page: () => page } : assert.fail("no frame")),
    };
    return {
        calls,
        request: () => request,
        abort: async (code) => void calls.push(`abort ${code}`),
        fallback: async () => void calls.push("fallback"),
        fulfill: async ({ response }) => void calls.push(`fulfill ${response.status()}`),
        fetch: async ({ url = site + path, method: given = method, headers = request.headers(), maxRedirects }) => {
            assert.equal(maxRedirects, 0);
            const response = await fetch(url, { method: given, headers, redirect: "manual" });
            const token = response.headers.get("x-token");
            calls.push(`fetch ${given} ${new URL(url).pathname}${token ? " with token" : ""}`);
            return { status: () => response.status, headers: () => Object.fromEntries(response.headers), dispose: async () => {} };
        },
    };
}

test("before Playwright, documents and the targets of their redirects are asked about", async () => {
    const denied = [];
    const handle = gateRoute(begin(), { denied: (error) => denied.push(error) });
    const callsOf = async (...given) => {
        const route = routeOf(...given);
        await handle(route);
        return route.calls;
    };
    assert.deepEqual(await callsOf("/private"), ["abort blockedbyclient"]);
    assert.ok(denied[0] instanceof DeniedError);
    assert.deepEqual(await callsOf("/private", { kind: "image" }), ["fallback"]);
    assert.deepEqual(await callsOf("/a"), ["fetch GET /a with token", "fulfill 200"]);
    const walked = ["fetch GET /to/302/to/307/a", "fetch GET /to/307/a", "fetch GET /a with token"];
    assert.deepEqual(await callsOf("/to/302/to/307/a"), [...walked, "fulfill 302"]);
    assert.deepEqual(await callsOf("/to/302/to/307/a", { browser: "webkit" }), [...walked, "fallback"]);
    assert.deepEqual(await callsOf("/to/302/to/307/private"), [...walked.slice(0, 1).map((it) => it.replace("/a", "/private")), "fetch GET /to/307/private", "abort blockedbyclient"]);
    const other = site.replace("127.0.0.1", "localhost");
    assert.deepEqual(await callsOf(`/to/302${other}/a`), [`fetch GET /to/302${other}/a`, "fetch GET /a", "fulfill 302"]);
    // A POST is sent once.
    assert.deepEqual(await callsOf("/to/303/a", { method: "POST" }), ["fetch POST /to/303/a", "fetch GET /a with token", "fulfill 303"]);
    assert.deepEqual(await callsOf("/to/307/a", { method: "POST" }), ["fetch POST /to/307/a", "fulfill 307"]);
    assert.deepEqual(await callsOf("/to/307/private", { method: "POST" }), ["fetch POST /to/307/private", "abort blockedbyclient"]);
    assert.deepEqual(await callsOf("/to/303/a", { method: "POST", browser: "webkit" }), ["fallback"]);
    const loop = await callsOf(`/to/302/loop`);
    assert.deepEqual(loop.at(-1), "fulfill 302");
    assert.deepEqual(requested.filter((it) => / \/private/.test(it)), []);
});

test("before Playwright, a request without a frame is answered, and one that is denied even if `denied` throws", async () => {
    const denied = () => {
        throw new Error("a mistake");
    };
    const handle = gateRoute(begin(), { denied });
    const callsOf = async (path, options) => {
        const route = routeOf(path, options);
        await handle(route).catch(({ message }) => route.calls.push(message));
        return route.calls;
    };
    assert.deepEqual(await callsOf("/private"), ["abort blockedbyclient", "a mistake"]);
    assert.deepEqual(await callsOf("/a", { hasFrame: false }), ["fetch GET /a with token", "fulfill 200"]);
    assert.deepEqual(await callsOf("/private", { hasFrame: false }), ["abort blockedbyclient", "a mistake"]);
    await callsOf("/a", { browser: "webkit" });
    assert.equal((await callsOf("/to/302/a", { hasFrame: false })).at(-1), "fallback");
});

test("before Playwright, a document that cannot be fetched fails as the browser says", async () => {
    const handle = gateRoute(begin());
    for (const [method, expected] of [["GET", "fallback"], ["POST", "abort failed"]]) {
        const route = { ...routeOf("/a", { method }), fetch: async () => Promise.reject(new Error("reset")) };
        await handle(route);
        assert.deepEqual(route.calls, [expected]);
    }
});
